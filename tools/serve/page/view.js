// SPDX-License-Identifier: MIT
// What is shown of a state.
import * as api from "./api.js";
import * as follow from "./follow.js";
import * as game from "./game.js";
import { Board } from "./board.js";
import { countsTable, recordTable, showCounts, showGraph } from "./charts.js";
import { button, find, make, refill, set } from "./elements.js";
import { chosenNumber, showMoves, showNumbers } from "./moves.js";
import { link } from "./share.js";
import { positionText, tableText } from "./texts.js";

export const board = new Board(find("board"));
const other = new Board(find("other"));

const options = (tables) => tables.map((table) =>
  make("option", { value: table.spec, disabled: table.state !== "ok" }, tableText(table)));

// Tables whose boards have the same form stand beside each other: misere, of the plane, of a cylinder.
const form = ({ width, height, gravity, largest_number: numbers }) => [width, height, gravity, numbers].join();

// What is read aloud when it changes.
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function showTables(state, before) {
  const { table, tables } = state;
  if (tables !== before.tables) find("table").replaceChildren(...options(tables));
  find("table").value = table?.spec ?? "";
  if (table && table !== before.table) {
    const others = tables.filter((one) => one.state === "ok" && one.spec !== table.spec && form(one) === form(table));
    document.title = `${table.spec} · Plybase`;
    find("rules").textContent = table.rules.join(" ");
    find("csv").href = api.routeOf(table.spec, "stats", { format: "csv" });
    find("compare").replaceChildren(make("option", { value: "" }, "none"), ...options(others));
    find("compare-part").hidden = !others.length;
  }
  find("compare").value = state.compare ?? "";
}

// ---- another table ----

// What it says of the position that is shown: an answer, or a problem.
async function followOther(state, before) {
  const { compare, steps, ply, tables } = state, position = steps[ply].position;
  if (compare === before.compare && before.steps[before.ply]?.position === position) return;
  if (state.other) game.update({ other: null });
  if (!compare) return;
  const other = await api.getPosition(compare, { board: position }).then(
    (answer) => ({ table: tables.find(({ spec }) => spec === compare), answer }), (error) => ({ problem: error.message }));
  if (game.state.compare === compare && game.answer().position === position) game.update({ other });
}

// ---- the game ----

function showPosition(state) {
  const { table, flip, hidden, setup } = state, answer = game.answer();
  const view = { answer, hidden, setup, last: game.moveTo(state, state.ply)?.cell, other: state.other,
    number: setup ? null : chosenNumber(answer, state.number, hidden) };
  const theirs = state.other?.answer;
  board.show(table, flip, view);
  showNumbers(find("numbers"), view);
  showMoves(find("moves"), view);
  find("status").textContent = setup ? "Setting up a position" : positionText(answer, hidden);
  set(find("status"), "data-value", !hidden && !setup && !answer.over && answer.value);
  find("other").hidden = !theirs;
  find("compare-status").textContent = state.other?.problem ?? (theirs ? `There ${positionText(theirs, hidden)}` : "");
  if (theirs) other.show(state.other.table, flip, { ...view, answer: theirs, setup: null });
}

function showLine({ line }) {
  const place = follow.place();
  find("line-part").hidden = place < 0;
  if (place < 0) return;
  refill(find("line-moves"), line.moves.map((move, i) => make("li", {}, button({ class: "played", "data-along": i + 1,
    "data-key": i, "aria-current": i + 1 === place && "step" }, move.move))));
  find("line-step").disabled = find("line-run").disabled = place === line.moves.length;
  find("line-run").textContent = follow.isRunning() ? "Pause" : "Run";
}

function showTexts({ start, moves, ply, setup, table }) {
  const fields = { "by-board": setup ? game.setupText() : game.answer().position,
    "by-moves": start ? "" : moves.slice(0, ply).join(table.gravity ? "" : ","), share: link() };
  for (const [name, text] of Object.entries(fields)) {
    const field = find(`${name}-text`);
    if (document.activeElement !== field) field.value = text;
  }
}

// A refusal stands after what was refused.
function showProblem({ problem }) {
  const place = find("problem"), field = find(`${problem?.where}-text`);
  if (problem && place.previousElementSibling?.id !== problem.where) find(problem.where).after(place);
  say(place, problem?.text ?? "");
  for (const one of document.querySelectorAll("form input")) set(one, "aria-invalid", one === field && "true");
}

function showControls({ ply, moves, hidden, setup, byHand }) {
  find("undo").disabled = !ply;
  find("redo").disabled = ply === moves.length;
  set(find("values"), "aria-pressed", String(!hidden));
  find("controls").hidden = Boolean(setup);
  find("setup").hidden = !setup;
  find("best").disabled = find("line").disabled = game.answer().over || Boolean(setup);
  find("players").value = byHand;
}

function showAllCounts({ counts, logarithmic }, before) {
  find("counts-part").hidden = !counts;
  if (!counts) return;
  if (counts !== before.counts) find("counts-table").replaceChildren(countsTable(counts));
  showCounts(find("counts"), counts, game.answer().ply, logarithmic);
}

const ASIDE = ["busy", "said", "problem"]; // what no position and no chart shows

export function show(state, before) {
  set(document.body, "aria-busy", String(state.busy));
  showProblem(state);
  showTables(state, before);
  find("main").hidden = !state.problem && !game.answer();
  if (!game.answer()) return;
  if (Object.keys(state).some((name) => state[name] !== before[name] && !ASIDE.includes(name))) {
    showPosition(state);
    showTexts(state);
    showControls(state);
    showGraph(find("graph"), state);
    refill(find("record"), [recordTable(state)]);
    showAllCounts(state, before);
  }
  showLine(state);
  if (!state.busy) say(find("said"), game.spoken());
  followOther(state, before);
}
