// SPDX-License-Identifier: MIT
// The state of the page, and all functions that change it. A state object is replaced, never modified;
// the watcher is called after each change. The address contains the game:
//
//     /tables/SPEC?board=START&moves=M1,M2,…&ply=2&flip=1&compare=SPEC
//
// steps[i] is the answer for the position after i moves, and steps[ply] is shown. The page knows no rules:
// it takes the legal moves from the answers.
import * as api from "./api.js";
import { addressOf, embedded, placeOf } from "./source.js";
import { positionText, readBoard, writeBoard } from "./texts.js";

// Preferences are stored if the browser allows it.
const store = (() => { try { return localStorage; } catch { return {}; } })();

let watcher = () => {};
export let state = Object.freeze({
  tables: [], table: null, counts: null, start: null, moves: [], played: [], mistakes: null, steps: [], ply: 0, flip: false,
  compare: null, other: null, // the spec to compare with, and the answer of its table
  hidden: false, logarithmic: false,
  players: embedded ? "xo" : store.players ?? "xo", // those played by hand; the table plays the others
  unit: store.unit ?? "plies", // of values: plies or score
  speed: store.speed ?? (matchMedia("(prefers-reduced-motion: reduce)").matches ? "2000" : "500"), // in ms
  number: null, // in games of numbers: the number to place
  line: null, // the line to the end: { positions, moves }
  setup: null, // pieces by cell during setup
  problem: null, // { where: id of an element, text, offer: text of a button, retry: its action }
  busy: "", said: "",
});

export const watch = (show) => { watcher = show; };

export function update(change) {
  const before = state;
  state = Object.freeze({ ...state, ...change });
  watcher(state, before);
}

export const answer = () => state.steps[state.ply];

// ---- the address ----

export const address = () => addressOf(state.table.spec, { board: state.start, moves: state.moves.join(),
  flip: state.flip && 1, compare: state.compare, ply: state.ply === state.moves.length ? null : state.ply });

function writeAddress(method) {
  if (location.pathname + location.search !== address()) history[method](null, "", address());
}

// ---- requests ----

let newest = 0;

// Change state and address at once. The results of pending requests are ignored.
function change(values, method = "pushState") {
  newest++;
  update({ problem: null, busy: "", ...values });
  if (method) writeAddress(method);
}

// Run an action that sends requests, then change the state. If another action began meanwhile, the result is
// ignored. If the table was replaced, read the game from the new one and run the action again. The message of
// this, or of a refusal, is shown after the element with the id `where`.
export async function attempt(where, action, method = "pushState") {
  const mine = ++newest, refusal = ({ message, passing, offer = passing && "Try again", retry = () => attempt(where, action, method) }) =>
    ({ problem: { where, text: message, offer, retry } });
  let done = true;
  const again = async (error) => {
    if (!error.replaced) throw error;
    const { table, start, moves, ply } = state, tables = await api.listTables();
    return { tables, ...table && await readGame(table.spec, start, moves.join()), ply, ...await action(), ...refusal(error) };
  };
  const refuse = (error) => {
    if (!(error instanceof api.Problem)) throw error;
    done = false;
    return refusal(error);
  };
  update({ busy: where === "line" || where === "best" ? "Searching …" : "Loading …" });
  const values = await action().catch(again).catch(refuse);
  if (mine !== newest) return false;
  change(values, done && method);
  return done;
}

// Read a game from a board and the text of the moves from there.
async function readGame(spec, start, text) {
  const table = await api.getTable(spec);
  const [game, counts] = await Promise.all([api.getGame(spec, start, text), api.getCounts(spec)]);
  return { table, start, counts, ...game, ply: game.moves.length, setup: null, number: null, hidden: store.hidden === spec,
    ...spec !== state.table?.spec && { line: null, compare: null } };
}

