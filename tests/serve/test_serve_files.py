#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The files of `plybase serve`, its messages and its sockets: test_serve_files.py PLYBASE

Tables are replaced, damaged, missing, or do not fit in memory. Messages on tables, requests and mistakes in the
command line. Unix sockets.
"""
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from checks import check, finish
from serve_support import Server, build, run, wait_until

PLYBASE = os.path.abspath(sys.argv[1])
V1 = "/v1/tables/"


def tables_are_replaced():
    os.makedirs("live", exist_ok=True)
    build(PLYBASE, "mnk-3x3-k3", output="live/one.plb")
    with Server(PLYBASE, "live") as server:
        check(server.line.endswith("  1 table\n"), server.line)
        before = server.get(V1 + "mnk-3x3-k3").json
        build(PLYBASE, "mnk-3x3-k3", "--values", "dtm", "--force", output="live/one.plb")
        build(PLYBASE, "connect-3x3-k3", output="live/two.plb")
        server.process.send_signal(signal.SIGHUP)
        check(wait_until(lambda: server.get("/health").json["tables"] == 2, 10), "not two tables")
        after = server.get(V1 + "mnk-3x3-k3").json
        check(after["values"] == "dtm" and after["id"] != before["id"], after)
        check(server.get(f"{V1}mnk-3x3-k3/positions?v={before['id']}").status == 404, "replaced")
        os.remove("live/two.plb")
        server.process.send_signal(signal.SIGHUP)
        check(wait_until(lambda: server.get("/health").json["tables"] == 1, 10), "not one table")
        os.rename("live", "gone")
        server.process.send_signal(signal.SIGHUP)
        check(wait_until(lambda: "live" in open("serve.log", encoding="utf-8").read(), 10), "silent")
        check(server.get(V1 + "mnk-3x3-k3/positions").status == 200, "the folder is gone")


def the_tag_identifies_the_version():
    """Two strategies differ only in their moves; the same file again is the same version."""
    os.makedirs("versions", exist_ok=True)
    build(PLYBASE, "mnk-3x3-k3", output="whole.plb")
    choose = [PLYBASE, "strategy", "whole.plb", "--player", "second", "-o"]
    for choice in ("first", "forcing"):
        subprocess.run([*choose, choice + ".plb", "--choose", choice], check=True, stdout=subprocess.DEVNULL)
    target = V1 + "mnk-3x3-k3/positions?moves="
    shutil.copy("first.plb", "versions/one.plb")
    with Server(PLYBASE, "versions") as server:
        tags = []
        for file in ("first.plb", "first.plb", "forcing.plb", "whole.plb"):
            shutil.copy(file, "versions/new")
            os.rename("versions/new", "versions/one.plb")
            begin = os.path.getsize("serve.log")
            server.process.send_signal(signal.SIGHUP)
            check(wait_until(lambda: "1 table\n" in open("serve.log", encoding="utf-8").read()[begin:], 10), file)
            tags.append(server.get(target).headers["ETag"])
            # A strategy has bounds, which cannot be compared with a column of values.
            got = server.post(f"{V1}mnk-3x3-k3/positions?input=pons&expect=2", "a1 0\n", "text/plain")
            refused = got.status == 404 and "a strategy knows bounds, not values: 'expect' needs a table" in got.body.decode()
            check(got.body == b"a1\tdraw\t-\tb2\n" if file == "whole.plb" else refused, file, got.status, got.body)
            for tag in tags:
                status = server.get(target, If_None_Match=tag).status
                check(status == (304 if tag == tags[-1] else 200), file, tags, status)
                status = server.get(f"{target}&v={tag[4:-1]}").status
                check(status == (200 if tag == tags[-1] else 404), file, tags, status)
        check(len(set(tags)) == 3 and tags[0] == tags[1], tags)


def unreadable_files_are_reported():
    """A named file that is not a table gets a message whenever it is read; the others are served."""
    with open("mnk-3x3-k3.plb", "rb") as whole, open("cut.plb", "wb") as cut:
        cut.write(whole.read(20000))
    with open("text.plb", "w", encoding="ascii") as file:
        file.write("hello")
    run = subprocess.run([PLYBASE, "serve", "mnk-3x3-k3.plb", "missing.plb"], capture_output=True, text=True, timeout=20, check=False)
    check(run.returncode == 1 and run.stderr.count("\n") == 1 and "missing.plb" in run.stderr and not run.stdout, run)
    begin = os.path.getsize("serve.log")
    with open("serve.log", encoding="utf-8") as log, \
            Server(PLYBASE, "mnk-3x3-k3.plb", "cut.plb", "text.plb") as server:
        log.seek(begin)
        for moment in ("start", "SIGHUP"):
            lines = []
            check(wait_until(lambda: lines.extend(log.readlines()) or len(lines) >= (2 if moment == "start" else 3), 10), moment, lines)
            for name, fault in (("cut.plb", "cut short"), ("text.plb", "not a Plybase table")):
                found = [line for line in lines if name in line]
                check(len(found) == 1 and fault in found[0] and found[0].endswith("; it is not served\n"), moment, lines)
            server.process.send_signal(signal.SIGHUP)
        check(server.line.endswith("  1 table\n") and server.get(V1 + "mnk-3x3-k3/positions").status == 200, server.line)
        states = {t["file"]: t["state"] for t in server.get("/v1/tables").json["tables"]}
        check(states == {"mnk-3x3-k3.plb": "ok", "cut.plb": "damaged", "text.plb": "damaged"}, states)


def tables_share_the_memory():
    """A table that does not fit beside the others is not served, and a message says why."""
    with Server(PLYBASE, "mnk-3x3-k3.plb", "connect-4x4-k4.plb", "--memory", "2K") as server:
        by_file = {t["file"]: t for t in server.get("/v1/tables").json["tables"]}
        states = sorted(t["state"] for t in by_file.values())
        check(states == ["damaged", "ok"], by_file)
        details = [t["detail"] for t in by_file.values() if t["state"] == "damaged"]
        check("KiB of memory" in details[0] and "--memory" in details[0], details)


def unserved_files_of_folders_are_reported():
    """If no named file can be read, the server ends."""
    os.makedirs("mixed", exist_ok=True)
    for name in ("one", "two"):
        shutil.copy("mnk-3x3-k3.plb", f"mixed/{name}.plb")
    shutil.copy("cut.plb", "mixed/cut.plb")
    with open("mixed/one.plb", "ab") as longer:
        longer.write(b"more")
    begin = os.path.getsize("serve.log")
    with Server(PLYBASE, "mixed") as server:
        check(server.line.endswith("  1 table\n"), server.line)
    lines = lines_since(begin)
    check(len(lines) == 3 and any("mixed/one.plb has 4 bytes after the end of the table" in line for line in lines) and any("mixed/two.plb is not served: another table of mnk-3x3-k3 is" in line for line in lines) and
          any("mixed/cut.plb" in line and line.endswith("; it is not served") for line in lines), lines)
    run = subprocess.run([PLYBASE, "serve", "cut.plb", "--listen", ":0"], capture_output=True, text=True, timeout=20, check=False)
    check(run.returncode == 1 and not run.stdout and "no table is served" in run.stderr, run)


def lines_since(begin):
    with open("serve.log", encoding="utf-8") as log:
        log.seek(begin)
        return log.read().splitlines()


def requests_are_logged():
    """A line for each, with the route and the table, but no text of the client."""
    asked = [("/v1/tables/mnk-3x3-k3/positions?moves=b2", "/v1/tables/{spec}/positions", "mnk-3x3-k3", 200),
             ("/v1/tables/mnk-3x3-k3/best", "/v1/tables/{spec}/best", "mnk-3x3-k3", 200),
             ("/v1/tables/mnk-3x3-k3/sample?count=2", "/v1/tables/{spec}/sample", "mnk-3x3-k3", 200),
             ("/v1/tables/mnk-3x3-k3/positions?board=secret", "/v1/tables/{spec}/positions", "mnk-3x3-k3", 400),
             ("/tables/mnk-3x3-k3?moves=b2", "/tables/{spec}", "mnk-3x3-k3", 200),
             ("/v1/tables/secret%20status=200%20table=me", "/v1/tables/{spec}", "-", 404),
             ("/health", "/health", "-", 200), ("/secret", "none", "-", 404), ("/%zz", "none", "-", 400)]
    begin = os.path.getsize("serve.log")
    with Server(PLYBASE, "mnk-3x3-k3.plb", "--log-access") as server:
        sizes = [len(server.get(target).body) for target, *_ in asked]
        posted = server.post("/v1/tables/mnk-3x3-k3/positions", '{"moves": ["b2"]}')
    asked.append(("", "/v1/tables/{spec}/positions", "mnk-3x3-k3", 200))
    lines = lines_since(begin)
    check(len(lines) == len(asked), lines)
    for (_, route, table, status), size, line in zip(asked, [*sizes, len(posted.body)], lines):
        words = f"plybase: route={re.escape(route)} table={table} status={status} us=[0-9]+ bytes={size}"
        check(re.fullmatch(words, line), line, words)


def mistakes_are_reported():
    for arguments, status, words in (
            (("nowhere",), 1, "no file nowhere"), ((), 2, "at least one TABLE is needed"),
            (("mnk-3x3-k2",), 1, "no table mnk-3x3-k2.plb here; `plybase build mnk-3x3-k2` makes it"),
            (("mnk-3x3-k3.plb", "--listen", "nonsense"), 2, "127.0.0.1:8080"),
            (("mnk-3x3-k3.plb", "--listen", "127.0.0.1:99999"), 2, "127.0.0.1:8080"),
            (("mnk-3x3-k3.plb", "--cors", "example"), 2, "origin"),
            (("mnk-3x3-k3.plb", "--seconds", "20"), 2, "--longest"),
            (("mnk-3x3-k3.plb", "--threads", "0"), 2, "number from 1")):
        run = subprocess.run([PLYBASE, "serve", *arguments], capture_output=True, text=True,
                             timeout=20, check=False)
        check(run.returncode == status and words in run.stderr and run.stderr.count("\n") == 1,
              arguments, run.returncode, run.stderr)
    os.makedirs("empty", exist_ok=True)
    with Server(PLYBASE, "empty") as server:
        check(server.line.endswith("  0 tables\n"), server.line)
        log = open("serve.log", encoding="utf-8").read()
        check("no table is served" in log and "SIGHUP" in log and "empty" in log, log)
        build(PLYBASE, "mnk-2x2-k2", output="empty/later.plb")
        server.process.send_signal(signal.SIGHUP)
        check(wait_until(lambda: server.get("/health").json["tables"] == 1, 10), "not one table")
    with Server(PLYBASE, "mnk-3x3-k3") as server:  # by the name of the game
        run = subprocess.run([PLYBASE, "serve", "mnk-3x3-k3.plb", "--listen", f":{server.port}"],
                             capture_output=True, text=True, timeout=20, check=False)
        check(run.returncode == 1 and "taken already" in run.stderr, run.stderr)


def ignored_signals_stay_ignored():
    """As for a server that a script started with &: Ctrl-C does not end it."""
    for ignored, ends in ((signal.SIGINT, signal.SIGTERM), (signal.SIGTERM, signal.SIGINT)):
        with Server(PLYBASE, "mnk-3x3-k3.plb", preexec_fn=lambda: (signal.signal(ignored, signal.SIG_IGN),
                                                                   signal.signal(ends, signal.SIG_DFL))) as server:
            server.process.send_signal(ignored)
            time.sleep(0.3)
            check(server.get("/health").status == 200, ignored, "ends it")
            check(server.end(ends) == 0, ends)


def sockets_may_be_unix_sockets():
    with Server(PLYBASE, "mnk-3x3-k3.plb", listen="unix:here.sock") as server:
        check(server.line.startswith("unix:here.sock"), server.line)
        got = subprocess.run(["curl", "-sS", "--unix-socket", "here.sock", "http://any/v1/tables"],
                             capture_output=True, text=True, check=False)
        check('"mnk-3x3-k3"' in got.stdout, got)
        with open("here.txt", "w", encoding="ascii") as file:
            file.write("kept")
        for path, status, words in (("here.sock", 1, "taken already"), ("here.txt", 1, "taken already"), ("", 2, "1 to 107 bytes"),
                                    ("nowhere/here.sock", 1, "cannot listen at nowhere/here.sock"), ("x" * 108, 2, "1 to 107 bytes")):
            run = subprocess.run([PLYBASE, "serve", "mnk-3x3-k3.plb", "--listen", f"unix:{path}"],
                                 capture_output=True, text=True, timeout=20, check=False)
            check(run.returncode == status and words in run.stderr and run.stderr.count("\n") == 1, path, run)
        check(os.path.exists("here.sock") and open("here.txt", encoding="ascii").read() == "kept", "existing files")
    check(not os.path.exists("here.sock"), "the socket is left")
    with socket.socket(socket.AF_UNIX) as abandoned:
        abandoned.bind("old.sock")
    for path in ("old.sock", "y" * 107):
        with Server(PLYBASE, "mnk-3x3-k3.plb", listen=f"unix:{path}") as server:
            check(server.line.startswith(f"unix:{path}"), server.line)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for spec in ("mnk-3x3-k3", "connect-4x4-k4"):
            build(PLYBASE, spec)
        run([tables_are_replaced, the_tag_identifies_the_version, requests_are_logged, mistakes_are_reported,
             unreadable_files_are_reported, tables_share_the_memory, unserved_files_of_folders_are_reported, ignored_signals_stay_ignored,
             sockets_may_be_unix_sockets])
    finish()


if __name__ == "__main__":
    main()
