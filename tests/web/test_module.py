#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The module for browsers, compared with the command: test_module.py BUILD [TEST...]

For hostile files both give the same answers and messages, and the module never fails. A site with a table of 7.2 GiB
opens with as few bytes as one with a small table.
"""
import glob
import json
import os
import subprocess
import sys
import time

from browser import Failure
from page_service import READY, Service, expect, main
from static_server import StaticServer

MUTANTS, ASKED = 1500, 10
SEEDS = ("connect-4x3-k3", "mnk-3x3-k3-misere", "connect-3x3-k3-cylinder", "connect-5x4-k4", "connect-4x4-k4")
SHAPE, SHAPE_BYTES = "connect-7x6-k4", 7.2 * 2**30
MAX_OPENING_BYTES = 1.6e6

# Opens each file in a new instance of the module and asks for positions; returns the answers, or the failure.
ASK = """
const [files, module] = [arguments[0], await WebAssembly.compile(await (await fetch("plybase.wasm")).arrayBuffer())];
const results = [];
for (const { name, positions } of files) {
  const bytes = new Uint8Array(await (await fetch(name)).arrayBuffer()), answers = [];
  const read = (offset, size, to) => {
    if (offset + size > bytes.length) return 0;
    new Uint8Array(library.memory.buffer, to, size).set(bytes.subarray(offset, offset + size));
    return 1;
  };
  const none = () => 8, clock = (id, precision, to) => {
    new DataView(library.memory.buffer).setBigUint64(to, BigInt(Math.round(performance.now() * 1e6)), true);
    return 0;
  };
  const library = (await WebAssembly.instantiate(module, { host: { size: () => bytes.length, read, seconds: () => 0 },
    wasi_snapshot_preview1: { clock_time_get: clock, fd_write: none, fd_seek: none, fd_close: none } })).exports;
  const call = (what, text, ...values) => {
    const given = new TextEncoder().encode(text + "\\0\\0"), input = library.input(given.length);
    new Uint8Array(library.memory.buffer, input, given.length).set(given);
    const line = library[what](...values), memory = new Uint8Array(library.memory.buffer);
    const answer = JSON.parse(new TextDecoder().decode(memory.subarray(line, memory.indexOf(0, line))));
    return library.status() ? { message: answer.detail } : answer;
  };
  try {
    library._initialize();
    const opened = call("open", name);
    for (const position of opened.spec ? positions : []) answers.push(call("ask", position, 0, 1, 0, 0));
    results.push({ opened, answers });
  } catch (problem) {
    results.push({ failed: String(problem), after: answers.length });
  }
}
return results;
"""


class Files(Service):
    """A static server of hostile files and the module."""

    def __init__(self, build):
        super().__init__(build, SEEDS)
        self.build = build
        with open(os.path.join(self.folder, "index.html"), "w", encoding="utf-8") as page:
            page.write("<!doctype html><link rel=icon href=data:,>")
        os.symlink(os.path.join(build, "module", "plybase.wasm"), os.path.join(self.folder, "plybase.wasm"))

    def __enter__(self):
        self.server = StaticServer(self.folder).__enter__()
        self.address = self.server.address
        return self

    def stop(self):
        self.server.__exit__()

    def native(self, name, positions):
        """The refusal of a file by the command, or None; and its answer or refusal for each position."""
        done = subprocess.run([self.command, "probe", name, "-", "--json"], input="".join(f"{p}\n" for p in positions),
                              capture_output=True, text=True, check=False, cwd=self.folder)
        if not done.stdout:
            return {"message": done.stderr.strip().removeprefix("plybase: ")}, []
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return None, [{"message": line["message"]} if "error" in line else line for line in lines]


def compare(files, page, named):
    """named: pairs of a file name and positions. Returns how many files were opened and positions answered."""
    opened = answered = 0
    page.open(f"{files.address}/")
    for at in range(0, len(named), 50):
        some = [{"name": name, "positions": positions} for name, positions in named[at:at + 50]]
        for one, result in zip(some, page.run(ASK, some), strict=True):
            refusal, wanted = files.native(**one)
            expect(None, result.get("failed"), one["name"])
            expect(refusal, result["opened"] if refusal else None, f"{one['name']} is refused")
            got = [answer if "message" in answer else {**answer, "table": None} for answer in result["answers"]]
            expect([answer if "message" in answer else {"table": None, **answer} for answer in wanted], got, one["name"])
            opened += not refusal
            answered += sum("value" in answer for answer in got)
    return opened, answered


def mutants_get_the_same_answers(files, page):
    """Files in which a record was changed, with correct checksums."""
    subprocess.run([os.path.join(files.build, "tests", "test_mutants"), str(MUTANTS), "20261128", files.folder],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    sampled = [files.sample(spec, ASKED, 7) for spec in SEEDS]
    named = [(f"mutant-{n}.plb", sampled[n % len(SEEDS)]) for n in range(MUTANTS)
             if os.path.exists(os.path.join(files.folder, f"mutant-{n}.plb"))]
    opened, answered = compare(files, page, named)
    print(f"        {len(named)} mutants, {opened} opened, {answered} answers")
    if opened < MUTANTS / 20 or opened > MUTANTS * 0.9 or not answered:
        raise Failure("too few or too many mutants were opened, or none was answered")


def a_corpus_of_hostile_files_gets_the_same_answers(files, page):
    names = []
    for path in sorted(glob.glob(os.path.join(os.path.dirname(__file__), "..", "fuzz", "corpus", "table", "*"))):
        names.append(f"corpus-{os.path.basename(path)}")
        with open(path, "rb") as source, open(os.path.join(files.folder, names[-1]), "wb") as copy:
            copy.write(source.read())
    for spec in SEEDS:  # truncated at each page, also with one byte more
        with open(files.file(spec), "rb") as source:
            whole = source.read()
        for size in range(0, len(whole) + 1, 4096):
            for more in (b"", b"!"):
                names.append(f"cut-{spec}-{size}{len(more)}.plb")
                with open(os.path.join(files.folder, names[-1]), "wb") as copy:
                    copy.write(whole[:size] + more)
    positions = files.sample(SEEDS[0], ASKED, 7)
    opened, _ = compare(files, page, [(name, positions) for name in names])
    print(f"        {len(names)} files, {opened} opened")


def a_large_table_opens_with_few_bytes(files, page):
    """The file has all segments of 7x6, filled with 7.2 GiB of random bytes."""
    disk = os.statvfs(files.folder)
    if disk.f_bavail * disk.f_frsize < 2.5 * SHAPE_BYTES:
        print(f"        skipped: not enough space in {files.folder}")
        return
    table, site = files.file(SHAPE), os.path.join(files.folder, "site")
    subprocess.run([os.path.join(files.build, "tests", "table_shape"), SHAPE, str(int(SHAPE_BYTES)), table], check=True)
    files.run("site", table, "-o", site)
    with StaticServer(site, delay=0.05) as host:
        before = time.monotonic()
        page.open(f"{host.address}/?table={SHAPE}")
        page.wait(READY, f"?table={SHAPE}")
        seconds = time.monotonic() - before
        sent = host.sent
    print(f"        {sent} bytes, {seconds:.2f} s")
    if sent > MAX_OPENING_BYTES:
        raise Failure(f"{sent} bytes were sent until a table of {SHAPE} was open")


if __name__ == "__main__":
    if not os.path.exists(os.path.join(sys.argv[1], "module", "plybase.wasm")):
        print("skipped: the module for browsers is not built: tools/checks/packages site installs what it needs")
        sys.exit(77)
    sys.exit(main([mutants_get_the_same_answers, a_corpus_of_hostile_files_gets_the_same_answers,
                   a_large_table_opens_with_few_bytes], Files))
