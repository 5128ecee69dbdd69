#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`plybase serve` and Python parse requests in the same way:
test_serve_differential.py PLYBASE PRINT_TARGETS [TARGETS [STREAMS]]

Random and mutated targets, with a fixed seed, are parsed by the server's own function (print_targets.c) and
by urllib.parse: both find the same segments and parameters, or the server refuses the target for a reason
that this file states independently. Random streams of requests are sent to a server: each request that it
answers is one that http.server finds in the same bytes, with the same method, target and length of body.
"""
import concurrent.futures
import http.server
import io
import os
import random
import re
import subprocess
import sys
import tempfile
import urllib.parse

from checks import check, finish
from serve_support import Server, build, run, statuses

PLYBASE, PRINT_TARGETS = map(os.path.abspath, sys.argv[1:3])
TARGETS, STREAMS = (int(sys.argv[n]) if len(sys.argv) > n else default for n, default in ((3, 200000), (4, 6000)))
SPEC = "mnk-3x3-k3"
SEGMENTS, PARAMETERS = 8, 16  # more are refused

# ---- targets ----

SEEDS = [b"/", b"/v1", b"/v1/tables/connect-5x5-k4/positions?board=5/5/5/3o1/2oxx&moves=4,4",
         b"/v1/tables/numeric-3x3/positions?board=.,.,./.,5,./.,.,.&v=e210b7a4d24ac52a",
         b"/assets/0123456789abcdef/main.js", b"/tables/mnk-3x3-k3?moves=a1%2Cb2&ply=2&flip=1",
         b"/a/b/", b"//a", b"/a//b", b"/a/../b", b"/%2e%2E/", b"/a%2fb", b"/a;b", b"/a\\b", b"/?", b"/?&&a&=&=b&c=",
         b"/x?a=b=c&d=%26%3D+%2B", b"/%e9%00", b"/%C3%A9?q=%ff", b"http://host/a", b"*", b"/a#b", b"/1/2/3/4/5/6/7/8",
         b"/p?" + b"&".join(b"n%d=v" % n for n in range(16))]
PIECES = [b"/", b"//", b"?", b"&", b"&&", b"=", b"+", b"%", b"%%", b"%2", b"%2f", b"%2F", b"%5c", b"%3b", b"%2e", b".", b"..",
          b"/./", b"/../", b"%00", b"%0a", b"%1f", b"%20", b"%7f", b"%80", b"%ff", b"%25", b"%26", b"%3d", b"%3F", b"%23", b"#", b";",
          b"\\", b":", b"@", b"'", b"[", b"]", b"|", b"^", b"\"", b"<", b" ", b"\t", b"\r", b"\x01", b"\x7f", b"\x80", b"\xc3\xa9",
          b"\xff", b"a", b"Z", b"0", b"board", b"moves", b"%gg", b"%4", b"%41", b"/a" * 8, b"&b=c" * 16, b"x" * 300]


def mutate(draw, text, pieces):
    """Insert some pieces; delete, double or change some bytes."""
    for _ in range(draw.choice((0, 1, 1, 1, 2, 2, 3, 5, 8))):
        at = draw.randrange(len(text) + 1)
        end = min(len(text), at + draw.choice((0, 0, 0, 1, 1, 2, 6)))
        put = draw.choice((draw.choice(pieces), draw.choice(pieces), b"", text[at:end] * 2, bytes([draw.randrange(33, 127)])))
        text = text[:at] + put + text[end:]
    return text


def random_target(draw):
    if draw.random() < 0.2:
        return b"/" + b"".join(draw.choices(PIECES, k=draw.randrange(6)))
    return mutate(draw, draw.choice(SEEDS), PIECES)


def has_no_control_characters(text):
    return not re.search(rb"[\x00-\x1f\x7f]", text)


def is_name(segment):
    """Is it unambiguous for every parser?"""
    return segment not in (b"", b".", b"..") and not re.search(rb"[/\\;]", segment) and has_no_control_characters(segment)


def parse_by_python(target):
    """Parse by urllib.parse. Returns the form that print_targets prints."""
    if not re.fullmatch(rb"/[!\"$-~]*", target) or re.search(rb"%(?![0-9A-Fa-f]{2})", target):
        return "refused"
    path, _, query = target.decode("ascii").partition("?")
    segments = [urllib.parse.unquote_to_bytes(part) for part in path[1:].split("/")] if path != "/" else []
    pairs = urllib.parse.parse_qsl(query, keep_blank_values=True, encoding="latin-1", separator="&")
    pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in pairs]
    names = segments[:-1] if segments and not segments[-1] else segments
    if not all(map(is_name, names)) or not all(has_no_control_characters(part) for pair in pairs for part in pair) or \
            len(segments) > SEGMENTS or len(pairs) > PARAMETERS:
        return "refused"
    return "".join(f"/{s.hex()}" for s in segments) + "".join(f"?{n.hex()}={v.hex()}" for n, v in pairs)


def targets_are_parsed_like_by_python():
    draw = random.Random(1)
    targets = [target for target in (random_target(draw) for _ in range(TARGETS)) if b"\n" not in target and b"\0" not in target]
    output = subprocess.run([PRINT_TARGETS], input=b"".join(target + b"\n" for target in targets), capture_output=True, check=True)
    lines = output.stdout.decode("ascii").splitlines()
    check(len(lines) == len(targets), len(lines), "answers for", len(targets), "targets")
    for target, line in zip(targets, lines):
        check(line == parse_by_python(target), target, "is", line, "and to Python", parse_by_python(target))
    refused = lines.count("refused")
    print(f"{len(set(targets))} different targets, {refused} of {len(lines)} refused")
    check(0.2 < refused / len(lines) < 0.8, refused, "of", len(lines), "are refused")


# ---- streams of requests ----

HOST, CLOSE = b"Host: localhost\r\n", b"Connection: close\r\n"
POST = b"POST /v1/tables/mnk-3x3-k3/positions HTTP/1.1\r\n" + HOST + b"Content-Type: text/plain\r\n"
REQUESTS = [b"GET /v1 HTTP/1.1\r\n" + HOST + b"\r\n", b"HEAD /health HTTP/1.1\r\n" + HOST + b"Accept: */*\r\n\r\n",
            b"GET /nothing HTTP/1.1\r\n" + HOST + b"X-A: b\r\n\r\n", b"PUT /v1 HTTP/1.1\r\n" + HOST + b"Content-Length: 3\r\n\r\nabc",
            b"GET /v1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", POST + b"Content-Length: 6\r\n\r\n3/3/3\n",
            POST + b"content-length: 38\r\n\r\nGET /v1 HTTP/1.1\r\nHost: localhost\r\n\r\n\n", b"GET /v1 HTTP/1.1\r\n" + HOST +
            b"Content-Length: 0\r\n\r\n"]
LAST = b"GET /health HTTP/1.1\r\n" + HOST + CLOSE + b"\r\n"
MARKS = [b"\r\n", b"\n", b"\r", b"\r\n\r\n", b"\n\n", b" ", b"  ", b"\t", b":", b": ", b" :", b":\n", b"\r\n:\n", b"\0", b",", b"0", b"1", b"9", b"+", b"-1", b"0x3",
         b"Content-Length: 3\r\n", b"Content-Length: 6\r\n", b"Content-Length: 3, 3\r\n", b"Content-Length : 4\r\n", b"Content-Length:\r\n",
         b" Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: identity\r\n", b"TE: chunked\r\n",
         b"Connection: close\r\n", b"Connection: keep-alive\r\n", HOST, b"Host: evil.example\r\n", b"Expect: 100-continue\r\n", b"X: y\r\n",
         b"GET", b"POST", b"HTTP/1.1", b"HTTP/1.0", b"HTTP/2.0", b"/", b"?", b"\x01", b"\x80", b"3\r\nabc\r\n0\r\n\r\n"]
METHODS = {"GET", "HEAD", "POST", "OPTIONS"}
UNDERSTOOD = {200, 204, 404, 405, 415}  # statuses of requests that were read to their end


class Reader(http.server.BaseHTTPRequestHandler):
    """The parser of http.server, which reads from a buffer."""
    protocol_version = "HTTP/1.1"

    def __init__(self, stream):  # pylint: disable=super-init-not-called
        self.rfile, self.wfile, self.client_address = stream, io.BytesIO(), ("", 0)

    def send_error(self, code, message=None, explain=None):
        pass

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass

    def read(self):
        """Returns (method, target) of the next request; None: there is no complete one."""
        self.raw_requestline = self.rfile.readline(65537)
        while self.raw_requestline in (b"\r\n", b"\n"):  # RFC 9112, 2.2: empty lines are ignored
            self.raw_requestline = self.rfile.readline(65537)
        if not self.raw_requestline or not self.parse_request():
            return None
        length = self.headers.get("Content-Length", "0")
        if not length.isascii() or not length.isdigit() or len(self.rfile.read(int(length))) < int(length):
            return None
        return self.command, self.path

    def is_kept(self):
        """Is keep-alive one of the options? Python recognizes it only if it is the only one."""
        return "keep-alive" in re.split(r"[\s,]+", self.headers.get("Connection", "").lower())


def expected_statuses(method, target):
    """The possible statuses of a request that is understood."""
    path = target.split("?")[0]
    known = {"/v1": METHODS - {"POST"}, "/health": METHODS - {"POST"}, f"/v1/tables/{SPEC}/positions": METHODS}
    if path == "/nothing":
        return {404}
    if path not in known:
        return UNDERSTOOD
    if method not in known[path]:
        return {405}
    return {204} if method == "OPTIONS" else {200, 415} if method == "POST" else {200}


def read_by_python(stream):
    """All requests that http.server finds."""
    found, reader = [], Reader(io.BytesIO(stream))
    while request := reader.read():
        found.append(request)
        if reader.close_connection and not reader.is_kept():
            break
    return found


def random_stream(draw):
    requests = draw.choices(REQUESTS, k=draw.randrange(1, 4))
    return b"".join(mutate(draw, request, MARKS) if draw.random() < 0.7 else request for request in requests) + LAST


def compare(server, stream):
    """Send a stream. Each answered request must be found by Python, too. Returns the number of answers."""
    codes = [code for code in statuses(server.send(stream, seconds=5)) if code != 100]
    found = read_by_python(stream)
    for place, code in enumerate(codes):
        if code not in UNDERSTOOD:
            return place
        good = place < len(found) and code in expected_statuses(*found[place])
        if not check(good, stream, "is answered by", codes, "and is to Python", found):
            return place
    return len(codes)


def streams_are_parsed_like_by_python():
    draw = random.Random(2)
    streams = [random_stream(draw) for _ in range(STREAMS)]
    with Server(PLYBASE, f"{SPEC}.plb", "--deadline", "1", "--idle", "1") as server:
        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            answered = sum(pool.map(lambda stream: compare(server, stream), streams))
        check(server.is_alive(), "the server is gone")
    print(f"{STREAMS} streams, {answered} requests in them were answered")
    check(answered > STREAMS // 2, "only", answered, "requests were understood")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        build(PLYBASE, SPEC)
        run([targets_are_parsed_like_by_python, streams_are_parsed_like_by_python])
    finish()


if __name__ == "__main__":
    main()
