#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds with the least memory that `plan` prints: every plane goes through scratch files, and big slabs
are solved in pieces. They finish, stay within the memory, and build the same bytes as with more memory.

    test_small_memory.py PLYBASE [big]

big: of connect-6x6-k4 alone, in minutes.
"""
import filecmp
import json
import os
import subprocess
import sys
import tempfile

BUILDS = [  # spec, values, threads; in the last one planes take most of the memory
    ("connect-6x4-k4", "dtm", (1, 2, 4)),
    ("connect-5x5-k4-cylinder", "wdl", (1, 2, 4)),
    ("mnk-4x4-k4-misere", "dtm", (1, 2, 4)),
    ("square-4x4", "wdl", (1, 2, 4)),
    ("connect-5x5-k4", "wdl", (1, 2, 4, 16)),  # stacks take address space, too
    ("connect-7x4-k4", "wdl", (2,)),
]
BIG_BUILDS = [("connect-6x6-k4", "wdl", (2,))]
FIRST, STEP = map(int, os.environ.get("PLYBASE_FAULTS", "1/1").split("/"))


def build(plybase, spec, values, output, *options):
    """Peak resident bytes of a build."""
    command = [plybase, "build", spec, "--values", values, "-o", output, *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    messages = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (command, messages)
    return usage.ru_maxrss * 1024


def least_memory(plybase, spec, values, threads):
    plan = [plybase, "plan", spec, "--values", values, "--threads", str(threads), "--memory", "1K"]
    forecast = json.loads(subprocess.run([*plan, "--json"], stdout=subprocess.PIPE, check=False).stdout)
    return int(forecast["memory_bytes"])


def main():
    plybase = os.path.realpath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        builds = BIG_BUILDS if "big" in sys.argv[2:] else BUILDS[FIRST % min(STEP, 2)::min(STEP, 2)]
        for spec, values, thread_counts in builds:
            build(plybase, spec, values, "whole.plb")
            # The commit decides which half of the builds and which number of threads; with PLYBASE_FAULTS=1/1 all
            # are tried.
            for threads in thread_counts if STEP == 1 else [thread_counts[FIRST // 2 % len(thread_counts)]]:
                bound = least_memory(plybase, spec, values, threads)
                limits = ["--threads", str(threads), "--memory", str(bound)]
                peak = build(plybase, spec, values, "small.plb", *limits)
                assert peak <= bound, (spec, values, threads, peak, bound)
                assert filecmp.cmp("small.plb", "whole.plb", shallow=False), (spec, threads)
                os.remove("small.plb")
                print(f"{spec} {values}, {threads} threads: {peak:,} of {bound:,} bytes")
            os.remove("whole.plb")


main()
