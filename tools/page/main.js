// SPDX-License-Identifier: MIT
// Connects clicks, keys and forms with actions.
import * as api from "./api.js";
import * as follow from "./follow.js";
import * as game from "./game.js";
import * as share from "./share.js";
import { find } from "./elements.js";
import { embedded } from "./source.js";
import { board, show } from "./view.js";

// An action of the player ends what the table is doing.
const step = (action) => (...values) => {
  follow.stop();
  return action(...values);
};

// Then it may be the table's turn.
const act = (action) => async (...values) => {
  await step(action)(...values);
  follow.replyIfAsked();
};

const adopt = act(game.adopt);

// A move by hand; none while the table is about to reply: a double click is not two moves.
const play = (move) => follow.isAt("reply") || act(game.play)(move);

function choose(cell) {
  const move = board.moveAt(cell)?.move;
  board.moveFocus(cell);
  if (game.state.setup) game.changeCell(cell);
  else if (move) play(move);
}

// Actions of keys, and of clicks on elements with this id or data attribute.
const actions = {
  cell: choose, change: game.changeCell,
  undo: step(() => game.goTo(game.undoPly())), redo: act(() => game.goTo(game.state.ply + 1)), reset: act(game.reset),
  best: () => follow.isAt("best") || act(follow.playBest)(),
  values: game.hide, flip: () => game.look({ flip: !game.state.flip }), help: () => find("keys").showModal(),
  edit: () => (game.state.setup ? actions["setup-end"]() : step(game.beginSetup)()),
  "setup-use": act(game.useSetup), "setup-clear": () => game.put({}, "The board is empty."), "setup-end": act(game.endSetup),
  line: step(() => follow.showLine()), "line-step": step(() => follow.goAlong(follow.place() + 1)),
  "line-run": () => (follow.isAt("line") ? step(game.update)({}) : follow.run()),
  along: step((place) => follow.goAlong(Number(place))),
  move: play, number: (number) => game.update({ number }), ply: act((ply) => game.goTo(Number(ply))),
  sample: (ply) => adopt("counts", api.getSample(game.state.table.spec, ply), ""),
  again: act(() => game.state.problem?.retry()), copy: share.copy, picture: () => { find("picture").href = share.picture(); },
};

function click({ target }) {
  for (const [name, action] of Object.entries(actions)) {
    const element = target.closest(`#${name}, [data-${name}]`);
    if (element) return action(element.dataset[name]);
  }
}

const choices = {
  table: act(game.chooseTable),
  compare: (spec) => game.look({ compare: spec || null }),
  players: act((players) => game.prefer({ players })),
  unit: (unit) => game.prefer({ unit }),
  speed: (speed) => game.prefer({ speed }),
  logarithmic: () => game.update({ logarithmic: find("logarithmic").checked }),
};

function submit(event) {
  const { id, method } = event.target, text = find(`${id}-text`)?.value.trim();
  if (method !== "dialog") event.preventDefault();
  if (id === "by-board") adopt(id, text, "");
  if (id === "by-moves") adopt(id, "", text.replace(/\s+/g, ","));
}

// Keys work everywhere except in fields and dialogs.
function press(event) {
  if (event.altKey || event.metaKey || event.target.closest?.("input, select, dialog[open]")) return;
  if (board.act(event, actions)) event.preventDefault();
}

// Highlight a move in the list and its cell together.
function light({ target }) {
  const move = target.closest?.("[data-move]")?.dataset.move;
  for (const element of document.querySelectorAll("[data-move]"))
    element.classList.toggle("lit", element.dataset.move === move);
}

for (const type of ["pointerover", "focusin"]) document.addEventListener(type, light);
document.addEventListener("click", click);
document.addEventListener("keydown", press);
document.addEventListener("submit", submit);
document.addEventListener("change", ({ target }) => choices[target.id]?.(target.value));
window.addEventListener("popstate", step(game.openAddress));
document.body.classList.toggle("embedded", embedded);
game.watch(show);
act(game.openAddress)();
