#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every address of `plybase serve` gives the answers of the commands: test_serve.py PLYBASE

Answers over HTTP are compared with the output of commands, for random positions of a game of each
family. Then: refusals, caching, origins and hosts, pages, limits.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from checks import check, finish
from serve_support import Server, build

PLYBASE = os.path.abspath(sys.argv[1])
TABLES = {
    "connect-4x4-k4": (), "connect-5x4-k4": ("--values", "dtm"), "connect-4x4-k3-misere": (),
    "connect-4x3-k3-cylinder": (), "mnk-3x3-k3": (), "square-3x3": ("--values", "dtm"),
    "numeric-2x2-each": (),
    "numeric-2x2-first24": (),
}
V1 = "/v1/tables/"
HERE = os.path.dirname(os.path.abspath(__file__))


def plybase(*arguments, text=None):
    return subprocess.run([PLYBASE, *arguments], input=text, capture_output=True, text=True,
                          check=False).stdout


def sample(spec, count, seed):
    rows = plybase("export", f"{spec}.plb", "--sample", str(count), "--seed", str(seed), "-o", "-")
    return [line.rpartition('"')[0].strip('"') if line[0] == '"' else line.split(",")[0]
            for line in rows.splitlines()[1:]]


def without(answer, *keys):
    return {key: value for key, value in answer.items() if key not in keys}


# ---- answers are those of the commands ----

def positions_agree_with_probe(server):
    for spec in TABLES:
        boards = sample(spec, 40, 7)
        lines = plybase("probe", f"{spec}.plb", "--json", *boards).splitlines()
        check(len(lines) == len(boards) > 0, spec, "gives", len(lines), "answers")
        for board, line in zip(boards, lines):
            answer = server.get(f"{V1}{spec}/positions?board={board}")
            check(answer.status == 200 and without(answer.json, "table") == json.loads(line),
                  spec, board, answer.body, line)
            check(answer.json["table"] == spec, "the table of", spec)


def games_agree_with_annotate(server):
    """Games to their ends. Each move is the last of the list, so that there are mistakes."""
    for spec in TABLES:
        moves, answer = [], server.get(f"{V1}{spec}/annotate").json
        check(answer["played"] == [] and answer["mistakes"] == {"x": 0, "o": 0}, spec, answer)
        while answer["moves"]:
            moves.append(answer["moves"][-1]["move"])
            answer = server.get(f"{V1}{spec}/annotate?moves={','.join(moves)}").json
        expected = json.loads(plybase("annotate", f"{spec}.plb", ",".join(moves), "--json"))
        check(without(answer, "table") == without(expected, "spec") and answer["table"] == expected["spec"], spec, moves)
        half = server.get(f"{V1}{spec}/annotate?board={answer['played'][1]['position']}&moves={','.join(moves[2:])}").json
        check(half["played"] == answer["played"][2:], spec, "from a board", half)


def pictures_agree_with_picture(server):
    for spec in TABLES:
        for board in sample(spec, 5, 3):
            answer = server.get(f"{V1}{spec}/picture?board={board}")
            check(answer.type == "image/svg+xml" and answer.body.decode() == plybase("picture", f"{spec}.plb", board, "-o", "-"),
                  spec, board, answer.body[:80])
    check(server.get(f"{V1}{spec}/picture?board=x").status == 400, "a picture of a refused position")


def best_and_line_agree_with_commands(server):
    for spec in TABLES:
        for board in sample(spec, 6, 3):
            best = server.get(f"{V1}{spec}/best?board={board}&seconds=10").json
            line = server.get(f"{V1}{spec}/line?board={board}&seconds=10").json
            ways = [json.loads(plybase(command, f"{spec}.plb", board, "--json"))
                    for command in ("best", "line")]
            costs = ("table", "nodes", "seconds")
            check(without(best, *costs) == without(ways[0], *costs), spec, board, best)
            check(without(line, "table") == ways[1], spec, board, line)
            check(line["complete"] is True, "a short line is complete")
            check(best["moves"][:1] == line["moves"][:1], spec, board,
                  "the line does not begin with the best move")


def leading_commas_are_ignored(server):
    """The server must not mix up queries whose long texts begin alike."""
    for question in ("best", "line"):
        for moves in ("4", "41", "4" + 2 * "13", "4" + 2 * "13" + "2"):
            plain, padded = (server.get(f"{V1}connect-4x4-k3-misere/{question}?moves={pad}{moves}&seconds=10").json
                             for pad in ("", 200 * ","))
            costs = ("nodes", "seconds")
            check(plain["value"] != "draw", "that takes no search", plain)
            check(without(plain, *costs) == without(padded, *costs), question, moves, padded)


