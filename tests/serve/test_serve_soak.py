#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`plybase serve` under load for minutes: test_serve_soak.py PLYBASE [REQUESTS]

A million requests, each for another position: memory and descriptors do not grow. Then a thousand
connections, while the table is replaced three times a second, alternately with and without distances, and the
server gets SIGHUP ten times a second: no request fails, and every answer is that of the command for one of
the tables. The load comes from wrk; without it the test is skipped.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from checks import check, finish
from serve_support import Server, build

PLYBASE = os.path.abspath(sys.argv[1])
REQUESTS = int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
GAME, OTHER = "connect-5x5-k4", "connect-5x4-k4"
# Requests the boards of a file from START on. With CHECK, answers are compared with the values in the file.
SCRIPT = """
local boards, values, next = {}, {}, tonumber(os.getenv("START"))
for line in io.lines("boards") do
    local board, value, dtm = line:match("^(%S+)%s*(%S*)%s*(%S*)$")
    boards[#boards + 1] = board
    values[board] = value ~= "" and {value, dtm == "" and "null" or dtm} or nil
end
local threads = {}
function setup(thread) threads[#threads + 1] = thread end
function init() answers, wrong_answers = 0, 0 end
function request()
    next = next % #boards + 1
    return wrk.format("GET", "/v1/tables/" .. os.getenv("GAME") .. "/positions?board=" .. boards[next])
end
local check = function(status, headers, body)
    local board, value, dtm = body:match('"position":"([^"]+)","to_move":"%a","over":%a+,"value":"(%a+)","dtm_plies":(%w+)')
    local known = values[board]
    answers = answers + 1
    if status ~= 200 or not known or value ~= known[1] or (dtm ~= "null" and dtm ~= known[2]) then
        wrong_answers = wrong_answers + 1
    end
end
if os.getenv("CHECK") then response = check end
function done()
    for _, thread in ipairs(threads) do
        print("answers", thread:get("answers"), "wrong", thread:get("wrong_answers"))
    end
end
"""


def sample(table, count):
    run = subprocess.run([PLYBASE, "export", table, "--sample", str(count), "--seed", "1", "-o", "-"],
                         capture_output=True, text=True, check=True)
    return [line.split(",") for line in run.stdout.splitlines()[1:]]


def write_boards(lines):
    with open("boards", "w", encoding="ascii") as file:
        file.writelines(line + "\n" for line in lines)
    with open("load.lua", "w", encoding="ascii") as file:
        file.write(SCRIPT)


def start_load(server, game, connections, seconds, start=0, check_values=False):
    environment = dict(os.environ, START=str(start), GAME=game)
    if check_values:
        environment["CHECK"] = "yes"
    return subprocess.Popen(["wrk", "-t1", f"-c{connections}", f"-d{seconds}", "-s", "load.lua",
                             f"http://127.0.0.1:{server.port}"], stdout=subprocess.PIPE, text=True,
                            env=environment)


def finish_load(process, name):
    """Check that all requests were answered with status 200. Returns their number, and the output of wrk."""
    output = process.communicate(timeout=600)[0]
    check("Non-2xx" not in output and "Socket errors" not in output, name, output)
    return int(re.search(r"(\d+) requests in", output)[1]), output


def memory_kib(server):
    """Memory without cached blocks of tables, which --memory limits."""
    cached = sum(float(line.rpartition(" ")[2])
                 for line in server.get("/metrics").body.decode().splitlines()
                 if line.startswith("plybase_cache_bytes{"))
    return server.memory_kib() - int(cached / 1024)


def nothing_grows_in_a_million_requests():
    write_boards(sorted({row[0] for row in sample(f"{GAME}.plb", REQUESTS + REQUESTS // 10)}))
    with open("boards", encoding="ascii") as file:
        distinct = sum(1 for _ in file)
    with Server(PLYBASE, f"{GAME}.plb", "--requests", "1000000000", "--log-access") as server:
        done, warm = 0, None
        begun = time.monotonic()
        while done < REQUESTS and time.monotonic() - begun < 1500:
            count, _ = finish_load(start_load(server, GAME, 8, 10, done), "a million")
            done += count
            if warm is None:
                warm, descriptors = memory_kib(server), server.descriptors()
        grown = memory_kib(server) - warm
        print(f"{done} requests for {min(done, distinct)} positions in {time.monotonic() - begun:.0f} s,"
              f" {1e6 * server.processor_seconds() / done:.1f} us of the server each; memory without cached blocks {warm} KiB"
              f" after the first ten seconds, {grown:+d} KiB at the end")
        check(done >= REQUESTS, "only", done, "requests")
        check(grown < 1024, "memory grows by", grown, "KiB")
        check(server.descriptors() <= descriptors + 8, "descriptors")
        log = os.path.getsize("serve.log")
        check(log > 20 * done, "the log has", log, "bytes")


def tables_are_replaced_under_load():
    os.makedirs("live")
    shutil.copy("near.plb", "live/table.plb")
    rows = sample("far.plb", 5000)
    write_boards(f"{row[0]} {row[3]} {row[4]}" for row in rows)
    with Server(PLYBASE, "live", "--requests", "1000000000") as server:
        load = start_load(server, OTHER, 1000, 30, check_values=True)
        time.sleep(3)
        warm, descriptors = server.memory_kib(), server.descriptors()
        turns = 0
        while load.poll() is None:
            turns += 1
            if turns % 3 == 0:
                shutil.copy("far.plb" if turns % 2 else "near.plb", "live/new")
                os.rename("live/new", "live/table.plb")
            server.process.send_signal(signal.SIGHUP)
            time.sleep(0.1)
        count, output = finish_load(load, "exchange")
        wrong = re.search(r"answers\s+(\d+)\s+wrong\s+(\d+)", output)
        print(f"{count} answers of 1,000 connections while {turns} signals came and {turns // 3} tables; "
              f"{wrong[2]} of {wrong[1]} were wrong; memory {warm} to {server.memory_kib()} KiB")
        check(int(wrong[1]) > 1000 and wrong[2] == "0", output)
        time.sleep(1)
        check(server.descriptors() <= descriptors, descriptors, server.descriptors())
        check(server.memory_kib() < warm + 20000, "memory", warm, server.memory_kib())


def main():
    if not shutil.which("wrk"):
        print("SKIPPED: there is no wrk (Debian: wrk)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        build(PLYBASE, GAME)
        build(PLYBASE, OTHER, output="near.plb")
        build(PLYBASE, OTHER, "--values", "dtm", output="far.plb")
        nothing_grows_in_a_million_requests()
        tables_are_replaced_under_load()
    finish()


if __name__ == "__main__":
    main()
