# SPDX-License-Identifier: MIT
"""A server of static files for tests. Like real hosts it has range requests or not, a delay, and files
that have changed.

    with StaticServer(folder, ranges=False) as host:
        host.address, host.asked        # the targets of all requests
"""
import http.server
import io
import os
import re
import threading
import time

TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "json": "application/json",
         "wasm": "application/wasm", "svg": "image/svg+xml"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        server, path = self.server, self.path.split("?")[0]
        path = path + "index.html" if path.endswith("/") else path
        name = os.path.normpath(os.path.join(server.folder, path.lstrip("/")))
        server.asked.append(self.path)
        time.sleep(server.delay)
        changed = server.changed.get(os.path.basename(name))
        if changed is not None:
            self.send(name, io.BytesIO(changed))
        elif name.startswith(server.folder) and os.path.isfile(name):
            with open(name, "rb") as file:
                self.send(name, file)
        else:
            self.answer(404, "text/plain", b"")

    def send(self, name, file):
        kind = TYPES.get(name.rsplit(".", 1)[-1], "application/octet-stream")
        size = file.seek(0, os.SEEK_END)
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        first, last = (int(wanted[1]), min(int(wanted[2]), size - 1)) if wanted and self.server.ranges else (0, size - 1)
        file.seek(first)
        if first > last and wanted:
            self.answer(416, "text/plain", b"")
        elif wanted and self.server.ranges:
            self.answer(206, kind, file.read(last + 1 - first), f"bytes {first}-{last}/{size}")
        else:
            self.answer(200, kind, file.read())

    def answer(self, status, kind, body, extent=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if extent:
            self.send_header("Content-Range", extent)
        self.end_headers()
        self.server.sent[0] += len(body)
        try:
            self.wfile.write(body)
        except ConnectionError:
            pass

    def log_message(self, *_):
        pass


class StaticServer:
    """changed: a dictionary of bytes by file name, sent in place of the file in the folder."""

    def __init__(self, folder, ranges=True, delay=0):
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.http.folder, self.http.ranges, self.http.delay = os.path.abspath(folder), ranges, delay
        self.http.asked, self.http.changed, self.http.sent = [], {}, [0]
        self.address = f"http://127.0.0.1:{self.http.server_port}"

    asked = property(lambda self: self.http.asked)
    changed = property(lambda self: self.http.changed)
    sent = property(lambda self: self.http.sent[0])  # bytes of bodies

    def __enter__(self):
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()
