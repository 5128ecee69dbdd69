#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Commands take a table in shards as one in a file: test_shards.py PLYBASE TEST_SHARDS

TEST_SHARDS builds it with three ranks. Every command that reads a table prints the same of both, but
for sizes and hashes of files; what is wrong with a shard is one sentence.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from checks import check, finish
from serve_support import Server

PLYBASE, MAKER = map(os.path.abspath, sys.argv[1:3])
SPEC = "connect-4x4-k4"
QUESTIONS = [["info"], ["stats"], ["stats", "--csv"], ["probe", "--moves", "1122"], ["best", "--moves", "1"], ["line", "--moves", "12"], ["annotate", "11223"],
             ["export", "-o", "-"], ["picture", "--moves", "12", "-o", "-"], ["verify", "--seed", "7"]]
OF_FILES = re.compile(r"^ *(size|file) .*$", re.MULTILINE)


def plybase(*arguments):
    return subprocess.run([PLYBASE, *arguments], text=True, capture_output=True, check=False)


def same_answers():
    for name, *rest in QUESTIONS:
        one, other = (plybase(name, table, *rest) for table in ("one.plb", "X.plb"))
        check(one.returncode == 0, name, one.stderr)
        check(other.returncode == 0, name, other.stderr)
        check(OF_FILES.sub("", one.stdout).replace("one.plb", "X.plb") == OF_FILES.sub("", other.stdout), name, other.stdout)


def same_service():
    bodies = []
    for table in ("one.plb", "X.plb"):
        os.makedirs("served", exist_ok=True)
        for shard in [""] + [f".{number}" for number in range(3)] * (table == "X.plb"):
            shutil.copy(table + shard, f"served/{SPEC}.plb{shard}")
        with Server(PLYBASE, "served") as server:
            answers = [server.get(f"/v1/tables/{SPEC}/{asked}") for asked in ("positions?moves=1122", "best?moves=4", "stats")]
            bodies.append([(answer.status, answer.body) for answer in answers])
        shutil.rmtree("served")
    check(bodies[0] == bodies[1] and bodies[0][0][0] == 200, "serve", bodies)
    needed = [int(re.search(r"are allowed \(ulimit -n\), (\d+) are needed", subprocess.run(
        ["sh", "-c", f'ulimit -n 12; exec "{PLYBASE}" serve {table} -t 1 --listen 127.0.0.1:0'],
        text=True, capture_output=True, check=False).stderr)[1]) for table in ("one.plb", "X.plb")]
    check(needed[1] == needed[0] + 3, "a descriptor for each shard", needed)


def links_lead_to_shards():
    os.makedirs("linked/half")
    os.symlink("../X.plb", "linked/Y.plb")
    os.symlink("linked/Y.plb", "Z.plb")
    os.symlink("../../X.plb", "linked/half/X.plb")
    os.symlink("../../X.plb.1", "linked/half/X.plb.1")
    expected = plybase("probe", "X.plb", "--moves", "1122").stdout
    for table in ("linked/Y.plb", "Z.plb", "linked/half/X.plb"):
        done = plybase("probe", table, "--moves", "1122")
        check(done.returncode == 0 and done.stdout == expected, table, done.stderr)
    os.rename("X.plb.2", "kept")
    refused("/X.plb.2 is missing: copy shard 2 of 3 of /", "probe", "Z.plb", "--moves", "1122")
    os.rename("kept", "X.plb.2")
    shutil.rmtree("linked")
    os.unlink("Z.plb")


def refused(words, *arguments):
    done = plybase(*arguments)
    check(done.returncode == 1 and words in done.stderr and done.stderr.count("\n") == 1, arguments, done.stderr)


def what_is_wrong_is_told():
    refused("X.plb is in shards, and a site needs its table in one file", "site", "X.plb", "-o", "pages")
    refused("X.plb.2 is a shard of a table", "info", "X.plb.2")
    os.rename("X.plb.1", "kept")
    check("X.plb.1 is missing: copy shard 1 of 3 of X.plb there\n" in plybase("verify", "X.plb").stdout, "verify")
    for command in ("probe", "stats"):
        refused("X.plb.1 is missing: copy shard 1 of 3 of X.plb there\n", command, "X.plb", *(["--moves", "1"] if command == "probe" else []))
    refused("X.plb.1 is missing: copy shard 1 of 3 of X.plb there, or replace it with --force\n", "build", SPEC, "--shards", "-o", "X.plb")
    shutil.copy("X.plb.0", "X.plb.1")
    refused("X.plb.1 is shard 0 of 3: shard 1 of 3 of X.plb should be there", "probe", "X.plb", "--moves", "1")
    os.rename("kept", "X.plb.1")


