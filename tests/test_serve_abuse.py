#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`plybase serve` survives what clients, disks and operators do to it: test_serve_abuse.py PLYBASE

Tables that are cut short or exchanged, clients that are slow, that send nonsense, that come in
thousands or leave in the middle, and signals under load. Never a wrong value, never an end, and no
growth.
"""
import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from serve_support import (Server, build, check, finish, is_sanitized, statuses,
                           wait_until)

PLYBASE = os.path.abspath(sys.argv[1])
SANITIZED = is_sanitized(PLYBASE)
V1 = "/v1/tables/"
GAME, OTHER = "connect-5x4-k4", "mnk-3x3-k3"
HOST = b"Host: localhost\r\n"


def positions_with_values(table, count, seed):
    """Random positions with their values and distances, from the command."""
    run = subprocess.run([PLYBASE, "export", table, "--sample", str(count), "--seed", str(seed),
                          "-o", "-"], capture_output=True, text=True, check=True)
    rows = [line.split(",") for line in run.stdout.splitlines()[1:]]
    return {row[0]: row[3] for row in rows}


# ---- tables ----

def damage_is_told_and_nothing_is_guessed():
    values = positions_with_values(f"{GAME}.plb", 400, 1)
    for name, spoil in (("cut short", lambda f: f.truncate(3 * 4096)),
                        ("overwritten", lambda f: f.write(b"\xaa" * os.path.getsize("victim/t.plb")))):
        os.makedirs("victim", exist_ok=True)
        shutil.copy(f"{GAME}.plb", "victim/t.plb")
        with Server(PLYBASE, "victim", f"{OTHER}.plb") as server:
            server.get(f"{V1}{GAME}/positions")
            with open("victim/t.plb", "r+b") as file:
                spoil(file)
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


def tables_are_exchanged_under_load():
    os.makedirs("live", exist_ok=True)
    shutil.copy(f"{GAME}.plb", "live/table.plb")
    build(PLYBASE, GAME, "--values", "dtm", output="far.plb")
    values = positions_with_values("far.plb", 200, 3)
    boards = list(values)
    wrong, asked, stop = [], [0], threading.Event()

    def client(number):
        draw = random.Random(number)
        connection = server.connect()
        while not stop.is_set():
            board = draw.choice(boards)
            answer = server.ask(f"{V1}{GAME}/positions?board={board}", connection=connection)
            if answer.status != 200 or answer.json["value"] != values[board]:
                wrong.append((answer.status, answer.body))
            asked[0] += 1
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


def many_files_are_opened_soon():
    os.makedirs("crowd", exist_ok=True)
    for number in range(1000):
        os.link(f"{OTHER}.plb", f"crowd/{number}.plb")
    begun = time.monotonic()
    with Server(PLYBASE, "crowd") as server:
        check(time.monotonic() - begun < 10, "a thousand tables take", time.monotonic() - begun)
        check(server.processor_seconds() < 2, "processor time", server.processor_seconds())
        check(len(server.get("/v1/tables").json["tables"]) == 1000, "not all are listed")
        check(server.get(f"{V1}{OTHER}/positions").status == 200, "one is served")


# ---- slow clients ----

def drip(server, begin, byte, count, seconds):
    """Connections that send a byte now and then; how many are closed by the end, and after how
    long the last was."""
    clients = [server.socket() for _ in range(count)]
    begun, left = time.monotonic(), set(range(count))
    for client in clients:
        client.sendall(begin)
        client.setblocking(False)
    while left and time.monotonic() - begun < seconds:
        for number in list(left):
            try:
                if clients[number].recv(4096) == b"":
                    left.discard(number)
                    continue
            except BlockingIOError:
                pass
            except OSError:
                left.discard(number)
                continue
            try:
                clients[number].send(byte)
            except OSError:
                left.discard(number)
        check(server.get("/health").status == 200, "others are answered meanwhile")
        time.sleep(0.2)
    for client in clients:
        client.close()
    return count - len(left), time.monotonic() - begun


def slow_clients_are_closed():
    with Server(PLYBASE, f"{OTHER}.plb", "--deadline", "1.5", "--read", "1.5") as server:
        head = b"GET /v1 HTTP/1.1\r\n" + HOST
        for name, begin, byte in (
                ("no line", b"", b"G"), ("a slow line", b"GET /v1", b"x"),
                ("a slow head", head + b"X-A: ", b"b"),
                ("a slow body", b"POST /v1/tables/mnk-3x3-k3/positions HTTP/1.1\r\n" + HOST +
                 b"Content-Type: text/plain\r\nContent-Length: 100000\r\n\r\n", b"3")):
            closed, seconds = drip(server, begin, byte, 150, 12)
            check(closed == 150, name, closed, "of 150 are closed after", seconds)
        # An answer that is not read: more than what socket buffers take.
        body = json.dumps({"positions": ["3/3/3"] * 1000, "with_moves": True}).encode()
        request = (b"POST /v1/tables/mnk-3x3-k3/positions HTTP/1.1\r\n" + HOST +
                   b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", server.port))
            client.sendall(request * 6)
            check(wait_until(lambda: 'connections 0' in metric(server), 15), "it is not closed")
        check(server.get("/health").status == 200, "health")


def metric(server):
    """The number of connections besides the one that asks."""
    for line in server.get("/metrics").body.decode().splitlines():
        if line.startswith("plybase_http_connections "):
            return f"connections {int(line.split()[1]) - 1}"
    return ""


# ---- malformed requests ----

TARGET = b"GET /v1/tables HTTP/1.1\r\n"
# Requests, and the statuses that are right; () is also a connection that is closed without one.
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
    (b"GET http://localhost/v1/tables HTTP/1.1\r\n" + HOST + b"\r\n", (400,)),
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
    (TARGET + HOST + b"X-A: b\r\n" * 65 + b"\r\n", (431,)),
    (b"GET /v1/tables?" + b"a" * 5000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", (414,)),
    (b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", (414, 431, 413, 400, 0)),
    (TARGET + HOST + b"X-A: " + b"b" * 100000 + b"\r\n\r\n", (431, 413, 400, 0)),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 40, (400, 0)),
]
CLOSE = b"Connection: close\r\n\r\n"


def closing(request):
    """The same request, which asks that the connection is closed after it."""
    head, mark, body = request.partition(b"\r\n\r\n")
    return head + b"\r\n" + CLOSE + body if mark and head.count(b"\r\n") < 60 else request


def is_right(got, right):
    codes = statuses(got)
    return codes[0] in right if codes else 0 in right


def malformed_requests_are_refused(server):
    for request, right in REQUESTS:
        got = server.send(closing(request), seconds=5)
        check(is_right(got, right), request[:70], "gives", got[:60], "and not", right)
        check(b"root:" not in got, "a file of the system")
        if statuses(got)[:1] == [400] and b"/problems/" in got:
            check(b"application/problem+json" in got, request[:70])


def pieces_are_as_the_whole(server):
    for request, right in REQUESTS:
        if len(request) > 400:
            continue
        request = closing(request)
        places = range(1, len(request), 1 + len(request) // 12)
        for place in places:
            got = server.send(request[:place], request[place:], seconds=5, pause=0.001)
            check(is_right(got, right), request[:70], "in two parts at", place, got[:60])
    for request, right in REQUESTS[::5]:
        if len(request) < 400:
            request = closing(request)
            got = server.send(*(request[c:c + 1] for c in range(len(request))), seconds=5)
            check(is_right(got, right), request[:70], "byte by byte", got[:60])


def requests_may_follow_each_other(server):
    one = TARGET + HOST + b"\r\n"
    got = server.send(one * 5 + closing(one), seconds=10)
    check(statuses(got) == [200] * 6, "six at once give", statuses(got))
    # What follows a request that is refused with its body is not run.
    bad = (b"POST /v1/tables/mnk-3x3-k3/positions HTTP/1.1\r\n" + HOST +
           b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    got = server.send(bad + one, seconds=5)
    check(statuses(got) == [411], "a smuggled request gives", statuses(got))


def bodies_are_bounded(server):
    before = server.memory_kib()
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


# ---- many clients ----

def crowds_are_shed():
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))

    with Server(PLYBASE, f"{OTHER}.plb", preexec_fn=few) as server:
        check(server.get("/v1").json["limits"]["connections"] < 256, "connections fit descriptors")
        clients = []
        for _ in range(700):
            try:
                clients.append(server.socket(5))
            except OSError:
                break
        used = server.processor_seconds()
        time.sleep(1)
        check(server.processor_seconds() - used < 0.5, "it spins", server.processor_seconds() - used)
        for client in clients:
            client.close()
        check(wait_until(lambda: server.get("/health").status == 200, 10), "it does not recover")


def busy_connections_stay():
    """With all connections taken the one that waits longest is closed for a new one."""
    with Server(PLYBASE, f"{OTHER}.plb", "--connections", "4") as server:
        kept = [server.connect() for _ in range(4)]
        for connection in kept:
            check(server.ask("/v1", connection=connection).status == 200, "a connection")
        for _ in range(3):
            check(server.get("/v1").status == 200, "a connection more")
        alive = 0
        for connection in kept:
            try:
                connection.auto_open = False
                alive += server.ask("/v1", connection=connection).status == 200
            except Exception:  # pylint: disable=broad-except
                pass
            connection.close()
        check(alive < 4, "none of those that waited was closed")


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


# ---- searches ----

WIDE = "connect-6x4-k4"


def long_positions(count):
    """Positions of the beginning that are not drawn: those whose distances take searches."""
    values = {}
    for ply in (4, 5, 6):
        run = subprocess.run([PLYBASE, "export", "wide.plb", "--ply", str(ply), "--canonical", "-o",
                              "-"], capture_output=True, text=True, check=True)
        for row in run.stdout.splitlines()[1:]:
            fields = row.split(",")
            if fields[3] != "draw":
                values[fields[0]] = fields[3]
    return list(values)[:count]


def searches_wait_in_turn():
    boards = long_positions(60)
    answers = []

    def ask(target):
        answers.append(server.get(target))

    with Server(PLYBASE, "wide.plb", "--queue", "3", "--seconds", "0.5") as server:
        same = [threading.Thread(target=ask, args=(f"{V1}{WIDE}/best?board={boards[0]}",))
                for _ in range(12)]
        for thread in same:
            thread.start()
        for thread in same:
            thread.join(20)
        check(len({answer.body for answer in answers}) == 1 and answers[0].status == 200,
              "one question has several answers")
        answers.clear()
        crowd = [threading.Thread(target=ask, args=(f"{V1}{WIDE}/best?board={board}",))
                 for board in boards]
        for thread in crowd:
            thread.start()
        for _ in range(5):
            begun = time.monotonic()
            check(server.get(f"{V1}{WIDE}/positions").status == 200, "a probe meanwhile")
            check(time.monotonic() - begun < 2, "a probe waits for searches")
        for thread in crowd:
            thread.join(60)
        codes = [answer.status for answer in answers]
        check(set(codes) <= {200, 503} and 200 in codes, codes)
        for answer in answers:
            if answer.status == 503:
                check(answer.headers["Retry-After"] and answer.json["type"] == "/problems/busy",
                      answer.body)
        known = server.get(f"{V1}{WIDE}/best?board={boards[0]}")
        check(known.status == 200, known.status)


def leaving_ends_a_search():
    boards = long_positions(8)
    with Server(PLYBASE, "wide.plb", "--longest", "10", "--queue", "0") as server:
        stopped = 0
        for board in boards:
            with server.socket() as client:
                client.sendall(b"GET " + f"{V1}{WIDE}/best?board={board}&seconds=10".encode() +
                               b" HTTP/1.1\r\n" + HOST + b"\r\n")
                wait_until(lambda: searches(server)[0] or searches(server)[1], 2)
            check(wait_until(lambda: not searches(server)[0], 3), "a search goes on for nobody")
            stopped = searches(server)[2]
        check(server.get(f"{V1}{WIDE}/positions").status == 200, "it answers")
        print(f"{stopped} of {len(boards)} searches were stopped on the way")


def searches(server):
    """Running, run, stopped."""
    found = {}
    for line in server.get("/metrics").body.decode().splitlines():
        if line.startswith("plybase_search"):
            name, number = line.split(" ")
            found[name] = float(number)
    return (found["plybase_searches_running"], found['plybase_searches_total{outcome="run"}'],
            found['plybase_searches_total{outcome="stopped"}'])


# ---- signals ----

def an_end_waits_for_answers():
    boards = long_positions(3)
    answers = []
    with Server(PLYBASE, "wide.plb", "--search-threads", "3", "--longest", "10") as server:
        asking = [threading.Thread(target=lambda b=b: answers.append(
            server.get(f"{V1}{WIDE}/best?board={b}&seconds=10"))) for b in boards]
        for thread in asking:
            thread.start()
        idle = server.connect()
        server.ask("/v1", connection=idle)
        wait_until(lambda: searches(server)[0] + searches(server)[1] >= 3, 5)
        begun = time.monotonic()
        check(server.end() == 0, "the exit status")
        check(time.monotonic() - begun < 5.5, "it ends after", time.monotonic() - begun)
        for thread in asking:
            thread.join(5)
        check([a.status for a in answers] == [200] * 3, [a.body for a in answers])


def managers_are_told():
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
    """No connection is refused while the server is exchanged for another."""
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
            check(waiting.recv(100).startswith(b"HTTP/1.1 200"), "who waited is answered")
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
            for test in (malformed_requests_are_refused, pieces_are_as_the_whole,
                         requests_may_follow_each_other, bodies_are_bounded):
                test(server)
                check(server.is_alive(), test.__name__)
        for test in (damage_is_told_and_nothing_is_guessed, tables_are_exchanged_under_load,
                     many_files_are_opened_soon, slow_clients_are_closed, crowds_are_shed,
                     busy_connections_stay, nothing_grows, memory_is_bounded,
                     searches_wait_in_turn, leaving_ends_a_search, an_end_waits_for_answers,
                     managers_are_told, sockets_are_handed_over):
            begun = time.monotonic()
            test()
            print(f"{test.__name__}: {time.monotonic() - begun:.1f} s", flush=True)
    finish()


if __name__ == "__main__":
    main()
