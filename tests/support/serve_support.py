# SPDX-License-Identifier: MIT
"""Helpers for tests of `plybase serve`: a server on its own port, and requests to it, by http.client or
as raw bytes through a socket."""
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import time

from checks import check


def run(tests):
    """Run functions one after another, and print how long each took."""
    for test in tests:
        begun = time.monotonic()
        test()
        print(f"{test.__name__}: {time.monotonic() - begun:.1f} s", flush=True)


def wait_until(holds, seconds):
    """Wait until holds() is true. False: it is not after so many seconds, without the time in which the
    machine did not run this process."""
    waited = 0
    while not holds():
        if waited > seconds:
            return False
        begun = time.monotonic()
        time.sleep(0.01)
        waited += min(time.monotonic() - begun, 0.1)
    return True


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def type(self):
        return self.headers.get("Content-Type", "")


class Server:
    """A running server. `with` ends it and checks that its exit status is 0. direct: the program is
    plybase-serve itself."""

    def __init__(self, program, *arguments, listen="127.0.0.1:0", environment=None, direct=False, **more):
        self.log = open("serve.log", "a+", encoding="utf-8")
        self.process = subprocess.Popen([program, *([] if direct else ["serve"]), "--listen", listen, *map(str, arguments)],
                                        stdout=subprocess.PIPE, stderr=self.log, text=True,
                                        env=dict(os.environ, **environment or {}), **more)
        self.line = self.process.stdout.readline()
        if not self.line:
            status = self.process.wait()
            self.process.stdout.close()
            self.log.close()
            raise RuntimeError(f"the server did not start: {status}")
        where = self.line.split()[0]
        self.port = int(where.rstrip("/").rpartition(":")[2]) if "http" in where else None
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        status = self.end()
        if kind is None:
            check(status == 0, "the exit status of the server is", status)

    def end(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "none: it did not end"
        finally:
            self.process.stdout.close()
            self.log.close()

    def connect(self, seconds=20):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)

    def ask(self, target, method="GET", body=None, connection=None, **headers):
        """Send one request; the names of headers have _ for -."""
        to = connection or self.connect()
        try:
            to.request(method, target, body,
                       {name.replace("_", "-"): value for name, value in headers.items()})
            return Answer(to.getresponse())
        finally:
            if not connection:
                to.close()

    def get(self, target, **headers):
        return self.ask(target, **headers)

    def ask_until_answered(self, target):
        """The body of the first answer of status 200; a few requests before it may fail."""
        for _ in range(10):
            try:
                answer = self.get(target)
            except (ConnectionError, OSError):
                continue
            if answer.status == 200:
                return answer.body
        raise RuntimeError(f"{target} is not answered")

    def post(self, target, body, kind="application/json"):
        return self.ask(target, "POST", body, Content_Type=kind)

    def socket(self, seconds=20):
        return socket.create_connection(("127.0.0.1", self.port), seconds)

    def send(self, *parts, seconds=20, pause=0, ends=False):
        """Send bytes, in parts. Return all bytes that are received until the server closes the connection
        (perhaps before all is sent) or the time is over. ends: close the sending side."""
        got = b""
        with self.socket(seconds) as to:
            try:
                for part in parts:
                    to.sendall(part)
                    if pause:
                        time.sleep(pause)
                if ends:
                    to.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            try:
                while more := to.recv(65536):
                    got += more
            except (ConnectionError, TimeoutError):
                pass
        return got

    # ---- resources ----

    def memory_kib(self, name="VmRSS"):
        """VmRSS: current memory; VmHWM: peak since reset_peak."""
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(name))

    def reset_peak(self):
        with open(f"/proc/{self.pid}/clear_refs", "w", encoding="ascii") as file:
            file.write("5")

    def processor_seconds(self):
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def is_alive(self):
        return self.process.poll() is None


def build(program, spec, *options, output=None):
    memory = ["--memory", "100T"] if is_sanitized(program) else []  # shadow memory counts
    run = subprocess.run([program, "build", spec, *options, *memory, "-o", output or f"{spec}.plb"],
                         capture_output=True, text=True, check=False)
    check(run.returncode == 0, run.stderr)


def is_sanitized(program):
    """Is the server built with a sanitizer, which needs memory of its own?"""
    with open(os.path.join(os.path.dirname(program), "plybase-serve"), "rb") as file:
        code = file.read()
    return b"__asan_init" in code or b"__tsan_init" in code


def statuses(answer):
    """The status codes of raw answers on one connection."""
    return [int(code) for code in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]
