#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Addresses and positions: test_page_address.py BUILD [TEST...]

A reload, Back and a shared link restore a game. Positions are entered as text and by clicks. What the page
says if something is refused, slow, missing or hostile.
"""
import os
import shutil
import sys
import urllib.parse

from browser import Failure
from page_service import FAMILIES, IDLE, OPEN, Service, board_text, choose, expect, main, refusal, some, search, wait_for, wait_problem

HERE = "document.querySelector('#board [tabindex=\"0\"]')"
SPEC = "connect-5x4-k4"
GAME = "?moves=3,2,3,3"


def address_restores_game(service, page):
    service.open(page, SPEC)
    expect("", search(page), "an empty board needs no query")
    for move in "3233":
        page.click(f"#moves [data-move='{move}']")
        page.wait("return document.getElementById('by-moves-text').value.endsWith(arguments[0])"
                  f" && {IDLE}", move)
    wait_for(page, GAME)
    before = page.run("return document.querySelector('main').innerText")
    page.driver.refresh()
    wait_for(page, GAME)
    page.wait("return document.querySelectorAll('#counts .share').length")
    page.run(OPEN)
    expect(before, page.run("return document.querySelector('main').innerText"), "the page after a reload")
    page.driver.back()
    wait_for(page, "?moves=3,2,3")
    page.driver.back()
    wait_for(page, "?moves=3,2")
    expect("5/5/5/1ox2", board_text(page), "two plies back")
    page.driver.forward()
    wait_for(page, "?moves=3,2,3")
    expect("5/5/2x2/1ox2", board_text(page), "a ply forward")


def undone_moves_stay_in_address(service, page):
    service.open(page, SPEC, GAME)
    page.click("#undo")
    wait_for(page, f"{GAME}&ply=3")
    expect("5/5/2x2/1ox2", board_text(page), "after undo")
    page.driver.refresh()
    wait_for(page, f"{GAME}&ply=3")
    page.click("#record [data-ply='1']")
    wait_for(page, f"{GAME}&ply=1")
    page.click("#redo")
    wait_for(page, f"{GAME}&ply=2")
    page.click("#graph [data-ply='4'] .dot")
    wait_for(page, GAME)


def a_board_and_moves_from_it(service, page):
    query = "?board=5/5/2x2/1ox2&moves=3,1&flip=1"
    service.open(page, SPEC, query)
    expect("5/2o2/2x2/xox2", board_text(page), "a game from a board")
    expect(True, page.run("return document.getElementById('board').classList.contains('flipped')"), "flipped")
    boxes = page.run("return ['a1', 'e1'].map((cell) => document.querySelector(`#board [data-cell=${cell}]`)"
                     ".getBoundingClientRect().left)")
    if boxes[0] <= boxes[1]:
        raise Failure(f"column a is left of column e on a flipped board: {boxes}")


def text_sets_position_or_is_refused(service, page):
    service.open(page, SPEC)
    for field, text, flags in [("board", "5/5/5/xx3", ()), ("board", "5/5/2x2/5", ()), ("board", "7/7", ()),
                               ("moves", "33333", ("--moves",)), ("moves", "9", ("--moves",))]:
        page.type(f"#by-{field}-text", text)
        page.keys("Enter")
        wait_problem(page, refusal(service, SPEC, text, *flags))
        expect("true", page.run("return document.activeElement.getAttribute('aria-invalid')"), "the field is marked as invalid")
        expect("problem", page.run("return document.activeElement.getAttribute('aria-describedby')"), "and described by the message")
    expect("", search(page), "a refused text changes nothing")
    page.type("#by-moves-text", "3233")
    page.keys("Enter")
    wait_for(page, GAME)
    wait_problem(page, "")
    page.type("#by-board-text", "5/5/5/1x3")
    page.keys("Enter")
    wait_for(page, "?board=5/5/5/1x3")


def a_bad_address_says_why(service, page):
    for query, why in (("?board=5/5/5/xx3", refusal(service, SPEC, "5/5/5/xx3")), ("?moves=9", refusal(service, SPEC, "9", "--moves")),
                       ("?board=7/7", refusal(service, SPEC, "7/7"))):
        page.open(f"{service.address}/tables/{SPEC}{query}")
        wait_problem(page, f"This link cannot be shown: {why}.")
        expect(["5/5/5/5", SPEC, query], [board_text(page), page.run("return document.getElementById('table').value"), search(page)],
               "the empty board and the table are shown; the address is kept, so that it can be corrected")
        expect("Start again", page.text("#again"), "the button")
        page.click("#again")
        wait_for(page, "")
        wait_problem(page, "")
    page.run("localStorage.clear()")
    for path, text in (("tables/connect-9x9-k9", "There is no table 'connect-9x9-k9' here."),
                       ("nothere", "There is nothing at this address."), ("a/b", "There is nothing at this address."),
                       ("tables/%ff", "There is no table '%ff' here."), ("tables/", "There is nothing at this address.")):
        page.open(f"{service.address}/{path}")
        wait_problem(page, text)
        expect([], page.run("return [...document.querySelectorAll('section')].filter((one) => one.checkVisibility())"
                            ".map((one) => one.textContent)"), "no board")
        expect("", page.run("return document.getElementById('table').value"), "no table is chosen")
        expect([f"{service.address}/tables/{spec}" for spec in sorted(FAMILIES)],
               page.run("return [...document.querySelectorAll('#list a')].filter((one) => one.checkVisibility())"
                        ".map((one) => one.href)"), "links to all tables")
    choose(page, "table", page.run("return document.getElementById('table').options[0].value"))
    page.wait("return document.querySelector('#board [data-cell]')?.checkVisibility()", what="the first table")
    wait_problem(page, "")
    expect(False, page.run("return document.getElementById('list').checkVisibility()"), "no list of tables beside a board")


def what_takes_long_or_fails_is_said(service, page):
    service.open(page, SPEC)
    page.run("const ask = window.fetch; window.fetch = (...all) =>"
             " new Promise((go) => { window.release = () => { window.fetch = ask; go(ask(...all)); }; })")
    seen = "return getComputedStyle(document.getElementById('loading')).visibility === 'visible'" \
           " && document.getElementById('loading').checkVisibility()"
    expect(False, page.run(f"document.querySelector(\"#moves [data-move='3']\").click(); {seen}"), "at first, so that a short request does not flicker")
    page.wait(seen, what="'Loading'")
    page.run("window.release()")
    wait_for(page, "?moves=3")
    expect(False, page.run(seen), "after the answer")
    page.command("Network.enable")
    page.command("Network.setBlockedURLs", urls=["*/positions*"])
    try:
        page.open(f"{service.address}/tables/{SPEC}{GAME}")
        wait_problem(page, "The server does not answer. Is plybase serve still running?")
    finally:
        page.command("Network.setBlockedURLs", urls=[])
    expect("Try again", page.text("#again"), "the button")
    page.run("window.passOn = window.fetch; window.fetch = async () => new Response('{}', { status: 403 })")
    page.click("#again")
    wait_problem(page, "The server answers with status 403.")
    page.run("window.fetch = window.passOn; history.replaceState(null, '', location.href); dispatchEvent(new PopStateEvent('popstate'))")
    page.wait("return document.getElementById('by-moves-text').value === '3233'", what="the game, after the second try")
    wait_problem(page, "")


# Texts that would be executed if they were inserted as HTML.
HOSTILE = ["<img src=x onerror=window.broken=1>", "'\"><script>window.broken=1</script>", "javascript:window.broken=1",
           "<svg/onload=window.broken=1>", "${window.broken=1}", "\u202e\u0000</title><script>window.broken=1</script>"]
PLACES = [f"tables/{SPEC}?board=", f"tables/{SPEC}?moves=", f"tables/{SPEC}?compare=", f"tables/{SPEC}?ply=", f"tables/{SPEC}#",
          "tables/", "embed/", "", "api/", "problems/", "v1/tables/"]


def hostile_texts_are_texts(_, page):
    with Service(os.path.abspath(sys.argv[1]), [SPEC]) as service:
        service.stop()
        for i, name in enumerate(HOSTILE[:1] + HOSTILE[2:3]):
            shutil.copy(service.file(SPEC), service.file(name.replace("/", "")))
            with open(service.file(f"{i}{name.replace('/', '')}"), "wb") as file:
                file.write(b"no table <script>window.broken=1</script>")
        with service:
            pairs = [(place, urllib.parse.quote(text, safe="")) for text in HOSTILE for place in PLACES]
            for place, quoted in some(pairs, 13):
                page.open(f"{service.address}/{place}{quoted}")
                page.pause(20)
                expect([None, 0], page.run("return [window.broken ?? null, document.querySelectorAll("
                                           "'img, [onload], [onerror], script:not([src])').length]"), place + quoted)
            service.open(page, SPEC)
            for text in some(HOSTILE, 3):
                for field in ("board", "moves"):
                    page.run("document.getElementById(arguments[0] + '-text').value = arguments[1];"
                             "document.getElementById(arguments[0]).requestSubmit()", f"by-{field}", text)
                    page.wait("return document.getElementById('problem').textContent", what=f"the refusal of {text}")
                    expect(None, page.run("return window.broken ?? null"), f"{text} as {field}")
            # The content security policy would stop a script that was inserted nevertheless.
            for place in (f"tables/{SPEC}", f"embed/{SPEC}", "nothere", "api"):
                page.open(f"{service.address}/{place}")
                stopped = page.run("""window.stopped = [];
                    document.addEventListener('securitypolicyviolation', (event) => window.stopped.push(event.effectiveDirective));
                    const script = document.createElement('script');
                    script.textContent = 'window.broken = 1';
                    document.body.append(script);
                    document.body.insertAdjacentHTML('beforeend', '<img src="http://127.0.0.1:9/" onerror="window.broken = 1">');
                    const base = document.createElement('base');
                    base.href = 'http://127.0.0.1:9/';
                    document.head.append(base);
                    return new Promise((go) => setTimeout(() => go([...new Set(window.stopped)].sort()), 300))""")
                expect(["base-uri", "img-src", "script-src-attr", "script-src-elem"], stopped, f"what the policy of {place} stops")
                expect(None, page.run("return window.broken ?? null"), f"an injected script at {place}")
            page.console()  # discard the messages about what was stopped


def a_position_is_set_up_by_clicks(service, page):
    service.open(page, "mnk-3x3-k3")
    page.click("#edit")
    page.click("#board [data-cell=b2]")
    page.wait("return document.querySelector('[data-cell=b2]').dataset.piece === 'x'")
    page.click("#board [data-cell=a1]")
    wait_problem(page, refusal(service, "mnk-3x3-k3", "3/1x1/x2"))
    page.click("#board [data-cell=a1]")
    wait_problem(page, "")
    inert = "return ['#moves', '#best', '#record', '#graph'].map((one) => !!document.querySelector(one).closest('[inert]'))"
    expect([True] * 4, page.run(inert), "parts that show the old position cannot be used")
    page.click("#setup-use")
    wait_for(page, "?board=3/1x1/o2")
    expect([False] * 4, page.run(inert), "parts that show the new position")
    page.click("#edit")
    page.click("#setup-clear")
    page.wait("return !document.querySelector('#board [data-piece]')", what="an empty board")
    expect("3/3/3", board_text(page), "its text")
    page.click("#setup-end")
    expect(["3/1x1/o2", "x to move"], [board_text(page), page.text("#status")[:9]], "Cancel changes nothing")
    service.open(page, "numeric-3x3")
    page.click("#edit")
    expect(True, page.run("return document.getElementById('numbers').inert"), "numbers cannot be chosen while editing")
    page.run(f"{HERE}.focus()")
    page.keys("Down", "Right", "5")
    page.wait("return document.querySelector('[data-cell=b2]').dataset.piece === '5'")
    page.wait(f"return {IDLE}")
    page.click("#setup-use")
    wait_for(page, "?board=.,.,./.,5,./.,.,.")


TESTS = [
    address_restores_game, undone_moves_stay_in_address, a_board_and_moves_from_it, text_sets_position_or_is_refused,
    a_bad_address_says_why, what_takes_long_or_fails_is_said, hostile_texts_are_texts, a_position_is_set_up_by_clicks]

if __name__ == "__main__":
    sys.exit(main(TESTS))
