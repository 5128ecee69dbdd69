#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/studies/number-questions: its answers, its symmetries, and that it loses no answer:
test_number_questions.py PLYBASE SOURCE

2x2 is solved here, by plain rules. On 3x3 the first player wins every split, as published.
"""
import collections
import csv
import itertools
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from checks import check, finish

PLYBASE, SOURCE = map(os.path.abspath, sys.argv[1:3])
LINES = [(0, 1), (2, 3), (0, 2), (1, 3), (0, 3), (1, 2)]


def command(*arguments):
    return [f"{SOURCE}/tools/studies/number-questions", *map(str, arguments), "--plybase", PLYBASE]


def ask(*arguments, code=0):
    done = subprocess.run(command(*arguments), text=True, capture_output=True)
    check(done.returncode == code, arguments, "gave", done.returncode, done.stderr)
    return done.stdout if code == 0 else done.stderr


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


# ---- 2x2 by plain rules: cells 0 1 below 2 3, the sum is 5 ----


def value(board, first):
    """The value for the first player: 1, 0 or -1."""
    placed = sum(number > 0 for number in board)
    if any(board[a] and board[b] and board[a] + board[b] == 5 for a, b in LINES):
        return 1 if placed % 2 else -1
    mine = [v for v in range(1, 5) if v not in board and (v in first) == (placed % 2 == 0)]
    moves = [(c, v) for c in range(4) for v in mine if not board[c]]
    replies = [value(board[:c] + (v,) + board[c + 1 :], first) for c, v in moves]
    return (min if placed % 2 else max)(replies) if replies else 0


def small_splits_are_those_of_plain_play():
    expected = collections.Counter()
    for first in itertools.combinations(range(1, 5), 2):
        expected[value((0, 0, 0, 0), first)] += 1
    for option in [["--plain"], ["--quiet"], ["--tables", "."]]:
        last = ask("splits", 2, *option, "-o", f"two{option[0]}.csv").splitlines()[-1]
        found = {name: int(count) for name, count in re.findall(r"(\w+) player (\d+)", last)}
        check(found == {"first": expected[1], "second": expected[-1]}, last, expected)


def small_replies_are_those_of_plain_play():
    ask("replies", "numeric-2x2", "--plain", "-o", "replies.csv")
    rows = rows_of("replies.csv")
    check(len(rows) == 4 * 2 * 3 * 2, len(rows), "pairs of moves")
    for row in rows:
        top, bottom = (line.split(",") for line in row["position"].split("/"))
        board = tuple(0 if text == "." else int(text) for text in bottom + top)
        check((value(board, (1, 3)) == -1) == (row["answer"] == "yes"), row)


# ---- symmetries, and all splits of 3x3 ----


def symmetries_change_no_answer():
    for option, classes in [("--plain", 126), ("--quiet", 23)]:
        last = ask("splits", 3, option, "--jobs", 3, "-o", f"three{option}.csv").splitlines()[-1]
        check(last.startswith(f"126 of 126 splits ({classes} up to symmetry)"), last)
        check(last.endswith(": first player 126"), last)
    sums = {}
    for option in [[], ["--plain"]]:
        ask("replies", "numeric-3x3", *option, "-o", f"replies3{len(option)}.csv")
        rows = rows_of(f"replies3{len(option)}.csv")
        sums[len(option)] = len(rows), {row["answer"] for row in rows}
    check(sums == {0: (240, {"no"}), 1: (9 * 5 * 8 * 4, {"no"})}, sums)


# ---- no answer is lost ----


def a_killed_run_goes_on():
    run = subprocess.Popen(command("splits", 3, "--plain", "-o", "killed.csv"),
                           stdout=subprocess.DEVNULL)
    while not os.path.exists("killed.csv") or len(rows_of("killed.csv")) < 5:
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    run.wait()
    kept = rows_of("killed.csv")
    with open("killed.csv", "a", encoding="utf-8") as file:
        file.write("numeric-3x3-first12345,first,\"., no end of a line")
    last = ask("splits", 3, "--plain", "-o", "killed.csv").splitlines()[-1]
    rows = rows_of("killed.csv")
    check(last.endswith("first player 126"), last)
    check(rows[: len(kept)] == kept and len(rows) == 126, len(kept), "rows kept, then", len(rows))


def a_stopped_run_says_so():
    run = subprocess.Popen(command("splits", 4, "-o", "stopped.csv"), text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not os.path.exists("stopped.csv") or not os.path.getsize("stopped.csv"):
        time.sleep(0.01)
    time.sleep(1)
    run.send_signal(signal.SIGTERM)
    out, talk = run.communicate()
    check(run.returncode == 143 and "goes on from here" in talk, run.returncode, talk)
    check(not out or "not asked" in out, out)


def what_few_nodes_left_open_is_asked_again():
    options = "splits", 3, "--sample", 40, "--seed", 3, "-o", "few.csv"
    first = ask(*options, "--nodes", 2).splitlines()[-1]
    check("undecided" in first, first)
    rows = len(rows_of("few.csv"))
    check(ask(*options, "--nodes", 2).splitlines()[-1] == first, "same nodes, other result")
    check(len(rows_of("few.csv")) == rows, "asked again with the same nodes")
    last = ask(*options).splitlines()[-1]
    check(last.endswith(": first player 40"), last)


def mistakes_are_refused():
    with open("foreign.csv", "w", encoding="utf-8") as file:
        file.write("a,b\n1,2\n")
    check("not written by this tool" in ask("splits", 3, "-o", "foreign.csv", code=1))
    check("one of 2, 3, 4" in ask("splits", 5, code=2))
    check("numeric-4x4" in ask("replies", "numeric-4x4-each", code=2))
    check("--tables is for" in ask("splits", 4, "--tables", ".", code=2))
    check("at least 1" in ask("splits", 3, "--jobs", 0, code=2))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    small_splits_are_those_of_plain_play()
    small_replies_are_those_of_plain_play()
    symmetries_change_no_answer()
    a_killed_run_goes_on()
    a_stopped_run_says_so()
    what_few_nodes_left_open_is_asked_again()
    mistakes_are_refused()
    os.chdir("/")
finish()
