# SPDX-License-Identifier: MIT
"""Shared by the tests of the page: small tables of every family, a server for them on a free port, and the
answers of the command, which the page must show. With PLYBASE_PAGE the page is read from this folder
instead of the one that is built in."""
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile

import browser

FAMILIES = {  # values by spec
    "connect-5x4-k4": "dtm",
    "connect-4x4-k4-misere": "wdl",
    "connect-5x4-k4-cylinder": "dtm",
    "mnk-3x3-k3": "dtm",
    "mnk-4x3-k3-cylinder": "wdl",
    "square-4x4": "dtm",
    "numeric-3x3": "dtm",
}
IDLE = "document.body.getAttribute('aria-busy') === 'false'"
READY = f"return {IDLE} && location.search === arguments[0] && document.querySelector('#status').textContent.trim()"
OPEN = "document.getElementById('more').open = true"


class Service:
    """A folder of tables and a server for it. `families` are specs; values are those of FAMILIES, or wdl."""

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
        """The address of a game, and the query of this address."""
        return f"{self.address}/{place}/{spec}{query}", query

    def open(self, page, spec, query="", place="tables", more=True):
        """Open a game, wait until it is shown, and return the text of the status. more: also open "More"."""
        address, query = self.address_of(spec, query, place)
        page.open(address)
        status = page.wait(READY, query)
        if more:
            page.run(OPEN)
        return status

    def forget(self, page):
        """Delete the stored preferences."""
        page.command("Storage.clearDataForOrigin", origin=self.address, storageTypes="local_storage")


def some(items, step):
    """One in `step` of the items, to save time. The commit decides which (tools/test sets PLYBASE_FAULTS=FIRST/STEP);
    without PLYBASE_FAULTS, all items."""
    first, limit = map(int, os.environ.get("PLYBASE_FAULTS", "1/1").split("/"))
    return list(items)[first % min(step, limit)::min(step, limit)]


def wait_for(page, query):
    """Wait until the address has this query and the page shows it."""
    page.wait(f"return location.search === arguments[0] && {IDLE}", query, what=f"address {query}")


def search(page):
    return page.run("return location.search")


def board_text(page):
    return page.run("return document.getElementById('by-board-text').value")


def wait_problem(page, text):
    page.wait("return document.getElementById('problem').textContent === arguments[0]", text, what=text)


def refusal(service, spec, position, *flags):
    """The message with which the command refuses a position."""
    try:
        service.run("probe", service.file(spec), position, *flags)
    except browser.Failure as error:
        return str(error).split("plybase: ", 1)[1]
    raise browser.Failure(f"{position} is not refused")


def choose(page, select, value):
    """Choose an option of a select element."""
    page.run("const select = document.getElementById(arguments[0]); select.value = arguments[1];"
             "select.dispatchEvent(new Event('change', { bubbles: true }))", select, value)


def value_text(answer):
    """The text of a value: an implementation of its own, to compare with the page."""
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
    """Run tests: NAME.py BUILD [TEST...]. Without names, one in three is run (`some`). A test is a function of (service, page);
    its attribute `flags` has arguments for the browser. It begins without stored preferences. The exit status is 77
    if there is no browser."""
    if lacking := browser.missing():
        print(f"skipped: {lacking}")
        return 77
    chosen = [test for test in tests if test.__name__ in sys.argv[2:]] if sys.argv[2:] else some(tests, 3)
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
                # A page without scripts. Unlike about:blank, it needs no other process of the browser.
                page.open(f"{service.address}/v1")
                page.reset()
                service.forget(page)
                page.console()
                test(service, page)
                # Only refused requests may be on the console.
                expect([], [line for line in page.console() if "Failed to load resource" not in line], "the console")
                print(f"ok      {test.__name__}", flush=True)
            except (browser.WebDriverException, OSError) as error:
                failures += 1
                print(f"FAILED  {test.__name__}: {error}", flush=True)
        if page:
            page.close()
    print(f"{len(chosen) - failures} passed, {failures} failed")
    return 1 if failures or not chosen else 0
