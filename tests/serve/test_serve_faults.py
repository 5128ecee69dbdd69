#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`plybase serve` survives faults of the system: test_serve_faults.py PLYBASE LIBRARIES [long]

Failing allocations, no descriptors, clocks that jump, a full disk, unreadable files. Whatever is requested,
it opens only the files that it serves. LIBRARIES: the folder of libfailing_server.so. With `long` each
allocation fails once, otherwise one in seven.
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
NOBODY = 65534  # a user without files
SPEC = "mnk-3x3-k3"
TABLE = f"/v1/tables/{SPEC}"
TARGETS = ("/v1", "/v1/tables", TABLE, TABLE + "/positions?board=3/3/x2", TABLE + "/positions?moves=b2,a1",
           TABLE + "/positions?board=nonsense", TABLE + "/best?moves=b2,a1", TABLE + "/line?moves=b2,a1",
           TABLE + "/stats", TABLE + "/stats?format=csv", TABLE + "/sample?count=3&value=win", "/metrics",
           "/openapi.json", "/api", "/", "/v1/nothing")
BATCH = '{"positions":["3/3/x2","3/1o1/x2"]}'


def preloaded(library, **more):
    """An environment that preloads a library. LD_PRELOAD has its name only, because spaces in its path would
    separate names."""
    environment = dict(more, LD_LIBRARY_PATH=LIBRARIES, LD_PRELOAD=library)
    started = subprocess.run([PLYBASE, "--version"], env=dict(os.environ, **environment), capture_output=True,
                             text=True, check=False)
    check((started.returncode, started.stderr) == (0, ""), library, started)
    return environment


# ---- memory ----

def without_port(server, answer):
    """The body of an answer without the port of the server, which differs each time."""
    return answer.body.replace(b":%d" % server.port, b"")


def try_without(number, expected):
    """Serve while allocation `number` fails. Returns "refused" (it did not start), "answered" (a request was
    refused), or "whole" (no request was)."""
    try:
        server = Server(f"{PLYBASE}-serve", f"{SPEC}.plb", "--threads", "1", direct=True,
                        environment=preloaded("libfailing_server.so", PLYBASE_FAILS_AT=str(number)))
    except RuntimeError as error:
        check(str(error).endswith(": 1"), "allocation", number, error)
        return "refused"
    # A table that could not be opened is listed with the reason, and opened again at SIGHUP.
    if "out of memory" in server.ask_until_answered("/v1/tables").decode():
        server.process.send_signal(signal.SIGHUP)
        check(wait_until(lambda: server.get("/health").json["tables"] == 1, 10), number, "no table")
    failed = "whole"
    for target in TARGETS:
        try:
            answer = server.get(target)
        except (ConnectionError, OSError):  # closed without an answer, for which there was no memory
            failed = "answered"
            continue
        if answer.status == 503:
            failed = "answered"
        elif target != "/metrics" and target != "/v1":
            check(answer.status == expected[target][0] and
                  (without_port(server, answer) == expected[target][1] or "best" in target),
                  "allocation", number, target, answer.status, answer.body[:100])
    try:
        answer = server.post(TABLE + "/positions", BATCH)
        if answer.status == 503:
            failed = "answered"
        else:
            check((answer.status, answer.body) == expected["batch"], "allocation", number, answer.status, answer.body)
    except (ConnectionError, OSError):
        failed = "answered"
    status = server.end()
    check(status == 0, "allocation", number, "ends with", status)
    return failed


def the_server_survives_failing_allocations():
    with Server(PLYBASE, f"{SPEC}.plb") as server:
        expected = {target: (answer.status, without_port(server, answer)) for target in TARGETS
                 for answer in [server.get(target)]}
        answer = server.post(TABLE + "/positions", BATCH)
        expected["batch"] = (answer.status, answer.body)
    counts = {"refused": 0, "answered": 0, "whole": 0}
    number, wholes = 1, 0
    enough = 210 if LONG else 30  # successive runs without an effect: the server makes no more allocations
    while wholes < enough and number < 8000:
        outcome = try_without(number, expected)
        counts[outcome] += 1
        wholes = wholes + 1 if outcome == "whole" else 0
        number += 1 if LONG else 7
    print(f"up to allocation {number}: {counts['refused']} times it did not start and said so, "
          f"{counts['answered']} times a request was refused, {counts['whole']} times there was no effect")
    check(counts["refused"] > 0 and counts["answered"] > 3 and wholes >= enough, counts)


# ---- clocks, disks ----

def set_clock(jump):
    with open("clock", "w", encoding="ascii") as file:
        file.write(jump)


def clocks_may_jump():
    """The wall clock jumps by years between requests; the monotonic clock does not."""
    faketime = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    if not faketime:
        print("clocks_may_jump: skipped: there is no faketime")
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