def counts_agree_with_stats(server):
    for spec in TABLES:
        check(server.get(f"{V1}{spec}/stats").json ==
              json.loads(plybase("stats", f"{spec}.plb", "--json")), "counts of", spec)
        csv = server.get(f"{V1}{spec}/stats?format=csv")
        check(csv.body.decode() == plybase("stats", f"{spec}.plb", "--csv"), "CSV of", spec)
        check(csv.type.startswith("text/csv"), csv.type)


def samples_agree_with_export(server):
    for spec in TABLES:
        got = server.get(f"{V1}{spec}/sample?count=9&seed=5").json
        check([p["position"] for p in got["positions"]] == sample(spec, 9, 5), spec, got)
        check(got["complete"] is True and got["seed"] == "5", got)
        got = server.get(f"{V1}{spec}/sample?seed={2**64 - 1}").json
        check(got["seed"] == str(2**64 - 1) and [got["positions"][0]["position"]] == sample(spec, 1, 2**64 - 1), got)
        check(server.get(f"{V1}{spec}/sample?seed={2**64}").status == 400, "no greater seed")
    got = server.get(V1 + "connect-4x4-k4/sample?count=20&seed=1&ply=7&value=loss").json
    check(len(got["positions"]) == 20 and
          all(p["ply"] == 7 and p["value"] == "loss" for p in got["positions"]), got)
    got = server.get(V1 + "mnk-3x3-k3/sample?ply=1&value=loss").json
    check(got["positions"] == [] and got["complete"] is False, "no lost position", got)


def exports_are_the_bytes_of_the_command(server):
    """Each format of a game of each family, or its refusal, which is that of the command."""
    for spec in ("connect-5x4-k4", "connect-4x4-k4", "mnk-3x3-k3", "square-3x3", "numeric-2x2-each"):
        for query, options in (("ply=2", ["--ply=2"]), ("ply=0-2&where=draw", ["--ply=0-2", "--where=draw"]),
                               ("sample=60&seed=3", ["--sample=60", "--seed=3"]),
                               ("ply=1-4&sample=9&where=win", ["--ply=1-4", "--sample=9", "--where=win"]),
                               ("ply=2-3&where=quiet", ["--ply=2-3", "--where=quiet"])):
            for form in ("csv", "npy", "uci", "pons"):
                run = subprocess.run([PLYBASE, "export", f"{spec}.plb", "--format", form, *options, "--force", "-o", "out"],
                                     capture_output=True, text=True, check=False)
                got = server.get(f"{V1}{spec}/export?format={form}&{query}")
                if run.returncode == 0:
                    with open("out", "rb") as file:
                        check(got.status == 200 and got.body == file.read(), spec, form, query, got.body[:200])
                    check(got.type.split(";")[0] == {"csv": "text/csv", "npy": "application/octet-stream"}.get(form, "text/plain"), got.type)
                else:
                    check(got.status == 400 and run.stderr == f"plybase: {got.json['detail']}\n", spec, form, query, got.body, run.stderr)
    head = server.ask(V1 + "mnk-3x3-k3/export?ply=1", "HEAD")
    check(head.status == 200 and not head.body and int(head.headers["Content-Length"]) > 100, head.status, head.headers)
    many = sum(int(ply["total"]) for ply in server.get(V1 + "connect-4x4-k4/stats").json["plies"][5:9])
    got = server.get(V1 + "connect-4x4-k4/export?ply=5-8")
    check(got.status == 400 and f"these plies have {many:,} positions, and this server gives at most 1,000 at once" in got.json["detail"], got.body)


def tables_are_listed(server):
    listed = server.get("/v1/tables").json["tables"]
    check([t["spec"] for t in listed if t["state"] == "ok"] == sorted(TABLES), listed)
    by_file = {t["file"]: t for t in listed}
    check(by_file["second.plb"]["state"] == "shadowed", by_file["second.plb"])
    check(by_file["broken.plb"]["state"] == "damaged" and by_file["broken.plb"]["spec"] is None and
          "broken.plb" in by_file["broken.plb"]["detail"], by_file["broken.plb"])
    check("connect-5x4-k4.plb.part" not in by_file and "outside.plb" not in by_file and
          "folder.plb" not in by_file and "pipe.plb" not in by_file, by_file.keys())
    for spec in TABLES:
        info = json.loads(plybase("info", f"{spec}.plb", "--json"))
        table = server.get(V1 + spec).json
        check(info.items() <= table.items(), spec, table)
        check(len(table["rules"]) == 3 and table["links"]["self"] == V1 + spec, table)
        check(server.get(table["links"]["stats"]).status == 200, "a link of", spec)
    check("loses" in server.get(V1 + "connect-4x4-k3-misere").json["rules"][1], "misere")
    numbers = server.get(V1 + "numeric-2x2-each").json
    check(numbers["numbers"] == {"x": ["1", "2"], "o": ["1'", "2'"]}, numbers["numbers"])
    check(numbers["rules"][0].endswith("x, who begins, has 1 and 2, o has 1' and 2'."), numbers)
    for spec in (spec for spec in TABLES if spec.startswith("numeric")):
        owned = server.get(V1 + spec).json["numbers"]
        for player, moves in (("x", ""), ("o", f"{owned['x'][0]}@a1")):
            listed = server.get(f"{V1}{spec}/positions?moves={moves}").json["moves"]
            check({move["move"].split("@")[0] for move in listed} == set(owned[player]),
                  spec, player, owned, listed)
    check("with the sum 3 wins" in numbers["rules"][1], numbers["rules"])
    check(server.get(V1 + "mnk-3x3-k3").json["numbers"] is None, "stones have no numbers")
    check("neighbours" in server.get(V1 + "connect-4x3-k3-cylinder").json["rules"][0], "cylinder")
    check(server.get(V1 + "mnk-3x3-k3").json["empty"] == "3/3/3", "the empty board")


