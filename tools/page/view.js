// SPDX-License-Identifier: MIT
// Shows the state of game.js on the page.
import * as api from "./api.js";
import * as follow from "./follow.js";
import * as game from "./game.js";
import { Board } from "./board.js";
import { countsTable, recordTable, showCounts, showGraph } from "./charts.js";
import { button, find, make, refill, set } from "./elements.js";
import { chosenNumber, showMoves, showNumbers } from "./moves.js";
import { curlLine, link, movesText } from "./share.js";
import { addressOf, countsFile } from "./source.js";
import { positionText, showScores, tableText, unitText } from "./texts.js";

export const board = new Board(find("board"));
const other = new Board(find("other"));

// Unchanged text is not set again: screen readers would read it again.
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// A message is shown after the element whose action was refused.
function showProblem({ problem, table }) {
  const place = find("trouble"), field = find(`${problem?.where}-text`);
  if (problem && place.previousElementSibling?.id !== problem.where) find(problem.where)?.after(place);
  place.hidden = !problem;
  find("list").hidden = !problem || Boolean(table);
  setText(find("problem"), problem?.text ?? "");
  Object.assign(find("again"), { hidden: !problem?.offer, textContent: problem?.offer ?? "" });
  for (const one of document.querySelectorAll("form input")) set(one, "aria-invalid", one === field && "true");
}

const options = (tables) => tables.map((table) =>
  make("option", { value: table.spec, disabled: table.state !== "ok" }, tableText(table)));

// Tables can be compared if their boards have the same size and kind.
const boardKind = ({ width, height, gravity, largest_number: numbers }) => [width, height, gravity, numbers].join();

function showTables({ table, tables }) {
  const others = tables.filter((one) => one.state === "ok" && one.spec !== table?.spec && table && boardKind(one) === boardKind(table));
  find("table").replaceChildren(...options(tables), ...table ? [] : [make("option", { value: "" }, "choose a table")]);
  find("table").value = table?.spec ?? "";
  find("list").replaceChildren(...tables.filter(({ state }) => state === "ok").map((one) =>
    make("li", {}, make("a", { href: addressOf(one.spec) }, tableText(one)))));
  find("compare").replaceChildren(make("option", { value: "" }, "none"), ...options(others));
  find("compare-part").hidden = !others.length;
}

// The properties of elements, by id.
function properties({ table, ply, moves, mistakes, hidden, setup, players, unit, speed, line, compare, other, counts }) {
  const answer = game.answer(), place = follow.linePlace(), theirs = other?.answer, { numbers } = table;
  const setting = setup !== null, ended = place === line?.moves.length;
  return {
    parts: { hidden: false }, more: { hidden: false }, table: { value: table.spec }, rules: { textContent: table.rules.join(" ") },
    status: { textContent: setup ? "Editing: a click changes a cell" : positionText(answer, hidden) },
    undo: { disabled: game.undoPly() < 0 }, redo: { disabled: ply === moves.length },
    controls: { hidden: setting }, setup: { hidden: !setting }, players: { value: players },
    "hidden-note": { hidden: !hidden }, distances: { hidden: table.values !== "dtm", textContent: unitText() },
    mover: { textContent: answer.over ? "Game over" : `Moves of ${answer.to_move}` }, unit: { value: unit },
    "unit-part": { hidden: hidden || table.values !== "dtm" },
    mistakes: { hidden: hidden || !moves.length, textContent: `Mistakes: ${mistakes.x} of x, ${mistakes.o} of o` },
    "counts-legend": { hidden }, "counts-details": { hidden },
    example: { textContent: `Moves of a game, such as ${numbers ? `${numbers.x[0]}@a1 ${numbers.o[0]}@b2` : table.gravity ? "1121 or a1 b1" : "a1 b2"}` },
    "moves-part": { inert: setting }, "game-part": { inert: setting }, numbers: { inert: setting },
    best: { disabled: answer.over }, line: { hidden: table.values === "strategy", disabled: answer.over || hidden },
    "line-part": { hidden: hidden || place < 0 }, "line-step": { disabled: ended },
    "line-run": { disabled: ended, textContent: follow.isRunning("line") ? "Pause" : "Run" }, speed: { value: speed },
    compare: { value: compare ?? "" }, other: { hidden: !theirs },
    "compare-status": { textContent: other?.problem ?? (theirs ? `${compare}: ${positionText(theirs, hidden)}` : "") },
    "counts-part": { hidden: !counts }, csv: { href: countsFile(table.spec) },
  };
}

function showPosition(state) {
  const { table, flip, hidden, setup, other: theirs } = state, answer = game.answer();
  const view = { answer, hidden, setup, last: state.played[state.ply - 1]?.cell, other: theirs,
    number: setup ? null : chosenNumber(answer, state.number, hidden) };
  board.show(table, flip, view);
  if (theirs?.answer) other.show(theirs.table, flip, { ...view, answer: theirs.answer, setup: null });
  showNumbers(find("numbers"), view);
  showMoves(find("moves"), view);
  set(find("status"), "data-value", !hidden && !setup && !answer.over && answer.value);
  set(find("status"), "data-owner", !setup && (answer.over ? answer.winner : answer.to_move));
  set(find("values"), "aria-pressed", String(!hidden));
}

// A field that the user is editing keeps its text.
function showTexts(state) {
  const texts = { "by-board": state.setup ? game.setupText() : game.answer().position,
    "by-moves": state.start ? "" : movesText(), link: link(), curl: curlLine() };
  for (const [name, text] of Object.entries(texts)) {
    const field = find(`${name}-text`);
    if (document.activeElement !== field) field.value = text;
  }
}

function showCharts(state, before) {
  showGraph(find("graph"), state);
  refill(find("record"), [recordTable(state)]);
  if (!state.counts) return;
  if (state.counts !== before.counts) find("counts-table").replaceChildren(countsTable(state.counts));
  showCounts(find("counts"), state.counts, game.answer().ply, state);
}

const showLine = ({ line }) => refill(find("line-moves"), line.moves.map((move, i) => make("li", {},
  button({ "data-along": i + 1, "aria-current": i + 1 === follow.linePlace() && "step" }, move))));

// Request the shown position from the other table.
async function updateOther({ compare, steps, ply }, before) {
  const { position } = steps[ply];
  if (compare === before.compare && before.steps[before.ply]?.position === position) return;
  game.update({ other: null });
  if (!compare) return;
  const other = await api.getPosition(compare, position).then(async (answer) =>
    ({ table: await api.getTable(compare), answer }), (error) => ({ problem: error.message }));
  if (game.state.compare === compare && game.answer().position === position) game.update({ other });
}

const MESSAGES = ["busy", "said", "problem"]; // parts of the state that boards and charts do not show

export function show(state, before) {
  set(document.body, "aria-busy", String(Boolean(state.busy)));
  if (state.busy) find("loading").textContent = state.busy;
  showProblem(state);
  if (state.tables !== before.tables || state.table !== before.table) showTables(state);
  if (!game.answer()) return;
  showScores(state.unit === "score" && state.table.values === "dtm" && state.table.cells);
  document.title = `${state.table.spec} · Plybase`;
  for (const [id, values] of Object.entries(properties(state))) Object.assign(find(id), values);
  if (Object.keys(state).some((name) => state[name] !== before[name] && !MESSAGES.includes(name))) {
    showPosition(state);
    showTexts(state);
    showCharts(state, before);
    if (state.line) showLine(state);
  }
  if (!state.busy) setText(find("said"), game.spoken());
  updateOther(state, before);
}
