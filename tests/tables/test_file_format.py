#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tables/FORMAT.md suffices: a reader written from it (table_reader.py) gives what plybase gives.

    test_file_format.py PLYBASE TEST_SHARDS

TEST_SHARDS builds a table in three shards.
"""
import csv
import os
import random
import struct
import subprocess
import sys
import tempfile
from functools import lru_cache

sys.dont_write_bytecode = True
try:
    from table_reader import Table
except ImportError:  # this python3 may not be Debian's, which has the packages
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print("python3-xxhash and python3-zstandard are not installed: skipped")
    sys.exit(77)

VALUES = {"win": 1, "draw": 0, "loss": -1}
# With PLYBASE_FAULTS=1/1 all tables and more positions of them; else the commit decides which.
FIRST, STEP = os.environ.get("PLYBASE_FAULTS", "1/1").split("/")
SAMPLED = 250 if STEP == "1" else 100
FEW = 60 if STEP == "1" else 12  # where Python needs a fifth of a second for a position


def sample(count):
    return ["--sample", str(count), "--seed", FIRST]


WITH_COLUMNS = "connect-7x3-k4"  # the record takes less than 2 % of the build
# What is built, with which values and index, and what is asked: all positions, or a sample where a ply
# has many blocks.
TABLES = [
    (WITH_COLUMNS, "wdl", "slabs", sample(FEW)),
    ("connect-4x3-k3", "wdl", "slabs", []),
    ("mnk-3x3-k3", "wdl", "slabs", []),
    ("square-3x3", "wdl", "slabs", []),
    ("connect-3x3-k3-misere-cylinder", "wdl", "slabs", []),
    ("connect-4x3-k3-misere", "dtm", "slabs", []),
    ("mnk-3x3-k3-cylinder", "dtm", "slabs", []),
    ("connect-5x4-k4", "dtm", "slabs", sample(SAMPLED)),
    ("mnk-4x4-k4", "wdl", "slabs", sample(SAMPLED)),
    ("mnk-4x4-k4", "wdl", "shards", sample(SAMPLED)),
    ("mnk-3x3-k3", "dtm", "keys", []),
    ("connect-3x3-k3-misere-cylinder", "wdl", "keys", []),
    ("connect-5x4-k4", "wdl", "keys", sample(SAMPLED)),
    ("numeric-3x3", "dtm", "keys", sample(SAMPLED)),
    ("numeric-3x3-first12345", "wdl", "keys", sample(SAMPLED)),
]


def counts(table, ply):
    """Total, terminal, won, drawn, lost."""
    key = struct.pack(">H", ply)
    return list(struct.unpack(">5Q", table.unseal(key, table.stats[key])))


def distances(table, ply):
    """(wins?, plies, positions), where there are any; then x, o of a longest win, of a loss."""
    content = table.record(b"distances")
    numbers = struct.unpack(f">{len(content) // 8}Q", content)
    at = sum(table.cells - earlier + 1 + 4 for earlier in range(ply))
    end = at + table.cells - ply + 1
    told = [((plies % 2 == 1) != table.game.misere, plies, count)
            for plies, count in enumerate(numbers[at:end]) if count]
    return told, numbers[end:end + 2], numbers[end + 2:end + 4]


def check_meta(table):
    """The records of meta are those that `contents` names, in order."""
    names = [name for name in sorted(table.meta) if name not in (b"description", b"contents", b"shards")]
    assert table.record(b"contents") == b"".join(name + b"\n" for name in names)


def check_counts(table, path, plybase):
    told = subprocess.run([plybase, "stats", path, "--csv"], check=True, capture_output=True, text=True)
    rows = [[int(n) for n in line.split(",")[1:6]] for line in told.stdout.splitlines()[1:]]
    assert rows == [counts(table, ply) for ply in range(table.cells + 1)]


def check_distances(table, path, plybase):
    """What the file holds is what the command prints, with the longest of a ply and value last."""
    told = subprocess.run([plybase, "stats", path, "--csv", "--distances"], check=True,
                          capture_output=True, text=True)
    lines = list(csv.DictReader(told.stdout.splitlines()))
    for ply in range(table.cells + 1):
        told_counts, *longest = distances(table, ply)
        rows = [row for row in lines if row["ply"] == str(ply)]
        assert sorted((row["value"] == "win", int(row["dtm"]), int(row["positions"]))
                      for row in rows) == sorted(told_counts)
        for value, (x, o) in zip(("win", "loss"), longest):
            boards = [row["longest"] for row in rows if row["value"] == value and row["longest"]]
            positions = [table.game.from_words(x, o)] * len(boards)
            assert [table.game.parse(board) for board in boards] == positions
            assert boards or x == o == 0


@lru_cache(maxsize=None)
def have_order(columns):
    """Can the last stone be taken from one of the columns, which are sorted, and so on?"""
    x, o = (sum(column.count(player) for column in columns) for player in "xo")
    last = "x" if x > o else "o"
    return x - o in (0, 1) and (x + o == 0 or any(
        column.endswith(last) and have_order(tuple(sorted(columns[:n] + (column[:-1],) + columns[n + 1:])))
        for n, column in enumerate(columns)))


def check_columns(table):
    """What may arise by the file is what play reaches."""
    columns, seen = table.columns(), {False: 0, True: 0}
    draw = random.Random(20240919)
    while min(seen.values()) < 100:
        drawn = tuple(draw.choice(columns.words) for _ in range(columns.width))
        if "".join(drawn).count("x") - "".join(drawn).count("o") not in (0, 1):
            continue
        expected = have_order(tuple(sorted(drawn)))
        assert columns.accept(drawn) == expected, drawn
        seen[expected] += 1
    print(f"columns: {seen[True]} accepted, {seen[False]} refused")


def check_table(plybase, folder, spec, values, engine, options):
    path = os.path.join(folder, f"{spec}-{values}-{engine}.plb")
    build = [plybase, "build", spec, "--values", values, "--engine", engine, "-o", path]
    if engine == "shards":
        build = [sys.argv[2], "make", spec, path, "3"]
    subprocess.run(build, check=True, capture_output=True)
    table = Table(path)
    check_meta(table)
    check_counts(table, path, plybase)
    if values == "dtm":
        check_distances(table, path, plybase)
    if spec == WITH_COLUMNS:
        check_columns(table)
    rows = subprocess.run([plybase, "export", path, *options, "-o", "-"], check=True,
                          capture_output=True, text=True).stdout.splitlines()
    checked, before = 0, table.planes_of.cache_info().misses
    for row in csv.DictReader(rows):
        expected = VALUES[row["value"]], int(row["dtm"]) if row["dtm"] else None
        found = table.answer(*table.game.parse(row["position"]))
        assert found == expected, (spec, row, found)
        checked += 1
    blocks = table.planes_of.cache_info().misses - before
    print(f"{spec} {values} {engine}: {checked} positions, {blocks} blocks")
    assert checked == int(options[1]) if options else checked > 200
    assert blocks > 0


def main():
    with tempfile.TemporaryDirectory() as folder:
        for table in TABLES if STEP == "1" else TABLES[:1] + TABLES[1 + int(FIRST) % 3::3]:
            check_table(sys.argv[1], folder, *table)


main()