def moves_are_played(server):
    answer = server.get(V1 + "connect-4x4-k4/positions?moves=1,%202,1").json
    check([m["move"] for m in answer["played"]] == ["1", "2", "1"], answer)
    check([m["cell"] for m in answer["played"]] == ["a1", "b1", "a2"], answer)
    check(answer["played"][-1]["position"] == answer["position"] == "4/4/x3/xo2", answer)
    answer = server.get(V1 + "connect-4x4-k4/positions?board=4/4/4/xo2&moves=1").json
    check(answer["position"] == "4/4/x3/xo2" and len(answer["played"]) == 1, answer)
    answer = server.get(V1 + "mnk-3x3-k3/positions?moves=b2a1c3").json
    check([m["move"] for m in answer["played"]] == ["b2", "a1", "c3"], answer)
    answer = server.get(V1 + "numeric-2x2-each/positions?moves=1@a1,2'@b2").json
    check([m["cell"] for m in answer["played"]] == ["a1", "b2"], answer)
    for table, asked, played in (("connect-4x4-k4", "A1,b1a2", ["1", "2", "1"]), ("mnk-3x3-k3", "B2A1", ["b2", "a1"]),
                                 ("numeric-2x2-each", "001@A1,02'@B2", ["1@a1", "2'@b2"]), ("numeric-2x2-each", "1@b22'@a1", ["1@b2", "2'@a1"])):
        answer = server.get(f"{V1}{table}/positions?moves={asked}").json
        check([m["move"] for m in answer["played"]] == played, "moves have one name:", asked, answer)
        check(answer["position"] == answer["played"][-1]["position"] and answer["ply"] == len(played), answer)
    answer = server.get(V1 + "connect-4x4-k4/positions").json
    check(answer["position"] == "4/4/4/4" and "played" not in answer, answer)
    answer = server.get(V1 + "connect-4x4-k4/positions?moves=1212121").json
    check(answer["over"] and answer["group"] == ["a1", "a2", "a3", "a4"] and
          answer["winner"] == "x" and answer["moves"] == [], answer)


# ---- batches ----

