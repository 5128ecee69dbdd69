#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The number of rows of the UCI Connect-4 data set, and the announcement of such an export:
test_uci_set.py PLYBASE

Positions are enumerated here from the rules. On 7x6 this gives the numbers of probe/CONVENTIONS.md and
needs no table; on 6x5 the export is compared with the enumeration, row by row.
"""
import csv
import os
import re
import subprocess
import sys
import tempfile

from checks import check, finish

PLYBASE = os.path.abspath(sys.argv[1])
COUNTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/connect4-7x6-per-ply.csv")


class Game:
    """Connect-4 in bitboards with an empty row on top: bit column * (height + 1) + row."""

    def __init__(self, width, height):
        self.width, self.height, self.rise = width, height, height + 1
        self.bottom = [1 << (c * self.rise) for c in range(width)]
        self.full = [((1 << height) - 1) << (c * self.rise) for c in range(width)]
        self.steps = (1, self.rise, self.rise + 1, self.rise - 1)

    def has_four(self, stones):
        for step in self.steps:
            pairs = stones & stones >> step
            if pairs & pairs >> 2 * step:
                return True
        return False

    def drops(self, stones):
        """The cells to which a stone can fall."""
        for bottom, full in zip(self.bottom, self.full):
            if stones & full != full:
                yield (stones & full) + bottom

    def positions(self, ply):
        """All reachable positions, as stones of x and of o."""
        there = {(0, 0)}
        for made in range(ply):
            before, there = there, set()
            for x, o in before:
                if self.has_four(o if made % 2 == 0 else x):
                    continue  # the player who has just moved has won
                for cell in self.drops(x | o):
                    there.add((x | cell, o) if made % 2 == 0 else (x, o | cell))
        return there

    def is_quiet(self, x, o):
        return not any(self.has_four(x | cell) or self.has_four(o | cell) for cell in self.drops(x | o))

    def mirrored(self, stones):
        low = (1 << self.rise) - 1
        return sum((stones >> c * self.rise & low) << (self.width - 1 - c) * self.rise for c in range(self.width))

    def row(self, x, o):
        cells = [c * self.rise + r for c in range(self.width) for r in range(self.height)]
        return ",".join("x" if x >> cell & 1 else "o" if o >> cell & 1 else "b" for cell in cells)


def rows_of_the_set():
    game = Game(7, 6)
    reached = game.positions(8)
    over = {at for at in reached if game.has_four(at[0]) or game.has_four(at[1])}
    quiet = {at for at in reached - over if game.is_quiet(*at)}
    symmetric = sum(at == (game.mirrored(at[0]), game.mirrored(at[1])) for at in quiet)
    check((len(reached), len(over)) == (184275, 1892), "positions with 8 stones", len(reached), len(over))
    check((len(quiet), symmetric) == (134934, 180), "quiet, symmetric", len(quiet), symmetric)
    pairs = {min(at, (game.mirrored(at[0]), game.mirrored(at[1]))) for at in quiet}
    check(len(pairs) == 67557 == (len(quiet) + symmetric) // 2, "one of each mirror pair", len(pairs))
    with open(COUNTS, encoding="utf-8", newline="") as file:
        counted = next(row for row in csv.DictReader(file) if row["ply"] == "8")
    check((counted["total"], counted["terminal"]) == ("184275", "1892"), "as counted elsewhere", counted)


def plybase(*arguments):
    run = subprocess.run([PLYBASE, *map(str, arguments)], capture_output=True, text=True, check=False)
    check(run.returncode == 0, arguments, run.stderr)
    return run


def export_has_these_rows():
    game = Game(6, 5)
    quiet = {at for at in game.positions(8)
             if not game.has_four(at[0]) and not game.has_four(at[1]) and game.is_quiet(*at)}
    expected = {game.row(x, o): game.row(game.mirrored(x), game.mirrored(o)) for x, o in quiet}
    plybase("build", "connect-6x5-k4", "--quiet")
    got = [line.rpartition(",")[0] for line in
           plybase("export", "connect-6x5-k4.plb", "--ply", 8, "--format", "uci", "-o", "-").stdout.splitlines()]
    check(len({*got}) == len(got) and {*got} | {expected[row] for row in got} == {*expected}, "rows of 6x5", len(got))
    check(len(got) == len({min(pair) for pair in expected.items()}), "one of each pair", len(got))


def it_says_what_it_will_take():
    """With --where, the number of rows and the size are estimated from a sample."""
    plybase("build", "connect-5x5-k4", "--quiet")
    messages = plybase("export", "connect-5x5-k4.plb", "--ply", 16, "--format", "uci", "--where", "win", "-o", "out").stderr
    match = re.fullmatch(r"out: about ([\d,]+) rows, about ([\d.]+) MiB\nout: ([\d,]+) rows, .*\n", messages)
    if check(match, messages):
        about, rows = (int(match[group].replace(",", "")) for group in (1, 3))
        with open("out", encoding="utf-8") as file:
            values = [line.rstrip("\n").rpartition(",")[2] for line in file]
        check(len(values) == rows and {*values} == {"win"}, "rows", rows, {*values})
        check(abs(about - rows) < 0.2 * rows, "about", about, rows)
        size = os.path.getsize("out") / 2**20
        check(abs(float(match[2]) - size) < 0.2 * size, "bytes", match[2], size)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    rows_of_the_set()
    export_has_these_rows()
    it_says_what_it_will_take()
    os.chdir("/")
finish(minimum=10)
