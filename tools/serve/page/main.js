// SPDX-License-Identifier: MIT
// What a person's actions do.
import * as api from "./api.js";
import * as follow from "./follow.js";
import * as game from "./game.js";
import * as share from "./share.js";
import { find } from "./elements.js";
import { board, show } from "./view.js";

// Do what a person does; then it may be the table's turn.
const act = (action) => async (...values) => {
  follow.stop();
  if (await action(...values)) follow.replyIfAsked();
};

const play = act(game.play);

function choose(cell) {
  if (game.state.setup) game.changeCell(cell);
  else play(board.moveAt(cell)?.move);
}

function run() {
  if (follow.isRunning()) follow.stop();
  else follow.run(matchMedia("(prefers-reduced-motion: reduce)").matches ? 2000 : 450);
  game.update({});
}

const undo = () => { follow.stop(); game.undo(); };
const actions = { choose, change: game.changeCell, undo, redo: game.redo, best: act(follow.playBest), values: game.hideValues,
  flip: () => game.look({ flip: !game.state.flip }), edit: () => (game.state.setup ? game.endSetup() : game.beginSetup()), help: () => find("keys").showModal() };

const buttons = { ...actions, reset: act(game.reset), "setup-use": act(game.useSetup), "setup-clear": game.clearSetup,
  "setup-end": game.endSetup, line: follow.showLine, "line-step": () => follow.goAlong(follow.place() + 1), "line-run": run };

// What an element with such data does when clicked.
const clicks = {
  move: play,
  number: (number) => game.update({ number }),
  ply: (ply) => { follow.stop(); game.goTo(Number(ply)); },
  along: (place) => follow.goAlong(Number(place)),
  sample: (ply) => adopt("counts", api.getSample(game.state.table.spec, ply), ""),
  copy: share.copy,
};

function click({ target }) {
  const action = buttons[target.closest("button")?.id], cell = target.closest("#board .cell")?.dataset.cell;
  if (action) return action();
  if (cell) board.moveFocus(cell);
  if (cell && game.state.setup) return game.changeCell(cell);
  const name = Object.keys(clicks).find((one) => target.closest(`[data-${one}]`));
  return name && clicks[name](target.closest(`[data-${name}]`).dataset[name]);
}

// A move and its place on the board are lit together.
function light({ target }) {
  const move = target.closest?.("[data-move]")?.dataset.move;
  for (const element of document.querySelectorAll("[data-move]"))
    element.classList.toggle("lit", element.dataset.move === move);
}

const adopt = act(game.adopt);

// What an entered text is: a board, and moves from there.
const entries = { "by-board": (text) => [text, ""], "by-moves": (text) => ["", text] };

function submit(event) {
  const { id, method } = event.target;
  if (method !== "dialog") event.preventDefault();
  if (entries[id]) adopt(id, ...entries[id](find(`${id}-text`).value.trim()));
}

// What a choice does.
const choices = {
  table: act(game.chooseTable),
  compare: (spec) => game.look({ compare: spec || null }),
  players: (byHand) => { game.choosePlayers(byHand); follow.replyIfAsked(); },
  logarithmic: () => game.update({ logarithmic: find("logarithmic").checked }),
};

find("picture").addEventListener("click", () => { find("picture").href = share.picture(); });
for (const type of ["pointerover", "focusin"]) document.addEventListener(type, light);
document.addEventListener("click", click);
document.addEventListener("submit", submit);
document.addEventListener("change", ({ target }) => choices[target.id]?.(target.value));
window.addEventListener("popstate", () => { follow.stop(); game.openAddress(); });
document.body.classList.toggle("embedded", location.pathname.startsWith("/embed"));
board.listen(actions);
game.watch(show);
act(async () => await game.openAddress() && !game.state.moves[game.state.ply])();