def batches_keep_their_order(server):
    for spec in TABLES:
        boards = sample(spec, 30, 11)
        whole = [server.get(f"{V1}{spec}/positions?board={b}").json for b in boards]
        expected = [without(answer, "table") for answer in whole]
        got = server.post(f"{V1}{spec}/positions", json.dumps({"positions": boards})).json
        check(got["positions"] == [without(answer, "moves") for answer in expected], spec, got)
        got = server.post(f"{V1}{spec}/positions",
                          json.dumps({"positions": boards, "with_moves": True})).json
        check(got["positions"] == expected, spec, "with moves", got)
        text = "\n".join(boards[:9] + ["", "nonsense", boards[0] + "\0x"] + boards[9:])
        got = server.post(f"{V1}{spec}/positions", text, "text/plain; charset=utf-8")
        check(got.body.decode() == plybase("probe", f"{spec}.plb", "-", text=text), spec, got.body)
        check(got.status == 200 and got.headers["Refused-Lines"] == "3", spec, got.headers["Refused-Lines"])
    got = server.post(V1 + "connect-4x4-k4/positions", "4/4/4/xo2\twin\n4/4/4/4\n4/4/4/xx2\twin\n", "text/plain")
    rows = [line.split("\t") for line in got.body.decode().splitlines()]
    check(rows[0][2].endswith("without blanks in it; ?input= reads lists with more columns"), rows[0])
    for line in ("12 1", "a1 1", "4/4/4/xx2 win"):
        refused = server.post(V1 + "connect-4x4-k4/positions", line, "text/plain").body.decode()
        check(refused.endswith("; ?input= reads lists with more columns\n"), line, refused)
    check([len(row) for row in rows] == [3, 4, 3] and [row[1] for row in rows] == ["error", "draw", "error"] and
          got.headers["Refused-Lines"] == "2" and got.headers["Access-Control-Expose-Headers"] == "Refused-Lines, Differing-Lines", got.body)
    got = server.post(V1 + "connect-4x4-k4/positions", "4/4/4/4\n", "text/plain")
    check(got.status == 200 and got.headers["Refused-Lines"] is None, "none is refused")
    got = server.post(V1 + "connect-4x4-k4/positions", b'\xef\xbb\xbf{"moves":["12"]}')
    check(got.status == 200 and got.json["positions"][0]["ply"] == 2, "a byte order mark:", got.body)
    got = server.post(V1 + "connect-4x4-k4/positions", '{"moves":["","12","9"]}').json["positions"]
    check([p.get("ply") for p in got] == [0, 2, None], got)
    check(got[2]["error"]["code"] == "PLB_EMOVE" and got[2]["position"] == "9", got[2])
    text = "4/4/4/4\twin\n\ufeff4/4/4/..X. \r\n"
    got = server.post(V1 + "connect-4x4-k4/positions", text.encode(), "text/plain").body.decode()
    check([line.split("\t")[:2] for line in got.splitlines()] == [["4/4/4/4", "error"], ["4/4/4/..X. ", "draw"]], got)
    got = [server.get(f"{V1}connect-4x4-k4/positions?moves={m}").json for m in ("323", "c1,B1,%20c2", "%EF%BB%BF3%2C23%20")]
    check(got[0]["ply"] == 3 and got[0]["position"] == got[1]["position"] == got[2]["position"], got)
    check(server.get(V1 + "connect-4x4-k4/positions?moves=33+1").status == 400, "a second field")
    for name, text in (("pons", "33 1\n\n9 1\n"), ("columns0", "0022\tdraw\n"), ("board", "............x...\n"),
                       ("uci", "x" + ",b" * 15 + ",win\n"), ("plybase", "4/4/4/x3 win\n\n")):
        got = server.post(f"{V1}connect-4x4-k4/positions?input={name}", text, "text/plain")
        check(got.body.decode() == plybase("probe", "connect-4x4-k4.plb", "-", "--input", name, text=text), name, got.body)
    # ?expect= compares as --expect does: the message that --expect prints on stderr is a fifth column here.
    for name, text in (("pons", "33 0\n12 1\n9 1\n123 x\n44\n"), ("uci", "x" + ",b" * 15 + ",win\n" + "b," * 16 + "draw\n"),
                       ("columns0", "0022\twin\n0022,draw\n"), ("plybase", "4/4/4/x3 1\n4/4/4/4 0\n")):
        got = server.post(f"{V1}connect-4x4-k4/positions?input={name}&expect=2", text, "text/plain")
        run = subprocess.run([PLYBASE, "probe", "connect-4x4-k4.plb", "-", "--input", name, "--expect", "2"], input=text,
                             capture_output=True, text=True, check=False)
        rows = [line.split("\t") for line in got.body.decode().splitlines()]
        check(["\t".join(row[:4]) for row in rows] == run.stdout.splitlines(), name, rows, run.stdout)
        *why, sums = run.stderr.splitlines()
        messages = [f"plybase: line {n}, {row[0]}: {row[-1]}" for n, row in enumerate(rows, 1) if len(row) == 5 or row[1] == "error"]
        differing = sum(len(row) == 5 for row in rows)
        check(why == messages and sums == f"plybase: {len(rows) - len(messages)} of {len(rows)} lines agree with column 2", run.stderr, messages)
        check(got.headers["Differing-Lines"] == (str(differing) if differing else None), name, got.headers["Differing-Lines"])
    for query in ("expect=2", "input=pons&expect=1", "input=pons&expect=x"):
        got = server.post(f"{V1}connect-4x4-k4/positions?{query}", "33 0\n", "text/plain")
        check(got.status == 400 and got.json["parameter"] == "expect", query, got.body)
    for query, kind in (("input=csv", "text/plain"), ("input=pons", "application/json")):
        got = server.post(f"{V1}connect-4x4-k4/positions?{query}", '{"moves":[]}', kind)
        check(got.status == 400 and got.json["parameter"] == "input", query, got.body)
    got = server.post(V1 + "connect-4x4-k4/positions", '{"positions":[]}').json
    check(got == {"table": "connect-4x4-k4", "positions": []}, got)
    # The largest batch, and one more.
    maximum = server.get("/v1").json["limits"]["batch_positions"]
    for count, status in ((maximum, 200), (maximum + 1, 400)):
        got = server.post(V1 + "mnk-3x3-k3/positions", json.dumps({"positions": ["3/3/3"] * count}))
        check(got.status == status, count, "positions give", got.status)
        got = server.post(V1 + "mnk-3x3-k3/positions", "3/3/3\n" * count, "text/plain")
        check(got.status == status, count, "lines give", got.status)


