#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`plybase stats` prints and draws the counts of the table: test_stats.py PLYBASE SOURCE

The picture is parsed: the heights of its bars and marks are those of the counts. Distances are
counted again, from an export of all positions.
"""
import collections
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

from checks import check, finish

PLYBASE, SOURCE = map(os.path.abspath, sys.argv[1:3])
SVG = "{http://www.w3.org/2000/svg}"
PANEL, TOPS = 210, (92, 348)  # height of a panel and where the two begin


def plybase(*arguments, **more):
    return subprocess.run([PLYBASE, *map(str, arguments)], text=True, capture_output=True, **more)


def build(spec, *options):
    table = "_".join([spec, *(option.strip("-") for option in options)]) + ".plb"
    run = plybase("build", spec, *options, "-o", table)
    check(run.returncode == 0, run.stderr)
    return table


def stats(table, *options):
    """The rows of CSV as dictionaries of numbers."""
    run = plybase("stats", table, "--csv", *options)
    check(run.returncode == 0 and not run.stderr, table, run.stderr)
    return [{name: int(number) if number.isdigit() and name != "longest" else number
             for name, number in row.items()} for row in csv.DictReader(run.stdout.splitlines())]


# ---- pictures ----

def paths(picture, fill):
    """The paths of a colour: legend, bars, marks."""
    return [path.get("d") for path in picture.iter(SVG + "path") if path.get("fill") == fill]


def check_bars(path, plies, below, own, *what):
    """Each bar begins at the end of the bar below, and its length is its share."""
    expected = [(PANEL * (1 - row[below] / row["total"]) if below else PANEL,
                 PANEL * row[own] / row["total"]) for row in plies if row[own]]
    bars = re.findall(r"M[\d.]+ ([\d.]+)V([\d.]+)h[\d.]+V[\d.]+z", path)
    got = [(float(start) - TOPS[0], float(start) - float(end)) for start, end in bars]
    check(len(got) == len(expected), *what, "number of bars")
    for (start, height), (start_wanted, height_wanted) in zip(got, expected):
        check(abs(height - height_wanted) < 0.2, *what, "height", height, height_wanted)
        check(not below or own == "lost" or abs(start - start_wanted) < 0.2, *what, "start")


def check_line(path, plies, own, decades, *what):
    points = [float(y) - TOPS[1] for y in re.findall(r"[ML][\d.]+ ([\d.]+)", path)]
    expected = [PANEL * (1 - math.log10(row[own]) / decades) for row in plies if row[own]]
    check(len(points) == len(expected), *what, "number of points")
    check(all(abs(a - b) < 0.2 for a, b in zip(points, expected)), *what, "points of the line")


def check_picture(spec, *options):
    table = build(spec, *options)
    plies = stats(table)
    run = plybase("stats", table, "--svg", "-")
    check(run.returncode == 0 and not run.stderr, spec, run.stderr)
    picture = xml.fromstring(run.stdout)
    check(spec in picture.find(SVG + "title").text, spec, "title")
    texts = {text.text for text in picture.iter(SVG + "text")}
    total = sum(row["total"] for row in plies)
    check(f"{spec}: {total:,} positions" in texts, spec, "total", texts)
    check({"won", "drawn", "lost", "0 %", "100 %", "0", "positions"} <= texts, spec, "labels")
    foreign = {element.tag for element in picture.iter()} - {
        SVG + name for name in ("svg", "title", "desc", "rect", "text", "tspan", "path", "g")}
    check(not foreign and not re.search(r"href|url\(|script|@|style=", run.stdout), spec, foreign)
    most = max(row[name] for row in plies for name in ("won", "drawn", "lost"))
    decades = max(1, math.ceil(math.log10(most)))
    lines = [path for path in picture.iter(SVG + "path") if path.get("stroke-dasharray")]
    for series, (own, below) in enumerate([("won", None), ("drawn", "won"), ("lost", "won")]):
        fill = ["#175a9c", "#dcdcdc", "#eb9a2c"][series]
        legend, bars, marks = paths(picture, fill)
        check_bars(bars, plies, below, own, spec, own)
        check_line(lines[series].get("d"), plies, own, decades, spec, own)
        check(len(re.findall("M", marks)) == sum(row[own] > 0 for row in plies), spec, "marks")


def pictures_show_the_counts():
    for spec in ("connect-4x4-k4", "connect-4x4-k4-misere", "mnk-4x3-k3", "square-3x3",
                 "connect-1x1-k1", "connect-2x2-k2", "mnk-1x1-k1-misere"):
        check_picture(spec)


def the_readme_shows_what_the_command_draws():
    table = build("connect-5x5-k4")
    name = os.path.join("tables", "data", "connect-5x5-k4.svg")
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        shown = file.read()
    check(shown == plybase("stats", table, "--svg", "-").stdout, name, "is another picture")
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
        check(f"({name})" in file.read(), "README has no picture")


# ---- distances ----

def rows_of(table):
    """Every position that can arise, from an export of all of them."""
    run = plybase("export", table, "-o", "-")
    check(run.returncode == 0, table, run.stderr)
    return list(csv.DictReader(run.stdout.splitlines()))


def check_longest(lines, positions, *what):
    """For each ply and value, only the last row has a position, with that value and distance."""
    for line in lines[:-1]:
        check(not line["longest"], *what, "a position that is not the longest", line)
    last = lines[-1]
    check(bool(last["longest"]) == (last["dtm"] > 0), *what, last)
    if last["longest"]:
        row = positions.get(last["longest"])
        check(row and (int(row["ply"]), row["value"], int(row["dtm"])) ==
              (last["ply"], last["value"], last["dtm"]), *what, last, row)


def json_lines(table):
    """JSON has the same numbers as CSV."""
    run = plybase("stats", table, "--json")
    for ply in json.loads(run.stdout)["plies"]:
        for value, counts in (("win", "wins"), ("loss", "losses")):
            longest = ply["distances"][f"longest_{value}"]
            for line in ply["distances"][counts]:
                is_longest = longest and longest["dtm_plies"] == line["dtm_plies"]
                yield {"ply": ply["ply"], "value": value, "dtm": line["dtm_plies"],
                       "positions": int(line["positions"]),
                       "longest": longest["position"] if is_longest else ""}


def check_text(table, counts):
    """The text has the sums of all plies."""
    text = plybase("stats", table).stdout
    sums = collections.Counter()
    for (_, value, dtm), positions in counts.items():
        sums[dtm, value] += positions
    printed = re.findall(r"^ *(\d+) +(win|loss) +([\d,]+)$", text, re.MULTILINE)
    check([(int(dtm), value, int(positions.replace(",", ""))) for dtm, value, positions in printed] ==
          [(*key, sums[key]) for key in sorted(sums)], table, printed)


def check_distances(spec):
    table = build(spec, "--values", "dtm")
    positions = {row["position"]: row for row in rows_of(table)}
    counts = collections.Counter((int(row["ply"]), row["value"], int(row["dtm"]))
                                 for row in positions.values() if row["dtm"])
    lines = stats(table, "--distances")
    printed = {(line["ply"], line["value"], line["dtm"]): line["positions"] for line in lines}
    check(printed == counts, spec, "counts of distances")
    for key in {key[:2] for key in printed}:
        check_longest([line for line in lines if (line["ply"], line["value"]) == key], positions,
                      spec)
    check(list(json_lines(table)) == lines, spec, "JSON and CSV differ")
    check_text(table, counts)


def distances_are_those_of_all_positions():
    for spec in ("connect-4x4-k4", "connect-4x4-k3-misere", "connect-5x3-k3-cylinder", "mnk-3x3-k3",
                 "mnk-4x3-k3-misere", "square-4x3", "connect-1x1-k1", "mnk-2x2-k2-misere",
                 "numeric-2x2"):
        check_distances(spec)


def the_header_is_pinned_and_values_tell_no_distances():
    table = build("connect-4x4-k4-misere")
    lines = plybase("stats", table, "--csv").stdout.splitlines()
    check(lines[0] == "ply,total,terminal,won,drawn,lost" and len(lines) == 18, lines[0])
    run = plybase("stats", table, "--csv", "--distances")
    check(run.returncode == 1 and "--values dtm" in run.stderr and not run.stdout, run.stderr)
    check("plies" not in plybase("stats", table).stdout, "a table of values tells distances")
    printed = json.loads(plybase("stats", table, "--json").stdout)["plies"]
    check(all(ply["distances"] is None for ply in printed), "distances of a table of values")
    check(plybase("stats", table, "--distances").returncode == 2, "--distances without --csv")


# ---- files ----

def nothing_is_replaced_unasked():
    table = build("connect-4x4-k4")
    drawn = plybase("stats", table, "--svg", "-").stdout
    for more, status, says in (((), 0, ""), ((), 1, "exists; --force replaces it"),
                               (("--force",), 0, "")):
        run = plybase("stats", table, "--svg", "out.svg", *more)
        check(run.returncode == status and not run.stdout and says in run.stderr, more, run.stderr)
        with open("out.svg", encoding="utf-8") as file:
            check(file.read() == drawn, "out.svg", more)
    check(not [name for name in os.listdir() if name.startswith("out.svg.")], "leftovers")
    os.mkdir("folder.svg")
    for arguments, status in ((("--svg", "out.png"), 2), (("--svg", table), 2), (("--force",), 2),
                              (("--svg", "-", "--csv"), 2), (("--json", "--csv"), 2),
                              (("--svg", "nowhere/out.svg"), 1), (("--svg", "folder.svg"), 1)):
        run = plybase("stats", table, *arguments)
        check(run.returncode == status and run.stderr and not run.stdout, arguments, run.stderr)
    with open("/dev/full", "w", encoding="utf-8") as full:
        run = subprocess.run([PLYBASE, "stats", table, "--svg", "-"], stdout=full,
                             stderr=subprocess.PIPE, text=True, check=False)
    check(run.returncode == 1 and "No space left" in run.stderr, run.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        pictures_show_the_counts()
        the_readme_shows_what_the_command_draws()
        distances_are_those_of_all_positions()
        the_header_is_pinned_and_values_tell_no_distances()
        nothing_is_replaced_unasked()
        os.chdir("/")
    finish()


if __name__ == "__main__":
    main()
