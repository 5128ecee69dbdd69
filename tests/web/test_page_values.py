#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the page shows is what the command says: test_page_values.py BUILD

200 random positions of each family are set in the page as a person would set them; status, list of
moves and board then have to agree with `plybase probe --json` in every value. And in every family a
game is played to its end by clicks on the board, always the best move.
"""
import sys

from browser import Failure
from page_service import FAMILIES, expect, main, status_text, value_text

POSITIONS = 200
SIGNS = {"win": "+", "draw": "=", "loss": "−"}

# Sets positions one after another, and reads what is shown; in games of numbers of every number.
READ = """
const find = (id) => document.getElementById(id), pause = () => new Promise((go) => setTimeout(go));
const until = async (text) => {
  for (let i = 0; i < 2000; i++) {
    if (document.body.getAttribute("aria-busy") === "false" && new URLSearchParams(location.search).get("board") === text) return;
    await pause();
  }
  throw new Error(`not shown: ${text}`);
};
const written = (tag) => ["::before", "::after"].map((part) =>
  getComputedStyle(tag, part).content.replace(/^"|"$|^none$/g, "")).join("");
const read = () => ({
  list: [...document.querySelectorAll("#moves .move")].map((move) => [move.dataset.move, move.dataset.value,
    move.lastChild.textContent, move.querySelector(".chip").textContent]),
  cells: [...document.querySelectorAll("#board [role=gridcell][data-target]")].map((cell) => [cell.dataset.move, cell.dataset.cell,
    cell.dataset.value, written(cell.querySelector(".tag")), cell.ariaLabel]),
  feet: [...document.querySelectorAll("#board .foot[data-move]:not(.ghost)")].map((foot) => [foot.dataset.move, foot.dataset.value,
    written(foot.querySelector(".tag"))]),
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
    judged = {m["move"]: [m["value"], "" if gravity else short(m), value_text(m)] for m in moves}
    on_board = {move: [value, tag, label.rsplit(", ", 1)[1]] for move, _, value, tag, label in shown["cells"]}
    expect(judged, on_board, f"{where}: the board")
    expect(len(moves), len(shown["cells"]), f"{where}: cells")
    expect({m["move"]: [m["value"], short(m)] for m in moves} if gravity else {},
           {move: rest for move, *rest in shown["feet"]}, f"{where}: under the columns")


def every_value_is_the_commands(service, page):
    for spec in FAMILIES:
        positions = service.sample(spec, POSITIONS, 7)
        answers = service.probe(spec, positions)
        service.open(page, spec)
        shown = []
        for begin in range(0, POSITIONS, 25):
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
              " && document.body.getAttribute('aria-busy') === 'false'", moves + 1)
    return True


def a_game_on_every_family(service, page):
    for spec, values in FAMILIES.items():
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


if __name__ == "__main__":
    sys.exit(main([every_value_is_the_commands, a_game_on_every_family]))
