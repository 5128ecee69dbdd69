#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page shows the values of the command: test_page_values.py BUILD [TEST...]

50 random positions of each family are entered in the page; status, list of moves and board must agree with
`plybase probe --json` in every value. In every family a game is played to its end by clicks on the board, always
the best move. Finally, random actions follow each other faster than the answers come; the page and its address
must then be right.
"""
import sys

from browser import Failure
from page_service import FAMILIES, IDLE, choose, expect, main, some, status_text, value_text

POSITIONS = 50
SIGNS = {"win": "+", "draw": "=", "loss": "−"}

# Enters positions one after another and reads what is shown; in games of numbers, for each number.
READ = """
const find = (id) => document.getElementById(id), pause = () => new Promise((go) => setTimeout(go));
const until = async (text) => {
  for (let i = 0; i < 2000; i++) {
    if (document.body.getAttribute("aria-busy") === "false" && new URLSearchParams(location.search).get("board") === text) return;
    await pause();
  }
  throw new Error(`not shown: ${text}`);
};
const tagText = (tag) => ["::before", "::after"].map((part) =>
  getComputedStyle(tag, part).content.replace(/^"|"$|^none$/g, "")).join("");
const read = () => ({
  list: [...document.querySelectorAll("#moves .move")].map((move) => [move.dataset.move, move.dataset.value,
    move.lastChild.textContent, move.querySelector(".chip").textContent]),
  cells: [...document.querySelectorAll("#board [role=gridcell][data-target]")].map((cell) => [cell.dataset.move, cell.dataset.cell,
    cell.dataset.value, tagText(cell.querySelector(".tag")), cell.ariaLabel]),
  feet: [...document.querySelectorAll("#board .foot[data-move]:not(.ghost)")].map((foot) => [foot.dataset.move, foot.dataset.value,
    tagText(foot.querySelector(".tag"))]),
});
const all = [];
for (const position of arguments[0]) {
  find("by-board-text").value = position;
  find("by-board").requestSubmit();
  await until(position);
  const shown = { status: find("status").textContent, list: [], cells: [], feet: [] };
  const numbers = [...document.querySelectorAll("#numbers button")].map((button) => button.dataset.number);
  for (const number of numbers.length ? numbers : [null]) {
    if (number) document.querySelector(`#numbers [data-number="${number}"]`).click();
    for (const [part, rows] of Object.entries(read())) shown[part].push(...rows);
  }
  all.push(shown);
}
return all;
"""


def short(move):
    return f"{SIGNS[move['value']]}{'' if move['dtm_plies'] is None else move['dtm_plies']}{move['value']}"


def check_position(spec, answer, shown):
    where = f"{spec} {answer['position']}"
    gravity, moves = spec.startswith("connect"), answer["moves"]
    expect(status_text(answer), shown["status"], where)
    listed = [[m["move"], m["value"], value_text(m), SIGNS[m["value"]]] for m in moves]
    if "numeric" in spec:  # number by number, the best first in each
        listed = [row for number in range(1, 10) for row in listed if row[0].startswith(f"{number}@")]
    expect(listed, shown["list"], f"{where}: the list")
    judged = {m["move"]: [m["value"], SIGNS[m["value"]] if gravity else short(m), value_text(m)] for m in moves}
    on_board = {move: [value, tag, label.rsplit(", ", 1)[1]] for move, _, value, tag, label in shown["cells"]}
    expect(judged, on_board, f"{where}: the board")
    expect(len(moves), len(shown["cells"]), f"{where}: cells")
    expect({m["move"]: [m["value"], short(m)] for m in moves} if gravity else {},
           {move: rest for move, *rest in shown["feet"]}, f"{where}: under the columns")


def every_value_is_that_of_probe(service, page):
    for spec in FAMILIES:
        positions = some(service.sample(spec, POSITIONS, 7), 6)
        answers = service.probe(spec, positions)
        service.open(page, spec)
        # Faster: nothing is painted, but everything can be read.
        page.run("document.documentElement.style.display = 'none'")
        shown = []
        for begin in range(0, len(positions), 25):
            shown += page.run(READ, positions[begin:begin + 25])
        for answer, one in zip(answers, shown, strict=True):
            check_position(spec, answer, one)


BEST = """return document.querySelector("#moves .move:first-child")?.dataset.move"""


def play_best(page, moves):
    """Click the place of the best move on the board; False at the end of the game."""
    best = page.run(BEST)
    if not best:
        return False
    page.click(f"#board [role=gridcell][data-target][data-move='{best}']")
    page.wait("return new URLSearchParams(location.search).get('moves')?.split(',').length === arguments[0]"
              f" && {IDLE}", moves + 1)
    return True


def a_game_of_every_family(service, page):
    for spec, values in some(FAMILIES.items(), 3):
        service.open(page, spec)
        begin = service.probe(spec, [page.run("return document.getElementById('by-board-text').value")])[0]
        moves = 0
        while play_best(page, moves):
            moves += 1
        if values == "dtm" and begin["dtm_plies"] is not None:
            expect(begin["dtm_plies"], moves, f"{spec}: plies of the game")
        winner = {"win": "x has won", "loss": "o has won", "draw": "The game is drawn"}[begin["value"]]
        expect(winner, page.text("#status"), spec)
        group = page.run("return document.querySelectorAll('#board [role=gridcell][data-grouped]').length")
        expect(begin["value"] != "draw", group > 0, f"{spec}: the complete group is marked")
        expect(moves + 1, page.run("return document.querySelectorAll('#graph .dot').length"), f"{spec}: graph")
        expect(0, page.run("return document.querySelectorAll('#graph .blunder').length"), f"{spec}: blunders")
        if moves < 4:
            raise Failure(f"{spec}: a game of {moves} plies")
        expect([], page.console(), f"{spec}: the console")


# Does random actions, which the seed determines; returns their names.
DO = """
let seed = arguments[0];
const below = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 2147483648 * n); };
const pause = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));
const parts = ["#controls button", "#setup button", "#best", "#line", "#line-part button", "#moves .move", "#moves .move", "#board .cell",
  "#board .cell", "#board .cell", "#numbers button", "#record button", "#graph [data-ply]", "#counts [data-sample]", "select:not(#table) option",
  "#logarithmic", "key", "back"];
