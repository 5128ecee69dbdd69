#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`plybase serve` survives damaged tables and malformed requests: test_serve_abuse.py PLYBASE

Tables that are cut short, overwritten or replaced; requests that are malformed, in pieces, or too large.
There is no wrong value, no crash, no growth of memory, and no access to other files.
"""
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from checks import check, finish
from serve_support import Server, build, is_sanitized, run, statuses, wait_until

PLYBASE = os.path.abspath(sys.argv[1])
SANITIZED = is_sanitized(PLYBASE)
V1 = "/v1/tables/"
GAME, OTHER, WIDE = "connect-5x4-k4", "mnk-3x3-k3", "connect-6x4-k4"
HOST = b"Host: localhost\r\n"


def positions_with_values(table, count, seed):
    """Random positions with their values and distances, from the command."""
    run = subprocess.run([PLYBASE, "export", table, "--sample", str(count), "--seed", str(seed),
                          "-o", "-"], capture_output=True, text=True, check=True)
    rows = [line.split(",") for line in run.stdout.splitlines()[1:]]
    return {row[0]: row[3] for row in rows}


# ---- tables ----

def damaged_tables_give_no_wrong_value():
    values = positions_with_values(f"{GAME}.plb", 400, 1)
    for name, damage in (("cut short", lambda f: f.truncate(3 * 4096)),
                        ("overwritten", lambda f: f.write(b"\xaa" * os.path.getsize("victim/t.plb")))):
        os.makedirs("victim", exist_ok=True)
        shutil.copy(f"{GAME}.plb", "victim/t.plb")
        with Server(PLYBASE, "victim", f"{OTHER}.plb") as server:
            server.get(f"{V1}{GAME}/positions")
            with open("victim/t.plb", "r+b") as file:
                damage(file)
            refused = 0
            for board, value in values.items():
                answer = server.get(f"{V1}{GAME}/positions?board={board}")
                if answer.status == 200:
                    check(answer.json["value"] == value, name, board, "a wrong value")
                else:
                    refused += 1
                    check(answer.status == 500 and answer.json["type"] == "/problems/damaged-table"
                          and answer.headers["Cache-Control"] == "no-store", name, answer.body)
            check(refused > 0, name, "and no answer was refused")
            listed = {t["spec"]: t for t in server.get("/v1/tables").json["tables"]}
            check(listed[GAME]["state"] == "damaged" and listed[GAME]["detail"], name, listed)
            check(listed[OTHER]["state"] == "ok", "the other table")
            check(server.get(f"{V1}{OTHER}/positions").status == 200, "the other table answers")


def tables_are_replaced_under_load():
    os.makedirs("live", exist_ok=True)
    shutil.copy(f"{GAME}.plb", "live/table.plb")
    build(PLYBASE, GAME, "--values", "dtm", output="far.plb")
    values = positions_with_values("far.plb", 200, 3)
    boards = list(values)
    wrong, asked, stop = [], [0], threading.Event()

    def client(number):
        draw = random.Random(number)
        connection = server.connect()
        try:
            while not stop.is_set():
                board = draw.choice(boards)
                answer = server.ask(f"{V1}{GAME}/positions?board={board}", connection=connection)
                if answer.status != 200 or answer.json["value"] != values[board]:
                    wrong.append((answer.status, answer.body))
                asked[0] += 1
        except Exception as error:  # pylint: disable=broad-except
            wrong.append(error)
        connection.close()

    with Server(PLYBASE, "live", "--requests", "1000000") as server:
        clients = [threading.Thread(target=client, args=(n,)) for n in range(6)]
        for thread in clients:
            thread.start()
        check(wait_until(lambda: asked[0] > 100, 20), "nobody is answered")
        before = server.descriptors()
        for turn in range(30):
            shutil.copy("far.plb" if turn % 2 else f"{GAME}.plb", "live/new")
            os.rename("live/new", "live/table.plb")
            for _ in range(1 + 4 * (turn % 3)):
                server.process.send_signal(signal.SIGHUP)
            time.sleep(0.1)
        check(wait_until(lambda: server.descriptors() <= before + 1, 10),
              "descriptors grow from", before, "to", server.descriptors())
        stop.set()
        for thread in clients:
            thread.join(20)
        check(asked[0] > 200 and not wrong, asked[0], "answers, of which wrong", wrong[:2])


def many_tables_are_opened_quickly():
    os.makedirs("crowd", exist_ok=True)
    for number in range(1000):
        os.link(f"{OTHER}.plb", f"crowd/{number}.plb")
    begun = time.monotonic()
    with Server(PLYBASE, "crowd") as server:
        check(time.monotonic() - begun < 10, "a thousand tables take", time.monotonic() - begun)
        check(SANITIZED or server.processor_seconds() < 2, "processor time", server.processor_seconds())
        check(len(server.get("/v1/tables").json["tables"]) == 1000, "not all are listed")
        check(server.get(f"{V1}{OTHER}/positions").status == 200, "one is served")


# ---- malformed requests ----

TARGET = b"GET /v1/tables HTTP/1.1\r\n"
# Requests, and the allowed statuses of the first answer; 0: the connection is closed without one.
REQUESTS = [
    (TARGET + HOST + b"\r\n", (200,)),
    (b"HEAD /v1/tables HTTP/1.1\r\n" + HOST + b"\r\n", (200,)),
    (b"GET /v1/tables HTTP/1.0\r\n\r\n", (200,)),
    (TARGET + b"\r\n", (400,)),
    (TARGET + HOST + HOST + b"\r\n", (400,)),
    (TARGET + b"Host: evil.example\r\n\r\n", (421,)),
    (b"POST /v1/tables/mnk-3x3-k3/positions HTTP/1.1\r\n" + HOST +
     b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", (411,)),
    (b"POST /v1/tables/mnk-3x3-k3/positions HTTP/1.1\r\n" + HOST +
     b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", (411,)),
    (b"POST /v1/tables/mnk-3x3-k3/positions HTTP/1.1\r\n" + HOST + b"\r\n", (411,)),
    (b"POST /v1/tables/mnk-3x3-k3/positions HTTP/1.1\r\n" + HOST +
     b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", (400, 0)),
    (b"POST /v1/tables/mnk-3x3-k3/positions HTTP/1.1\r\n" + HOST +
     b"Content-Length: -1\r\n\r\n", (400, 411, 413, 0)),
    (b"POST /v1/tables/mnk-3x3-k3/positions HTTP/1.1\r\n" + HOST +
     b"Content-Length: +4\r\n\r\nabcd", (400, 411, 413, 0)),
    (b"POST /v1/tables/mnk-3x3-k3/positions HTTP/1.1\r\n" + HOST +
     b"Content-Length: 99999999999999999999\r\n\r\n", (400, 413, 0)),
    (b"POST /v1/tables/mnk-3x3-k3/positions HTTP/1.1\r\n" + HOST +
     b"Content-Type: text/plain\r\nContent-Length: 5\r\n\r\n3/3/3", (200,)),
    (b"PUT /v1/tables HTTP/1.1\r\n" + HOST + b"Content-Length: 0\r\n\r\n", (405,)),
    (b"BREW /v1/tables HTTP/1.1\r\n" + HOST + b"\r\n", (405,)),
    (b"GET v1/tables HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (b"GET http://localhost/v1/tables HTTP/1.1\r\n" + HOST + b"\r\n", (200,)),
    (b"GET HTTP://[::1]:80?a=b HTTP/1.1\r\nHost: evil.example\r\n\r\n", (200,)),
    (b"GET http://evil.example/v1/tables HTTP/1.1\r\n" + HOST + b"\r\n", (421,)),
    (b"GET http://localhost@evil.example/ HTTP/1.1\r\n" + HOST + b"\r\n", (421,)),
    (b"GET http:///v1/tables HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (b"GET http://localhost//v1 HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (b"GET https://localhost/v1/tables HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (b"GET * HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (b"GET //v1/tables HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (b"GET /v1/%2e%2e/tables HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (b"GET /v1/..%2ftables HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (b"GET /v1/..;/tables HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (b"GET /v1/%00 HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (b"GET /v1/%zz HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (b"GET /v1/tables?% HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (b"GET /v1/tables/\xc3\xa9 HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (b"GET /assets/../../etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (b"GET /assets/x/%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (TARGET + HOST + b"X-A: a\x01b\r\n\r\n", (400,)),
    (TARGET + HOST + b"X A: b\r\n\r\n", (400, 0)),
    (TARGET + HOST + b"X-A: b\r\n c\r\n\r\n", (400,)),
    (TARGET + HOST + b"Content-Length:\r\n 4\r\n\r\nabcd", (400,)),
    (TARGET + HOST + b"Transfer-Encoding:\r\n\tchunked\r\n\r\n0\r\n\r\n", (400,)),
    (TARGET + HOST + b": b\r\nX-A: b\r\n\r\n", (400,)),
    (TARGET + HOST + b": b\r\n\r\n", (400,)),
    (TARGET + HOST + b":\r\n\r\n", (400,)),
    (TARGET + HOST + b":\n", (400,)),
    (TARGET + HOST + b"X-A: b\r\n:\n", (400,)),
    (TARGET + HOST + b":\n" + TARGET + HOST + b"\r\n", (400,)),
    (TARGET + HOST + b"X-A: b\n\r\n", (400,)),
    (TARGET + HOST + b"X-A: b\0c\r\n\r\n", (400,)),
    (TARGET + HOST + b"X-\0A: b\r\n\r\n", (400, 0)),
    (TARGET + HOST + b"Content-Length:" + b" " * 60 + b"4\r\n\r\nabcd", (400,)),
    (TARGET + b"Host: localhost\rX-A: b\r\n\r\n", (400,)),
    (b"GET /v1/tables HTTP/1.1\n" + HOST + b"\r\n", (400,)),
    (b"G\tET /v1/tables HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (TARGET + HOST + b"X-A: b\r\n" * 65 + b"\r\n", (431,)),
    (b"GET /v1/tables?" + b"a" * 5000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", (414,)),
    (b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", (414, 431, 413, 400, 0)),
    (TARGET + HOST + b"X-A: " + b"b" * 100000 + b"\r\n\r\n", (431, 413, 400, 0)),
]
# Heads that would exhaust the memory of libmicrohttpd if it parsed them itself.
CROWDED = [
    (b"GET /v1?" + b"a&" * 3900 + b" HTTP/1.1\r\n" + HOST + b"\r\n", (414,)),
    (b"GET /v1?" + b"&b=c" * 1500 + b" HTTP/1.1\r\n" + HOST + b"\r\n", (414,)),
    (b"GET /v1?" + b"&" * 3900 + b" HTTP/1.1\r\n" + HOST + b"\r\n", (200,)),
    (b"GET /v1?" + b"a&" * 900 + b" HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
    (TARGET + HOST + b"Cookie: " + b"a" * 9000 + b"\r\n\r\n", (431,)),
    (TARGET + HOST + b"Cookie: " + b"a=b; " * 2000 + b"\r\n\r\n", (431,)),
    (TARGET + HOST + b"cookie: " + b"a=b; " * 1500 + b"\r\n\r\n", (200,)),
    (TARGET + HOST + b"a:b\r\n" * 2000 + b"\r\n", (431,)),
]
HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 40  # of TLS: it has no end of a line
CLOSE = b"Connection: close\r\n\r\n"


def closing(request):
    """The same request with Connection: close."""
    head, mark, body = request.partition(b"\r\n\r\n")
    return head + b"\r\n" + CLOSE + body if mark and head.count(b"\r\n") < 60 else request


def is_allowed(got, allowed):
    codes = statuses(got)
    return codes[0] in allowed if codes else 0 in allowed


def malformed_requests_are_refused(server):
    for request, allowed in REQUESTS:
        got = server.send(closing(request), seconds=5)
        check(is_allowed(got, allowed), request[:70], "gives", got[:60], "and not", allowed)
        check(b"root:" not in got, "a file of the system")
        if statuses(got)[:1] == [400] and b"/problems/" in got:
            check(b"application/problem+json" in got, request[:70])


def large_heads_leak_no_memory(server):
    requests = [(closing(request), allowed) for request, allowed in CROWDED]
    for request, allowed in requests:
        for place in (len(request), 50, len(request) - 9):
            got = server.send(request[:place], request[place:], seconds=3, pause=0.001)
            check(is_allowed(got, allowed), request[:70], "in two parts at", place, "gives", got[:60], "and not", allowed)

    def send_all():
        for request, allowed in requests:
            check(is_allowed(server.send(request, seconds=3), allowed), request[:70])

    for _ in range(100):
        send_all()
    before = server.memory_kib()
    for _ in range(200):
        send_all()
    check(SANITIZED or server.memory_kib() <= before + 256, "memory grows from", before, "to", server.memory_kib(), "KiB")


def requests_in_pieces_get_the_same_answers(server):
    for request, allowed in REQUESTS:
        if len(request) > 400:
            continue
        request = closing(request)
        for place in range(1, len(request), 1 if 0 not in allowed else 1 + len(request) // 12):
            got = server.send(request[:place], request[place:], seconds=5, pause=0.0005)
            check(is_allowed(got, allowed), request[:70], "in two parts at", place, got[:60])
    for request, allowed in REQUESTS[::5]:
        if len(request) < 400:
            request = closing(request)
            got = server.send(*(request[c:c + 1] for c in range(len(request))), seconds=5)
            check(is_allowed(got, allowed), request[:70], "byte by byte", got[:60])


def requests_may_follow_each_other(server):
    one = TARGET + HOST + b"\r\n"
    got = server.send(one * 5 + closing(one), seconds=10)
    check(statuses(got) == [200] * 6, "six at once give", statuses(got))
    # Pairs on one connection: the second gets the same answer as alone.
    short = [(request, allowed) for request, allowed in REQUESTS if len(request) < 400]
    for first, _ in (REQUESTS[0], REQUESTS[1], REQUESTS[13]):
        for second, allowed in short:
            codes = statuses(server.send(first + closing(second), seconds=5))
            check(codes[:1] == [200] and set(codes[1:]) <= set(allowed) and (codes[1:] or 0 in allowed),
                  first[:50], "and", second[:50], "give", codes)
    # After a refused request with a body, the connection is closed: the next request is not read.
    bad = (b"POST /v1/tables/mnk-3x3-k3/positions HTTP/1.1\r\n" + HOST +
           b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    got = server.send(bad + one, seconds=5)
    check(statuses(got) == [411], "a smuggled request gives", statuses(got))


def other_protocols_are_refused(server):
    one = TARGET + HOST + b"\r\n"
    for place in range(len(HELLO)):
        got = server.send(HELLO[:place], HELLO[place:], seconds=5, pause=0.0005, ends=True)
        check(is_allowed(got, (400, 0)), "a greeting in two parts at", place, "gives", got[:60])
    codes = statuses(server.send(one + HELLO, seconds=5, ends=True))
    check(codes in ([200], [200, 400]), "a request and a greeting give", codes)


def bodies_are_bounded(server):
    before = server.memory_kib()
    # They are refused with little processor time and memory.
    deep = b"[" * 100000
    for body in (deep, b'{"positions":' + deep, b'{"positions":["\xff"]}', b'{"positions":["\\ud800"]}',
                 b'{"positions":[],"positions":[]}', json.dumps({"positions": ["3/3/3"] * 1001}).encode(),
                 b'{"positions":["' + b"3" * ((1 << 20) - 40) + b'"]}',
                 b'{"positions":["' + b"\\\"" * 500000 + b'"]}', b'{"positions":["3/3/3' + b"\\" * 50000,
                 b'{"positions":[0' + b",0" * 500000 + b"]}", b"{" + b'"":{},' * 100000):
        used, had = server.processor_seconds(), server.memory_kib()
        server.reset_peak()
        answer = server.post(V1 + "mnk-3x3-k3/positions", body)
        used, peak = server.processor_seconds() - used, server.memory_kib("VmHWM")
        check(SANITIZED or peak < had + 2048, body[:40], "takes", peak - had, "KiB")
        check(answer.status == 400 and answer.json["type"] == "/problems/bad-body", body[:40], answer.body[:80])
        check(SANITIZED or used <= 0.05, body[:40], "takes", used, "s")  # the clock has ticks of 10 ms
    for length, sent in ((2 << 20, b""), (10 ** 9, b""), ((1 << 20) + 1, b"x" * 1000)):
        begun = time.monotonic()
        got = server.send(b"POST /v1/tables/mnk-3x3-k3/positions HTTP/1.1\r\n" + HOST +
                          b"Content-Type: text/plain\r\nContent-Length: %d\r\n\r\n" % length + sent,
                          seconds=5)
        check(statuses(got) == [413], length, "bytes give", got[:60])
        check(time.monotonic() - begun < 3, length, "bytes take", time.monotonic() - begun)
    got = server.send(b"POST /v1/tables/mnk-3x3-k3/positions HTTP/1.1\r\n" + HOST +
                      b"Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n", seconds=5)
    check(statuses(got) == [413], "no invitation for too much", got[:80])
    for _ in range(20):
        answer = server.post(V1 + "mnk-3x3-k3/positions", "x" * (1 << 20), "text/plain")
        check(answer.status == 200 and b"\terror\t" in answer.body, "a mebibyte", answer.status)
    check(SANITIZED or server.memory_kib() < before + 20000, "memory", before, server.memory_kib())


# ---- memory ----

def nothing_grows():
    boards = list(positions_with_values(f"{GAME}.plb", 3000, 9))
    with Server(PLYBASE, f"{GAME}.plb", "--threads", "1", "--requests", "100000") as server:
        connection = server.connect()

        def ask_all():
            for board in boards:
                check(server.ask(f"{V1}{GAME}/positions?board={board}",
                                 connection=connection).status == 200, board)

        ask_all()
        memory, descriptors = server.memory_kib(), server.descriptors()
        for _ in range(3):
            ask_all()
        check(SANITIZED or server.memory_kib() <= memory + 1024, "memory", memory,
              server.memory_kib())
        check(server.descriptors() <= descriptors + 1, "descriptors")
        connection.close()


def memory_is_bounded():
    boards = list(positions_with_values("wide.plb", 2000, 4))

    def cached(server):
        return next(float(line.split()[-1])
                    for line in server.get("/metrics").body.decode().splitlines()
                    if line.startswith("plybase_cache_bytes{"))

    for size, bounded in (("1G", False), ("100K", True)):
        with Server(PLYBASE, "wide.plb", "--memory", size, "--threads", "1") as server:
            for first in range(0, len(boards), 500):
                server.post(f"{V1}{WIDE}/positions", "\n".join(boards[first:first + 500]),
                            "text/plain")
            if bounded:
                check(wait_until(lambda: cached(server) <= 102400, 5), cached(server), "bytes")
            else:
                check(cached(server) > 2 * 102400, "only", cached(server), "bytes are cached")


# ---- signals ----

def service_managers_are_notified():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind("notify")
        manager.settimeout(10)
        with Server(PLYBASE, f"{OTHER}.plb",
                    environment={"NOTIFY_SOCKET": os.path.abspath("notify")}) as server:
            check(manager.recv(100) == b"READY=1", "ready")
            server.process.send_signal(signal.SIGHUP)
            check(manager.recv(100).startswith(b"RELOADING=1\nMONOTONIC_USEC="), "reloading")
            check(manager.recv(100) == b"READY=1", "ready again")
            server.process.send_signal(signal.SIGTERM)
            check(manager.recv(100) == b"STOPPING=1", "stopping")


def sockets_are_handed_over():
    """No connection is refused while one server is replaced by another."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        port = listening.getsockname()[1]
        for _ in range(2):
            waiting = socket.create_connection(("127.0.0.1", port), 10)
            waiting.sendall(TARGET + HOST + CLOSE)
            command = 'exec 3<&%d; LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" serve %s.plb' % (
                listening.fileno(), OTHER)
            server = subprocess.Popen(["bash", "-c", command, PLYBASE], stdout=subprocess.PIPE,
                                      text=True, pass_fds=[listening.fileno()])
            check(str(port) in server.stdout.readline(), "the port that was handed over")
            check(waiting.recv(100).startswith(b"HTTP/1.1 200"), "the waiting client is answered")
            waiting.close()
            server.terminate()
            check(server.wait(10) == 0, "the exit status")
            server.stdout.close()


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        build(PLYBASE, GAME)
        build(PLYBASE, OTHER)
        build(PLYBASE, WIDE, output="wide.plb")
        with Server(PLYBASE, f"{OTHER}.plb", "--requests", "10") as server:
            for test in (malformed_requests_are_refused, large_heads_leak_no_memory, requests_in_pieces_get_the_same_answers,
                         requests_may_follow_each_other, other_protocols_are_refused, bodies_are_bounded):
                test(server)
                check(server.is_alive(), test.__name__)
        run([damaged_tables_give_no_wrong_value, tables_are_replaced_under_load, many_tables_are_opened_quickly,
             nothing_grows, memory_is_bounded, service_managers_are_notified, sockets_are_handed_over])
    finish()


if __name__ == "__main__":
    main()