// Show the game of the address; without a spec, the first table. An invalid address is not changed.
export async function openAddress() {
  const place = placeOf(location), parameters = new URLSearchParams(location.search);
  const done = await attempt(answer() && "board", async () => {
    const tables = state.tables.length ? state.tables : await api.listTables();
    update({ tables });
    if (!place) throw new api.Problem("There is nothing at this address.");
    const spec = place.spec ?? tables.find((table) => table.state === "ok")?.spec;
    if (place.spec && !tables.some((table) => table.spec === spec)) throw new api.Problem(`There is no table '${spec.slice(0, 80)}' here.`);
    if (!spec) throw new api.Problem("No table is served: plybase build makes one.");
    const game = await readGame(spec, parameters.get("board"), parameters.get("moves")).catch((error) => startInstead(spec, error));
    const ply = Number(parameters.get("ply") ?? game.ply);
    return { ...game, ply: game.steps[ply] ? ply : game.ply, said: "",
      flip: parameters.get("flip") === "1", compare: parameters.get("compare") };
  }, null);
  if (done && !state.problem) writeAddress("replaceState");
  return done;
}

// For a link with an invalid position or invalid moves: the empty board, with a message.
async function startInstead(spec, error) {
  if (error.passing || error.replaced) throw error;
  return { ...await readGame(spec, null, ""), problem: { where: "board", text: `This link cannot be shown: ${error.message}.`,
    offer: "Start again", retry: () => chooseTable(spec) } };
}

// board: a text or a promise of it; board and moves may be empty
export const startGame = (where, board, moves, spec = state.table.spec) => attempt(where, async () => ({
  ...await readGame(spec, await board || null, moves), said: "A new position." }));

export const chooseTable = (spec) => startGame("board", "", "", spec);

export const reset = () => startGame("board", state.start, "");

// ---- moves ----

const moveText = (step, move) => `${step.to_move} plays ${move}.`;

export async function play(...list) {
  const { table, start, moves, ply, setup } = state, end = ply + list.length;
  if (setup) return false;
  if (list.every((move, i) => moves[ply + i] === move)) return goTo(end);
  return attempt("board", async () => {
    const game = await readGame(table.spec, start, [...moves.slice(0, ply), ...list].join());
    return { ...game, said: moveText(game.steps[end - 1], list.at(-1)) };
  });
}

export function goTo(ply) {
  const { steps, moves } = state;
  if (!steps[ply] || ply === state.ply || state.setup) return false;
  change({ ply, number: null,
    said: ply < state.ply ? `Taken back: ${moves.slice(ply, state.ply).join(", ")}.` : moveText(steps[ply - 1], moves[ply - 1]) });
  return true;
}

// The ply after undo: one move back, or two after a reply of the table.
export function undoPly() {
  const { steps, ply, players } = state, mover = steps[ply - 1]?.to_move;
  return ply - (mover && players.length === 1 && mover !== players ? 2 : 1);
}

// ---- setup: after each change the server checks whether the position can arise ----

export const beginSetup = () => change({ setup: readBoard(state.table, answer().position),
  said: "Editing: Enter changes a cell." });

export const endSetup = () => change({ setup: null, said: "Nothing was changed." });

export const setupText = () => writeBoard(state.table, state.setup);

function setSetup(setup, said) {
  update({ setup, said });
  return attempt("setup", async () => {
    await api.getPosition(state.table.spec, setupText());
    return { setup };
  });
}

// A number can be used once, a stone any number of times.
function nextPiece({ table: { pieces, numbers }, setup }, cell) {
  const used = numbers ? Object.values(setup) : [];
  return pieces.slice(pieces.indexOf(setup[cell]) + 1).find((piece) => !used.includes(piece));
}

// Change the piece on a cell: to the next one, or to the given one (null: empty).
export function changeCell(cell, piece = nextPiece(state, cell)) {
  const { [cell]: before, ...setup } = state.setup;
  return setSetup(piece ? { ...setup, [cell]: piece } : setup, `${cell}: ${piece ?? "empty"}.`);
}

export const clearSetup = () => setSetup({}, "The board is empty.");

export const useSetup = () => startGame("setup", setupText(), "");

// ---- display ----

// Change `flip` or `compare`, which are part of the address.
export function setView(values) {
  update(values);
  writeAddress("replaceState");
}

export function setPreference(values) {
  Object.assign(store, values);
  update(values);
}

// Hide or show the values. This is stored for one table only.
export function toggleValues() {
  const hidden = !state.hidden;
  store.hidden = hidden ? state.table.spec : "";
  update({ hidden, said: `Values are ${hidden ? "hidden" : "shown"}.` });
}

// The text of the live region for screen readers.
export const spoken = () => `${state.said} ${state.setup ? "" : positionText(answer(), state.hidden)}`.trim();
