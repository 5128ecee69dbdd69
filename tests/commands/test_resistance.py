#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Resistance of best moves is what plain probes say: test_resistance.py PLYBASE PACKAGE LIBRARY

The shares come from the formula of plybase.h, written anew here over the values that `plybase probe`
gives of each position. The command, its columns, HTTP and Python then say the same.
"""
import functools
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

from checks import check, finish
from serve_support import Server, build, is_sanitized

PLYBASE = os.path.abspath(sys.argv[1])
PACKAGE, LIBRARY = (os.path.abspath(path) for path in sys.argv[2:4])
SPECS = {"connect-4x4-k3": (5, 14), "connect-4x4-k4-misere": (5, 14), "connect-3x3-k3-cylinder": (5, 14),
         "mnk-3x3-k3": (5, 14), "mnk-4x3-k3-misere": (3, 8), "square-3x3": (3, 8), "numeric-2x2-each": (5, 8),
         "numeric-3x3": (1, 6)}
VALUES = {"win": 1, "draw": 0, "loss": -1}


def ask(*words, lines=None):
    done = subprocess.run([PLYBASE, *map(str, words)], capture_output=True, text=True, check=False,
                          input=None if lines is None else "".join(line + "\n" for line in lines))
    return done.stdout, done.stderr, done.returncode


class Prober:
    """A process that is asked one position after another."""

    def __init__(self, table):
        self.process = subprocess.Popen([PLYBASE, "probe", table, "--json", "-"], text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.moves = functools.lru_cache(None)(self.moves)
        self.share = functools.lru_cache(None)(self.share)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def moves(self, board):
        """Value for the mover, and of each move: its name, its value, the board after it."""
        self.process.stdin.write(board + "\n")
        found = json.loads(self.process.stdout.readline())
        return [(move["move"], VALUES[move["value"]], move["position"]) for move in found["moves"]]

    def share(self, board, plies):
        """How likely the mover loses value within the plies: rounded to 9 decimals, halves up."""
        replies = self.moves(board)
        if not replies:
            return Fraction(0)
        value = replies[0][1]
        total = Fraction(0)
        for _, its, after in replies:
            if its < value:
                total += 1
            elif plies > 1 and value > -1:
                ours = self.moves(after)
                total += max((self.share(then, plies - 2) for _, mine, then in ours if mine == ours[0][1]), default=0)
        return Fraction(int(total / len(replies) * 10**9 + Fraction(1, 2)), 10**9)

    def count_worse(self, board):
        replies = self.moves(board)
        return len(replies), sum(value < replies[0][1] for _, value, _ in replies)


def sample_boards(prober, chance, count):
    """Positions of random games, the empty board among them."""
    boards = []
    board = None
    for _ in range(count):
        if board is None or not prober.moves(board):
            board = prober.empty
        boards.append(board)
        moves = prober.moves(board)
        if moves:
            board = chance.choice(moves)[2]
    return boards


def compare(spec, table, server):
    chance = random.Random(46)
    prober, opened = Prober(table), plybase and plybase.open(table)
    prober.empty = json.loads(ask("probe", table, "--json")[0])["position"]
    max_plies, count = SPECS[spec]
    boards = sample_boards(prober, chance, count)
    answers, _, _ = ask("best", table, "--json", "-", lines=boards)
    plain = [json.loads(line) for line in answers.splitlines()]
    for plies in range(1, max_plies + 1, 2):
        answers, _, status = ask("best", table, f"--resist={plies}", "--json", "-", lines=boards)
        columns = ask("best", table, f"-r{plies}", "-", lines=boards)[0].splitlines()
        check(status == 0 and len(columns) == len(boards), spec, plies, status)
        for board, before, line, row in zip(boards, plain, answers.splitlines(), columns, strict=True):
            found = json.loads(line)
            after = {move: then for move, _, then in prober.moves(board)}
            expected = sorted(((-prober.share(after[m["move"]], plies), n, m) for n, m in enumerate(before["moves"])),
                              key=lambda one: one[:2])
            check([m["move"] for _, _, m in expected] == [m["move"] for m in found["moves"]], spec, plies, board)
            check(found["resist_plies"] == plies and found["value"] == before["value"], spec, plies, board)
            for (share, _, _), move in zip(expected, found["moves"], strict=True):
                resistance = move["resistance"]
                check((resistance["replies"], resistance["worse"]) == prober.count_worse(after[move["move"]]), spec, board, move)
                check(abs(resistance["share"] + float(share)) < 1e-9, spec, plies, board, move, float(share))
            names = ",".join(m["move"] for m in found["moves"]) or "-"
            shares = ",".join(f"{m['resistance']['share']:.9g}" for m in found["moves"]) or "-"
            check(row.split("\t")[3:] == [names, shares], row, names, shares)
            over_http = server.get(f"/v1/tables/{spec}/best?board={board}&resist={plies}").json
            check(over_http["moves"] == found["moves"] and over_http["resist_plies"] == plies, over_http)
            if opened:
                same = opened.find_resistance(board, plies=plies)
                check(same.plies == plies and [str(m) for m in same.best.moves] == names.split(",") * bool(same.replies),
                      same)
                check([(r.count, r.worse, r.share) for r in same.replies] ==
                      [tuple(m["resistance"][key] for key in ("replies", "worse", "share")) for m in found["moves"]],
                      same)
    prober.close()


def resistance_is_printed(table):
    text = ask("best", table, "--resist")[0]
    check("\nbest moves: 2 4 1 5 3\nresistance 2    3 of 5 replies lose value\n"
          "           4    3 of 5 replies lose value\n" in text, text)
    text = ask("best", table, "--resist=3")[0]
    check("resistance 1    2 of 5 replies lose value, 88.0 % within 3 plies\n" in text, text)
    check("resistance" not in ask("best", table)[0], "without --resist")
    text = ask("best", table, "--resist", "--moves", "331")[0]
    check("\nresistance none: the opponent has lost already, whatever he replies\n" in text, text)
    # A limit stops the plies, not the values: 1 ply is always there.
    found = json.loads(ask("best", table, "--resist=15", "--nodes=20", "--json")[0])
    check(found["resist_plies"] == 1 and found["exact"] and found["moves"][0]["move"] == "2", found)
    check(ask("best", table, "--resist=15", "--nodes=20")[2] == 0, "a limit of resistance is no failure")


def wrong_plies_are_refused(table, strategy, server):
    for wrong in ("0", "2", "17", "x", "", "1e0"):
        _, error, status = ask("best", table, f"--resist={wrong}")
        check(status == 2 and "an odd number from 1 to 15 is needed" in error, wrong, error)
        answer = server.get(f"/v1/tables/connect-5x5-k4/best?resist={wrong}")
        check(answer.status == 400 and b"an odd number from 1 to 15 is needed" in answer.body, wrong, answer.body)
    _, error, status = ask("best", strategy, "--resist")
    check(status == 1 and error.count("\n") == 1 and "a strategy has no resistance" in error, error)
    check(ask("best", strategy)[2] == 0, "a strategy without resistance")
    if not plybase:
        return
    with plybase.open(table) as opened:
        for wrong in (0, 2, 17, -1):
            try:
                opened.find_resistance(moves="", plies=wrong)
                check(False, wrong)
            except ValueError:
                pass


plybase = None
if not is_sanitized(PLYBASE):  # Python itself is not
    os.environ["PLYBASE_LIBRARY"] = LIBRARY
    sys.path.insert(0, PACKAGE)
    import plybase

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name in (*SPECS, "connect-5x5-k4"):
        build(PLYBASE, name)
    ask("build", "connect-4x4-k3", "--values", "dtm", "-o", "dtm.plb")
    ask("strategy", "numeric-2x2-each", "-o", "strategy")
    with Server(PLYBASE, *(f"{name}.plb" for name in (*SPECS, "connect-5x5-k4"))) as running:
        for name in SPECS:
            compare(name, f"{name}.plb", running)
        resistance_is_printed("connect-5x5-k4.plb")
        wrong_plies_are_refused("connect-5x5-k4.plb", "strategy", running)
finish()
