// SPDX-License-Identifier: MIT
// Event handlers: clicks, keys, forms and choices call actions.
import * as api from "./api.js";
import * as follow from "./follow.js";
import * as game from "./game.js";
import * as share from "./share.js";
import { find } from "./elements.js";
import { embedded } from "./source.js";
import { board, show } from "./view.js";

// An action that first stops the running task (follow.js).
const stopping = (action) => (...values) => {
  follow.stop();
  return action(...values);
};

// The same; afterwards the table replies, if it is its turn.
const turn = (action) => async (...values) => {
  await stopping(action)(...values);
  follow.replyIfTurn();
};

// The buttons that begin and end editing are hidden then, so the board gets the focus.
const editing = (action) => async () => {
  const before = game.state.setup !== null;
  await action();
  if (before !== (game.state.setup !== null)) board.moveFocus(board.focus);
};

const startGame = turn(game.startGame);

// No move while the table is about to reply, so that a double click is not two moves.
const play = (move) => follow.isRunning("reply") || turn(game.play)(move);

function choose(cell) {
  const move = board.moveAt(cell)?.move;
  board.moveFocus(cell);
  if (game.state.setup) game.changeCell(cell);
  else if (move) play(move);
}

// Actions by name. A click on an element with the name as its id or data attribute runs it, and so does a key (board.js).
const actions = {
  cell: choose, change: game.changeCell,
  undo: stopping(() => game.goTo(game.undoPly())), redo: turn(() => game.goTo(game.state.ply + 1)), reset: turn(game.reset),
  best: () => follow.isRunning("best") || turn(follow.playBest)(),
  values: game.toggleValues, flip: () => game.setView({ flip: !game.state.flip }), help: () => find("keys").showModal(),
  edit: () => (game.state.setup ? actions["setup-end"]() : editing(stopping(game.beginSetup))()),
  "setup-use": editing(turn(game.useSetup)), "setup-clear": game.clearSetup, "setup-end": editing(turn(game.endSetup)),
  line: stopping(() => follow.showLine()), "line-step": stopping(() => follow.goToLineMove(follow.linePlace() + 1)),
  "line-run": () => (follow.isRunning("line") ? stopping(game.update)({}) : follow.runLine()),
  along: stopping((place) => follow.goToLineMove(Number(place))),
  move: play, number: (number) => game.update({ number }), ply: turn((ply) => game.goTo(Number(ply))),
  sample: (ply) => startGame("counts", api.getSample(game.state.table.spec, ply), ""),
  again: turn(() => game.state.problem?.retry()), copy: share.copy, picture: () => { find("picture").href = share.picture(); },
};

function click({ target }) {
  for (const [name, action] of Object.entries(actions)) {
    const element = target.closest(`#${name}, [data-${name}]`);
    if (element) return action(element.dataset[name]);
  }
}

const choices = {
  table: turn(game.chooseTable),
  compare: (spec) => game.setView({ compare: spec || null }),
  players: turn((players) => game.setPreference({ players })),
  unit: (unit) => game.setPreference({ unit }),
  speed: (speed) => game.setPreference({ speed }),
  logarithmic: () => game.update({ logarithmic: find("logarithmic").checked }),
};

function submit(event) {
  const { id, method } = event.target, text = find(`${id}-text`)?.value.trim();
  if (method !== "dialog") event.preventDefault();
  if (id === "by-board") startGame(id, text, "");
  if (id === "by-moves") startGame(id, "", text.replace(/\s+/g, ","));
}

// Keys work everywhere except in fields and dialogs.
function press(event) {
  if (event.altKey || event.metaKey || event.target.closest?.("input:not([type=checkbox]), select, dialog[open]")) return;
  if (board.act(event, actions)) event.preventDefault();
}

// Highlight a move in the list and its cell.
function highlight({ target }) {
  const move = target.closest?.("[data-move]")?.dataset.move;
  for (const element of document.querySelectorAll("[data-move]"))
    element.classList.toggle("lit", element.dataset.move === move);
}

for (const type of ["pointerover", "focusin"]) document.addEventListener(type, highlight);
document.addEventListener("click", click);
document.addEventListener("keydown", press);
document.addEventListener("submit", submit);
document.addEventListener("change", ({ target }) => choices[target.id]?.(target.value));
window.addEventListener("popstate", stopping(game.openAddress));
document.body.classList.toggle("embedded", embedded);
game.watch(show);
turn(game.openAddress)();
