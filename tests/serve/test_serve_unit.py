#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tools of systemd accept the units of `plybase serve`: test_serve_unit.py PLYBASE FOLDER

FOLDER has the installed units. They are verified, their exposure is low, and the server uses a socket that
systemd opens. systemd need not run; without its tools the test is skipped.
"""
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from checks import check, finish
from serve_support import build

PLYBASE, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SOCKET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/serve/plybase.socket")
MAX_EXPOSURE = 20  # tenths; the unit has 1.1


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def units_are_good():
    with open(os.path.join(FOLDER, "plybase.service"), encoding="utf-8") as file:
        unit = file.read()
    check("@" not in unit.replace("~@", "").replace("=@", "").replace(" @", ""), "a placeholder is left")
    with open("plybase.service", "w", encoding="utf-8") as file:  # of the program that was built
        file.write(re.sub(r"^ExecStart=\S+", f'ExecStart="{PLYBASE}"', unit, flags=re.MULTILINE))
    shutil.copy(SOCKET, ".")
    verified = run("systemd-analyze", "verify", "--man=no", "./plybase.service", "./plybase.socket")
    check(verified.returncode == 0 and not verified.stderr, verified.stderr)
    judged = run("systemd-analyze", "security", "--offline=true", "--no-pager",
                 f"--threshold={MAX_EXPOSURE}", "./plybase.service")
    check(judged.returncode == 0, judged.stdout[-300:], judged.stderr)
    print(judged.stdout.strip().splitlines()[-1])


def a_socket_of_systemd_is_used():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(["systemd-socket-activate", "-l", f"127.0.0.1:{port}", PLYBASE, "serve", "mnk-2x2-k2.plb"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    got = b""
    for _ in range(100):
        try:
            with socket.create_connection(("127.0.0.1", port), 10) as client:
                client.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                while more := client.recv(4096):
                    got += more
            break
        except ConnectionRefusedError:
            time.sleep(0.05)
    check(got.startswith(b"HTTP/1.1 200") and b'"tables":1' in got, got)
    server.terminate()
    check(server.wait(10) == 0, "the exit status")
    check(str(port) in server.stdout.read(), "the address of the socket")
    server.stdout.close()


def main():
    for tool in ("systemd-analyze", "systemd-socket-activate"):
        if not shutil.which(tool):
            print(f"SKIPPED: there is no {tool} (Debian: systemd)")
            sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        build(PLYBASE, "mnk-2x2-k2")
        units_are_good()
        a_socket_of_systemd_is_used()
    finish()


if __name__ == "__main__":
    main()
