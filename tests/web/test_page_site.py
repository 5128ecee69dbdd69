#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of `plybase site`, on hosts of static files: test_page_site.py BUILD [two] [TEST...]
two: with tables of two families instead of all.

In the page the library gives the answers of the command, byte for byte, for tables of all families, whole and in
parts. Values and games are shown as by `plybase serve`. Files that are damaged, truncated, of another table or
missing, and hosts without ranges, cause a message and never a wrong answer.
"""
import json
import os
import random
import subprocess
import sys
import time

from browser import Failure
from page_service import FAMILIES, READY, Service, expect, main, refusal, wait_for, wait_problem
from static_server import StaticServer
import test_page_values

POSITIONS = 60
MISERE = "connect-4x4-k4-misere"

# What source.js of the page answers to paths of the service: texts, or messages of refusals.
ASK = """
const { ask } = await import(new URL("assets/source.js", location.href));
const answers = [];
for (const path of arguments[0])
  answers.push(await ask(path).then((body) => ({ text: JSON.stringify(body) }), ({ message }) => ({ message })));
return answers;
"""


class Site(Service):
    """A service whose tables are published as a site on a static server."""

    def __init__(self, build, parts=()):
        families = ("connect-5x4-k4", "square-4x4") if "two" in sys.argv else tuple(FAMILIES)
        super().__init__(build, families)
        self.families = families
        self.path = os.path.join(self.folder, "site")
        self.run("site", *(self.file(spec) for spec in families), "-o", self.path, *parts)

    def __enter__(self):
        self.server = StaticServer(self.path).__enter__()
        self.address = self.server.address
        return self

    def stop(self):
        self.server.__exit__()

    def address_of(self, spec, query="", place="tables"):
        search = f"?table={spec}{'&embed=1' if place == 'embed' else ''}{query.replace('?', '&')}"
        return f"{self.address}/{search}", search

    def file_name(self, spec):
        with open(os.path.join(self.path, "tables", f"{spec}.json"), encoding="utf-8") as file:
            return json.load(file)["file"]["name"]

    def bytes_of(self, name):
        with open(os.path.join(self.path, "tables", name), "rb") as file:
            return bytearray(file.read())


def ask(page, spec, positions, what="positions"):
    return page.run(ASK, [f"/v1/tables/{spec}/{what}?board={position.replace(',', '%2C')}" for position in positions])


def text_of(line, spec):
    """A line of `plybase probe --json` in the form of the service."""
    return json.dumps({"table": spec, **line}, separators=(",", ":"), ensure_ascii=False)


def compare(site, page, spec, positions):
    for line, answer, position in zip(site.probe(spec, positions), ask(page, spec, positions), positions, strict=True):
        expect(text_of(line, spec), answer.get("text", answer), f"{spec}: {position}")


def answers_are_those_of_probe(site, page):
    for spec in site.families:
        site.open(page, spec)
        compare(site, page, spec, site.sample(spec, POSITIONS, 11))


def games_are_those_of_annotate(site, page):
    site.open(page, "connect-5x4-k4")
    games = {"connect-5x4-k4": "3,2,3,3,1,5,5,5,1,2", MISERE: "1,2,3,1,2,2", "numeric-3x3": "5@b2,2@a1,3@c1"}
    for spec, moves in games.items():
        if spec not in site.families:
            continue
        (answer,) = page.run(ASK, [f"/v1/tables/{spec}/annotate?moves={moves}"])
        wanted = json.loads(site.run("annotate", site.file(spec), moves, "--json"))
        expect({"table": wanted.pop("spec"), **wanted}, json.loads(answer["text"]), spec)


def values_are_shown(site, page):
    test_page_values.every_value_is_that_of_probe(site, page)


def games_can_be_played(site, page):
    test_page_values.a_game_of_every_family(site, page)


def searches_end_and_agree(site, page):
    site.open(page, MISERE)
    for position in site.sample(MISERE, 12, 5):
        best = json.loads(site.run("best", site.file(MISERE), position, "--json"))
        line = json.loads(site.run("line", site.file(MISERE), position, "--json"))
        (got,), (along,) = (ask(page, MISERE, [position], what) for what in ("best", "line"))
        got, along = json.loads(got["text"]), json.loads(along["text"])
        for name in ("value", "dtm_plies", "moves"):
            expect(best[name], got[name], f"best {position}: {name}")
        expect([move["move"] for move in line["moves"]], [move["move"] for move in along["moves"]], f"line {position}")
    page.click("#line")
    page.wait("return document.querySelectorAll('#line-moves li').length > 0")


def refusals_are_those_of_probe(site, page):
    spec = "connect-5x4-k4"
    site.open(page, spec)
    for position in ("5/5/5/xx3", "5/5/5", "5/5/x4/5", "5/5/5/5z", "1xxxx/5/5/5", "oooo1/xxxx1/5/5"):
        (answer,) = ask(page, spec, [position])
        expect(refusal(site, spec, position), answer.get("message"), position)
    page.open(f"{site.address}/?table=connect-9x9-k4")
    wait_problem(page, "There is no table 'connect-9x9-k4' here.")


def addresses_restore_games(site, page):
    site.open(page, MISERE)
    expect(True, page.run("return document.querySelector('nav a').hidden"), "no link to the API")
    page.keys("1")
    wait_for(page, f"?table={MISERE}&moves=1")
    page.driver.refresh()
    wait_for(page, f"?table={MISERE}&moves=1")
    page.driver.back()
    wait_for(page, f"?table={MISERE}")
    link = page.run("return document.getElementById('csv').href")
    text = page.run("return (await fetch(arguments[0])).text()", link)
    expect(site.run("stats", site.file(MISERE), "--csv"), text, "the file of counts")
    site.open(page, MISERE, "?moves=1", "embed")
    expect(True, page.run("return document.body.classList.contains('embedded')"), "in a frame")


def a_site_can_be_in_a_folder(site, page):
    spec = "connect-5x4-k4"
    with StaticServer(site.folder) as host:
        page.open(f"{host.address}/site/?table={spec}")
        page.wait(READY, f"?table={spec}")
        page.keys("1")
        wait_for(page, f"?table={spec}&moves=1")
        page.driver.refresh()
        page.wait(READY, f"?table={spec}&moves=1")
        page.click("h1 a")
        page.wait(READY, f"?table={site.families[0]}")
        expect([], [target for target in host.asked if not target.startswith("/site/")], "requests outside the folder")


def answers_are_cached(site, page):
    spec = "connect-5x4-k4"
    site.open(page, spec)
    position = site.sample(spec, 1, 3)
    first = ask(page, spec, position)
    before = len(site.server.asked)
    expect(first, ask(page, spec, position), "the same answer again")
    expect(before, len(site.server.asked), "requests for a known position")


# ---- damaged files, other hosts ----

def asked_of(site, page, spec, positions, changed, ranges=True):
    """Answers from a host on which some files are changed."""
    with StaticServer(site.path, ranges) as host:
        host.changed.update(changed)
        page.open(f"{host.address}/assets/icon.svg")
        page.run("history.replaceState(null, '', '/')")
        return ask(page, spec, positions)


def damage_is_refused(site, page):
    spec, wrong, refused, files = "connect-5x4-k4", 0, 0, 25 if len(site.families) > 2 else 10
    name, positions = site.file_name(spec), site.sample(spec, 25, 9)
    right, numbers = [text_of(line, spec) for line in site.probe(spec, positions)], random.Random(4)
    whole = site.bytes_of(f"{name}.plb")
    for _ in range(files):
        damaged = whole.copy()
        for _ in range(200):
            damaged[numbers.randrange(len(damaged))] ^= 1 << numbers.randrange(8)
        for answer, wanted in zip(asked_of(site, page, spec, positions, {f"{name}.plb": damaged}), right):
            wrong += answer.get("text", wanted) != wanted
            refused += "is damaged" in answer.get("message", "")
    expect(0, wrong, "wrong answers")
    if refused < 2 * files:
        raise Failure(f"only {refused} refusals of {files * len(positions)}")


def truncated_and_foreign_files_are_refused(site, page):
    spec = "connect-5x4-k4"
    name, other, positions = site.file_name(spec), site.file_name("square-4x4"), site.sample(spec, 40, 2)
    whole, directory = site.bytes_of(f"{name}.plb"), site.bytes_of(f"{name}.dir")
    cases = [
        ({f"{name}.plb": whole[:8192]}, f"The file {name} is cut short on this host."),
        ({f"{name}.plb": b"<!doctype html><title>Not found</title>"}, f"The file {name} is cut short on this host."),
        ({f"{name}.dir": site.bytes_of(f"{other}.dir")}, f"The file {name}.dir is one of another table, square-4x4."),
        ({f"{name}.dir": directory[:100]}, f"The file {name}.dir is not what plybase site wrote."),
        ({f"{name}.dir": b""}, f"The file {name}.dir is not what plybase site wrote."),
        ({f"{name}.dir": b"<!doctype html>"}, f"The file {name}.dir is not what plybase site wrote."),
        ({f"{spec}.json": b"<!doctype html>"}, f"The file {spec}.json is not what plybase site wrote."),
    ]
    for changed, wanted in cases:
        said = {answer.get("message") for answer in asked_of(site, page, spec, positions, changed)} - {None}
        expect({wanted}, said, f"{list(changed)}")
    missing = {answer.get("message") for answer in asked_of(site, page, "connect-7x6-k4", ["7/7/7/7/7/7"], {})}
    expect({"The host of this page has no file connect-7x6-k4.json (status 404)."}, missing, "a missing table")


def hosts_without_ranges_serve_small_tables(site, page):
    spec = "connect-5x4-k4"
    positions = site.sample(spec, 20, 8)
    right = [text_of(line, spec) for line in site.probe(spec, positions)]
    got = asked_of(site, page, spec, positions, {}, ranges=False)
    expect(right, [answer.get("text", answer) for answer in got], "a host without ranges")
    description = json.loads(site.bytes_of(f"{spec}.json"))
    description["file"]["size_bytes"] = 1 << 30
    got = asked_of(site, page, spec, positions[:1], {f"{spec}.json": json.dumps(description).encode()}, ranges=False)
    name = site.file_name(spec)
    expect(f"The host of this page sends {name}.plb whole when a part is asked for. "
           "For large tables a host is needed that serves ranges.", got[0].get("message"), "a large table")


def tables_can_be_in_parts(site, page):
    """A table of more than one part, and a strategy, on a slow host."""
    strategy = os.path.join(site.folder, "strategy.plb")
    site.run("build", "connect-5x5-k4", "--values", "dtm", "-o", os.path.join(site.folder, "connect-5x5-k4.plb"))
    site.run("strategy", site.file(MISERE), "-o", strategy)
    folder = os.path.join(site.folder, "parts")
    site.run("site", site.file("connect-5x5-k4"), strategy, "-o", folder, "--part-size", "256K")
    names = os.listdir(os.path.join(folder, "tables"))
    expect(["000", "001"], sorted(name[-3:] for name in names if name[-3:].isdigit())[:2], "parts")
    positions = site.sample("connect-5x5-k4", POSITIONS, 6)
    known = site.sample(MISERE, 400, 6)
    with StaticServer(folder, delay=0.02) as host:
        page.open(f"{host.address}/?table=connect-5x5-k4")
        page.wait(READY, "?table=connect-5x5-k4")
        compare(site, page, "connect-5x5-k4", positions)
        lines = subprocess.run([site.command, "probe", strategy, "-", "--json"], input="".join(f"{p}\n" for p in known),
                               capture_output=True, text=True, check=False).stdout.splitlines()
        for line, answer in zip(map(json.loads, lines), ask(page, MISERE, known), strict=True):
            wanted = {"message": line["message"]} if "error" in line else {"text": text_of(line, MISERE)}
            expect(wanted, answer, f"strategy: {line['position']}")


def time_of_opening(site, page):
    """Prints the time on a host that waits 50 ms before each answer; checks nothing."""
    with StaticServer(site.path, delay=0.05) as host:
        begun = time.monotonic()
        page.open(f"{host.address}/?table=connect-5x4-k4")
        page.wait(READY, "?table=connect-5x4-k4")
        print(f"        {time.monotonic() - begun:.2f} s, {len(host.asked)} requests")


if __name__ == "__main__":
    if not os.path.exists(os.path.join(sys.argv[1], "module", "plybase.wasm")):
        print("skipped: the module for browsers is not built: tools/checks/packages site installs what it needs")
        sys.exit(77)
    sys.exit(main([answers_are_those_of_probe, games_are_those_of_annotate, values_are_shown, games_can_be_played, searches_end_and_agree,
                   refusals_are_those_of_probe, addresses_restore_games, a_site_can_be_in_a_folder, answers_are_cached, damage_is_refused,
                   truncated_and_foreign_files_are_refused, hosts_without_ranges_serve_small_tables,
                   tables_can_be_in_parts, time_of_opening], Site))
