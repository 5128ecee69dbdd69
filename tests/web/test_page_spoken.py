#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Accessibility: test_page_spoken.py BUILD [TEST...]

In each of several states the accessibility tree is that of spoken/STATE.txt, and axe-core finds no violation, in
light and dark mode, in a wide window and on a phone. PLYBASE_WRITE=1 rewrites the files. axe-core is
installed from npm into a temporary folder; if this fails, its test is skipped with a message.
"""
import os
import shutil
import subprocess
import sys
import tempfile

from browser import Failure
from page_service import IDLE, expect, main, some

SPOKEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "spoken")


def click(selector, until):
    def act(page):
        page.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", selector)
        page.click(selector)
        page.wait(f"return {until}")
    return act


def enter_text(page):
    page.type("#by-board-text", "5/5/5/xx3")
    page.keys("Enter")
    page.wait("return document.getElementById('problem').textContent")


STATES = {  # by name: table, query, a function that is then called or None, and "embed" for a page in a frame
    "empty": ("connect-5x4-k4", "", None),
    "game": ("connect-5x4-k4", "?moves=3,2,3,3", None),
    "taken-back": ("connect-5x4-k4", "?moves=3,2,3,3&ply=2", None),
    "over": ("connect-5x4-k4", "?moves=1,2,1,2,1,2,1", None),
    "misere": ("connect-4x4-k4-misere", "?moves=1,2", None),
    "cylinder": ("connect-5x4-k4-cylinder", "?moves=1,5,2,3&compare=connect-5x4-k4", lambda page: page.wait(
        "return document.querySelectorAll('#other [data-value]').length")),
    "cells": ("mnk-3x3-k3", "?moves=a1,b2,c3", None),
    "square": ("square-4x4", "?moves=b2", None),
    "numbers": ("numeric-3x3", "?moves=5@b2,2@a1", None),
    "set-up": ("mnk-3x3-k3", "?moves=b2", lambda page: [
        click("#edit", "!document.getElementById('setup').hidden")(page),
        click("#board [data-cell=a1]", "document.getElementById('problem').textContent")(page)]),
    "line": ("mnk-3x3-k3", "?moves=a1,b1", click("#line", "document.querySelector('#line-moves button')")),
    "hidden": ("mnk-3x3-k3", "?moves=a1,b1", click("#values", "!document.querySelector('#moves [data-value]')")),
    "keys": ("mnk-3x3-k3", "", click("#help", "document.getElementById('keys').open")),
    "refused": ("connect-5x4-k4", "?moves=3", enter_text),
    "counts": ("mnk-3x3-k3", "", click("#counts-details summary", "document.getElementById('counts-table').checkVisibility()")),
    "embed": ("numeric-3x3", "?moves=5@b2", None, "embed"),
}


def enter(service, page, name):
    """Bring the page into a state."""
    spec, query, act, *place = STATES[name]
    service.forget(page)
    service.open(page, spec, query, *place)
    page.wait("return document.querySelectorAll('#counts [data-sample]').length")
    if act:
        act(page)
    page.wait(f"return {IDLE}")


def what_is_spoken(service, page):
    differing = []
    for name in STATES:
        enter(service, page, name)
        spoken, path = page.spoken().replace(service.address, "http://HERE"), os.path.join(SPOKEN, f"{name}.txt")
        if os.environ.get("PLYBASE_WRITE"):
            os.makedirs(SPOKEN, exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(spoken)
        with open(path, encoding="utf-8") as file:
            wanted = file.read()
        if wanted != spoken:
            differing.append(name)
            lines = zip(wanted.splitlines() + [""], spoken.splitlines() + [""])
            print(f"        {name}:", *next((pair for pair in lines if pair[0] != pair[1]), ()), sep="\n          ")
    expect([], differing, "states with another accessibility tree")


def axe_source():
    folder = tempfile.mkdtemp(prefix="plybase-axe-")
    try:
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent", "axe-core"], cwd=folder,
                       check=True, timeout=120, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(os.path.join(folder, "node_modules/axe-core/axe.min.js"), encoding="utf-8") as file:
            return file.read()
    except (OSError, subprocess.SubprocessError) as error:
        print(f"        skipped: no axe-core from npm ({error})")
        return None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


AXE = """return axe.run(document, { resultTypes: ["violations"] }).then((found) => [found.passes.length,
    found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`)])"""


def axe_finds_nothing(service, page):
    source = axe_source()
    if not source:
        return
    wrong = []
    for name in some([*STATES, None], 8):
        if name:
            enter(service, page, name)
        else:
            page.open(f"{service.address}/tables/connect-9x9-k9")
            page.wait("return document.getElementById('problem').textContent")
        page.run(source)
        for scheme, width in (("light", 1280), ("dark", 320)):
            page.media(prefers_color_scheme=scheme)
            page.resize(width, 900)
            passes, violations = page.run(AXE)
            wrong += [f"{name or 'no such table'}, {scheme}, {width} px: {one}" for one in violations]
            if passes < 10:
                raise Failure(f"{name or 'no such table'}: only {passes} rules were checked")
    expect([], wrong, "what axe-core finds")


def forced_colours_and_less_motion(service, page):
    page.media(forced_colors="active", prefers_reduced_motion="reduce")
    service.open(page, "connect-5x4-k4", "?moves=3,2,3,3")
    style = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    stones = [page.run(style, f"[data-piece={player}] .piece", "backgroundColor") for player in "xo"]
    if stones[0] == stones[1]:
        raise Failure(f"with forced colours the stones of both players are {stones[0]}")
    expect("3px", page.run(style, "#values", "borderTopWidth"), "the border of a pressed button")
    expect("0s", page.run(style, "#board .cell", "transitionDuration"), "no transition with reduced motion")


def twice_as_large_still_fits(service, page):
    page.resize(640, 450)
    service.open(page, "numeric-3x3", "?moves=5@b2")
    expect(["32px", 640], page.run("return [getComputedStyle(document.body).fontSize, document.documentElement.scrollWidth]"),
           "the font size of the browser is used, and the page is not wider than the window")


twice_as_large_still_fits.flags = {"preferences": {"webkit.webprefs.default_font_size": 32}}


TESTS = [
    what_is_spoken, axe_finds_nothing, forced_colours_and_less_motion, twice_as_large_still_fits]

if __name__ == "__main__":
    sys.exit(main(TESTS))
