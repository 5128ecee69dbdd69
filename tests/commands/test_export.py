#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`plybase export` writes the table, whole or sampled: test_export.py PLYBASE

Rows are compared with the statistics, with `plybase probe`, and with the symmetries of the
board, which are written anew here, on board texts.
"""
import ast
import collections
import csv
import os
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time

from checks import check, finish

PLYBASE = os.path.abspath(sys.argv[1])
HEADER = "position,ply,to_move,value,dtm,best_moves"
FIELDS = [("x", "<u8"), ("o", "<u8"), ("ply", "|u1"), ("value", "|i1"), ("dtm", "<i2"),
          ("best", "<u8")]
VALUES = {"win": 1, "draw": 0, "loss": -1}
BOARDS = ["connect-3x3-k3", "connect-4x3-k3-misere", "connect-5x3-k3-cylinder",
          "connect-4x3-k3-misere-cylinder", "mnk-3x3-k3", "mnk-4x2-k3-misere", "mnk-2x4-k3-cylinder",
          "mnk-2x2-k2", "mnk-1x1-k1", "square-3x3", "square-4x2-misere"]
LARGER = ["connect-4x4-k4", "mnk-4x3-k3-misere"]  # without images under symmetries


def plybase(*arguments, **more):
    return subprocess.run([PLYBASE, *map(str, arguments)], text=True, capture_output=True, **more)


def export(*arguments):
    """The rows of a CSV export to stdout."""
    run = plybase("export", *arguments, "-o", "-")
    check(run.returncode == 0 and not run.stderr, arguments, run.stderr)
    lines = run.stdout.split("\n")
    check(lines[0] == HEADER and lines[-1] == "", arguments, "header or last line")
    rows = [line.split(",") for line in lines[1:-1]]
    check(all(len(row) == 6 for row in rows), arguments, "rows of six fields")
    return rows


def build(spec, *options):
    table = "_".join([spec, *(option.strip("-") for option in options)]) + ".plb"
    run = plybase("build", spec, *options, "-o", table)
    check(run.returncode == 0, run.stderr)
    return table


def totals(table):
    """Positions per ply, from the statistics."""
    lines = plybase("stats", table, "--csv").stdout.splitlines()[1:]
    return [int(line.split(",")[1]) for line in lines]


# ---- boards as grids ----

def read_grid(text):
    return tuple(re.sub(r"\d+", lambda run: "." * int(run.group()), text).split("/"))


def mirror(grid):
    return tuple(row[::-1] for row in grid)


def turn(grid):
    return tuple(row[1:] + row[:1] for row in grid)


def transpose(grid):
    return tuple(map("".join, zip(*grid)))


def generators(spec):
    """Symmetries that generate all others."""
    found = [mirror]
    if "-cylinder" in spec:
        found.append(turn)
    if not spec.startswith("connect"):
        found.append(lambda grid: grid[::-1])
        width, height = re.search(r"(\d+)x(\d+)", spec).groups()
        if width == height and "-cylinder" not in spec:
            found.append(transpose)
    return found


def orbit(spec, text):
    """All images of a board, as grids."""
    found, todo = set(), [read_grid(text)]
    while todo:
        grid = todo.pop()
        if grid not in found:
            found.add(grid)
            todo += [symmetry(grid) for symmetry in generators(spec)]
    return found


def bits(grid, stone):
    """A bit for each cell with the stone: the lowest one is that of the bottom of the first column."""
    cells = "".join("".join(column) for column in reversed(list(zip(*grid))))
    return int("".join("01"[cell == stone] for cell in cells), 2)


# ---- NPY ----

def read_npy(path):
    """Fields and records of a file of format version 1.0."""
    with open(path, "rb") as file:
        content = file.read()
    size, = struct.unpack_from("<H", content, 8)
    check(content[:8] == b"\x93NUMPY\x01\x00", path, "magic")
    check((10 + size) % 64 == 0 and content[9 + size:10 + size] == b"\n", path, "padding")
    header = ast.literal_eval(content[10:10 + size].decode("ascii"))
    check(header["fortran_order"] is False and header["descr"] == FIELDS, path, header)
    records = list(struct.iter_unpack("<QQBbhQ", content[10 + size:]))
    check(header["shape"] == (len(records),), path, header["shape"], len(records))
    return records


def bit_of_move(move, grid, gravity):
    """The bit of the cell that a move takes."""
    column = int(move) - 1 if gravity else ord(move[0]) - ord("a")
    row = sum(line[column] != "." for line in grid) if gravity else int(move[1:]) - 1
    return 1 << (column * len(grid) + row)


def record_of(row, gravity):
    """The expected NPY record for a row of CSV."""
    board, ply, _, value, dtm, best = row
    grid = read_grid(board)
    return (bits(grid, "x"), bits(grid, "o"), int(ply), VALUES[value], int(dtm or -1),
            sum(bit_of_move(move, grid, gravity) for move in best.split()))


def check_npy(spec, table, rows):
    path = f"{spec}.npy"
    run = plybase("export", table, "-o", path)
    check(run.returncode == 0 and f"{len(rows):,} rows" in run.stderr, run.stderr)
    expected = [record_of(row, spec.startswith("connect")) for row in rows]
    check(read_npy(path) == expected, spec, "npy as csv")
    try:
        import numpy
    except ImportError:
        print("skipped: no numpy to read the file")
        return
    array = numpy.load(path)
    check([tuple(record) for record in array.tolist()] == expected, spec, "numpy reads it")


# ---- whole tables ----

def check_rows(table, rows):
    """The rows are as many as in the statistics, in order, without repetition, and agree with probe."""
    counts = collections.Counter(int(row[1]) for row in rows)
    check([counts[ply] for ply in range(len(totals(table)))] == totals(table), table, counts)
    check([row[1] for row in rows] == sorted((row[1] for row in rows), key=int), table, "order")
    check(len({row[0] for row in rows}) == len(rows), table, "a position comes twice")
    answers = plybase("probe", table, "-", input="".join(row[0] + "\n" for row in rows)).stdout
    expected = ["\t".join([board, value, dtm or "-", best.replace(" ", ",") or "-"])
                for board, _, _, value, dtm, best in rows]
    check(expected == answers.splitlines(), table, "as probe answers")
    check(all(row[2] == "xo"[int(row[1]) % 2] for row in rows), table, "to_move")


def check_canonical(spec, table, rows):
    """Canonical rows are a subset in the same order; their orbits are disjoint and cover all rows."""
    canonical = export(table, "--canonical")
    boards = {read_grid(row[0]) for row in rows}
    by_line = set(map(tuple, rows))
    check(all(tuple(row) in by_line for row in canonical), spec, "canonical rows are rows")
    orbits = [orbit(spec, row[0]) for row in canonical]
    check(sum(map(len, orbits)) == len(boards), spec, "orbits are disjoint")
    check(set().union(*orbits) == boards, spec, "orbits cover")


def check_board(spec):
    table = build(spec)
    rows = export(table)
    check_rows(table, rows)
    if spec in BOARDS:
        check_canonical(spec, table, rows)
        check_npy(spec, table, rows)
    ply = len(totals(table)) // 2
    check(export(table, "--ply", ply) == [row for row in rows if row[1] == str(ply)], spec, "--ply")


def check_numbers():
    """Games of numbers: rows agree with probe, and images of canonical rows are rows."""
    for spec in ["numeric-2x2", "numeric-2x2-each"]:
        table = build(spec, "--values", "dtm")
        run = plybase("export", table, "-o", "-")
        rows = list(csv.reader(run.stdout.splitlines()[1:]))
        check(all(len(row) == 6 for row in rows), spec, "rows of six fields")
        check_rows(table, rows)
        canonical = list(csv.reader(plybase("export", table, "-c", "-o", "-").stdout.splitlines()[1:]))
        check(canonical and all(row in rows for row in canonical), spec, "canonical rows are rows")
        run = plybase("export", table, "-o", "numbers.npy", "--force")
        check(run.returncode == 0, run.stderr)
        records = read_npy("numbers.npy")
        check(len(records) == len(rows), spec, "npy has as many rows")
        check(all(bin(record[1]).count("1") == record[2] for record in records), spec, "occupied")
    sampled = list(csv.reader(plybase("export", table, "-s", "200", "-o", "-").stdout.splitlines()[1:]))
    check(len(sampled) == 200 and all(row in rows for row in sampled), "sampled rows are rows")


def check_keys():
    """An index of keys gives the same rows, in another order."""
    for spec in ["connect-4x3-k3", "mnk-3x4-k3-cylinder"]:
        rows = set(map(tuple, export(build(spec, "--values", "dtm"))))
        keyed = build(spec, "--values", "dtm", "--engine", "keys")
        by_keys = list(map(tuple, export(keyed)))
        check(len(by_keys) == len(rows) and set(by_keys) == rows, spec, "rows by keys")
        check(rows.issuperset(map(tuple, export(keyed, "--canonical"))), spec, "canonical by keys")


def check_distances():
    table = build("connect-4x4-k3", "--values", "dtm")
    rows = export(table)
    check_rows(table, rows)
    check_npy("connect-4x4-k3", table, rows)
    check(all((row[4] == "") == (row[3] == "draw") for row in rows), "a distance, unless drawn")


def check_bytes():
    """Neither the number of threads nor the kind of output changes a byte."""
    table = "connect-4x4-k4.plb"
    for options in [], ["--canonical"], ["--sample", 10000], ["--sample", 10000, "--canonical"]:
        one = plybase("export", table, *options, "-o", "-", "--threads", 1).stdout
        check(one == plybase("export", table, *options, "-o", "-", "--threads", 3).stdout, options)
        plybase("export", table, *options, "-o", "out.csv", "--force")
        with open("out.csv", encoding="ascii") as file:
            check(one == file.read(), options, "stdout and file")
    check(os.stat("out.csv").st_mode & 0o777 == 0o666 & ~UMASK, "permissions")


# ---- samples ----

def check_uniform(spec, *options):
    """A sample has rows of the whole export only, uniformly: chi-square within five standard deviations."""
    table, draws = f"{spec}.plb", 50000
    whole = {row[0]: row for row in export(table, *options)}
    rows = export(table, *options, "--sample", draws, "--seed", 7)
    check(len(rows) == draws, spec, options, len(rows))
    check(all(whole.get(row[0]) == row for row in rows), spec, options, "rows of the table")
    counts = collections.Counter(row[0] for row in rows)
    expected, freedom = draws / len(whole), len(whole) - 1
    chi = sum((counts[board] - expected) ** 2 / expected for board in whole)
    check(abs(chi - freedom) < 5 * (2 * freedom) ** 0.5, spec, options, "chi-square", chi, freedom)


def check_samples():
    table = "connect-4x4-k4.plb"
    first = export(table, "--sample", 3000)
    check(first == export(table, "--sample", 3000, "--seed", 1), "the seed is 1")
    check(first[:700] == export(table, "--sample", 700), "a longer one begins with a shorter one")
    other = export(table, "--sample", 3000, "--seed", 2)
    common = len({row[0] for row in first} & {row[0] for row in other})
    check(common < 300, "another seed, other positions", common)
    check({row[1] for row in export(table, "--sample", 300, "--ply", 9)} == {"9"}, "--ply")


# ---- failures ----

def refuse(status, pattern, *arguments, **more):
    """A refusal is one sentence and an exit status, and leaves no new file."""
    before = sorted(os.listdir("."))
    run = plybase("export", *arguments, **more)
    check(run.returncode == status and re.search(pattern, run.stderr), arguments, run.returncode,
          run.stderr)
    check(status == 2 or run.stderr.count("\n") == 1, arguments, "one sentence", run.stderr)
    check(sorted(os.listdir(".")) == before, arguments, "something was left")


def check_refusals():
    table = "mnk-3x3-k3.plb"
    refuse(2, "must end in .csv or .npy", table, "-o", "out.txt")
    refuse(2, "must end in .csv or .npy", table, "-o", ".csv")
    refuse(2, "an output is needed", table)
    refuse(2, "a FILE is needed: plybase export FILE", "-o", "new.csv")
    refuse(2, "--seed needs --sample", table, "--seed", 5, "-o", "new.csv")
    refuse(2, "a number from 1", table, "--sample", 0, "-o", "new.csv")
    for plies in "many", "5-3", "2-", "-2", "2-99", "":
        refuse(2, "a ply such as 8, or plies such as 2-4, the lower one first, up to 64 is needed", table, f"--ply={plies}", "-o", "new.csv")
    refuse(2, "--where most: win, draw, loss or quiet is needed", table, "--where", "most", "-o", "new.csv")
    refuse(2, "--ply is given twice", table, "--ply", 1, "--ply", 2, "-o", "new.csv")
    refuse(2, "--format xml: csv, npy, uci or pons is needed", table, "--format", "xml", "-o", "new.csv")
    refuse(2, "--format npy needs a file", table, "--format", "npy", "-o", "-")
    refuse(1, "mnk-3x3-k3 has no gravity", table, "--format", "pons", "-o", "new.txt")
    refuse(1, "--values dtm", "connect-4x4-k4.plb", "--format", "pons", "-o", "new.txt")
    refuse(1, "games of stones", "numeric-2x2_values_dtm.plb", "--format", "uci", "-o", "new.txt")
    refuse(1, "games of stones", "numeric-2x2_values_dtm.plb", "--where", "quiet", "-o", "new.csv")
    refuse(2, "--ply 10: mnk-3x3-k3 has plies 0 to 9", table, "--ply", 10, "-o", "new.csv")
    refuse(1, "cannot open nothing.plb", "nothing.plb", "-o", "new.csv")
    refuse(1, "cannot create /nowhere/new.csv: No such", table, "-o", "/nowhere/new.csv")
    os.mkdir("folder.csv")
    refuse(1, "folder.csv exists and is not a file", table, "--force", "-o", "folder.csv")
    with open("old.csv", "w", encoding="ascii") as file:
        file.write("mine\n")
    refuse(1, "old.csv exists; --force", table, "-o", "old.csv")
    with open("old.csv", encoding="ascii") as file:
        check(file.read() == "mine\n", "a file was touched without --force")
    check(plybase("export", table, "-o", "old.csv", "--force").returncode == 0, "--force")
    with open("old.csv", encoding="ascii") as file:
        check(sum(1 for _ in file) == 5479, "--force replaces")


def check_empty_ply():
    """The export of a ply that no game reaches has only a header, and cannot be sampled."""
    table = build("connect-3x3-k1")
    check(export(table, "--ply", 5) == [], "no rows")
    plybase("export", table, "--ply", 5, "-o", "empty.npy")
    check(read_npy("empty.npy") == [], "no records")
    refuse(1, "no position of ply 5 can arise", table, "--ply", 5, "--sample", 9, "-o", "new.csv")


def check_full_disk():
    with open("/dev/full", "w", encoding="ascii") as full:
        run = subprocess.run([PLYBASE, "export", "mnk-3x3-k3.plb", "-o", "-"], stdout=full,
                             stderr=subprocess.PIPE, text=True, check=False)
    check(run.returncode == 1 and "cannot write the output: No space left" in run.stderr
          and run.stderr.count("\n") == 1, "full disk", run.stderr)
    for path in "limited.csv", "limited.npy":
        refuse(1, f"cannot write {path}: File too large", "connect-4x4-k4.plb", "-o", path,
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)))


def check_damage():
    """A table with a wrong byte ends the export without an output. One byte in three is tried; with
    PLYBASE_FAULTS=1/1 each."""
    first, step = map(int, os.environ.get("PLYBASE_FAULTS", "1/1").split("/"))
    step = min(step, 3)
    with open("connect-4x4-k4.plb", "rb") as file:
        content = bytearray(file.read())
    refused = 0
    for at in range(5 + 1201 * (first % step), len(content), 1201 * step):
        with open("bent.plb", "wb") as file:
            file.write(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1:])
        run = plybase("export", "bent.plb", "-o", "bent.csv", "--force")
        if run.returncode == 1:
            refused += 1
            check(not os.path.exists("bent.csv"), "a damaged table was exported")
        elif check(run.returncode == 0, at, run.returncode):
            os.rename("bent.csv", "whole.csv")
            check(open("whole.csv", "rb").read() == WHOLE, "byte", at, "changes rows unnoticed")
    check(refused > 0, "no damage was noticed")


def wait_for_output(run):
    """Wait until an export has written a megabyte, or has ended."""
    while run.poll() is None:
        with open(f"/proc/{run.pid}/io") as io:
            if int(io.read().split("wchar: ")[1].split()[0]) > 1 << 20:
                return
        time.sleep(0.01)


def has_unnamed_files():
    try:
        os.close(os.open(".", os.O_TMPFILE | os.O_RDWR))
    except OSError:
        return False
    return True


def check_kill():
    """A killed export leaves no file, under any name."""
    table = build("connect-5x5-k4")
    if not has_unnamed_files():
        print("skipped: this file system has no files without a name")
        return
    before = sorted(os.listdir("."))
    run = subprocess.Popen([PLYBASE, "export", table, "-o", "killed.csv"])
    wait_for_output(run)
    check(sorted(os.listdir(".")) == before, "an export shows before it is complete")
    run.kill()
    check(run.wait() == -signal.SIGKILL, "the export was too fast")
    check(sorted(os.listdir(".")) == before, "a killed export leaves something")


def check_replacement():
    """A file that appears during the export is not replaced without --force."""
    table = build("connect-5x5-k4")
    run = subprocess.Popen([PLYBASE, "export", table, "--sample", "500000", "-o", "meanwhile.npy"],
                           stderr=subprocess.PIPE, text=True)
    wait_for_output(run)
    with open("meanwhile.npy", "x") as other:
        other.write("mine")
    messages = run.communicate()[1]
    kept = messages.rstrip("\n").rpartition(" and it stays: the complete new file is ")[2]
    check(run.returncode == 1 and "another process has made meanwhile.npy meanwhile" in messages, messages)
    check(open("meanwhile.npy").read() == "mine", "a file was replaced")
    check(kept.startswith("meanwhile.npy.") and os.path.getsize(kept) > 500000, kept)
    os.unlink("meanwhile.npy")
    os.unlink(kept)


def check_interrupt():
    """Ctrl-C leaves no file, and a message says so."""
    table = build("connect-5x5-k4")
    for path in "big.csv", "big.npy":
        before = sorted(os.listdir("."))
        run = subprocess.Popen(["env", "--default-signal=INT", PLYBASE, "export", table, "-o", path],
                               stderr=subprocess.PIPE, text=True)
        wait_for_output(run)
        check(not os.path.exists(path), "half a file has its name")
        run.send_signal(signal.SIGINT)
        messages = run.communicate()[1]
        check(run.returncode == 130 and messages.startswith(f"{path}: 69,763,700 rows, about ") and
              messages.endswith(" GiB\nplybase: interrupted; nothing was written\n"),
              "interrupted", run.returncode, messages)
        check(sorted(os.listdir(".")) == before, "an interrupted export leaves something")


UMASK = os.umask(0o022)
os.umask(UMASK)
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for board in BOARDS + LARGER:
        check_board(board)
    check_distances()
    check_numbers()
    check_keys()
    check_bytes()
    for options in [], ["--canonical"], ["--ply", "5"]:
        check_uniform("mnk-3x3-k3", *options)
        check_uniform("connect-4x3-k3-misere-cylinder", *options)
    check_uniform("square-3x3", "--ply", "4", "--canonical")
    check_samples()
    check_refusals()
    check_empty_ply()
    check_full_disk()
    WHOLE = plybase("export", "connect-4x4-k4.plb", "-o", "-").stdout.encode()
    check_damage()
    check_interrupt()
    check_kill()
    check_replacement()
    os.chdir("/")
finish(minimum=100)
