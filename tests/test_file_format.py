#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tables/FORMAT.md suffices: a reader written from it (table_reader.py) gives what plybase gives.

    test_file_format.py PLYBASE
"""
import csv
import os
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
try:
    from table_reader import Table
except ImportError:  # this python3 may not be Debian's, which has the packages
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print("python3-xxhash and python3-zstandard are not installed: skipped")
    sys.exit(77)

VALUES = {"win": 1, "draw": 0, "loss": -1}
# What is built, and what is asked: all positions, or a sample where a ply has many blocks.
TABLES = [
    ("connect-4x3-k3", "wdl", []),
    ("mnk-3x3-k3", "wdl", []),
    ("square-3x3", "wdl", []),
    ("connect-3x3-k3-misere-cylinder", "wdl", []),
    ("connect-4x3-k3-misere", "dtm", []),
    ("mnk-3x3-k3-cylinder", "dtm", []),
    ("connect-5x4-k4", "dtm", ["--sample", "1500", "--seed", "1"]),
    ("mnk-4x4-k4", "wdl", ["--sample", "1500", "--seed", "1"]),
]


def parse_board(table, text):
    """Cells of x and of o; rows come from the top."""
    x = o = 0
    for row, line in enumerate(reversed(text.split("/"))):
        column, number = 0, ""
        for c in line + "!":
            if c.isdigit():
                number += c
                continue
            column, number = column + int(number or 0), ""
            if c in "xo":
                bit = 1 << table.cell(column, row)
                x, o = (x | bit, o) if c == "x" else (x, o | bit)
                column += 1
    return x, o


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
    told = [((plies % 2 == 1) != table.misere, plies, count)
            for plies, count in enumerate(numbers[at:end]) if count]
    return told, numbers[end:end + 2], numbers[end + 2:end + 4]


def check_meta(table):
    """The records of meta are those that `contents` names, in order."""
    names = [name for name in sorted(table.meta) if name not in (b"description", b"contents")]
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
            cells = [tuple(sum(1 << table.cell(bit // table.height, bit % table.height)
                               for bit in range(table.cells) if stones >> bit & 1)
                           for stones in (x, o))]
            assert [parse_board(table, board) for board in boards] == cells * len(boards)
            assert boards or x == o == 0


def check_table(plybase, folder, spec, values, options):
    path = os.path.join(folder, f"{spec}-{values}.plb")
    subprocess.run([plybase, "build", spec, "--values", values, "-o", path], check=True,
                   capture_output=True)
    table = Table(path)
    check_meta(table)
    check_counts(table, path, plybase)
    if values == "dtm":
        check_distances(table, path, plybase)
    rows = subprocess.run([plybase, "export", path, *options, "-o", "-"], check=True,
                          capture_output=True, text=True).stdout.splitlines()
    checked, before = 0, table.planes_of.cache_info().misses
    for row in csv.DictReader(rows):
        expected = VALUES[row["value"]], int(row["dtm"]) if row["dtm"] else None
        found = table.answer(*parse_board(table, row["position"]))
        assert found == expected, (spec, row, found)
        checked += 1
    blocks = table.planes_of.cache_info().misses - before
    print(f"{spec} {values}: {checked} positions, {blocks} blocks")
    assert checked > 500 and blocks > 0


def main():
    with tempfile.TemporaryDirectory() as folder:
        for spec, values, options in TABLES:
            check_table(sys.argv[1], folder, spec, values, options)


main()
