#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The answers of `plybase serve` agree with its OpenAPI description: test_serve_api.py PLYBASE

The description has the rows of routes.c. Every address of openapi.json is requested, and its answers are
validated with its schemas; /metrics is parsed by the client of Prometheus. Exit status 77: a package is missing.
"""
import html.parser
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile

from checks import check, finish
from serve_support import Server, build

try:
    import jsonschema
    from prometheus_client.parser import text_string_to_metric_families
except ImportError as missing:
    # The packages are those of Debian's python3, and this may be another one.
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print(f"{missing}: skipped (Debian: python3-jsonschema, python3-prometheus-client)")
    sys.exit(77)

PLYBASE = os.path.abspath(sys.argv[1])
ROUTES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/serve/routes.c")
SPECS = ("connect-4x4-k4", "mnk-3x3-k3", "numeric-2x2-each", "square-3x3")
QUERIES = {
    "/v1/tables/{spec}/positions": ("", "?moves="),
    "/v1/tables/{spec}/annotate": ("", "?moves="),
    "/v1/tables/{spec}/picture": ("", "?moves="),
    "/v1/tables/{spec}/stats": ("", "?format=json"),
    "/v1/tables/{spec}/best": ("", "?seconds=1", "?resist=3"),
    "/v1/tables/{spec}/line": ("",),
    "/v1/tables/{spec}/sample": ("?count=50", "?count=5&ply=2&value=draw"),
    "/v1/tables/{spec}/export": ("?ply=0-1", "?sample=50&seed=2&format=csv", "?ply=1&sample=2"),
}
REFUSED = ("/v1/tables/{spec}/positions?board=x", "/v1/tables/none", "/v1/none",
           "/v1/tables/{spec}/positions?what=1", "/v1/tables/{spec}/stats?v=0")


def schema_of(description, operation, status, kind):
    """The schema of an answer, with the components that it refers to."""
    answers = operation["responses"]
    answer = answers.get(str(status)) or answers[f"{status // 100}XX"]
    if "$ref" in answer:
        answer = description["components"]["responses"][answer["$ref"].rpartition("/")[2]]
    return {"components": description["components"], **answer["content"][kind]["schema"]}


def validate(description, operation, answer, target):
    kind = answer.type.split(";")[0]
    schema = schema_of(description, operation, answer.status, kind)
    body = answer.json if kind.endswith("json") else answer.body.decode()
    faults = list(jsonschema.Draft202012Validator(schema).iter_errors(body))
    check(not faults, target, faults[:1] and faults[0].message[:200])


def parameters_of(description, operation):
    known = description["components"]["parameters"]
    return [known[p["$ref"].rpartition("/")[2]] if "$ref" in p else p for p in operation.get("parameters", ())]


def described(description, operation, place):
    return {p["name"] for p in parameters_of(description, operation) if p["in"] == place}


def every_route_is_described(description):
    """And no other route is. The parameters are those that the route accepts (NULL, of pages: any)."""
    with open(ROUTES, encoding="utf-8") as file:
        rows = {path: (None if known == "NULL" else set(known[1:-1].split()), post != "NULL") for path, known, post in
                re.findall(r'^    \{"(/[^"]*)", (NULL|"[^"]*"), \w+, (\w+)\},$', file.read(), re.MULTILINE)}
    check(rows.keys() == description["paths"].keys(), rows.keys() ^ description["paths"].keys())
    for path, (known, has_post) in rows.items():
        methods = description["paths"][path]
        check(methods.keys() == {"get", *(["post"] if has_post else [])}, path, methods.keys())
        for method, operation in methods.items():
            query = described(description, operation, "query")
            check(query == ({"v", "input", "expect"} if method == "post" else known) or known is None, path, query, known)
            check(described(description, operation, "path") == set(re.findall(r"\{(\w+)\}", path)), path)


def place(description, path, spec, page_hash):
    """An address of a path, with the examples of its parameters."""
    examples = {p["name"]: p["example"] for p in parameters_of(description, description["paths"][path]["get"])}
    return path.format(**{**examples, "spec": spec, "hash": page_hash})


def answers_agree_with_the_description(server, description, page_hash):
    for path, methods in description["paths"].items():
        for spec in SPECS if "{spec}" in path else ("",):
            for query in QUERIES.get(path, ("",)):
                target = place(description, path, spec, page_hash) + query
                answer = server.get(target)
                check(answer.status == 200, target, answer.status)
                validate(description, methods["get"], answer, target)
    batch = description["paths"]["/v1/tables/{spec}/positions"]["post"]
    for spec in SPECS:
        empty = server.get(f"/v1/tables/{spec}").json["empty"]
        for body in ({"positions": [empty, "none"]}, {"moves": [""], "with_moves": True}):
            answer = server.post(f"/v1/tables/{spec}/positions", json.dumps(body))
            validate(description, batch, answer, body)


def refusals_agree_with_the_description(server, description):
    operation = description["paths"]["/v1/tables/{spec}/positions"]["get"]
    for target in REFUSED:
        answer = server.get(target.replace("{spec}", SPECS[0]))
        check(answer.status >= 400, target)
        validate(description, operation, answer, target)


def the_validator_finds_faults(server, description):
    """An answer without its value, or with another field, does not agree with the schema."""
    schema = {"components": description["components"], "$ref": "#/components/schemas/PositionAnswer"}
    answer = server.get(f"/v1/tables/{SPECS[0]}/positions").json
    for faulty in ({**answer, "unknown": 1}, {key: answer[key] for key in answer if key != "value"}):
        check(list(jsonschema.Draft202012Validator(schema).iter_errors(faulty)), "no fault found in", faulty)


class Manual(html.parser.HTMLParser):
    """The sections of /api by their headings: links and lines for a shell."""

    def __init__(self, text):
        super().__init__()
        self.operations, self.policy_breaks = {}, []
        self.links, self.place = [], None  # links of the introduction are not kept
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "style") or any(a == "style" or a.startswith("on") for a, _ in attrs):
            self.policy_breaks.append(tag)
        if tag == "section":
            self.links, self.lines, self.heading = [], [], ""
        if tag in ("h2", "pre"):
            self.place = tag
        if tag == "pre":
            self.lines.append("")
        if tag == "a":
            self.links.append(dict(attrs)["href"])

    def handle_data(self, data):
        if self.place == "h2":
            self.heading += data
        elif self.place == "pre":
            self.lines[-1] += data

    def handle_endtag(self, tag):
        if tag == self.place:
            self.place = None
        if tag == "section":
            self.operations[self.heading] = self.links, self.lines


class ShellAnswer:
    """The answer to a line for a shell."""

    def __init__(self, line):
        shell = "curl() { command curl -s -w '\\n%{http_code} %{content_type}' \"$@\"; }; "
        run = subprocess.run(["sh", "-c", shell + line], capture_output=True, check=False)
        self.body, _, last = run.stdout.rpartition(b"\n")
        status, _, self.type = last.decode().partition(" ")
        self.status = int(status or 0)

    @property
    def json(self):
        return json.loads(self.body)


def the_manual_works(server, description, spec, page_hash):
    """It has every address, with links and a line for a shell whose answers agree with the description;
    without a table there are no links to one."""
    answer = server.get("/api")
    check(answer.status == 200 and answer.type.startswith("text/html"), answer.status)
    check("script-src 'self'" in answer.headers["Content-Security-Policy"], answer.headers)
    manual = Manual(answer.body.decode())
    check(not manual.policy_breaks, "the policy forbids", manual.policy_breaks)
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            links, lines = manual.operations.pop(f"{method.upper()} {path}")
            check(len(lines) == (2 if method == "post" else 1), path, lines)
            if "{spec}" in path and not spec:
                check(not links and all("/SPEC" in line for line in lines), path, links, lines)
                continue
            queries = described(description, operation, "query")
            always = sum("x-in-links" in p for p in parameters_of(description, operation))
            check(len(links) == (1 + len(queries) - always if method == "get" else 0), path, links)
            target = place(description, path, spec, page_hash)
            check(all(link.split("?")[0] == target for link in links), links)
            for link in links:
                got = server.get(link)
                check(got.status == 200, link, got.status, got.body)
                validate(description, operation, got, link)
            for line in lines if shutil.which("curl") else ():
                got = ShellAnswer(line)
                check(got.status == 200, line, got.status, got.body)
                validate(description, operation, got, line)
    check(not manual.operations, "not in the description:", manual.operations)


def the_manual_works_with_every_table(description, page_hash):
    """Of each family. A strategy does not answer all links, so they are left out."""
    made = subprocess.run([PLYBASE, "strategy", "mnk-3x3-k3.plb", "-p", "first", "-o", "own.plb"], capture_output=True,
                          text=True, check=False)
    check(made.returncode == 0, made.stderr)
    os.mkdir("empty")
    for spec, file in [(spec, f"{spec}.plb") for spec in SPECS] + [("", "own.plb"), ("", "empty")]:
        with Server(PLYBASE, file) as server:
            the_manual_works(server, description, spec, page_hash)
    if not shutil.which("curl"):
        print("lines for a shell: skipped (Debian: curl)")


def hosts_are_not_injected_into_shell_lines():
    """Behind a proxy any host is accepted, but the lines for a shell have it only if it is a plain name."""
    with Server(PLYBASE, "empty", listen="unix:here.sock"):
        for host, named in (("tables.example:81", "tables.example:81"), ("a';reboot;'", "HOST")):
            with socket.socket(socket.AF_UNIX) as to:
                to.connect("here.sock")
                to.sendall(f"GET /api HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
                page = b"".join(iter(lambda: to.recv(65536), b"")).decode()
            check(f"'http://{named}/v1'" in page, host)
            check("reboot" not in page, host)


def metrics_are_parsed(server):
    for _ in range(3):
        server.get(f"/v1/tables/{SPECS[0]}/positions?moves=1")
    server.get("/v1/none")
    families = {f.name: f for f in text_string_to_metric_families(
        server.get("/metrics").body.decode())}
    requests = {(s.labels["route"], s.labels["method"], s.labels["code"]): s.value
                for s in families["plybase_http_requests"].samples}
    check(requests[("/v1/tables/{spec}/positions", "GET", "200")] >= 3, requests)
    check(requests[("none", "GET", "404")] >= 1, requests)
    times = [s for s in families["plybase_http_request_duration_seconds"].samples
             if s.labels["route"] == "/v1/tables/{spec}/positions"]
    count = next(s.value for s in times if s.name.endswith("_count"))
    check(next(s.value for s in times if s.labels.get("le") == "+Inf") == count, times)
    probes = {s.labels["table"]: s.value for s in families["plybase_probes"].samples}
    check(probes[SPECS[0]] >= 3, probes)
    check(len(families["plybase_table_info"].samples) == len(SPECS), "tables")
    for name in ("plybase_build_info", "plybase_http_connections", "plybase_blocks_read",
                 "plybase_cache_bytes", "plybase_searches", "plybase_search_queue",
                 "plybase_tables", "plybase_http_refused", "process_cpu_seconds",
                 "process_resident_memory_bytes", "process_open_fds"):
        check(name in families and families[name].samples, name)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for spec in SPECS:
            build(PLYBASE, spec)
        with Server(PLYBASE, ".") as server:
            description = server.get("/openapi.json").json
            check(description["openapi"].startswith("3.1"), description["openapi"])
            page_hash = re.search(r'"/assets/(\w+)/', server.get("/").body.decode()).group(1)
            every_route_is_described(description)
            answers_agree_with_the_description(server, description, page_hash)
            refusals_agree_with_the_description(server, description)
            the_validator_finds_faults(server, description)
            metrics_are_parsed(server)
        the_manual_works_with_every_table(description, page_hash)
        hosts_are_not_injected_into_shell_lines()
    finish()


if __name__ == "__main__":
    main()