def a_trailing_slash_is_ignored(server):
    for target in ("/v1", "/v1/tables", V1 + "mnk-3x3-k3", V1 + "mnk-3x3-k3/stats", "/tables/mnk-3x3-k3", "/health"):
        plain, slash = server.get(target), server.get(target + "/?")
        check(plain.status == slash.status == 200 and plain.body == slash.body, target, slash.status)
    check(server.get("/v1/nothing/").status == 404, "nothing")
    answer = server.get(f"http://127.0.0.1:{server.port}/v1/tables/")
    check(answer.status == 200 and answer.headers["Access-Control-Allow-Origin"] == "*", "in absolute form", answer.status)


def bad_bodies_are_refused(server):
    for body in ("", "{", "[]", "{}", '{"positions":1}', '{"positions":[1]}', '{"boards":[]}',
                 '{"positions":[],"moves":[]}', '{"positions":[],"positions":[]}',
                 '{"positions":[],"with_moves":1}', '{"positions":["\\ud800"]}', "[" * 100000,
                 '{"positions":["' + "5" * 10000 + '"]}', b'{"positions":["\xff"]}'):
        got = server.post(V1 + "mnk-3x3-k3/positions", body)
        check(got.status == 400 and got.json["type"] == "/problems/bad-body", body[:40], got.body)
    got = server.post(V1 + "mnk-3x3-k3/positions", "a=b", "application/x-www-form-urlencoded")
    check(got.status == 415, "a form gives", got.status)


# ---- refusals ----

def refusals_are_problems(server):
    table = V1 + "connect-4x4-k4"
    for target, status, kind, code in (
            (table + "/positions?board=4/4/4/xx2", 400, "impossible-counts", "PLB_ECOUNTS"),
            (table + "/positions?board=4/4/xo2/4", 400, "floating-stone", "PLB_EFLOATING"),
            (table + "/positions?board=hello", 400, "malformed-position", "PLB_ESYNTAX"),
            (table + "/positions?board=5/5/5/5/5", 400, "other-board", "PLB_EBOARD"),
            (table + "/positions?moves=11111", 400, "illegal-move", "PLB_EMOVE"),
            (table + "/positions?board=", 400, "malformed-position", "PLB_ESYNTAX"),
            (table + "/positions?bored=4/4/4/4", 400, "bad-parameter", None),
            (table + "/positions?moves=1&moves=2", 400, "bad-parameter", None),
            (table + "/best?seconds=11", 400, "bad-parameter", None),
            (table + "/best?seconds=-1", 400, "bad-parameter", None),
            (table + "/stats?format=xml", 400, "bad-parameter", None),
            (table + "/sample?count=0", 400, "bad-parameter", None),
            (table + "/sample?ply=17", 400, "bad-parameter", None),
            (table + "/sample?value=won", 400, "bad-parameter", None),
            (table + "/export?ply=1-", 400, "bad-parameter", None),
            (table + "/export?ply=17", 400, "bad-parameter", None),
            (table + "/export?format=xml", 400, "bad-parameter", "PLB_EARGUMENT"),
            (table + "/export?where=won", 400, "bad-parameter", None),
            (table + "/export?ply=1&seed=1", 400, "bad-parameter", None),
            (table + "/export?sample=1001", 400, "bad-parameter", None),
            (table + "/export?ply=0&sample=1&where=win", 400, "bad-parameter", "PLB_EARGUMENT"),
            (table + "/export?ply=16&sample=1&where=quiet", 400, "bad-parameter", "PLB_ENOTFOUND"),
            (table + "/positions?v=0123456789abcdef", 404, "table-replaced", None),
            (V1 + "connect-9x9-k9/positions", 404, "no-such-table", None),
            ("/v1/nothing", 404, "no-such-address", None),
            ("/v1/x/", 404, "no-such-address", None),
            ("/v1/tables//", 400, "bad-request", None)):
        got = server.get(target)
        problem = got.json
        check(got.status == problem["status"] == status and problem["type"] == f"/problems/{kind}" and
              problem["code"] == code, target, got.status, problem)
        check(got.type == "application/problem+json" and problem["title"] and problem["detail"], target)
        check(server.get(problem["type"]).status == 200, problem["type"], "has no page")
    for query, wrong in (("format=xml", "format"), ("format=pons&ply=2", "format"), ("ply=17", "ply"), ("ply=5-8", "ply"), ("ply=4-2", "ply"),
                         ("ply=0&sample=1&where=win", "where"), ("ply=16&sample=1&where=quiet", "sample"), ("sample=1001", "sample")):
        check(server.get(f"{table}/export?{query}").json["parameter"] == wrong, query, "does not name", wrong)
    check(server.get(V1 + "numeric-2x2-each/export?where=quiet").json["parameter"] == "where", "quiet numbers")
    near = server.get(V1 + "connect-4x4-k9").json
    check("connect-4x4-k4" in near["detail"], near)
    got = server.ask(table, "PUT", "x")
    check(got.status == 405 and got.headers["Allow"] == "GET, HEAD, OPTIONS", got.headers)
    got = server.ask("/health", "POST", "x")
    check(got.status == 405, "POST to /health gives", got.status)


