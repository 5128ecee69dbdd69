#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Playing, by the table and in time: test_page_play.py BUILD [TEST...]

The table replies when it is its turn and only then; lines run at the speed that was chosen; what a
person does ends what was under way, and answers that come late change nothing.
"""
import os
import sys

from browser import Failure

from page_service import Service, choose, expect, main, status_text, wait_for

SPEC = "connect-5x4-k4"
MNK = "mnk-3x3-k3"  # after a1, b2 alone is no loss
PLIES = "return document.querySelectorAll('#graph .dot').length === arguments[0] + 1" \
        " && document.body.getAttribute('aria-busy') === 'false'"

# Answers to questions that have a text in their address wait until they are released.
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
    """A game, with only these preferences."""
    service.forget(page)
    if stored:
        page.open(f"{service.address}/v1")
        page.run("Object.assign(localStorage, arguments[0])", stored)
    service.open(page, spec, query)


def still(page, milliseconds, query, what):
    """The address stays as it is, longer than the table takes to reply."""
    page.run("return new Promise((done) => setTimeout(done, arguments[0]))", milliseconds)
    expect(query, page.run("return location.search"), what)


# ---- the table's turn ----

def the_table_answers(service, page):
    begin(service, page, "connect-4x4-k4-misere")
    choose(page, "players", "o")
    page.wait(PLIES, 1, what="the table begins as x")
    expect(True, page.run("return document.getElementById('undo').disabled"), "there is nothing of one's own to undo")
    page.click("#moves li:last-child .move")
    page.wait(PLIES, 3, what="and answers")
    page.click("#undo")
    page.wait("return location.search.endsWith('ply=1')", what="its answer and the move are taken back")
    expect(True, page.run("return document.getElementById('undo').disabled"), "the table's first move stays")
    service.open(page, "connect-4x4-k4-misere")
    page.wait(PLIES, 1, what="it begins after a reload, too")


def the_table_plays_both(service, page):
    begin(service, page, MNK, "?moves=a1,b2,b1,c1")
    choose(page, "players", "")
    page.wait(PLIES, 9, what="both sides to the end")
    expect("The game is drawn", page.text("#status"), "the end")


def a_click_is_no_move_of_the_table(service, page):
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


def moves_taken_back_are_not_replied_to(service, page):
    begin(service, page, MNK, "?moves=a1,b2", players="x")
    page.click("#record [data-ply='1']")
    still(page, 700, "?moves=a1,b2&ply=1", "where the table was to move, but has moved")
    begin(service, page, MNK, players="x")
    page.click("#board [data-cell=a1]")
    wait_for(page, "?moves=a1,b2")
    page.driver.back()
    still(page, 700, "?moves=a1", "Back leads there, and nobody moves")


def a_move_played_again_is_replied_to(service, page):
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
    page.run("return new Promise((done) => setTimeout(done, 100))")
    expect(1, page.run("return window.held.length"), "moves that are asked for while one is under way")
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
    expect(said, line, "the line of plybase line")
    page.click("#line-step")
    wait_for(page, f"?moves=3,1,3,1,{line[0]}")
    page.click("#line-run")
    page.wait("return !document.querySelector('#moves .move')", what="the end of the line")
    wait_for(page, f"?moves=3,1,3,1,{','.join(line)}")
    page.click("#line-moves [data-along='1']")
    page.wait("return location.search.endsWith('ply=5')")


def a_line_that_is_not_found_can_be_searched_longer(service, page):
    spec = "connect-4x4-k4-misere"
    begin(service, page, spec, "?moves=1,2,3")
    page.run("""const ask = window.fetch;
        window.fetch = (path, options) => (path.includes('/line') && path.includes('seconds=2')
          ? Promise.resolve(new Response('{"complete":false,"moves":[]}')) : ask(path, options));""")
    page.click("#line")
    page.wait("return document.getElementById('problem').textContent === arguments[0]",
              "The line to the end was not found in 2 s. A table with distances needs no search:"
              f" plybase build {spec} --values dtm", what="how long it was searched for, and what to do")
    expect("Search for 10 s", page.text("#again"), "what can be done at once")
    page.click("#again")
    page.wait("return document.querySelectorAll('#line-moves button').length", what="the line")
    expect("", page.text("#problem"), "then")


def the_line_stays_while_it_is_left(service, page):
    begin(service, page, SPEC, "?moves=3,1,3,1")
    page.click("#line")
    page.wait("return document.querySelector('#line-moves button')")
    shown = "return [document.getElementById('line-part').hidden," \
            " [...document.querySelectorAll('#line-moves button')].findIndex((one) => one.ariaCurrent === 'step')]"
    page.click("#line-step")
    page.wait(PLIES, 5)
    expect([False, 0], page.run(shown), "a step of it")
    page.click("#record [data-ply='2']")
    expect(True, page.run(shown)[0], "before it began")
    page.click("#record [data-ply='5']")
    expect([False, 0], page.run(shown), "back on it")
    page.click("#undo")
    page.click("#moves li:last-child .move")
    page.wait(PLIES, 5)
    expect(True, page.run(shown)[0], "off it")
    page.click("#undo")
    expect([False, -1], page.run(shown), "where it began")


# Click Run, or Pause, and tell what the button says then, and when plies come for so many ms; again for
# each of these times. The page itself tells of a ply, so that on a busy machine none is seen too late.
RUN_FOR = """
const graph = document.getElementById('graph'), button = document.getElementById('line-run');
const plies = () => graph.querySelectorAll('.dot').length;
let shown = plies();
return (async (times) => {
  const told = [];
  for (const time of times) {
    const came = [], seen = new MutationObserver(() => {
      if (plies() > shown) came.push(performance.now());
      shown = plies();
    });
    seen.observe(graph, { childList: true, subtree: true });
    button.click();
    told.push([button.textContent, came]);
    await new Promise((go) => setTimeout(go, time));
    seen.disconnect();
  }
  return told;
})(arguments[0]);"""


def the_line_has_a_speed_and_a_pause(service, page):
    begin(service, page, SPEC, "?moves=3,1,3,1")
    page.click("#line")
    page.wait("return document.querySelector('#line-moves button')")
    expect("500", page.run("return document.getElementById('speed').value"), "the speed of who has chosen none")
    choose(page, "speed", "2000")
    expect([["Pause", []], ["Run", []]], page.run(RUN_FOR, [1200, 2500]), "plies of a slow line, and while it pauses")
    choose(page, "speed", "150")
    [[_, steps]] = page.run(RUN_FOR, [3000])
    if len(steps) < 4 or min(after - before for before, after in zip(steps, steps[1:])) < 145:
        raise Failure(f"in 3 s a fast line makes plies after {steps} ms, not about each 150")
    service.open(page, SPEC)
    expect("150", page.run("return document.getElementById('speed').value"), "the speed after a reload")


def with_less_motion_the_line_is_slow(service, page):
    page.media(prefers_reduced_motion="reduce")
    begin(service, page, SPEC)
    expect("2000", page.run("return document.getElementById('speed').value"), "the speed of who has chosen none")
    page.media(prefers_reduced_motion="no-preference")


# ---- what is under way ----

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
        page.run("return new Promise((done) => setTimeout(done, 50))")
        expect([query, True], page.run(f"return [location.search, {check}]"), f"after {act} an older move's answer")
        expect("", page.text("#problem"), "nothing is told of it")


def a_search_ends_when_something_else_is_done(service, page):
    begin(service, page, SPEC, "?moves=3,1,3,1")
    page.run(HOLD, "/line")
    page.click("#line")
    page.wait("return window.held.length && document.body.getAttribute('aria-busy') === 'true'")
    page.click("#undo")
    wait_for(page, "?moves=3,1,3,1&ply=3")
    page.wait("return window.held[0].ended", what="the request is given up")
    expect(["", True], page.run("return [document.getElementById('problem').textContent,"
                                " document.getElementById('line-part').hidden]"), "no line, and no complaint")


def a_long_search_is_seen(service, page):
    begin(service, page, SPEC, "?moves=3,1,3,1")
    page.run(HOLD, "/line")
    seen = "return getComputedStyle(document.getElementById('moves-part')).opacity"
    expect("1", page.run(f"document.getElementById('line').click(); {seen}"), "at first, lest it flickers")
    page.wait(f"{seen} === '0.5'", what="while it takes long")
    page.run("return window.release()")
    page.wait("return document.querySelector('#line-moves button')")
    expect("1", page.run(seen), "when it is there")


# Answers to such questions begin, and break off when they are given up, or else at once.
BREAK = """
const ask = window.fetch;
window.mend = () => { window.fetch = ask; };
window.begun = 0;
window.fetch = (path, options) => (!path.includes(arguments[0]) ? ask(path, options) : Promise.resolve({ ok: true,
  json: () => new Promise((_, reject) => {
    window.begun++;
    const end = () => reject(new TypeError("no more"));
    if (options?.signal) options.signal.addEventListener("abort", end);
    else end();
  }) }));
