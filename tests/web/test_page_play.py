#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Moves of the table, and the order of events: test_page_play.py BUILD [TEST...]

The table replies when it is its turn, and only then. The best line runs at the chosen speed. An action of the
user stops a running task; answers that arrive late are ignored.
"""
import os
import sys

from browser import Failure

from page_service import IDLE, Service, choose, expect, main, status_text, wait_for

SPEC = "connect-5x4-k4"
MNK = "mnk-3x3-k3"  # after a1, only b2 does not lose
PLIES = f"return document.querySelectorAll('#graph .dot').length === arguments[0] + 1 && {IDLE}"

# Requests whose address contains the argument are held back until window.release().
HOLD = """
const ask = window.fetch;
window.held = [];
window.fetch = (path, options) => (!path.includes(arguments[0]) ? ask(path, options) : new Promise((resolve, reject) => {
  const one = { path, ended: false, release: () => ask(path).then(resolve, reject) };
  options?.signal?.addEventListener("abort", () => { one.ended = true; reject(new DOMException("ended", "AbortError")); });
  window.held.push(one);
}));
window.release = async () => { window.fetch = ask; for (const one of window.held) await one.release(); };
"""


def begin(service, page, spec, query="", **stored):
    """Open a game with these stored preferences and no others."""
    service.forget(page)
    if stored:
        page.open(f"{service.address}/v1")
        page.run("Object.assign(localStorage, arguments[0])", stored)
    service.open(page, spec, query)


def stays(page, milliseconds, query, what):
    """After this time, longer than the table takes to reply, the address still has this query."""
    page.pause(milliseconds)
    expect(query, page.run("return location.search"), what)


# ---- moves of the table ----

def the_table_replies(service, page):
    begin(service, page, "connect-4x4-k4-misere")
    choose(page, "players", "o")
    page.wait(PLIES, 1, what="the table begins as x")
    expect(True, page.run("return document.getElementById('undo').disabled"), "no move of the user can be undone")
    page.click("#moves li:last-child .move")
    page.wait(PLIES, 3, what="and replies")
    page.click("#undo")
    page.wait("return location.search.endsWith('ply=1')", what="undo takes back the reply and the move")
    expect(True, page.run("return document.getElementById('undo').disabled"), "the first move of the table cannot be undone")
    service.open(page, "connect-4x4-k4-misere")
    page.wait(PLIES, 1, what="after a reload the table begins, too")


def the_table_plays_both(service, page):
    begin(service, page, MNK, "?moves=a1,b2,b1,c1")
    choose(page, "players", "")
    page.wait(PLIES, 9, what="both sides to the end")
    expect("The game is drawn", page.text("#status"), "the end")


def clicks_during_a_reply_are_ignored(service, page):
    begin(service, page, MNK, players="x")
    page.click("#board [data-cell=a1]")
    page.run("""return new Promise((done) => {
        const look = () => {
          if (document.querySelectorAll('#graph .dot').length < 2) return setTimeout(look, 1);
          document.querySelector('#board [data-cell=a2]').click();
          done();
        };
        look(); })""")
    page.wait(PLIES, 2, what="the reply")
    wait_for(page, "?moves=a1,b2")


def undone_moves_get_no_reply(service, page):
    begin(service, page, MNK, "?moves=a1,b2", players="x")
    page.click("#record [data-ply='1']")
    stays(page, 700, "?moves=a1,b2&ply=1", "the table does not move where it has moved already")
    begin(service, page, MNK, players="x")
    page.click("#board [data-cell=a1]")
    wait_for(page, "?moves=a1,b2")
    page.driver.back()
    stays(page, 700, "?moves=a1", "Back goes there, and the table does not move")


def a_redone_move_gets_a_reply(service, page):
    begin(service, page, MNK, "?moves=a1&ply=0", players="x")
    page.click("#redo")
    wait_for(page, "?moves=a1,b2")


def a_held_key_plays_move_by_move(service, page):
    begin(service, page, SPEC, "?moves=3,2")
    page.run(HOLD, "annotate?moves")
    press = "document.querySelector('#board [tabindex=\"0\"]')" \
            ".dispatchEvent(new KeyboardEvent('keydown', { key: 'b', bubbles: true, repeat: true }))"
    page.run(press)
    page.wait("return window.held.length", what="a move")
    page.run(f"for (let i = 0; i < 5; i++) {press};")
    page.pause(100)
    expect(1, page.run("return window.held.length"), "requests for moves while one is pending")
    page.run("return window.release()")
    page.wait(PLIES, 3)
    page.run(press)
    page.wait(PLIES, 4, what="the next one")


# ---- the line ----

def the_line_runs_and_steps(service, page):
    begin(service, page, SPEC, "?moves=3,1,3,1", speed="150")
    page.click("#line")
    page.wait("return document.querySelectorAll('#line-moves button').length")
    line = page.run("return [...document.querySelectorAll('#line-moves button')].map((one) => one.textContent)")
    said = service.run("line", service.file(SPEC), "--moves", "3131").splitlines()[1].split()
    expect(said, line, "the same line as plybase line")
    page.click("#line-step")
    wait_for(page, f"?moves=3,1,3,1,{line[0]}")
    page.click("#line-run")
    page.wait("return !document.querySelector('#moves .move')", what="the end of the line")
    wait_for(page, f"?moves=3,1,3,1,{','.join(line)}")
    page.click("#line-moves [data-along='1']")
    page.wait("return location.search.endsWith('ply=5')")


def an_unfinished_search_can_be_prolonged(service, page):
    spec = "connect-4x4-k4-misere"
    begin(service, page, spec, "?moves=1,2,3")
    page.run("""const ask = window.fetch;
        window.fetch = (path, options) => (path.includes('/line') && path.includes('seconds=2')
          ? Promise.resolve(new Response('{"complete":false,"moves":[]}')) : ask(path, options));""")
    page.click("#line")
    page.wait("return document.getElementById('problem').textContent === arguments[0]",
              "The line to the end was not found in 2 s. A table with distances needs no search:"
              f" plybase build {spec} --values dtm", what="the time of the search, and advice")
    expect("Search for 10 s", page.text("#again"), "the button")
    page.click("#again")
    page.wait("return document.querySelectorAll('#line-moves button').length", what="the line")
    expect("", page.text("#problem"), "no message")


def the_line_is_shown_on_its_positions(service, page):
    begin(service, page, SPEC, "?moves=3,1,3,1")
    page.click("#line")
    page.wait("return document.querySelector('#line-moves button')")
    shown = "return [document.getElementById('line-part').hidden," \
            " [...document.querySelectorAll('#line-moves button')].findIndex((one) => one.ariaCurrent === 'step')]"
    page.click("#line-step")
    page.wait(PLIES, 5)
    expect([False, 0], page.run(shown), "after one step")
    page.click("#record [data-ply='2']")
    expect(True, page.run(shown)[0], "before the line")
    page.click("#record [data-ply='5']")
    expect([False, 0], page.run(shown), "on the line again")
    page.click("#undo")
    page.click("#moves li:last-child .move")
    page.wait(PLIES, 5)
    expect(True, page.run(shown)[0], "after another move")
    page.click("#undo")
    expect([False, -1], page.run(shown), "at its first position")


# For each of the times: click Run or Pause, then record the new text of the button, and when plies appear
# during this time (in ms). An observer in the page records them, so that a busy machine delays none.
RUN_FOR = """
const graph = document.getElementById('graph'), button = document.getElementById('line-run');
const plies = () => graph.querySelectorAll('.dot').length;
let shown = plies();
return (async (times) => {
  const recorded = [];
  for (const time of times) {
    const timesSeen = [], observer = new MutationObserver(() => {
      if (plies() > shown) timesSeen.push(performance.now());
      shown = plies();
    });
    observer.observe(graph, { childList: true, subtree: true });
    button.click();
    recorded.push([button.textContent, timesSeen]);
    await new Promise((go) => setTimeout(go, time));
    observer.disconnect();
  }
  return recorded;
})(arguments[0]);"""


def the_line_has_a_speed_and_a_pause(service, page):
    begin(service, page, SPEC, "?moves=3,1,3,1")
    page.click("#line")
    page.wait("return document.querySelector('#line-moves button')")
    expect("500", page.run("return document.getElementById('speed').value"), "the default speed")
    choose(page, "speed", "2000")
    expect([["Pause", []], ["Run", []]], page.run(RUN_FOR, [1200, 2500]), "plies at slow speed, and during a pause")
    choose(page, "speed", "150")
    [[_, steps]] = page.run(RUN_FOR, [3000])
    if len(steps) < 4 or min(after - before for before, after in zip(steps, steps[1:])) < 145:
        raise Failure(f"at fast speed plies appear after {steps} ms, not every 150 ms")
    service.open(page, SPEC)
    expect("150", page.run("return document.getElementById('speed').value"), "the speed after a reload")


def with_less_motion_the_line_is_slow(service, page):
    page.media(prefers_reduced_motion="reduce")
    begin(service, page, SPEC)
    expect("2000", page.run("return document.getElementById('speed').value"), "the default speed")
    page.media(prefers_reduced_motion="no-preference")


# ---- pending requests ----

def late_answers_change_nothing(service, page):
    for act, query, check in [
            ("#undo", "?moves=a1,b2&ply=1", "document.getElementById('redo').disabled === false"),
            ("#edit", "?moves=a1,b2", "document.getElementById('setup').hidden === false"),
            ("#moves [data-move='a3']", "?moves=a1,b2,a3", "document.querySelector('[data-cell=a3]').dataset.piece === 'x'")]:
        begin(service, page, MNK, "?moves=a1,b2")
        page.run(HOLD, "moves=a1,b2,c3")
        page.click("#moves [data-move='c3']")
        page.wait("return window.held.length")
        page.click(act)
        wait_for(page, query)
        page.run("return window.release()")
        page.pause(50)
        expect([query, True], page.run(f"return [location.search, {check}]"), f"the answer to an older move after {act}")
        expect("", page.text("#problem"), "no message")


def another_action_stops_a_search(service, page):
    begin(service, page, SPEC, "?moves=3,1,3,1")
    page.run(HOLD, "/line")
    page.click("#line")
    page.wait("return window.held.length && document.body.getAttribute('aria-busy') === 'true'")
    page.click("#undo")
    wait_for(page, "?moves=3,1,3,1&ply=3")
    page.wait("return window.held[0].ended", what="the request is aborted")
    expect(["", True], page.run("return [document.getElementById('problem').textContent,"
                                " document.getElementById('line-part').hidden]"), "no line, and no message")


def a_long_search_dims_the_moves(service, page):
    begin(service, page, SPEC, "?moves=3,1,3,1")
    page.run(HOLD, "/line")
    seen = "return getComputedStyle(document.getElementById('moves-part')).opacity"
    expect("1", page.run(f"document.getElementById('line').click(); {seen}"), "at first, so that a short search does not flicker")
    page.wait(f"{seen} === '0.5'", what="during a long search")
    page.run("return window.release()")
    page.wait("return document.querySelector('#line-moves button')")
    expect("1", page.run(seen), "after the search")


# Answers to requests whose address contains the argument begin, and fail when the request is aborted; if it
# cannot be aborted, at once.
BREAK = """
const ask = window.fetch;
window.restore = () => { window.fetch = ask; };
window.begun = 0;
window.fetch = (path, options) => (!path.includes(arguments[0]) ? ask(path, options) : Promise.resolve({ ok: true,
  json: () => new Promise((_, reject) => {
    window.begun++;
    const end = () => reject(new TypeError("no more"));
    if (options?.signal) options.signal.addEventListener("abort", end);
    else end();
  }) }));