# ---- caching ----

def answers_are_cached(server):
    table = V1 + "connect-4x4-k4"
    target = table + "/positions?moves=12"
    tag = server.get(target).headers["ETag"]
    identity = server.get(table).json["id"]
    check(tag == f'"p1-{identity}"', tag)
    check(server.get(target).headers["Cache-Control"] == "no-cache", "another table may replace this one")
    for known in (tag, "W/" + tag, f'"other", {tag}'):
        got = server.get(target, If_None_Match=known)
        check(got.status == 304 and not got.body and got.headers["ETag"] == tag, known, got.status)
    check(server.get(target, If_None_Match='"other"').status == 200, "another tag")
    # Refused requests are refused also with the tag of an answer.
    for asked, status in ((f"{target}&what=1", 400), (f"{target}&moves=1", 400), (f"{target}&v=0123456789abcdef", 404),
                          (table + "/positions?board=4/4/4/xx2", 400), (table + "/positions?moves=11111", 400),
                          (table + "/positions?board=4/4/xx2/oo2", 400), (table + "/line?board=4/o3/ooo1/xxxx", 400), (table + "/best?board=4/4/xo2/4", 400),
                          (table + "/positions?board=xxxx/4/4/4", 400), (table + "/best?seconds=11", 400),
                          (table + "/line?moves=0", 400), (table + "/stats?format=xml", 400), (table + "/sample?ply=99", 400), (table + "/export?ply=99", 400), (table + "/export", 400),
                          (table + "/export?ply=16&sample=1&where=quiet", 400)):
        check(server.get(asked, If_None_Match=tag).status == server.get(asked).status == status, asked)
    for asked in ("", "/positions?board=4/4/4/xo2", "/best?moves=1", "/line", "/stats", "/stats?format=csv", "/sample?seed=99", "/export?ply=1"):
        got = server.get(table + asked, If_None_Match=tag)
        check(got.status == 304 and got.headers["ETag"] == tag and not got.type, asked, got.status)
    got = server.get("/tables/none", If_None_Match=server.get("/").headers["ETag"])
    check(got.status == 404, "the page of no table gives", got.status)
    got = server.get(f"{target}&v={identity}")
    check(got.status == 200 and "immutable" in got.headers["Cache-Control"], got.headers)
    best = server.get(f"{table}/best?moves=1&v={identity}")
    check("immutable" in best.headers["Cache-Control"], best.headers)
    check(server.get(table + "/positions?moves=11111").headers["Cache-Control"] == "no-cache",
          "a refused position is cached like an answer")
    for target in ("/health", "/v1/tables", "/metrics", "/"):
        check(server.get(target).headers["Cache-Control"] == "no-cache", target)
    check(server.get("/v1/nothing").headers["Cache-Control"] == "no-store", "a refusal")


def head_requests_have_the_headers_of_answers(server):
    for target in ("/v1", "/v1/tables", V1 + "mnk-3x3-k3/positions", "/", "/health", "/v1/nothing"):
        with_body, head = server.get(target), server.ask(target, "HEAD")
        check(head.status == with_body.status and head.body == b"" and
              head.headers["Content-Length"] == with_body.headers["Content-Length"], target)


# ---- origins and hosts ----

def allowed_origins_are_in_headers(server):
    check(server.get("/v1").headers["Access-Control-Allow-Origin"] == "*", "all origins")
    check("Access-Control-Allow-Origin" not in server.get("/health").headers, "not of health")
    got = server.ask(V1 + "mnk-3x3-k3/positions", "OPTIONS", Origin="https://example.org")
    check(got.status == 204 and "POST" in got.headers["Access-Control-Allow-Methods"] and
          got.headers["Access-Control-Allow-Headers"] == "content-type", got.headers)
    # Refusals have the same header as answers, wherever the request was refused.
    for target, status in (("/v1", 200), ("/v1?what=1", 400), ("/v1/none", 404), (V1 + "none/stats", 404), ("/v1/%zz", 400),
                           (V1 + "mnk-3x3-k3/positions?moves=1", 400), ("/openapi.json", 200), ("/openapi.json?a=b", 400)):
        got = server.get(target)
        check(got.status == status and got.headers["Access-Control-Allow-Origin"] == "*", target, got.status, got.headers)
    for target, status in (("/health", 200), ("/health?a=b", 400), ("/metrics?a=b", 400), ("/health/a", 404), ("/none", 404),
                           ("/assets/a/b", 404), ("/problems/none", 404), ("/v1x", 404), ("/%zz", 400), ("/api?a=b", 400)):
        got = server.get(target)
        check(got.status == status and "Access-Control-Allow-Origin" not in got.headers, target, got.status, got.headers)
    for target in ("/health", "/metrics", "/"):
        got = server.ask(target, "OPTIONS", Origin="https://example.org")
        check(got.status == 204 and not any(name.startswith("Access-Control") for name in got.headers), target, got.headers)
    with Server(PLYBASE, "mnk-3x3-k3.plb", "--cors", "none") as closed:
        for target in ("/v1", "/v1/none", "/v1/%zz"):
            check("Access-Control-Allow-Origin" not in closed.get(target).headers, "no origin")
    with Server(PLYBASE, "mnk-3x3-k3.plb", "--cors", "https://example.org") as one:
        for target in ("/v1", "/v1/none", "/v1/%zz"):
            check(one.get(target).headers["Access-Control-Allow-Origin"] == "https://example.org", "one")


