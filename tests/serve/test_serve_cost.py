#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cost of one request to `plybase serve`: test_serve_cost.py PLYBASE

Every address of openapi.json is requested, with a table of each family. Immediate answers take little
processor time; searches, samples and exports end at their time limit and say so. The requests with the
highest cost per sent byte are printed.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

from checks import check, finish
from serve_support import Server, build, is_sanitized, run

PLYBASE = os.path.abspath(sys.argv[1])
TABLES = {"connect-5x4-k4": (), "connect-4x4-k3-misere": (), "connect-4x4-k3-cylinder": ("--values", "dtm"), "mnk-3x3-k3": (),
          "square-4x4": (), "numeric-2x2-each": (), "numeric-3x3": ("--values", "dtm")}
QUEUED = ("/best", "/line", "/sample", "/export")  # with a time limit
QUERIES = ("", "?moves={move}", "?format=csv", "?seconds=10", "?count=1000", "?count=1000&value=win", "?count=1000&value=loss&ply=4")
MAX_SECONDS = 0.05 * (20 if is_sanitized(PLYBASE) else 1)  # of an immediate answer; on an idle machine it takes 0.003
SENT = len("GET  HTTP/1.1\r\nHost: localhost\r\n\r\n")


def processor_seconds(server):
    """Of all threads, to the nanosecond."""
    spent = 0
    for name in glob.glob(f"/proc/{server.pid}/task/*/schedstat"):
        with open(name, encoding="ascii") as file:
            spent += int(file.read().split()[0])
    return spent / 1e9


class Costs:
    def __init__(self):
        self.rows = []

    def ask(self, server, name, target, body=None):
        before = processor_seconds(server)
        answer = server.post(target, body) if body else server.get(target)
        spent = processor_seconds(server) - before
        self.rows.append((spent / (SENT + len(target) + len(body or "")), spent, answer.status, name, target))
        return answer, spent

    def report(self):
        for per_byte, spent, status, name, target in sorted(self.rows, reverse=True)[:5]:
            print(f"{1e6 * per_byte:.1f} us a byte, {1e3 * spent:.2f} ms in all: {name}, {target}, {status}")


def ask_all(costs, server, name, spec):
    """Request each address with each of its parameters."""
    table = f"/v1/tables/{spec}"
    moves = server.get(table + "/positions").json["moves"]
    for path, methods in server.get("/openapi.json").json["paths"].items():
        if "{name}" in path:
            continue
        known = [p.get("name") or p["$ref"].rpartition("/")[2] for p in methods["get"].get("parameters", ())]
        for query in QUERIES:
            if query and query[1:].partition("=")[0] not in known:
                continue
            target = path.format(spec=spec) + query.format(move=moves[0]["move"])
            answer, spent = costs.ask(server, name, target)
            check(answer.status in (200, 400, 404), target, answer.status, answer.body[:200])
            check(spent < MAX_SECONDS or path.endswith(QUEUED), name, target, "takes", spent, "s of the processor")
    pairs = [f"{one['move']},{two['move']}" for one in moves for two in moves]
    costs.ask(server, name, table + "/positions", json.dumps({"moves": pairs[:1000], "with_moves": True}))
    costs.ask(server, name, table + "/positions", json.dumps({"moves": [""] * 1000, "with_moves": True}))


def immediate_answers_are_cheap():
    costs = Costs()
    for spec, options in TABLES.items():
        build(PLYBASE, spec, *options)
        with Server(PLYBASE, f"{spec}.plb") as server:
            ask_all(costs, server, spec, spec)
    for spec, own in (("connect-5x4-k4", ("second", "1")), ("connect-5x4-k4", ("second", "9")), ("numeric-3x3", ("first", "5"))):
        made = subprocess.run([PLYBASE, "strategy", f"{spec}.plb", "--player", own[0], "--look-ahead", own[1], "--force", "-o", "own.plb"],
                              capture_output=True, text=True, check=False)
        check(made.returncode == 0, made.stderr)
        with Server(PLYBASE, "own.plb") as server:
            ask_all(costs, server, f"strategy of {spec}, {own}", spec)
    costs.report()


def long_answers_end_at_their_time_limit():
    """For batches see test_serve_crowds."""
    with Server(PLYBASE, "connect-4x4-k3-misere.plb") as server:
        for question, key in (("best", "exact"), ("line", "complete")):
            answer = server.get(f"/v1/tables/connect-4x4-k3-misere/{question}?seconds=0.0001")
            check(answer.status == 200 and answer.json[key] is False, question, answer.body)
            check(answer.headers["Cache-Control"] == "no-store", question, answer.headers)
    with Server(PLYBASE, "numeric-3x3.plb", "--seconds", "0.001", "--longest", "0.001") as server:
        # The first request of each enumerates positions.
        for question, status, text in (("sample", 503, "within the time"), ("export?sample=1", 413, "need more than the 0.001 s of processor time")):
            answer = server.get(f"/v1/tables/numeric-3x3/{question}")
            check(answer.status == status and text in answer.json["detail"], answer.status, answer.body)
            check(("Retry-After" in answer.headers) == (status == 503), question, answer.headers)


def a_value_that_does_not_occur_needs_no_search():
    """The answer is final even with hardly any time."""
    with Server(PLYBASE, "square-4x4.plb", "--seconds", "0.001", "--longest", "0.001") as server:
        for ply, value in ((0, "win"), (4, "loss"), (16, "win")):
            answer = server.get(f"/v1/tables/square-4x4/sample?count=1000&ply={ply}&value={value}")
            check(answer.status == 200 and answer.json["complete"] is False, ply, answer.body)
            check(answer.headers["ETag"], "that was searched for:", ply, value, answer.headers)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        run((immediate_answers_are_cheap, long_answers_end_at_their_time_limit, a_value_that_does_not_occur_needs_no_search))
    finish()


if __name__ == "__main__":
    main()
