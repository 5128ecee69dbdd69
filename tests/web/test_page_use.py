#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Using the page: test_page_use.py BUILD [TEST...]

Moves by keys and by touch; what is shown, hidden, compared and copied; sizes of windows; printing; the page
without JavaScript, without its server, and after a table was replaced.
"""
import json
import os
import signal
import statistics
import subprocess
import sys
import urllib.parse

from browser import Failure

from page_service import (
    FAMILIES, IDLE, Service, board_text, choose, expect, main, refusal, search, status_text, value_text, wait_for, wait_problem)

HERE = "document.querySelector('#board [tabindex=\"0\"]')"
SPEC = "connect-5x4-k4"
GAME = "?moves=3,2,3,3"


# ---- playing ----

def keys_work_after_loading(service, page):
    at = "return document.activeElement.{}"
    service.open(page, SPEC)
    expect("BODY", page.run(at.format("tagName")), "the focus after loading")
    page.keys("?")
    page.wait("return document.getElementById('keys').open", what="? opens the list of keys")
    if "anywhere" not in page.text("#keys"):
        raise Failure("the list of keys does not say where they work")
    page.keys("3", "Escape")
    page.wait("return !document.getElementById('keys').open")
    expect("", search(page), "a key in a dialog plays no move")
    page.keys("3")
    wait_for(page, "?moves=3")
    expect("gridcell", page.run(at.format("role")), "the focus after a move")
    expect("1", page.run("return getComputedStyle(document.activeElement).zIndex"), "the focused cell is above its neighbours, with its outline")
    page.click("#logarithmic")
    page.keys("v", "2")
    wait_for(page, "?moves=3,2")
    page.click("#by-moves-text")
    page.keys("4", "?", "Backspace", "Backspace")
    expect(["32", "?moves=3,2", False], page.run("return [document.getElementById('by-moves-text').value, location.search,"
                                                 " document.getElementById('keys').open]"), "keys in a field")
    page.click("#values")


def keys_alone_place_numbers(service, page):
    service.open(page, "numeric-3x3")
    at = "return document.activeElement.{}"
    for _ in range(30):
        page.keys("Tab")
        if page.run(at.format("dataset.number")) == "7":
            break
    page.keys("Space")
    wait_for(page, "")
    expect("7", page.run(at.format("dataset.number")), "the focus stays")
    page.keys("Shift+Tab")
    while page.run(at.format("role")) != "gridcell":
        page.keys("Shift+Tab")
    page.keys("Down", "Right", "Enter")
    wait_for(page, "?moves=7@b2")
    expect("b2: 7, last move", page.run(at.format("ariaLabel")), "where the focus is")


def keys_alone_play_a_game(service, page):
    service.open(page, SPEC)
    for _ in range(30):  # to the board, by keys only
        page.keys("Tab")
        if page.run("return document.activeElement.getAttribute('role')") == "gridcell":
            break
    page.keys("3")
    wait_for(page, "?moves=3")
    expect("x plays 3. o to move: draw", page.text("#said"), "what is announced after a move")
    page.keys("Control+Home", "Right", "Enter")
    wait_for(page, "?moves=3,2")
    page.keys("Backspace")
    wait_for(page, "?moves=3,2&ply=1")
    expect("Taken back: 2. o to move: draw", page.text("#said"), "what is announced after undo")
    page.keys("Shift+Backspace")
    wait_for(page, "?moves=3,2")
    page.keys("PageUp", "PageUp", "PageDown")
    wait_for(page, "?moves=3,2&ply=1")
    page.keys("v")
    expect("Values are hidden. o to move", page.text("#said"), "what is announced when values are hidden")
    page.keys("v", "f")
    wait_for(page, "?moves=3,2&flip=1&ply=1")
    page.keys("f", "?")
    page.wait("return document.getElementById('keys').open")
    page.keys("Escape")
    page.wait("return document.activeElement.getAttribute('role') === 'gridcell'", what="the board has the focus again")
    for button in ("edit", "setup-end"):
        page.run("document.getElementById(arguments[0]).focus()", button)
        page.keys("Enter")
        page.wait("return document.activeElement.getAttribute('role') === 'gridcell'", what=f"the board has the focus after '{button}'")
    for ply in range(2, 21):  # the best moves to the end
        if page.run("return !document.querySelector('#moves .move')"):
            break
        page.keys("b")
        page.wait("return document.querySelector('#record [aria-current]').dataset.ply === `${arguments[0]}`"
                  f" && {IDLE}", ply)
    expect("The game is drawn", page.text("#status"), "the end")
    expect("gridcell", page.run("return document.activeElement.getAttribute('role')"), "the focus stays")


def values_stay_hidden(service, page):
    service.open(page, "numeric-3x3", "?moves=5@b2")
    page.click("#values")
    page.driver.refresh()
    wait_for(page, "?moves=5@b2")
    page.wait("return document.querySelectorAll('#moves .move').length")
    shown = page.run("return ['.play', '#moves-part', '#game-part'].map((part) => document.querySelector(part).innerText).join()"
                     "+ [...document.querySelectorAll('#board [aria-label], .number')].map((e) => e.ariaLabel).join()")
    for word in ("win", "loss", "draw"):
        if word in shown.replace("winner", "").replace("x wins", "").replace("o wins", "").replace("\ndraw\n", "")\
                .replace(page.text("#rules"), ""):
            raise Failure(f"'{word}' is shown though values are hidden: {shown}")
    expect(0, page.run("return document.querySelectorAll('main .play [data-value], #moves-part [data-value], .dot, .share').length"),
           "elements with values")
    seen = "return ['hidden-note', 'counts-legend', 'counts-details', 'line-part'].filter((id) => document.getElementById(id).checkVisibility())"
    expect(["hidden-note"], page.run(seen), "the note; parts that would reveal values are hidden")
    expect(True, page.run("return document.getElementById('line').disabled"), "the best line would reveal values, too")
    service.open(page, SPEC)
    expect(["counts-legend", "counts-details"], page.run(seen), "values of another table are not hidden")
    expect("x to move: draw", page.text("#status"), "the status of the other table")
    service.open(page, "numeric-3x3", "?moves=5@b2")
    page.click("#values")
    page.driver.refresh()
    wait_for(page, "?moves=5@b2")
    page.wait("return document.querySelector('#status').textContent === 'o to move: draw'", what="values that are shown again")


ROWS = """return [...document.querySelectorAll('#record tbody tr')].slice(1).map((row) =>
    [...row.cells].slice(1).map((cell) => cell.textContent.replace('✗ ', '').split('; best: ')[0].trim()))"""


def annotated(service, spec, moves):
    """What `plybase annotate` prints: its rows of move, before, after and cost, and its line of mistakes."""
    lines = service.run("annotate", service.file(spec), moves).splitlines()
    starts = [lines[0].index(name) for name in ("move", "before", "after", "cost", "best")]
    rows = [[line[6:starts[1]].strip(), *(line[a:b].strip() for a, b in zip(starts[1:], starts[2:]))] for line in lines[1:]
            if line[:5].strip().isdigit()]
    return rows, next(line for line in lines if line.startswith("mistakes: "))


def a_pasted_game_is_annotated(service, page):
    """The table is that of the command, for each notation of moves. The end of a game is written in words."""
    for spec, moves in ((SPEC, "323314"), (SPEC, "c1 b1, 3"), ("connect-4x4-k4-misere", "a1 b1, c1 a2"), ("connect-5x4-k4-cylinder", "1523,4"),
                        ("mnk-3x3-k3", "a1b1 c3"), ("square-4x4", "b2, c3,a1"), ("numeric-3x3", "5@b2 2@a1,1@c3"),
                        ("mnk-3x3-k3", "a1,b1,a2,b2,a3")):
        service.open(page, spec, more=False)
        page.type("#by-moves-text", moves)
        page.keys("Enter")
        page.wait(f"return document.querySelectorAll('#record tbody tr').length > 1 && {IDLE}")
        rows, mistakes = annotated(service, spec, ",".join(moves.split()))
        shown = page.run(ROWS)
        if page.text("#status") == "x has won":
            rows[-1][2] = "x has won"
        expect(rows, shown, f"{spec} {moves}")
        expect(mistakes, page.text("#mistakes").lower(), f"{spec} {moves}")
        lost = [row[3] for row in rows if " becomes " in row[3]]
        expect(len(lost), page.run("return document.querySelectorAll('#graph .blunder').length"), f"{spec} {moves}: in the graph")
    # The examples beside the field are games of the board.
    with Service(os.path.abspath(sys.argv[1]), ["connect-4x3-k3", "mnk-3x3-k3", "numeric-2x2-each", "numeric-3x3-first23457"]) as small:
        for spec in ("connect-4x3-k3", "mnk-3x3-k3", "numeric-2x2-each", "numeric-3x3-first23457"):
            small.open(page, spec, more=False)
            for example in page.text("#example").partition("such as ")[2].split(" or "):
                page.type("#by-moves-text", example)
                page.keys("Enter")
                moves = " ".join(row[0] for row in annotated(small, spec, ",".join(example.split()))[0])
                page.wait(f"return {IDLE} && arguments[0] === "
                          "[...document.querySelectorAll('#record td:nth-child(2)')].slice(1).map((cell) => cell.textContent).join(' ')", moves)
    service.open(page, "numeric-3x3", "?moves=5@b2,2@a1")
    expect("✗ win becomes draw; best: 1@a2, 3@a2, 7@a2, 9@a2 …", page.run("return document.querySelector('#record tr:nth-child(2) td:last-child').textContent"),
           "the better moves")


def scores_are_those_of_export(service, page):
    """Scores are those of `plybase export --format pons`; the choice of scores is kept."""
    service.open(page, SPEC)
    choose(page, "unit", "score")
    page.driver.refresh()
    page.wait("return document.querySelector('#moves .move')")
    for line in service.run("export", service.file(SPEC), "--format", "pons", "--sample", "7", "--seed", "3", "-o", "-").splitlines():
        moves, score = line.split()
        page.type("#by-moves-text", moves)
        page.keys("Enter")
        wait_for(page, f"?moves={','.join(moves)}")
        sign = {1: "+", 0: "", -1: "−"}[(int(score) > 0) - (int(score) < 0)]
        wanted = f"score {sign}{abs(int(score))}"
        expect([wanted] * 2, [page.text("#status").split(": ")[1],
                              page.run("return document.querySelector('#moves .move').lastChild.textContent")], line)
    if "half the cells" not in page.text("#distances"):
        raise Failure("scores are not explained")
    service.open(page, "connect-4x4-k4-misere", "?moves=1,2")
    expect([False, "loss"], page.run("return [document.getElementById('unit').checkVisibility(),"
                                     " document.querySelector('#moves .move').lastChild.textContent]"), "a table without distances")
    service.open(page, SPEC)
    choose(page, "unit", "plies")


def the_board_and_the_moves_come_first(service, page):
    """The board has half of a wide window; on a phone the moves follow it. What is rarely needed can be opened by a key."""
    box = "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()"
    page.resize(1280, 800)
    service.open(page, SPEC, GAME, more=False)
    width = page.run(box, "#board")["width"]
    if width < 640:
        raise Failure(f"the board has {width} px of 1280")
    page.resize(360, 740)
    service.open(page, SPEC, GAME, more=False)
    gap = page.run(box, "#moves .move")["top"] - page.run(box, "#board")["bottom"]
    if not 0 <= gap <= 80:
        raise Failure(f"{gap} px from the board to the moves")
    page.resize(1280, 900)
    rare = "return ['by-board', 'curl-text', 'picture', 'counts'].filter((id) => document.getElementById(id).checkVisibility())"
    expect([], page.run(rare), "rarely needed parts, closed")
    page.run("document.querySelector('#more > summary').focus()")
    page.keys("Enter")
    expect(["by-board", "curl-text", "picture", "counts"], page.run(rare), "rarely needed parts, open")
    page.run("document.getElementById('more').scrollIntoView()")
    if page.run(box, ".play")["bottom"] > page.run(box, "#more")["top"]:
        raise Failure("the board covers what is below")


def distances_are_explained_if_there_are_any(service, page):
    for spec, values in FAMILIES.items():
        service.open(page, spec)
        expect(values == "dtm", page.run("return document.getElementById('distances').checkVisibility()"), spec)


def moves_and_cells_are_highlighted_together(service, page):
    lit = ("const board = document.querySelectorAll('#board [data-target].lit');"
           "return [[...board].map((cell) => cell.dataset.cell),"
           " [...document.querySelectorAll('#moves .lit')].map((move) => move.dataset.move)]")
    for spec, query, move, cell in [(SPEC, GAME, "4", "d1"), ("mnk-3x3-k3", "?moves=b2", "c3", "c3")]:
        service.open(page, spec, query)
        page.hover(f"#moves [data-move='{move}']")
        expect([[cell], [move]], page.run(lit), "highlighted by the list")
        page.hover("#status")
        expect([[], []], page.run(lit), "nothing is highlighted")
        page.hover(f"#board [data-cell={cell}]")
        expect([[cell], [move]], page.run(lit), "highlighted by the board")
    page.hover("#status")
    service.open(page, "mnk-3x3-k3", "?moves=a1,b1,a2,b2,a3")
    expect(["a3", "a2", "a1"], page.run("return [...document.querySelectorAll('#board [data-grouped]')]"
                                        ".map((cell) => cell.dataset.cell)"), "the complete group")


def another_table_is_compared(service, page):
    service.open(page, "connect-5x4-k4-cylinder", "?moves=1,5,2,3&compare=connect-5x4-k4")
    page.wait("return document.querySelectorAll('#other [data-value]').length")
    theirs = service.probe("connect-5x4-k4", ["5/5/5/xxo1o"])[0]
    shown = page.run("return Object.fromEntries([...document.querySelectorAll('#moves .move')].map((move) =>"
                     " [move.dataset.move, move.querySelector('.theirs').dataset.value]))")
    expect({move["move"]: move["value"] for move in theirs["moves"]}, shown, "values of the other table")
    choose(page, "compare", "")
    wait_for(page, "?moves=1,5,2,3")
    # A position after the end of the game on the cylinder, where a row crosses the seam.
    service.open(page, "connect-5x4-k4", "?moves=4,4,5,5,1,1,2,3&compare=connect-5x4-k4-cylinder")
    page.wait("return document.getElementById('compare-status').textContent === arguments[0]",
              refusal(service, "connect-5x4-k4-cylinder", board_text(page)), what="the refusal of the other table")
    expect(True, page.run("return document.getElementById('other').hidden"), "no other board")


def cylinders_repeat_columns(service, page):
    service.open(page, "connect-5x4-k4-cylinder", "?moves=1,5,2,3")
    rows = page.run("return [...document.querySelectorAll('#board [role=row]')].map((row) =>"
                    " [...row.querySelectorAll('.cell')].map((cell) => cell.dataset.cell).join(' '))")
    expect("d1 e1 a1 b1 c1 d1 e1 a1 b1", rows[-1], "the row, with the repeated columns")
    expect(0, page.run("return document.querySelectorAll('.ghost[role], .ghost[tabindex]').length"), "repeated cells with a role or the focus")
    page.run(f"{HERE}.focus()")
    page.keys("Home", "Left")
    expect("e4", page.run("return document.activeElement.dataset.cell"), "the focus, one step to the left of the left column")
    page.click("#board .ghost[data-cell=e2]")
    wait_for(page, "?moves=1,5,2,3,5")


def a_ply_of_the_chart_shows_a_position(service, page):
    service.open(page, SPEC)
    page.wait("return document.querySelectorAll('#counts [data-sample]').length")
    here = "return document.querySelector('#counts .now').getAttribute('x')" \
           " === document.querySelector(`#counts [data-sample='${arguments[0]}']`).getAttribute('x')"
    expect([True, False], [page.run(here, 0), page.run(here, 6)], "the mark of the current ply")
    page.click("#counts [data-sample='6']")
    page.wait("return location.search.startsWith('?board=')")
    position = urllib.parse.unquote(search(page)).split("board=")[1]
    expect(6, service.probe(SPEC, [position])[0]["ply"], "the ply of the sample")
    expect([False, True], [page.run(here, 0), page.run(here, 6)], "the mark of the ply of the sample")
    rows = page.run("return [...document.querySelectorAll('#counts-table tbody tr')].map((row) =>"
                    " [...row.cells].map((cell) => cell.textContent.replaceAll(',', '')).join(','))")
    expect(service.run("stats", service.file(SPEC), "--csv").split()[1:], rows, "the counts")
    page.click("#logarithmic")
    page.wait("return [...document.querySelectorAll('#counts text')].some((text) => text.textContent === '1e4')")


def texts_can_be_copied(service, page):
    service.open(page, SPEC, GAME)
    page.command("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    wanted = {"by-board": "5/2o2/2x2/1ox2", "by-moves": "3233", "link": f"{service.address}/tables/{SPEC}{GAME}",
              "curl": f'curl "{service.address}/v1/tables/{SPEC}/positions?board=5/2o2/2x2/1ox2"'}
    for what, text in wanted.items():
        page.click(f"[data-copy={what}-text]")
        page.wait("return navigator.clipboard.readText().then((text) => text === arguments[0])", text, what=text)
        expect(text, page.run("const field = document.getElementById(arguments[0]);"
                              "return field.value.slice(field.selectionStart, field.selectionEnd)", f"{what}-text"),
               "the text is selected")
    answer = subprocess.run(wanted["curl"], shell=True, capture_output=True, text=True, check=False).stdout
    expect(service.probe(SPEC, [wanted["by-board"]])[0]["value"], json.loads(answer)["value"], "the answer to curl")
    picture = page.run("const link = document.getElementById('picture');"
                       "link.addEventListener('click', (event) => event.preventDefault()); link.click(); return link.href")
    page.run("const image = new Image(); window.loaded = null; image.onload = () => { window.loaded = image.width; };"
             "image.onerror = () => { window.loaded = -1; }; image.src = arguments[0]", picture)
    expect(312, page.wait("return window.loaded"), "the width of the picture: 60 for each column, and a margin")
    expect(4, urllib.parse.unquote(picture).count("<circle"), "its stones")
    rim = page.run("""const svg = new DOMParser().parseFromString(decodeURIComponent(arguments[0].split(/,(.*)/s)[1]), 'text/xml').documentElement;
        const view = svg.viewBox.baseVal, cells = [...svg.querySelectorAll('rect:not([stroke])')].map((one) => one.attributes);
        return ['x', 'y'].map((name) => Math.min(...cells.map((one) => one[name].value)) - view[name])""", picture)
    expect([6, 6], rim, "the margins left of the board and above it")
    page.run("document.getElementById('link-text').focus()")
    page.keys("Enter")
    expect(GAME, search(page), "Enter in a read-only field changes nothing")


def known_positions_are_not_requested_again(service, page):
    count = "return performance.getEntriesByType('resource').filter((one) => one.name.includes('/v1/')).length"
    service.open(page, SPEC)
    page.wait("return document.querySelectorAll('#counts [data-sample]').length")
    begun = page.run(count)
    for ply, move in enumerate("3233", 1):
        page.click(f"#moves [data-move='{move}']")
        wait_for(page, "?moves=" + ",".join("3233"[:ply]))
    before = page.run(count)
    expect(4, before - begun, "requests for four moves")
    for way, query in [("back", "?moves=3,2,3"), ("back", "?moves=3,2"), ("forward", "?moves=3,2,3"), ("forward", GAME)]:
        getattr(page.driver, way)()
        wait_for(page, query)
        page.wait("return document.getElementById('link-text').value.endsWith(arguments[0])", query)
    page.click("#undo")
    wait_for(page, f"{GAME}&ply=3")
    page.click("#record [data-ply='1']")
    wait_for(page, f"{GAME}&ply=1")
    page.click("#reset")
    wait_for(page, "")
    page.type("#by-moves-text", "323")
    page.keys("Enter")
    wait_for(page, "?moves=3,2,3")
    expect(before + 1, page.run(count), "requests: none for Back, Forward, Undo and Restart, one for a text")


# ---- windows, devices, media ----

def touch_works_on_a_phone(service, page):
    page.resize(320, 640)
    for spec in FAMILIES:
        for place in ("embed", "tables"):
            service.open(page, spec, place=place)
            page.wait("return document.querySelectorAll('#counts [data-sample]').length")
            expect(320, page.run("return document.documentElement.scrollWidth"), f"{spec}: width without scrolling")
    service.open(page, "numeric-3x3")
    page.touch("#numbers [data-number='7']")
    page.touch("#board [data-cell=b2]")
    wait_for(page, "?moves=7@b2")
    service.open(page, SPEC)
    small = page.run("return [...document.querySelectorAll('main button:not(.link), select, input:not([type=checkbox])')]"
                     ".filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44).map((one) => one.id)")
    expect([], small, "targets of less than 44 px")
    page.touch("#board [data-cell=c4]")
    wait_for(page, "?moves=3")


def choices_are_not_cut_off(service, page):
    """The names of the chosen table and players, in small windows."""
    cut = """return ['table', 'players'].filter((id) => {
        const shown = document.getElementById(id), whole = shown.cloneNode();
        whole.append(shown.selectedOptions[0].cloneNode(true));
        shown.after(Object.assign(whole, { style: 'position: fixed; width: max-content; max-width: none' }));
        return whole.offsetWidth > shown.offsetWidth; })"""
    for width, height in ((320, 568), (360, 740), (568, 320)):
        page.resize(width, height)
        for spec, query in (*((spec, "") for spec in FAMILIES), (SPEC, "?moves=1,2,1,2,1,2,1")):
            service.open(page, spec, query, more=False)
            expect([], page.run(cut), f"what is cut off, {spec}{query}, {width}x{height}")


def the_board_fits_the_window(service, page):
    """Its first row, the names of its columns and the buttons are visible without scrolling."""
    seen = """return ['#status', '#board [role=row]', '#board .foot', '#undo', '#edit'].filter((one) => {
        const { top, bottom } = document.querySelector(one).getBoundingClientRect();
        return top < 0 || bottom > innerHeight; })"""
    with Service(os.path.abspath(sys.argv[1]), [SPEC, "connect-3x9-k3"]) as tall:
        for width, height in ((1366, 768), (1280, 800), (812, 375), (568, 320), (375, 667), (320, 568)):
            for where, spec, query in ((service, SPEC, GAME), (tall, "connect-3x9-k3", "?moves=2,2")):
                page.resize(width, height)
                where.open(page, spec, query)
                expect([], page.run(seen), f"what is outside the window, {spec}, {width}x{height}")
                expect(width, page.run("return document.documentElement.scrollWidth"), f"{spec}, {width}x{height}: the width")
                side = page.run("return document.querySelector('#board .cell').getBoundingClientRect().width")
                if side < 24:
                    raise Failure(f"cells of {side} px, {spec}, {width}x{height}")
    # On the smallest phone, in landscape beside the widest board, all buttons have one row, also those of editing.
    rows = "return new Set([...document.querySelectorAll(arguments[0])].map((one) => one.getBoundingClientRect().top)).size"
    page.resize(568, 320)
    service.open(page, "connect-5x4-k4-cylinder", "?moves=1,1", more=False)
    expect(1, page.run(rows, "#controls > *"), "rows of buttons")
    page.click("#edit")
    expect(1, page.run(rows, "#setup > *"), "rows of buttons of editing")
    page.click("#setup-end")
    page.click("#help")
    if page.run("return document.querySelector('#keys h2').getBoundingClientRect().top") < 0:
        raise Failure("the beginning of the list of keys is not visible")
    page.keys("Escape")
    page.resize(1280, 900)


def a_move_does_not_look_like_a_stone(service, page):
    stones = {}
    for scheme in ("light", "dark"):
        page.media(prefers_color_scheme=scheme)
        service.open(page, SPEC, "?moves=3")
        style = "return getComputedStyle(document.querySelector(arguments[0]), arguments[1])[arguments[2]]"
        expect("dashed", page.run(style, "#board [data-target]", "::before", "borderTopStyle"), "the outline of a move")
        ring, stone = (float(page.run(style, *one, "width")[:-2]) for one in (
            ("#board [data-target]", "::before"), ("#board [data-piece] .piece", None)))
        if ring > 0.7 * stone:
            raise Failure(f"a move is {ring} px wide, a stone {stone}")
        stones[scheme] = [page.run(style, f".field [data-owner={player}]", "::before", "backgroundColor") for player in "xo"]
        expect([stones[scheme][0], stones[scheme][1]], [page.run(style, "#board [data-piece=x] .piece", None, "backgroundColor"),
               page.run(style, "#status", "::before", "backgroundColor")], "stones on the board, and beside 'o to move'")
    page.media(prefers_color_scheme="light")
    expect(stones["light"], stones["dark"], "colours of the players")
    if stones["light"][0] == stones["light"][1]:
        raise Failure("both players have stones of the same colour")


def a_flipped_board_is_mirrored(service, page):
    service.open(page, "connect-5x4-k4-cylinder", "?moves=1,5,2,3&flip=1")
    cells = page.run("return [...document.querySelectorAll('#board [role=row]:last-child .cell')]"
                     ".sort((a, b) => a.getBoundingClientRect().left - b.getBoundingClientRect().left)"
                     ".map((cell) => [cell.dataset.cell, getComputedStyle(cell).borderRightStyle === 'dashed'])")
    expect("b1 a1 e1 d1 c1 b1 a1 e1 d1", " ".join(cell for cell, _ in cells), "cells from left to right")
    expect([1, 6], [place for place, (_, dashed) in enumerate(cells) if dashed], "cells to the left of the seams")
    service.open(page, SPEC, "?flip=1")
    page.run(f"{HERE}.focus()")
    there = []
    for key in ("Home", "Right", "End", "Left", "Control+Home", "Control+End"):
        page.keys(key)
        there.append(page.run("return document.activeElement.dataset.cell"))
    expect(["e4", "d4", "a4", "b4", "e4", "a1"], there, "keys follow the directions of the screen")


def the_board_keeps_its_place(service, page):
    """Moves do not shift the board, so that a second click hits its target; nothing is cut off."""
    for width in (1280, 768, 320):
        page.resize(width, 900)
        tops = set()
        for query in ("", GAME, f"{GAME}&ply=1", "?moves=1,2,1,2,1,2,1"):  # short and long headings
            service.open(page, SPEC, query)
            tops.add(page.run("return document.getElementById('board').getBoundingClientRect().top"))
        expect(1, len(tops), f"vertical places of the board, {width} px: {tops}")
        page.wait("return document.querySelectorAll('#counts [data-sample]').length")
        cut = page.run("""const inside = (a, b) => a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
            return [...document.querySelectorAll('svg text')].filter((text) => {
              const svg = text.closest('svg'), frame = getComputedStyle(svg).overflow === 'visible' ? svg.closest('section') : svg;
              return !inside(text.getBoundingClientRect(), frame.getBoundingClientRect()); }).map((text) => text.textContent)""")
        expect([], cut, f"labels that are cut off, {width} px")
        wide = page.run("""return [...document.querySelectorAll('main *')].filter((one) => one.checkVisibility() && one.clientWidth > 0
            && !one.matches('input, select, .unseen, svg, svg *') && one.scrollWidth > one.clientWidth + 1).map((one) => one.className || one.id)""")
        expect([], wide, f"elements wider than their place, {width} px")


def print_has_the_board_and_the_moves(service, page):
    service.open(page, SPEC, GAME)
    page.command("Emulation.setEmulatedMedia", media="print")
    seen = page.run("return Object.fromEntries(['#status', '#board', '#moves .move', '#graph', '#record button', '#rules', '#undo',"
                    " '#by-board', '#players', '#help'].map((one) => [one, document.querySelector(one).checkVisibility()]))")
    expect({"#status": True, "#board": True, "#moves .move": True, "#graph": True, "#record button": True, "#rules": True,
            "#undo": False, "#by-board": False, "#players": False, "#help": False}, seen, "what is printed")
    expect("exact", page.run("return getComputedStyle(document.querySelector('.piece')).printColorAdjust"),
           "stones keep their colour")
    page.command("Emulation.setEmulatedMedia", media="")


def rules_are_shown(service, page):
    for spec, part in (("connect-4x4-k4-misere", "The player who completes 4 in a row loses."),
                       ("connect-5x4-k4-cylinder", "left and right columns are neighbours"),
                       ("square-4x4", "The player who completes a square wins."), ("numeric-3x3", "with the sum 15 wins")):
        service.open(page, spec)
        if part not in page.text("#rules"):
            raise Failure(f"{spec}: '{page.text('#rules')}' without '{part}'")


def without_javascript_there_is_advice(service, page):
    page.open(f"{service.address}/tables/{SPEC}")
    text = page.run("return document.body.innerText")
    for word in ("JavaScript", "/api", "plybase play"):
        if word not in text and word not in page.driver.page_source:
            raise Failure(f"nothing about {word}: {text}")
    if "Please allow it" not in text:
        raise Failure(f"the notice is not shown: {text}")


without_javascript_there_is_advice.flags = {"preferences": {"profile.managed_default_content_settings.javascript": 2}}


def nothing_leaves_the_origin(service, page):
    page.addresses()
    service.open(page, SPEC, GAME)
    page.wait("return document.querySelectorAll('#counts .share').length")
    page.click("#line")
    page.wait("return document.querySelectorAll('#line-moves button').length")
    asked = [address for address in page.addresses() if address.startswith(("http", "ws"))]
    expect([], [address for address in asked if not address.startswith(f"{service.address}/")], "requests to other origins")
    if len(asked) < 10:
        raise Failure(f"only {asked} were seen")
    expect([], page.console(), "the console")


nothing_leaves_the_origin.flags = {"network": True}


def first_paint_time(service, page):
    """Prints the time and checks nothing, as other programs of this machine may delay it."""
    times = []
    for _ in range(3):
        service.open(page, SPEC)
        times.append(page.wait("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime"))
    print(f"        first paint after {statistics.median(times):.0f} ms, {min(times):.0f} to {max(times):.0f}")


def first_paint_needs_no_module(service, page):
    """HTML and CSS suffice; parts that need JavaScript are not shown yet."""
    page.command("Network.enable")
    page.command("Network.setBlockedURLs", urls=["*.js"])
    try:
        page.open(f"{service.address}/tables/{SPEC}")
        page.wait("return performance.getEntriesByName('first-contentful-paint').length", what="a first paint")
        expect(["Plybase", 0], page.run("return [document.querySelector('h1').innerText,"
                                        " document.querySelector('#parts').getClientRects().length]"), "the heading, and no board")
        loaded = page.run("return performance.getEntriesByType('resource').filter((one) => one.responseStatus === 200)"
                          ".map((one) => one.name.split('.').pop())")
        expect(["css"], [kind for kind in loaded if kind != "svg"], "what was loaded")
    finally:
        page.command("Network.setBlockedURLs", urls=[])
    page.console()  # discard the message about the blocked module


def a_replaced_table_is_reported(_, page):
    spec = "mnk-4x3-k3-cylinder"
    with Service(os.path.abspath(sys.argv[1]), [spec]) as service:
        service.open(page, spec, "?moves=b2")
        before = service.probe(spec, [board_text(page)])[0]
        new = service.file(spec) + ".new"
        service.run("build", spec, "--values", "dtm", "-o", new)
        os.replace(new, service.file(spec))
        after = service.probe(spec, [before["position"]])[0]
        expect([None, True], [before["dtm_plies"], after["dtm_plies"] is not None], "distances before and after")
        service.server.send_signal(signal.SIGHUP)
        move, again = before["moves"][0]["move"], 0
        while not page.run("return document.getElementById('problem').textContent") and again < 100:
            # Until the server has read the folder again, moves are played as before.
            page.click("#undo" if again % 2 else f"#moves [data-move='{move}']")
            page.wait(f"return {IDLE}")
            again += 1
        problem = page.text("#problem")
        if not problem.startswith(f"the table of {spec} is now"):
            raise Failure(f"the page says '{problem}'")
        shown = service.probe(spec, [board_text(page)])[0]
        expect(status_text(shown), page.text("#status"), "the status, of the new table")
        expect([f"{m['move']} {value_text(m)}" for m in shown["moves"]],
               page.run("return [...document.querySelectorAll('#moves .move')].map((move) => move.dataset.move + ' ' +"
                        " move.lastChild.textContent)"), "moves with the values of the new table")
        if shown["ply"] == 1:
            page.click(f"#moves [data-move='{move}']")
            page.wait("return document.getElementById('problem').textContent === ''", what="a move after it")
        page.console()  # discard the messages about refused requests


def a_stopped_server_is_reported(_, page):
    with Service(os.path.abspath(sys.argv[1]), ["mnk-3x3-k3"]) as service:
        service.open(page, "mnk-3x3-k3")
        service.stop()
        page.click("#board [data-cell=b2]")
        wait_problem(page, "The server does not answer. Is plybase serve still running?")
        expect("3/3/3", board_text(page), "the position is as before")
        expect("Try again", page.text("#again"), "the button")


TESTS = [
    distances_are_explained_if_there_are_any, keys_work_after_loading, the_board_fits_the_window, choices_are_not_cut_off,
    a_move_does_not_look_like_a_stone, keys_alone_place_numbers, keys_alone_play_a_game, values_stay_hidden,
    the_board_and_the_moves_come_first, a_pasted_game_is_annotated, scores_are_those_of_export,
    moves_and_cells_are_highlighted_together, another_table_is_compared, cylinders_repeat_columns, a_ply_of_the_chart_shows_a_position,
    known_positions_are_not_requested_again, texts_can_be_copied, a_flipped_board_is_mirrored, rules_are_shown,
    touch_works_on_a_phone, the_board_keeps_its_place, print_has_the_board_and_the_moves, first_paint_time,
    first_paint_needs_no_module, a_replaced_table_is_reported, a_stopped_server_is_reported, nothing_leaves_the_origin,
    without_javascript_there_is_advice]

if __name__ == "__main__":
    sys.exit(main(TESTS))
