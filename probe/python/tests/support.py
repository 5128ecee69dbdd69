# SPDX-License-Identifier: MIT
"""For the tests: tables built by the command, and positions to ask for.

PLYBASE_COMMAND names the command.
"""
import os
import signal
import subprocess
import sys
import time

COMMAND = os.environ.get("PLYBASE_COMMAND", "plybase")
VALUES = {"win": 1, "draw": 0, "loss": -1}
SEED = 20261121


def build(spec, path, values="wdl"):
    subprocess.run(
        [COMMAND, "build", spec, "--values", values, "-o", path],
        check=True,
        stderr=subprocess.DEVNULL,
    )


def command(*arguments):
    """What the command prints."""
    return subprocess.run([COMMAND, *arguments], check=True, text=True, capture_output=True).stdout


def check_ctrl_c_ends(test, path, call, seconds=20):
    """Does Ctrl-C end a program in the midst of a call, within some seconds? It has the table of the path."""
    script = (
        "import plybase, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "with plybase.open(sys.argv[1]) as table:\n"
        "    print('begun', flush=True)\n"
        f"    while True: {call}\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, path], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        test.assertEqual(program.stdout.readline(), "begun\n")
        time.sleep(0.3)
        program.send_signal(signal.SIGINT)
        _, said = program.communicate(timeout=seconds)
    test.assertEqual(program.returncode, -signal.SIGINT)
    test.assertTrue(said.rstrip().endswith("KeyboardInterrupt"), said)


def random_moves(info, chance, count):
    """Sequences of moves. Some go on after the end or on a stone."""
    names = [str(column + 1) for column in range(info.width)]
    if not info.gravity:
        names = ["abcdefgh"[c] + str(r + 1) for c in range(info.width) for r in range(info.height)]
    for _ in range(count):
        length = chance.randint(1, info.cells)
        room = names * (info.height if info.gravity else 1)
        chance.shuffle(room)
        wrong = [chance.choice(names)] if chance.random() < 0.05 else []
        yield "".join(room[:length] + wrong)


def random_boards(info, chance, count):
    """Boards of any stones in any cells; most cannot arise."""
    for _ in range(count):
        empty = chance.choice([1, 2, 8])
        rows = ["".join(chance.choices("xo1", [1, 1, empty], k=info.width))
                for _ in range(info.height)]
        yield "/".join(rows)
