#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`plybase serve` survives the machine it runs on: test_serve_faults.py PLYBASE LIBRARIES [long]

No memory at each single allocation, no descriptors, clocks that jump, a disk that is full, files that
may not be read; and it opens no file but those that it serves, whatever is asked. LIBRARIES is the folder of
libfailing_server.so. With `long` every allocation fails once, else each
seventh.
"""
import contextlib
import glob
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from checks import check, finish
from serve_support import Server, build, is_sanitized, run, wait_until

PLYBASE = os.path.abspath(sys.argv[1])
LIBRARIES = os.path.abspath(sys.argv[2])
LONG = "long" in sys.argv[3:]
NOBODY = 65534  # a user who owns nothing
SPEC = "mnk-3x3-k3"
TABLE = f"/v1/tables/{SPEC}"
TARGETS = ("/v1", "/v1/tables", TABLE, TABLE + "/positions?board=3/3/x2", TABLE + "/positions?moves=b2,a1",
           TABLE + "/positions?board=nonsense", TABLE + "/best?moves=b2,a1", TABLE + "/line?moves=b2,a1",
           TABLE + "/stats", TABLE + "/stats?format=csv", TABLE + "/sample?count=3&value=win", "/metrics",
           "/openapi.json", "/api", "/", "/v1/nothing")
BATCH = '{"positions":["3/3/x2","3/1o1/x2"]}'


def preloaded(library, **more):
    """An environment with the library before others; named without its folder, in which blanks would end a name."""
    environment = dict(more, LD_LIBRARY_PATH=LIBRARIES, LD_PRELOAD=library)
    started = subprocess.run([PLYBASE, "--version"], env=dict(os.environ, **environment), capture_output=True,
                             text=True, check=False)
    check((started.returncode, started.stderr) == (0, ""), library, started)
    return environment


# ---- memory ----

def without_port(server, answer):
    """The body of an answer that may say where the server listens, which differs each time."""
    return answer.body.replace(b":%d" % server.port, b"")


def try_without(number, right):
    """Serve with an allocation that fails; how many were made less than that many, or None."""
    try:
        server = Server(f"{PLYBASE}-serve", f"{SPEC}.plb", "--threads", "1", direct=True,
                        environment=preloaded("libfailing_server.so", PLYBASE_FAILS_AT=str(number)))
    except RuntimeError as error:
        check(str(error).endswith(": 1"), "allocation", number, error)
        return "refused"
    # A table that could not be opened is listed with the reason, and looked for again at SIGHUP.
    if "out of memory" in server.ask_until_answered("/v1/tables").decode():
        server.process.send_signal(signal.SIGHUP)
        check(wait_until(lambda: server.get("/health").json["tables"] == 1, 10), number, "no table")
    failed = "whole"
    for target in TARGETS:
        try:
            answer = server.get(target)
        except (ConnectionError, OSError):  # closed without an answer: there was no memory for one
            failed = "answered"
            continue
        if answer.status == 503:
            failed = "answered"
        elif target != "/metrics" and target != "/v1":
            check(answer.status == right[target][0] and
                  (without_port(server, answer) == right[target][1] or "best" in target),
                  "allocation", number, target, answer.status, answer.body[:100])
    try:
        answer = server.post(TABLE + "/positions", BATCH)
        if answer.status == 503:
            failed = "answered"
        else:
            check((answer.status, answer.body) == right["batch"], "allocation", number, answer.status, answer.body)
    except (ConnectionError, OSError):
        failed = "answered"
    status = server.end()
    check(status == 0, "allocation", number, "ends with", status)
    return failed


def no_memory_is_survived():
    with Server(PLYBASE, f"{SPEC}.plb") as server:
        right = {target: (answer.status, without_port(server, answer)) for target in TARGETS
                 for answer in [server.get(target)]}
        answer = server.post(TABLE + "/positions", BATCH)
        right["batch"] = (answer.status, answer.body)
    counts = {"refused": 0, "answered": 0, "whole": 0}
    number, wholes = 1, 0
    enough = 210 if LONG else 30  # that nobody notices: no more are made, or others need them
    while wholes < enough and number < 8000:
        outcome = try_without(number, right)
        counts[outcome] += 1
        wholes = wholes + 1 if outcome == "whole" else 0
        number += 1 if LONG else 7
    print(f"up to allocation {number}: {counts['refused']} times it did not start and said so, "
          f"{counts['answered']} times a request was refused, {counts['whole']} times nobody noticed")
    check(counts["refused"] > 0 and counts["answered"] > 3 and wholes >= enough, counts)


# ---- clocks, disks ----

def set_clock(jump):
    with open("clock", "w", encoding="ascii") as file:
        file.write(jump)


def clocks_may_jump():
    """The wall clock is set by years between requests; the monotonic one is as it is."""
    faketime = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    if not faketime:
        print("clocks_may_jump: left out: there is no faketime")
        return
    set_clock("+0")
    environment = {"LD_PRELOAD": faketime[0], "FAKETIME_TIMESTAMP_FILE": os.path.abspath("clock"),
                   "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    with Server(PLYBASE, f"{SPEC}.plb", "--idle", "3", "--deadline", "3", environment=environment) as server:
        begun = time.monotonic()
        connection = server.connect()
        years = set()
        for jump in ("+0", "+10y", "-20y", "+5y", "-1y") * 3:
            set_clock(jump)
            answer = server.ask(TARGETS[3], connection=connection)
            check(answer.status == 200, "an answer")
            years.add(answer.headers["Date"].split()[3])
            time.sleep(0.1)
        check(len(years) == 5, "the clock does not jump:", years)
        check(server.ask(TARGETS[6], connection=connection).status == 200, "a best move")
        connection.close()
        with server.socket() as slow:
            slow.sendall(b"GET /v1")
            check(wait_until(lambda: slow.recv(1) == b"", 10), "a deadline")
        check(2.5 < time.monotonic() - begun - 1.5 < 6, "which comes after", time.monotonic() - begun)


def a_full_disk_is_no_matter():
    for log, limit in (("/dev/full", -1), ("full.log", 0)):
        with open(log, "w", encoding="ascii") as full:
            process = subprocess.Popen([f"{PLYBASE}-serve", f"{SPEC}.plb", "--log-access", "--listen", "unix:full.sock"],
                                       stdout=subprocess.PIPE, stderr=full, text=True,
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        check(process.stdout.readline().startswith("unix:full.sock"), "it starts")
        for _ in range(3):
            got = subprocess.run(["curl", "-s", "--unix-socket", "full.sock", "http://any/v1/tables"],
                                 capture_output=True, text=True, check=False)
            check(SPEC in got.stdout, got)
        process.send_signal(signal.SIGHUP)
        process.terminate()
        check(process.wait(15) == 0, "the exit status")
        process.stdout.close()


def what_may_not_be_read_is_told():
    if os.getuid() != 0:
        print("what_may_not_be_read_is_told: left out: who is not root cannot be somebody else")
        return
    try:
        subprocess.run([PLYBASE, "--version"], user=NOBODY, stdout=subprocess.DEVNULL, check=True)
    except OSError:
        print(f"what_may_not_be_read_is_told: left out: nobody else may start {PLYBASE}")
        return
    os.makedirs("locked", exist_ok=True)
    shutil.copy(f"{SPEC}.plb", "locked/good.plb")
    shutil.copy("other.plb", "locked/secret.plb")
    os.chmod("locked/secret.plb", 0)
    os.chmod(".", 0o755)
    with Server(PLYBASE, "locked", user=NOBODY) as server:
        listed = {table["file"]: table for table in server.get("/v1/tables").json["tables"]}
        check(listed["good.plb"]["state"] == "ok", listed)
        check(listed["secret.plb"]["state"] == "damaged" and "ermi" in listed["secret.plb"]["detail"],
              listed["secret.plb"])
        os.chmod("locked/secret.plb", 0o644)
        server.process.send_signal(signal.SIGHUP)
        check(wait_until(lambda: server.get("/health").json["tables"] == 2, 10), "not read after all")


# ---- descriptors ----

REQUEST = b"GET " + TARGETS[3].encode() + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def come_and_wait(server, name):
    """Clients who come now are not accepted, and the server neither spins nor forgets who is there."""
    connection = server.connect()
    clients = [server.socket() for _ in range(20)]
    for client in clients:
        client.sendall(REQUEST)
    used = server.processor_seconds()
    time.sleep(1)
    used = server.processor_seconds() - used
    check(used < 0.3, name, "it spins:", used, "s of one")
    answered, _, _ = select.select(clients, [], [], 0)
    check(len(answered) < 10, name, len(answered), "of 20 were answered")
    connection.close()
    return clients


def are_answered(clients, name):
    for client in clients:
        check(client.recv(65536).startswith(b"HTTP/1.1 200"), name, "a client who waited is not answered")
        client.close()


def descriptors_may_run_out():
    """EMFILE, by the limit of the process; a table that comes meanwhile is opened later."""
    os.makedirs("few", exist_ok=True)
    shutil.copy(f"{SPEC}.plb", "few")
    with Server(PLYBASE, "few") as server:
        kept = server.connect()
        right = server.ask(TARGETS[3], connection=kept).body
        most = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
        highest = max(map(int, os.listdir(f"/proc/{server.pid}/fd")))
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (highest + 1, most[1]))
        clients = come_and_wait(server, "EMFILE")
        shutil.copy("other.plb", "few")
        server.process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        check(server.ask(TARGETS[3], connection=kept).body == right, "who is connected is not answered")
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, most)
        are_answered(clients, "EMFILE")
        server.process.send_signal(signal.SIGHUP)
        check(wait_until(lambda: server.get("/health").json["tables"] == 2, 10), "the new table is not served")
        kept.close()


def the_system_may_have_no_descriptors():
    """ENFILE, put in the place of what accept4 gives."""
    with Server(PLYBASE, f"{SPEC}.plb") as server:
        with traced(server, "the_system_may_have_no_descriptors", "-e", "trace=accept4", "-e",
                    "inject=accept4:error=ENFILE") as trace:
            if not trace:
                return
            clients = come_and_wait(server, "ENFILE")
        are_answered(clients, "ENFILE")
        with open("trace", encoding="utf-8", errors="replace") as file:
            check("ENFILE" in file.read(), "no accept failed")


# ---- files ----

@contextlib.contextmanager
def traced(server, name, *options):
    """The server under strace, which writes into the file trace; None, aloud, where that cannot be."""
    if not shutil.which("strace"):
        print(f"{name}: left out: there is no strace")
        yield None
        return
    if os.path.exists("trace"):
        os.remove("trace")

    def is_traced():
        with open(f"/proc/{server.pid}/status", encoding="ascii") as file:
            return os.path.exists("trace") and "TracerPid:\t0\n" not in file.read()

    with subprocess.Popen(["strace", "-f", *options, "-o", "trace", "-p", str(server.pid)], stderr=subprocess.PIPE,
                          text=True) as trace:
        if not wait_until(lambda: trace.poll() is not None or is_traced(), 10) or trace.poll() is not None:
            print(f"{name}: left out:", trace.stderr.read().strip())
            yield None
            return
        time.sleep(0.5)  # until it sees all threads
        yield trace
        trace.send_signal(signal.SIGINT)



def a_slow_disk_holds_nobody():
    """While a table is read others are answered, and whoever sends too slowly has no more time than else."""
    os.makedirs("slow", exist_ok=True)
    shutil.copy(f"{SPEC}.plb", "slow")
    with Server(PLYBASE, "slow", "--deadline", "1") as server:
        right = server.get(TARGETS[3]).body
        with traced(server, "a_slow_disk_holds_nobody", "-e", "trace=pread64", "-e",
                    "inject=pread64:delay_enter=500000") as trace:
            if not trace:
                return
            shutil.copy("other.plb", "slow")
            server.process.send_signal(signal.SIGHUP)
            begun = time.monotonic()
            with server.socket() as slow:
                slow.sendall(b"GET /v1")
                check(server.get("/health").status == 200 and server.get(TARGETS[3]).body == right, "answers")
                check(time.monotonic() - begun < 3, "which take", time.monotonic() - begun, "s")
                check(slow.recv(1) == b"" and time.monotonic() - begun < 4, "closed after", time.monotonic() - begun)
            check(server.get("/health").json["tables"] == 1, "the table was read too fast for this test")
        check(wait_until(lambda: server.get("/health").json["tables"] == 2, 10), "the new table is not served")


HOSTILE = ("/assets/../../etc/passwd", "/assets/x/..%2f..%2fetc%2fpasswd", "/assets/x/%2e%2e/passwd", "//etc/passwd",
           "/v1/tables/..%2f..%2fetc%2fpasswd", "/v1/tables/other", "/v1/tables/%00", "/..;/etc/passwd",
           "/tables/..%5c..%5cetc", "/embed//etc/passwd", "/problems/..%2f..%2fetc", "/assets/x/page.css%00.plb",
           "/v1/tables/other.plb/positions", "/etc/passwd", "/v1/" + "../" * 20 + "etc/passwd")


def no_other_file_is_opened():
    with Server(PLYBASE, f"{SPEC}.plb") as server:
        with traced(server, "no_other_file_is_opened", "-e", "trace=%file") as trace:
            if not trace:
                return
            for target in HOSTILE + TARGETS:
                got = server.send(b"GET " + target.encode() + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                check(b"root:" not in got, target, got)
            before = server.get("/health").status
            server.process.send_signal(signal.SIGHUP)  # what is seen at all is seen here
            time.sleep(0.5)
        with open("trace", encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if '"' in line and "+++" not in line]
        named = {line.split('"')[1] for line in lines}
        check(before == 200 and any(SPEC in name for name in named), "the scan is not seen:", named)
        others = {name for name in named if SPEC not in name and not name.startswith(("/proc/", "/sys/"))
                  and name not in ("", "/dev/urandom", "/etc/localtime")}  # the C library

        check(not others, "files besides those that are served:", others)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        build(PLYBASE, SPEC, "--values", "dtm")
        build(PLYBASE, "mnk-2x2-k2", output="other.plb")
        tests = [clocks_may_jump, a_full_disk_is_no_matter, what_may_not_be_read_is_told, no_other_file_is_opened,
                 a_slow_disk_holds_nobody, descriptors_may_run_out, the_system_may_have_no_descriptors,
                 no_memory_is_survived]
        if is_sanitized(PLYBASE):  # a sanitizer has an allocator of its own, and comes first
            tests = [a_full_disk_is_no_matter, what_may_not_be_read_is_told]
        run(tests)
    finish()


if __name__ == "__main__":
    main()