const keys = ["b", "v", "f", "e", "1", "3", "PageUp", "PageDown", "Backspace", "Home", "ArrowLeft", "Enter", "x", "o", "5", "Delete"];
const done = [];
for (let i = 0; i < arguments[1]; i++) {
  const part = parts[below(parts.length)], key = keys[below(keys.length)];
  const places = [...document.querySelectorAll(part === "key" ? "#board [tabindex='0']" : part)]
    .filter((one) => !one.disabled && !one.closest("[hidden], [inert]")), place = places[below(places.length)];
  if (part === "back" && navigation.entries()[navigation.currentEntry.index - 1]?.sameDocument) history.back();
  else if (part === "key") place.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  else if (place?.matches("option")) {
    place.selected = true;
    place.parentElement.dispatchEvent(new Event("change", { bubbles: true }));
  } else place?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  done.push(`${part} ${part === "key" ? key : place?.id || place?.value || Object.values(place?.dataset ?? {}).join("/")}`);
  await pause([0, 0, 5, 40][below(4)]);
}
return done;
"""
SHOWN = """
const find = (id) => document.getElementById(id), { number = "" } = document.querySelector("#numbers [aria-pressed=true]")?.dataset ?? {};
return { board: find("by-board-text").value, address: location.search, hidden: find("values").ariaPressed === "false", number,
  setup: !find("setup").hidden, status: find("status").textContent, plies: document.querySelectorAll("#record tbody tr").length,
  moves: [...document.querySelectorAll("#moves .move")].map((move) => [move.dataset.move, move.dataset.value]) };
"""
BURSTS = 8  # sequences of actions for each family
KEPT = ("board", "address", "hidden", "status", "plies")  # what a reload keeps


def settle(page):
    """Stop the table, wait for pending requests, and return what is shown."""
    choose(page, "players", "xo")
    page.wait(f"return new Promise((done) => setTimeout(() => done({IDLE}), 50))")
    return page.run(SHOWN)


def values_are_right_after_random_actions(service, page):
    page.resize(320, 240)
    count = 0
    for spec in some(FAMILIES, 3):
        service.open(page, spec)
        for burst in range(BURSTS):
            done = page.run(DO, 1000 * count + burst + 1, 1 + burst % 6)
            count += len(done)
            shown, where = settle(page), f"{spec} after {'; '.join(done)}"
            if shown["setup"]:
                continue
            answer = service.probe(spec, [shown["board"]])[0]
            moves = [[m["move"], m["value"]] for m in answer["moves"] if m["move"].startswith(shown["number"])]
            if shown["hidden"]:
                moves = sorted([move, None] for move, _ in moves)
                expect(f"{answer['to_move']} to move" if not answer["over"] else status_text(answer), shown["status"], where)
            else:
                expect(status_text(answer), shown["status"], where)
            expect(moves, shown["moves"], where)
            if burst % 4 == 3:
                page.driver.refresh()
                page.wait("return document.querySelector('#board .cell')")
                again = settle(page)
                expect({name: shown[name] for name in KEPT}, {name: again[name] for name in KEPT}, f"after a reload, {where}")
    print(f"        {count} actions")


TESTS = [
    every_value_is_that_of_probe, a_game_of_every_family, values_are_right_after_random_actions]

if __name__ == "__main__":
    sys.exit(main(TESTS))
