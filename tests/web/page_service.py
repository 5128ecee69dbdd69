# SPDX-License-Identifier: MIT
"""What tests of the page share: small tables of every family, a server of them on a port that was
free, and what the command says of positions, which is what the page has to show. With PLYBASE_PAGE
the page is that of a folder, not the one that is built in."""
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile

import browser

FAMILIES = {  # a spec of each, and its values
    "connect-5x4-k4": "dtm",
    "connect-4x4-k4-misere": "wdl",
    "connect-5x4-k4-cylinder": "dtm",
    "mnk-3x3-k3": "dtm",
    "mnk-4x3-k3-cylinder": "wdl",
    "square-4x4": "dtm",
    "numeric-3x3": "dtm",
}
READY = """return document.body.getAttribute('aria-busy') === 'false' && location.search === arguments[0]
    && document.querySelector('#status').textContent.trim()"""
OPEN = "document.getElementById('more').open = true"


class Service:
    """A folder of tables and its server; `families` are specs, with the values of FAMILIES or wdl."""

    def __init__(self, build, families=tuple(FAMILIES)):
        self.command = os.path.join(build, "plybase")
        self.folder = tempfile.mkdtemp(prefix="plybase-page-")
        self.server = None
        for spec in families:
            self.run("build", spec, "--values", FAMILIES.get(spec, "wdl"), "-o", self.file(spec))

    def __enter__(self):
        page = ["--assets", os.environ["PLYBASE_PAGE"]] if "PLYBASE_PAGE" in os.environ else []
        self.server = subprocess.Popen([self.command, "serve", self.folder, "--listen", "127.0.0.1:0", *page],
                                       stdout=subprocess.PIPE, text=True)
        self.address = self.server.stdout.readline().split()[0].rstrip("/")
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def stop(self):
        self.server.terminate()
        self.server.wait(15)

    def file(self, spec):
        return os.path.join(self.folder, f"{spec}.plb")

    def run(self, *arguments, text=None):
        done = subprocess.run([self.command, *arguments], input=text, capture_output=True, text=True, check=False)
        if done.returncode:
            raise browser.Failure(f"plybase {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def sample(self, spec, count, seed):
        rows = csv.DictReader(io.StringIO(
            self.run("export", self.file(spec), "--sample", str(count), "--seed", str(seed), "-o", "-")))
        return [row["position"] for row in rows]

    def probe(self, spec, positions):
        lines = self.run("probe", self.file(spec), "-", "--json", text="".join(f"{p}\n" for p in positions))
        return [json.loads(line) for line in lines.splitlines()]

    def address_of(self, spec, query="", place="tables"):
        """Where a game is, and the query of its address there."""
        return f"{self.address}/{place}/{spec}{query}", query

    def open(self, page, spec, query="", place="tables", more=True):
        """Show a game and wait until it is there, with all its parts; returns the text of the status."""
        address, query = self.address_of(spec, query, place)
        page.open(address)
        status = page.wait(READY, query)
        if more:
            page.run(OPEN)
        return status

    def forget(self, page):
        """Let the browser have no preferences of a person."""
        page.command("Storage.clearDataForOrigin", origin=self.address, storageTypes="local_storage")


def some(things, step):
    """One in `step` of what would take long, all with PLYBASE_FAULTS=1/1 or without it; the commit decides which, as
    of faults (tools/test)."""
    first, most = map(int, os.environ.get("PLYBASE_FAULTS", "1/1").split("/"))
    return list(things)[first % min(step, most)::min(step, most)]


def wait_for(page, query):
    """Until the address has this query and the page shows it."""
    page.wait("return location.search === arguments[0] && document.body.getAttribute('aria-busy') === 'false'",
              query, what=f"address {query}")


def search(page):
    return page.run("return location.search")


def board_text(page):
    return page.run("return document.getElementById('by-board-text').value")


def wait_problem(page, text):
    page.wait("return document.getElementById('problem').textContent === arguments[0]", text, what=text)


def refusal(service, spec, position, *flags):
    """What the command says of a position that it refuses."""
    try:
        service.run("probe", service.file(spec), position, *flags)
    except browser.Failure as error:
        return str(error).split("plybase: ", 1)[1]
    raise browser.Failure(f"{position} is not refused")


def choose(page, select, value):
    """Choose an option, as a person does."""
    page.run("const select = document.getElementById(arguments[0]); select.value = arguments[1];"
             "select.dispatchEvent(new Event('change', { bubbles: true }))", select, value)


def value_text(answer):
    """As the page has to say it; written here a second time."""
    if not answer["dtm_plies"]:
        return answer["value"]
    return f"{answer['value']} in {answer['dtm_plies']} {'ply' if answer['dtm_plies'] == 1 else 'plies'}"


def status_text(answer):
    if answer["over"]:
        return f"{answer['winner']} has won" if answer["winner"] else "The game is drawn"
    turn, other = f"{answer['to_move']} to move", "o" if answer["to_move"] == "x" else "x"
    if answer["value"] == "draw":
        return f"{turn}: draw"
    winner = answer["to_move"] if answer["value"] == "win" else other
    moves = ((answer["dtm_plies"] or 0) + 1) // 2
    return f"{turn}: {winner} wins" + (f" in {moves} {'move' if moves == 1 else 'moves'}" if moves else "")


def expect(wanted, got, what):
    if wanted != got:
        raise browser.Failure(f"{what}:\n  wanted {wanted!r}\n  got    {got!r}")


def main(tests, kind=Service):
    """Run tests, functions of (service, page) with an optional `flags` of the browser, which has no
    preferences of a person as each begins: NAME.py BUILD [TEST...]. Unless tests are named, every second one, which
    ones the commit decides. Exit status 77 where there is no browser."""
    if lacking := browser.missing():
        print(f"skipped: {lacking}")
        return 77
    chosen = [test for test in tests if test.__name__ in sys.argv[2:]] if sys.argv[2:] else some(tests, 2)
    failures = 0
    with kind(os.path.abspath(sys.argv[1])) as service:
        page, flags = None, None
        for test in chosen:
            if page is None or flags != getattr(test, "flags", {}):
                if page:
                    page.close()
                flags = getattr(test, "flags", {})
                page = browser.Browser(**flags)
            try:
                # Nothing runs there, and it needs no other process of the browser, as about:blank would.
                page.open(f"{service.address}/v1")
                page.reset()
                service.forget(page)
                page.console()
                test(service, page)
                # A refusal stands there as a resource that failed; nothing else may.
                expect([], [line for line in page.console() if "Failed to load resource" not in line], "the console")
                print(f"ok      {test.__name__}", flush=True)
            except (browser.WebDriverException, OSError) as error:
                failures += 1
                print(f"FAILED  {test.__name__}: {error}", flush=True)
        if page:
            page.close()
    print(f"{len(chosen) - failures} passed, {failures} failed")
    return 1 if failures or not chosen else 0