def flip(path, at):
    with open(path, "r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 1]))


def damage_is_found_by_verify():
    shard = max((f"X.plb.{number}" for number in range(3)), key=os.path.getsize)
    with open(shard, "ab") as file:
        file.write(b"more")
    done = plybase("info", "X.plb")
    check(done.returncode == 0 and f"plybase: {shard} has 4 bytes after the end of the table" in done.stderr, done.stderr)
    done = plybase("verify", "X.plb")
    check(done.returncode == 1 and f"{shard} continues after its last page" in done.stderr + done.stdout, done.stderr, done.stdout)
    os.truncate(shard, os.path.getsize(shard) - 4)
    flip(shard, os.path.getsize(shard) // 2)
    done = plybase("verify", "X.plb")
    check(done.returncode == 1 and shard in done.stderr + done.stdout, done.stderr, done.stdout)


def one_process():
    with open("Y.plb.0", "w", encoding="ascii") as file:
        file.write("somebody's\n")
    other = "Y.plb.0 exists and is not a shard: move it, or choose another output with -o"
    refused(other, "build", "mnk-3x3-k3", "--shards", "-o", "Y.plb")
    refused(other, "build", "mnk-3x3-k3", "--shards", "--force", "-o", "Y.plb")
    check(plybase("build", "mnk-3x3-k3", "--force", "--quiet", "-o", "Y.plb").returncode == 0)
    refused(other, "build", "mnk-3x3-k3", "--shards", "--force", "-o", "Y.plb")
    os.rename("Y.plb", "Y.plb.0")  # a table of its own is no shard
    refused(other, "build", "mnk-3x3-k3", "--shards", "--force", "-o", "Y.plb")
    os.mkdir("Y.plb.part")
    refused(other, "build", "mnk-3x3-k3", "--shards", "-o", "Y.plb")
    os.rmdir("Y.plb.part")
    os.unlink("Y.plb.0")
    os.mkfifo("Y.plb.0")
    refused(other, "build", "mnk-3x3-k3", "--shards", "-o", "Y.plb")
    os.unlink("Y.plb.0")
    shutil.copy("X.plb.0", "Y.plb.0")
    refused("Y.plb.0 exists, but no Y.plb: copy that here too, choose another output with -o, or replace the shard with --force",
            "build", "mnk-3x3-k3", "--shards", "-o", "Y.plb")
    os.unlink("Y.plb.0")
    os.symlink("nowhere", "Y.plb.0")
    refused("Y.plb.0 exists, but no Y.plb: ", "build", "mnk-3x3-k3", "--shards", "-o", "Y.plb")
    os.unlink("Y.plb.0")
    shutil.copy("X.plb.0", "Y.plb.0")
    os.truncate("Y.plb.0", 5000)
    done = plybase("build", "mnk-3x3-k3", "--shards", "--force", "-o", "Y.plb")
    check(done.returncode == 0, done.stderr)
    os.unlink("Y.plb")
    os.unlink("Y.plb.0")
    done = plybase("build", "mnk-3x3-k3", "--shards", "-o", "Y.plb")
    check(done.returncode == 0 and " in 1 shard, " in done.stderr, done.stderr)
    check(sorted(name for name in os.listdir() if name.startswith("Y")) == ["Y.plb", "Y.plb.0"], os.listdir())
    check(plybase("probe", "Y.plb", "3/3/3").returncode == 0)
    done = plybase("build", "mnk-3x3-k3", "--force", "-o", "Y.plb")
    check(done.returncode == 0 and sorted(name for name in os.listdir() if name.startswith("Y")) == ["Y.plb"], os.listdir())


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    check(plybase("build", SPEC, "-o", "one.plb").returncode == 0)
    check(subprocess.run([MAKER, "make", SPEC, "X.plb", "3"], check=False).returncode == 0)
    same_answers()
    same_service()
    links_lead_to_shards()
    what_is_wrong_is_told()
    damage_is_found_by_verify()
    one_process()
finish(63)
