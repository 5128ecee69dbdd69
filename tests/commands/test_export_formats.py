#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exports that other programs read, and parts of exports: test_export_formats.py PLYBASE

Quiet positions, winners and mirror images are computed here from the boards of a
CSV export; the moves of a list are replayed here. The published counts of the UCI Connect-4 data set
are compared if $PLYBASE_PATH has the table of connect-7x6-k4.
"""
import collections
import csv
import os
import subprocess
import sys
import tempfile

from checks import check, finish

PLYBASE = os.path.abspath(sys.argv[1])
SIGN = {"win": 1, "draw": 0, "loss": -1}


def plybase(*arguments, **more):
    return subprocess.run([PLYBASE, *map(str, arguments)], text=True, capture_output=True, **more)


def lines(*arguments):
    run = plybase("export", *arguments, "-o", "-")
    check(run.returncode == 0, arguments, run.stderr)
    return run.stdout.splitlines()


def rows(*arguments):
    return list(csv.DictReader(lines(*arguments)))


def build(spec, *options):
    run = plybase("build", spec, "--quiet", *options)
    check(run.returncode == 0 and not run.stderr, spec, run.stderr)
    return spec + ".plb"


def grid_of(board):
    """The cells as x, o or b: columns from the left, each from the bottom."""
    grid = [[]]
    for char in board:
        if char == "/":
            grid.append([])
        else:
            grid[-1] += "b" * int(char) if char.isdigit() else char
    return list(zip(*reversed(grid)))


def bit(column, row):
    return 1 << 16 * column + row


def has_line(cells, k):
    """Do k of these cells lie in a line? Cells are bits; no line goes through the empty rows above a board."""
    for step in (1, 15, 16, 17):
        line = cells
        for i in range(1, k):
            line &= cells >> i * step
        if line:
            return True
    return False


def is_quiet(grid, k):
    """The game is not over, and no stone that drops now completes a line of its colour."""
    free = [c for c, column in enumerate(grid) if "b" in column]
    drops = [0] + [bit(c, grid[c].index("b")) for c in free]  # 0: no stone drops
    stones = [sum(bit(c, r) for c, column in enumerate(grid) for r, cell in enumerate(column) if cell == stone)
              for stone in "xo"]
    return bool(free) and not any(has_line(cells | drop, k) for cells in stones for drop in drops)


# ---- parts ----

def check_parts(table, k):
    whole = rows(table)
    plies = max(int(row["ply"]) for row in whole)
    for part, expected in ((("--ply", "2-4"), lambda row: 2 <= int(row["ply"]) <= 4),
                           (("--ply", f"0-{plies}"), lambda row: True),
                           (("--where", "draw"), lambda row: row["value"] == "draw"),
                           (("--where", "loss", "--ply", 7), lambda row: row["value"] == "loss" and row["ply"] == "7"),
                           (("--where", "quiet"), lambda row: is_quiet(grid_of(row["position"]), k))):
        got = rows(table, *part)
        check(got and got == [row for row in whole if expected(row)], table, part, len(got))
    quiet = {row["position"] for row in rows(table, "--where", "quiet")}
    sample = rows(table, "--where", "quiet", "--sample", "2e3")
    check(len(sample) == 2000 and all(row["position"] in quiet for row in sample), table, "sample")
    check(sample[:300] == rows(table, "--where", "quiet", "--sample", 300), table, "a longer sample")


def check_nothing_wanted(table):
    """Plies without such a position, which the statistics may show."""
    for where, ply, says in (("loss", 0, "no position of these plies is a loss"), ("quiet", 4, "none of 131072 random positions is wanted")):
        run = plybase("export", table, "--where", where, "--ply", ply, "--sample", 1, "-o", "-")
        check(run.returncode == 1 and says in run.stderr, run.stderr)


def check_read_back(table, name, listed):
    run = plybase("probe", table, "-", "--input", name, "--expect", 2, input="\n".join(listed) + "\n")
    check(run.returncode == 0 and f"{len(listed)} of {len(listed)} lines agree" in run.stderr, table, name, run.stderr)


# ---- UCI ----

def check_uci(table, k, ply):
    expected = {}
    for row in rows(table, "--ply", ply):
        grid = grid_of(row["position"])
        if is_quiet(grid, k):
            value = SIGN[row["value"]] * (1 if row["to_move"] == "x" else -1)
            expected[",".join(cell for column in grid for cell in column)] = value
    mirror = lambda text: ",".join(cell for column in reversed(columns(text)) for cell in column)
    height = len(grid_of(rows(table, "--ply", 0)[0]["position"])[0])
    columns = lambda text: [text.split(",")[i:i + height] for i in range(0, text.count(",") + 1, height)]
    got = dict(line.rsplit(",", 1) for line in lines(table, "--ply", ply, "--format", "uci"))
    check(all(expected[position] == SIGN[value] for position, value in got.items()), table, "values for x")
    check(set(got) | set(map(mirror, got)) == set(expected), table, "all, up to mirror images")
    symmetric = sum(mirror(position) == position for position in expected)
    check(len(got) == (len(expected) + symmetric) // 2, table, "one of each pair", len(got))
    check_read_back(table, "uci", lines(table, "--ply", ply, "--format", "uci"))


def check_published():
    table = "connect-7x6-k4"
    places = [folder for folder in os.environ.get("PLYBASE_PATH", "").split(":")
              if folder and os.path.exists(os.path.join(folder, table + ".plb"))]
    if not places:
        print(f"SKIPPED: the 67,557 rows of the UCI set: {table}.plb is not in $PLYBASE_PATH")
        return
    got = collections.Counter(line.rsplit(",", 1)[1] for line in
                              lines(table, "--tables", places[0], "--ply", 8, "--format", "uci"))
    check(got == {"win": 44473, "draw": 6449, "loss": 16635}, "the UCI set", got)


# ---- Pons ----

def check_pons(spec, width, height):
    table = build(spec, "--values", "dtm")
    listed = lines(table, "--format", "pons")
    boards = {}
    for line in listed:
        moves, score = line.split(" ")
        grid = [[] for _ in range(width)]
        for ply, move in enumerate(moves):
            grid[int(move) - 1].append("xo"[ply % 2])
        boards["/".join("".join(column).ljust(height, "b") for column in grid)] = int(score)
    expected = {}
    for row in rows(table):
        if row["best_moves"] and row["ply"] != "0":
            left = width * height - int(row["ply"]) - int(row["dtm"] or 0)
            expected["/".join(map("".join, grid_of(row["position"])))] = SIGN[row["value"]] * (left // 2 + 1)
    check(boards == expected and len(listed) == len(expected), spec, "positions and scores", len(listed))
    check_read_back(table, "pons", listed)
    check(len(lines(table, "--format", "pons", "--sample", 50)) == 50, spec, "a sample")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    check_parts(build("connect-4x4-k3"), 3)
    check_nothing_wanted(build("connect-4x2-k2"))
    check_uci(build("connect-4x4-k4"), 4, 8)
    check_uci("connect-4x4-k4.plb", 4, 9)
    check_uci("connect-4x4-k3.plb", 3, 4)
    check_published()
    check_pons("connect-4x3-k3", 4, 3)
    check_pons("connect-5x3-k3-misere", 5, 3)
    wide = build("connect-11x2-k2", "--values", "dtm")
    check_read_back(wide, "pons", lines(wide, "--format", "pons", "--sample", 3000))
    run = plybase("export", wide, "--format", "pons", "--ply", 0, "-o", "-")
    check(run.returncode == 2 and "--format pons writes moves, and at ply 0 there are none\n" in run.stderr, run.stderr)
    os.chdir("/")
finish(minimum=25)