"""


def an_incomplete_answer_is_refused(service, page):
    begin(service, page, MNK, "?moves=a1,b2")
    page.run(BREAK, "moves=a1,b2,c3")
    page.click("#moves [data-move='c3']")
    page.wait("return document.getElementById('problem').textContent.startsWith('The server does not answer.')")
    expect("?moves=a1,b2", page.run("return location.search"), "the game does not go on")
    page.run("window.restore()")
    page.click("#again")
    wait_for(page, "?moves=a1,b2,c3")
    expect(status_text(service.probe(MNK, ["2x/1o1/x2"])[0]), page.text("#status"), "with a complete answer")
    for spec, query, route, what in ((SPEC, "?moves=3,1,3,1", "/line", "#line"),
                                     ("connect-4x4-k4-misere", "?moves=1,2,3,1", "/best", "#best")):
        begin(service, page, spec, query)
        page.run(BREAK, route)
        page.click(what)
        page.wait("return window.begun")
        page.click("#undo")
        wait_for(page, f"{query}&ply=3")
        page.pause(50)
        expect("", page.text("#problem"), f"a message about {what}")
        expect(f"{query}&ply=3", page.run("return location.search"), f"moves after {what}")


def the_best_move_is_searched_without_distances(service, page):
    begin(service, page, "connect-4x4-k4-misere", "?moves=1,2,3")
    page.run(HOLD, "/best")
    page.click("#best")
    page.wait("return window.held.length", what="a search")
    page.run("return window.release()")
    page.wait(PLIES, 4)
    begin(service, page, SPEC, "?moves=3,1,3,1")
    page.run(HOLD, "/best")
    page.click("#best")
    page.wait(PLIES, 5)
    expect(0, page.run("return window.held.length"), "searches in a table with distances")


# ---- strategies, frames ----

def a_strategy_is_played(_, page):
    with Service(os.path.abspath(sys.argv[1]), [MNK]) as service:
        service.stop()
        service.run("strategy", service.file(MNK), "--player", "first", "-o", service.file("own"))
        os.remove(service.file(MNK))
        with service:
            service.open(page, MNK)
            said = service.run("probe", service.file("own"), "3/3/3", "--json")
            if '"bound":"at least"' not in said:
                raise Failure(f"the answer of a strategy: {said}")
            expect("x to move: at least draw", page.text("#status"), "what the strategy guarantees")
            expect(True, page.run("return document.getElementById('counts-part').hidden"), "no counts")
            expect(True, page.run("return document.getElementById('line').hidden"), "no line to the end")
            page.click("#moves .move")
            page.wait(PLIES, 1)
            page.click("#moves li:last-child .move")
            page.wait(PLIES, 2)
            expect([], page.console(), "the console")


def an_embedded_board_is_only_that(service, page):
    page.open(f"{service.address}/v1")
    page.run("localStorage.clear(); localStorage.players = 'o'")
    service.open(page, "numeric-3x3", place="embed")
    expect(["H1", "play"], page.run("return [...document.querySelectorAll('h1, #table, nav, section')].filter((one) =>"
                                    " one.checkVisibility()).map((one) => one.className || one.tagName)"), "what is visible")
    page.resize(1280, 900)
    expect(True, page.run("return document.querySelector('.play').offsetWidth === document.querySelector('main').offsetWidth"),
           "the board has the whole width")
    page.click("#numbers [data-number='7']")
    page.click("#board [data-cell=b2]")
    page.wait(PLIES, 1)
    expect("/embed/numeric-3x3?moves=7@b2", page.run("return location.pathname + location.search"), "the address")
    page.click("#undo")
    stays(page, 700, "?moves=7@b2&ply=0", "the stored choice of players has no effect in a frame")
    expect(status_text(service.probe("numeric-3x3", [".,.,./.,.,./.,.,."])[0]), page.text("#status"), "the value")
    page.run("localStorage.clear()")


TESTS = [
    the_table_replies, the_table_plays_both, clicks_during_a_reply_are_ignored, undone_moves_get_no_reply,
    a_redone_move_gets_a_reply, a_held_key_plays_move_by_move, the_line_runs_and_steps,
    an_unfinished_search_can_be_prolonged, the_line_is_shown_on_its_positions,
    the_line_has_a_speed_and_a_pause, with_less_motion_the_line_is_slow, late_answers_change_nothing,
    another_action_stops_a_search, a_long_search_dims_the_moves, an_incomplete_answer_is_refused,
    the_best_move_is_searched_without_distances, a_strategy_is_played, an_embedded_board_is_only_that]

if __name__ == "__main__":
    sys.exit(main(TESTS))
