#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""JSON readers that read numbers as doubles lose no digit of any answer: test_json.py PLYBASE

An integer that may reach 2^53 is a string, whether or not it does; each key of a command has one type of value,
however big that is, or null.
"""
import json
import os
import subprocess
import sys
import tempfile

from checks import check, finish

PLYBASE = os.path.abspath(sys.argv[1])
COMMANDS = [  # with small numbers, and with the largest options and boards
    "info mnk-3x3-k3", "info connect-4x4-k3", "info nine.plb", "stats mnk-3x3-k3", "stats connect-4x4-k3",
    "probe connect-4x4-k3", "best connect-4x4-k3", "annotate connect-4x4-k3 123443", "line mnk-3x3-k3", "solve connect-4x4-k4",
    "verify mnk-3x3-k3 --seed 1 --nodes 9", f"verify mnk-3x3-k3 --seed {2**63 - 1} --nodes {2**62}",
    "verify nine.plb", "plan mnk-3x3-k3", "plan connect-8x7-k4", "plan connect-4x4-k4 --ranks 2", "plan connect-7x7-k4 --ranks 16 -t 64",
    "count connect-4x4-k4", "count connect-50x1-k4", "count -t connect-12x4-k4", "ring 5",
    "pairing mnk-5x5-k5 --steps 1000", f"pairing mnk-5x5-k5 --steps {2**62}",
    "solve numeric-3x3 --question first --depth-table"]
STRINGS = ("positions entries live total terminal published memory_bytes held_bytes scratch_bytes "
           "other_scratch_bytes received_bytes network_bits table_bytes seed search_nodes steps won drawn lost").split()


def small(digits):
    check(abs(int(digits)) < 2**53, "a number that a double has not", digits)
    return int(digits)


def walk(value, key, types):
    if isinstance(value, dict):
        for name, item in value.items():
            walk(item, f"{key}.{name}", types)
    elif isinstance(value, list):
        for item in value:
            walk(item, key, types)
    elif value is not None:
        types.setdefault(key, set()).add(type(value).__name__)


def main():
    types = {}
    for command in COMMANDS:
        run = subprocess.run([PLYBASE, *command.split(), "--json"], capture_output=True, text=True)
        check(run.returncode in (0, 1) and run.stdout, command, run.stderr)
        for line in run.stdout.splitlines():
            walk(json.loads(line, parse_int=small), command.split()[0], types)
    for key, kinds in types.items():
        check(len(kinds) == 1, key, "has several types:", kinds)
    for name in STRINGS:
        kinds = set().union(*(kinds for key, kinds in types.items() if key.endswith("." + name)))
        check(kinds == {"str"}, name, "is no string:", kinds)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for made in ("build mnk-3x3-k3", "build connect-4x4-k3 --values dtm", "strategy numeric-3x3 -o nine.plb"):
        subprocess.run([PLYBASE, *made.split()], capture_output=True, check=True)
    main()
    os.chdir("/")
finish(minimum=50)