"""


def half_an_answer_is_none(service, page):
    begin(service, page, MNK, "?moves=a1,b2")
    page.run(BREAK, "moves=a1,b2,c3")
    page.click("#moves [data-move='c3']")
    page.wait("return document.getElementById('problem').textContent.startsWith('The server does not answer.')")
    expect("?moves=a1,b2", page.run("return location.search"), "the game goes not on")
    page.run("window.mend()")
    page.click("#again")
    wait_for(page, "?moves=a1,b2,c3")
    expect(status_text(service.probe(MNK, ["2x/1o1/x2"])[0]), page.text("#status"), "with a whole answer")
    for spec, query, route, what in ((SPEC, "?moves=3,1,3,1", "/line", "#line"),
                                     ("connect-4x4-k4-misere", "?moves=1,2,3,1", "/best", "#best")):
        begin(service, page, spec, query)
        page.run(BREAK, route)
        page.click(what)
        page.wait("return window.begun")
        page.click("#undo")
        wait_for(page, f"{query}&ply=3")
        page.run("return new Promise((done) => setTimeout(done, 50))")
        expect("", page.text("#problem"), f"a complaint about {what}")
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
    expect(0, page.run("return window.held.length"), "searches of a table with distances")


# ---- other tables, other places ----

def a_strategy_is_played(_, page):
    with Service(os.path.abspath(sys.argv[1]), [MNK]) as service:
        service.stop()
        service.run("strategy", service.file(MNK), "--player", "first", "-o", service.file("own"))
        os.remove(service.file(MNK))
        with service:
            service.open(page, MNK)
            said = service.run("probe", service.file("own"), "3/3/3", "--json")
            if '"bound":"at least"' not in said:
                raise Failure(f"a strategy says {said}")
            expect("x to move: at least draw", page.text("#status"), "what is sure")
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
                                    " one.checkVisibility()).map((one) => one.className || one.tagName)"), "what is seen")
    page.resize(1280, 900)
    expect(True, page.run("return document.querySelector('.play').offsetWidth === document.querySelector('main').offsetWidth"),
           "the board has the whole width")
    page.click("#numbers [data-number='7']")
    page.click("#board [data-cell=b2]")
    page.wait(PLIES, 1)
    expect("/embed/numeric-3x3?moves=7@b2", page.run("return location.pathname + location.search"), "the address")
    page.click("#undo")
    still(page, 700, "?moves=7@b2&ply=0", "players that were chosen elsewhere do not play here")
    expect(status_text(service.probe("numeric-3x3", [".,.,./.,.,./.,.,."])[0]), page.text("#status"), "the value")
    page.run("localStorage.clear()")


TESTS = [
    the_table_answers, the_table_plays_both, a_click_is_no_move_of_the_table, moves_taken_back_are_not_replied_to,
    a_move_played_again_is_replied_to, a_held_key_plays_move_by_move, the_line_runs_and_steps,
    a_line_that_is_not_found_can_be_searched_longer, the_line_stays_while_it_is_left,
    the_line_has_a_speed_and_a_pause, with_less_motion_the_line_is_slow, late_answers_change_nothing,
    a_search_ends_when_something_else_is_done, a_long_search_is_seen, half_an_answer_is_none,
    the_best_move_is_searched_without_distances, a_strategy_is_played, an_embedded_board_is_only_that]

if __name__ == "__main__":
    sys.exit(main(TESTS))
