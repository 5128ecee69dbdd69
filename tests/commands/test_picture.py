#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A picture shows the stones, the value of each move, and nothing else: test_picture.py PLYBASE

The picture is parsed as XML, and compared with the answer of `probe`.
"""
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

from checks import check, finish

PLYBASE = os.path.abspath(sys.argv[1])
SVG = "{http://www.w3.org/2000/svg}"
SIGNS = {"win": "+", "draw": "=", "loss": "-"}
SIDE = 60


def plybase(*arguments):
    return subprocess.run([PLYBASE, *arguments], text=True, capture_output=True, check=False)


def place(node, x, y, left, height):
    """The cell of an element: column from 0, row from the bottom; or the place of a label."""
    return ((float(node.get(x)) - left) // SIDE, height - 1 - float(node.get(y)) // SIDE)


def check_position(spec, moves, *options):
    run = plybase("picture", spec, "--moves", moves, "-o", "-", *options)
    answer = json.loads(plybase("probe", spec, "--moves", moves, "--json").stdout)
    info = json.loads(plybase("info", spec, "--json").stdout)
    picture = xml.fromstring(run.stdout)
    squares = [node for node in picture.iter(SVG + "rect") if node.get("stroke")]
    check(len(squares) == info["cells"], spec, "cells")
    left = min(float(node.get("x")) for node in squares)
    check(all(1 <= float(node.get("y")) for node in squares), spec, "the rim of the board is whole")
    on_board = {}
    for node in picture.iter(SVG + "text"):
        cell = place(node, "x", "y", left, info["height"])
        if 0 <= cell[0] < info["width"] and 0 <= cell[1]:
            on_board.setdefault(cell, []).append(node.text)
    stones = {place(node, "cx", "cy", left, info["height"]): node for node in picture.iter(SVG + "circle")}
    check(len(stones) == answer["ply"], spec, moves, "stones")
    expected = {}
    for move in answer["moves"] if "--bare" not in options else []:
        cell = (ord(move["cell"][0]) - ord("a"), int(move["cell"][1:]) - 1)
        dtm = "" if move["dtm_plies"] is None else str(move["dtm_plies"])
        expected.setdefault(cell, [SIGNS[move["value"]] + dtm])
    check({cell: text for cell, text in on_board.items() if cell not in stones} == expected, spec, moves,
          on_board, expected)
    rims = {(ord(cell[0]) - ord("a"), int(cell[1:]) - 1) for cell in answer["group"]}
    check({cell for cell, node in stones.items() if node.get("stroke-width") == "6"} == rims, spec, "group")
    title = picture.find(SVG + "title").text
    check(title.startswith(spec + ": ") and (answer["winner"] is None or "has won" in title), title)
    check(("to move: " in title) == (not answer["over"] and "--bare" not in options), title)
    below = list(picture.iter(SVG + "text"))[-1]
    check(title == f"{spec}: {below.text}" and 0 < float(below.get("y")) < float(picture.get("height")), title)
    names = [[text for text in texts] for cell, texts in on_board.items() if cell in stones]
    check(all(len(texts) == 1 for texts in names), spec, "one text on a stone", names)


def check_without_table():
    """Without a table the board is drawn without values, as by --bare; stderr says so."""
    for spec, moves in (("connect-4x4-k3", "123443"), ("mnk-3x3-k3", "a1b2c3"), ("numeric-2x2", "1@a1"), ("connect-3x2-k3-cylinder", "112")):
        expected = plybase("picture", os.path.abspath(spec + ".plb"), "--moves", moves, "--bare", "-o", "-").stdout
        os.rename(spec + ".plb", "elsewhere")
        run = plybase("picture", spec, "--moves", moves, "-o", "-")
        os.rename("elsewhere", spec + ".plb")
        check(run.returncode == 0 and run.stdout == expected, spec, "without a table", run.stdout, expected)
        check("there is no table " + spec in run.stderr and "no values" in run.stderr, run.stderr)
    for spec in ("connect-7x6-k4", "square-5x5-misere", "numeric-4x4"):
        check(plybase("picture", spec, "-o", "-").stdout.startswith("<svg"), spec)
    for options, status, says in ((["--bare"], 0, ""), (["--moves", "0"], 1, "plybase: '0'")):
        run = plybase("picture", "connect-7x6-k4", "-o", "-", *options)
        check(run.returncode == status and run.stderr.startswith(says) and run.stderr.count("\n") == bool(says), options, run.stderr)
    run = plybase("picture", "connect-7x6-k4.plb", "-o", "-")
    check(run.returncode == 1 and not run.stdout, "a file that is not there", run.stderr)


def check_refusals():
    for arguments, status, says in (
            (["connect-4x4-k3"], 2, "an output is needed"), (["connect-4x4-k3", "-o", "a.png"], 2, "must end in .svg"),
            (["connect-4x4-k3", "4/4/4/4", "4/4/4/4", "-o", "-"], 2, "one argument too many"),
            (["connect-4x4-k3", "4/4/4/3o", "-o", "-"], 1, "impossible piece counts"), (["connect-4x4-k3", "-o", "there.svg"], 1, "--force")):
        run = plybase("picture", *arguments)
        check(run.returncode == status and says in run.stderr and not run.stdout, arguments, run.stderr)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for made in ("connect-4x4-k3 --values dtm", "mnk-3x3-k3", "numeric-2x2 --values dtm", "connect-3x2-k3-cylinder"):
        check(plybase("build", "--quiet", *made.split()).returncode == 0, made)
    for drawn in ("", "1", "123443", "2132323"):
        check_position("connect-4x4-k3", drawn)
    check_position("connect-4x4-k3", "12", "--bare")
    check_position("mnk-3x3-k3", "a1b2c3")
    check_position("numeric-2x2", "1@a1")
    check_position("connect-3x2-k3-cylinder", "112")
    check(plybase("picture", "mnk-3x3-k3", "-o", "there.svg").returncode == 0 and os.path.getsize("there.svg"), "a file")
    check(open("there.svg", encoding="ascii").read() == plybase("picture", "mnk-3x3-k3", "3/3/3", "-o", "-").stdout, "stdout")
    check_without_table()
    check_refusals()
    os.chdir("/")
finish(minimum=40)