def a_full_disk_stops_no_request():
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


def unreadable_files_are_reported():
    if os.getuid() != 0:
        print("unreadable_files_are_reported: skipped: only root can run as another user")
        return
    try:
        subprocess.run([PLYBASE, "--version"], user=NOBODY, stdout=subprocess.DEVNULL, check=True)
    except OSError:
        print(f"unreadable_files_are_reported: skipped: other users may not run {PLYBASE}")
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


def check_waiting_clients(server, name):
    """New clients are not accepted yet, and the server does not spin. Returns them."""
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
        check(client.recv(65536).startswith(b"HTTP/1.1 200"), name, "a waiting client is not answered")
        client.close()


def the_process_may_run_out_of_descriptors():
    """EMFILE, by the limit of the process. A table that is added meanwhile is opened later."""
    os.makedirs("few", exist_ok=True)
    shutil.copy(f"{SPEC}.plb", "few")
    with Server(PLYBASE, "few") as server:
        kept = server.connect()
        expected = server.ask(TARGETS[3], connection=kept).body
        limits = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
        highest = max(map(int, os.listdir(f"/proc/{server.pid}/fd")))
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (highest + 1, limits[1]))
        clients = check_waiting_clients(server, "EMFILE")
        shutil.copy("other.plb", "few")
        server.process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        check(server.ask(TARGETS[3], connection=kept).body == expected, "a connected client is not answered")
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, limits)
        are_answered(clients, "EMFILE")
        server.process.send_signal(signal.SIGHUP)
        check(wait_until(lambda: server.get("/health").json["tables"] == 2, 10), "the new table is not served")
        kept.close()


def the_system_may_run_out_of_descriptors():
    """accept4 fails with ENFILE."""
    with Server(PLYBASE, f"{SPEC}.plb") as server:
        with traced(server, "the_system_may_run_out_of_descriptors", "-e", "trace=accept4", "-e",
                    "inject=accept4:error=ENFILE") as trace:
            if not trace:
                return
            clients = check_waiting_clients(server, "ENFILE")
        are_answered(clients, "ENFILE")
        with open("trace", encoding="utf-8", errors="replace") as file:
            check("ENFILE" in file.read(), "no accept failed")


# ---- files ----

@contextlib.contextmanager
def traced(server, name, *options):
    """Run strace on the server; it writes the file `trace`. None, with a message: that is not possible."""
    if not shutil.which("strace"):
        print(f"{name}: skipped: there is no strace")
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
            print(f"{name}: skipped:", trace.stderr.read().strip())
            yield None
            return
        time.sleep(0.5)  # until it traces all threads
        yield trace
        trace.send_signal(signal.SIGINT)


def a_slow_disk_blocks_no_request():
    """While a table is opened, requests are answered, and slow clients have the usual deadline."""
    os.makedirs("slow", exist_ok=True)
    shutil.copy(f"{SPEC}.plb", "slow")
    with Server(PLYBASE, "slow", "--deadline", "1") as server:
        expected = server.get(TARGETS[3]).body
        with traced(server, "a_slow_disk_blocks_no_request", "-e", "trace=pread64", "-e",
                    "inject=pread64:delay_enter=500000") as trace:
            if not trace:
                return
            shutil.copy("other.plb", "slow")
            server.process.send_signal(signal.SIGHUP)
            begun = time.monotonic()
            with server.socket() as slow:
                slow.sendall(b"GET /v1")
                check(server.get("/health").status == 200 and server.get(TARGETS[3]).body == expected, "answers")
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
            server.process.send_signal(signal.SIGHUP)  # the scan must be in the trace
            time.sleep(0.5)
        with open("trace", encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if '"' in line and "+++" not in line]
        named = {line.split('"')[1] for line in lines}
        check(before == 200 and any(SPEC in name for name in named), "the scan is not in the trace:", named)
        others = {name for name in named if SPEC not in name and not name.startswith(("/proc/", "/sys/"))
                  and name not in ("", "/dev/urandom", "/etc/localtime")}  # the C library
        check(not others, "files besides those that are served:", others)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        build(PLYBASE, SPEC, "--values", "dtm")
        build(PLYBASE, "mnk-2x2-k2", output="other.plb")
        tests = [clocks_may_jump, a_full_disk_stops_no_request, unreadable_files_are_reported, no_other_file_is_opened,
                 a_slow_disk_blocks_no_request, the_process_may_run_out_of_descriptors, the_system_may_run_out_of_descriptors,
                 the_server_survives_failing_allocations]
        if is_sanitized(PLYBASE):  # a sanitizer has its own allocator, and must be loaded first
            tests = [a_full_disk_stops_no_request, unreadable_files_are_reported]
        run(tests)
    finish()


if __name__ == "__main__":
    main()