def hosts_are_checked(server):
    for host, status in (("evil.example", 421), ("localhost", 200), ("LOCALHOST:80", 200),
                         ("127.0.0.1", 200), ("[::1]:8080", 200), ("localhost.evil.example", 421),
                         ("evil.example:127", 421), ("", 421), ("127.0.0.1.evil.example", 421)):
        check(server.get("/v1", Host=host).status == status, "host", host)
    with Server(PLYBASE, "mnk-3x3-k3.plb", "--host", "games.example,other.example") as named:
        for host, status in (("games.example:80", 200), ("other.example", 200), ("example", 421)):
            check(named.get("/v1", Host=host).status == status, "host", host)


def pages_have_security_headers(server):
    got = server.get("/")
    policy = got.headers["Content-Security-Policy"]
    check(got.status == 200 and got.type.startswith("text/html"), got.type)
    check("default-src 'none'" in policy and "frame-ancestors 'none'" in policy and
          "unsafe" not in policy, policy)
    check(got.headers["X-Content-Type-Options"] == "nosniff", got.headers)
    check("frame-ancestors *" in
          server.get("/embed/mnk-3x3-k3").headers["Content-Security-Policy"], "embedded")
    check(server.get("/tables/mnk-3x3-k3").status == 200, "the page of a table")
    check(server.get("/tables/mnk-9x9-k3").status == 404, "the page of no table")
    for path, accept, kind in (("/nothere", "text/html,*/*;q=0.8", "text/html"), ("/a/b", "text/html", "text/html"),
                               ("/nothere", "*/*", "application/problem"), ("/v1/nothere", "text/html", "application/problem")):
        nothing = server.get(path, Accept=accept)
        check(nothing.status == 404 and nothing.type.startswith(kind), path, accept, nothing.status, nothing.type)
    names = [part.split('"')[0] for part in got.body.decode().split("/assets/")[1:]]
    check(len(names) > 1, "the page names its files")
    for name in names:
        plain = server.get("/assets/" + name)
        packed = server.get("/assets/" + name, Accept_Encoding="gzip, br")
        check(plain.status == 200 and "immutable" in plain.headers["Cache-Control"], name)
        check(packed.headers["Content-Encoding"] == "gzip" and
              len(packed.body) < len(plain.body), name, "is not packed")
        for weighed in ("gzip;q=0", "br, gzip; q=0.0", "*;q=0", "gzip;q=0, *"):
            got = server.get("/assets/" + name, Accept_Encoding=weighed)
            check(got.body == plain.body and not got.headers["Content-Encoding"] and
                  got.headers["ETag"] == plain.headers["ETag"], name, "is packed for", weighed)
        tag = plain.headers["ETag"]
        check(server.get("/assets/" + name, If_None_Match=tag).status == 304, name)


def the_page_is_small(server):
    """The served page has at most 70,000 bytes; its sources are at most 13 modules of at most 250 lines."""
    folder, index = os.path.join(HERE, "../../tools/page"), server.get("/").body.decode()
    assets = index.split('"/assets/')[1].split("/")[0]
    sizes, modules = {"index.html": len(index)}, {}
    for name in sorted(os.listdir(folder)):
        if not name.endswith((".css", ".js", ".svg")) or name == "manual.css":
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            source = file.read()
        served = server.get(f"/assets/{assets}/{name}").body
        sizes[name] = len(served)
        check(without_comments(source, name) == served.decode(), name, "is served with other code than its source")
        if name.endswith(".js"):
            modules[name] = source.count("\n")
    check(sum(sizes.values()) <= 70000, sum(sizes.values()), "bytes:", sizes)
    check(len(modules) <= 13 and max(modules.values()) <= 250, modules)


def without_comments(source, name):
    """The source without indentation and without comments on their own lines. No string may contain either."""
    check(all(line.count("`") % 2 == 0 and not line.endswith("\\") for line in source.split("\n")), name, "has a string of several lines")
    comment = r"^ *//[^\n]*$" if name.endswith(".js") else r"^ */\*(?:(?!\*/).)*\*/$"
    text = re.sub(comment, lambda found: "\n" * found.group().count("\n"), source, flags=re.MULTILINE | re.DOTALL)
    return re.sub("^ +", "", text, flags=re.MULTILINE)


# ---- limits ----

# Limits in /v1: the option that sets it, the default (None: depends on the machine), and another value.
LIMITS = {
    "head_bytes": ("head", 8192, 20000), "head_lines": ("lines", 64, 300), "target_bytes": ("target", 4096, 9000),
    "body_bytes": ("body", 1048576, 200), "batch_positions": ("batch", 1000, 3), "batch_seconds": ("batch-time", 2, 3.5), "sample_positions": ("sample", 1000, 1500),
    "request_seconds": ("deadline", 10, 5.5), "idle_seconds": ("idle", 30, 3), "read_seconds": ("read", 10, 4),
    "connections": ("connections", 1024, 20), "connection_requests": ("requests", 1000, 9),
    "search_seconds": ("seconds", 2, 1.5), "search_most_seconds": ("longest", 10, 20),
    "search_memory_bytes": ("search-memory", str(64 << 20), str(1 << 20)), "search_threads": ("search-threads", 1, 2),
    "search_queue": ("queue", 16, 5), "memory_bytes": ("memory", None, str(1 << 60))}


def limits_are_reported_and_set(server):
    limits = server.get("/v1").json["limits"]
    check(limits.keys() == LIMITS.keys() and all(row[1] in (None, limits[name]) for name, row in LIMITS.items()), limits)
    options = [f"--{row[0]}={row[2]}" for row in LIMITS.values()]
    with Server(PLYBASE, "mnk-3x3-k3.plb", *options) as other:
        limits = other.get("/v1").json["limits"]
        check(limits == {name: row[2] for name, row in LIMITS.items()}, limits)
        heads_are_bounded(other, 20000, 300, 9000)
        table = V1 + "mnk-3x3-k3"
        check(other.get(table + "/sample?count=1501").status == 400, "too large a sample")
        check(other.get(table + "/export?ply=5").status == 200 and other.get(table + "/export?ply=4-6").status == 400, "1,260 and 3,536 rows")
        for _ in range(2):
            answer = other.get(table + "/sample?count=1500")
            check(answer.status == 200 and len(answer.json["positions"]) == 1500, answer.status)
        check(other.post(table + "/positions", json.dumps({"positions": ["3/3/3"] * 4})).status == 400, "too large a batch")
    with Server(PLYBASE, "mnk-3x3-k3.plb", "--head=300", "--lines=5", "--target=64") as small:
        heads_are_bounded(small, 300, 5, 64)
    heads_are_bounded(server, 8192, 64, 4096)


def heads_are_bounded(server, size, lines, target):
    """A head at a limit is read, one above it is refused. http.client adds Host and Accept-Encoding."""
    own = len(f"Host: 127.0.0.1:{server.port}\r\nAccept-Encoding: identity\r\n")
    for more, status in ((0, 200), (1, 431)):
        check(server.get("/v1", A="b" * (size - own - len("A: \r\n") + more)).status == status, size, "bytes and", more)
        named = {f"A{n}": "b" for n in range(lines - 2 + more)}
        check(server.get("/v1", **named).status == status, lines, "lines and", more)
    for more, status in ((0, 400), (1, 414)):
        check(server.get("/v1?" + "a" * (target - 4 + more)).status == status, target, "bytes of target and", more)
    # All limits at once, and an answer with many headers: the memory of a connection suffices.
    line = (size - own) // (lines - 2) - len("A000: \r\n")
    named = {f"A{n:03}": "b" * line for n in range(lines - 2)}
    answer = server.get("/v1/" + "a" * (target - 4), **named)
    check(answer.status == 404 and answer.type == "application/problem+json", "a full head gives", answer.status)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for spec, options in TABLES.items():
            build(PLYBASE, spec, *options)
        build(PLYBASE, "connect-5x4-k4", output="second.plb")
        with open("broken.plb", "wb") as file:
            file.write(b"no table" * 1000)
        with open("connect-5x4-k4.plb.part", "wb") as file:
            file.write(b"unfinished")
        os.mkdir("folder.plb")
        os.mkfifo("pipe.plb")
        os.symlink("/etc/passwd", "outside.plb")
        os.symlink("loop.plb", "loop.plb")
        with Server(PLYBASE, ".") as server:
            for test in (positions_agree_with_probe, games_agree_with_annotate, pictures_agree_with_picture, best_and_line_agree_with_commands, leading_commas_are_ignored,
                         counts_agree_with_stats, samples_agree_with_export,
                         exports_are_the_bytes_of_the_command, tables_are_listed,
                         moves_are_played, a_trailing_slash_is_ignored, batches_keep_their_order, bad_bodies_are_refused,
                         refusals_are_problems, answers_are_cached, head_requests_have_the_headers_of_answers,
                         allowed_origins_are_in_headers, hosts_are_checked, pages_have_security_headers, the_page_is_small,
                         limits_are_reported_and_set):
                test(server)
    finish()


if __name__ == "__main__":
    main()
