// SPDX-License-Identifier: MIT
// The one state of the page, and what may happen to it. A state is never changed, only replaced; who
// shows it is told. The address bar holds what a game is:
//
//     /tables/SPEC?board=START&moves=M1,M2,…&ply=2&flip=1&compare=SPEC
//
// steps[i] is the server's answer for the position after i moves; `ply` says which one is shown, the
// later ones can be played again. Rules are the server's: moves are found in its answers.
import * as api from "./api.js";
import { positionText, readBoard, writeBoard } from "./texts.js";

// Remembered from visit to visit, where the browser allows it.
const store = (() => { try { return localStorage; } catch { return {}; } })();

let watcher = () => {};
export let state = Object.freeze({
  tables: [], table: null, counts: null, start: null, moves: [], steps: [], ply: 0, flip: false,
  compare: null, other: null, // a spec, and what its table says
  hidden: store.values === "hidden", logarithmic: false,
  byHand: store.players ?? "xo", // the players who are not the table
  number: null, // in games of numbers, the one to be placed
  line: null, // to the end: { positions, moves }
  setup: null, // pieces, while a position is set up
  problem: null, // { where: id of an element, text }
  busy: false, said: "",
});

export const watch = (show) => { watcher = show; };

export function update(change) {
  const before = state;
  state = Object.freeze({ ...state, ...change });
  watcher(state, before);
}

export const answer = () => state.steps[state.ply];

// The move that led to a ply; none to the first.
export const moveTo = ({ steps, moves }, ply) => steps[ply - 1]?.moves.find((move) => move.move === moves[ply - 1]);

// ---- the address ----

export const address = () => `/${location.pathname.startsWith("/embed") ? "embed" : "tables"}/${state.table.spec}` +
  api.query({ board: state.start, moves: state.moves.join(), flip: state.flip && 1, compare: state.compare,
    ply: state.ply === state.moves.length ? null : state.ply });

function writeAddress(method) {
  if (location.pathname + location.search !== address()) history[method](null, "", address());
}

// ---- whatever takes time ----

let newest = 0;

// Do what asks the server, and change the state; of several that are under way only the last one
// counts. A refusal is shown at the element `where`.
export async function attempt(where, action) {
  const mine = ++newest;
  const refuse = (error) => {
    if (!(error instanceof api.Problem)) throw error;
    return { problem: { where, text: error.message } };
  };
  update({ busy: true });
  const change = await action().catch((error) => (error.replaced ? readAgain(refuse(error)) : refuse(error))).catch(refuse);
  if (mine !== newest) return false;
  update({ problem: null, ...change, busy: false });
  return !change?.problem;
}

// As attempt, and then the address says so.
async function go(where, action, method = "pushState") {
  const done = await attempt(where, action);
  if (done) writeAddress(method);
  return done;
}

// A whole game, from a board and the text of moves from there.
async function readGame(spec, start, text) {
  const table = await api.getTable(spec);
  const [end, counts] = await Promise.all([api.getPosition(spec, { board: start, moves: text }), api.getCounts(spec)]);
  const played = end.played ?? [];
  const positions = [start ?? table.empty, ...played.map((step) => step.position)].slice(0, -1);
  return {
    table, start, counts, moves: played.map((step) => step.move), ply: played.length,
    steps: [...positions.length ? await api.getPositions(spec, positions) : [], end],
    line: null, setup: null, number: null,
  };
}

// The same game from the table in the place of that one.
const readAgain = async (told) => ({ ...await readGame(state.table.spec, state.start, state.moves.join()), ply: state.ply, ...told });

// Show what the address says; where it names no table, the first.
export async function openAddress() {
  const [, page, name] = location.pathname.split("/"), parameters = new URLSearchParams(location.search);
  return go("board", async () => {
    const tables = state.tables.length ? state.tables : await api.listTables();
    const spec = page ? decodeURIComponent(name ?? "") : tables.find((table) => table.state === "ok")?.spec;
    update({ tables });
    if (!spec) throw new api.Problem("No table is served: plybase build makes one.");
    const game = await readGame(spec, parameters.get("board"), parameters.get("moves"));
    const ply = Number(parameters.get("ply") ?? game.ply);
    return { ...game, ply: game.steps[ply] ? ply : game.ply, said: "",
      flip: parameters.get("flip") === "1", compare: parameters.get("compare") };
  }, "replaceState");
}

// Another table, its empty board.
export const chooseTable = (spec) => go("board", async () => ({ ...await readGame(spec, null, ""), compare: null, said: `${spec}.` }));

// A game from texts, or from a board that is still to come; board or moves may be empty.
export const adopt = (where, board, moves) => go(where, async () => ({
  ...await readGame(state.table.spec, await board || null, moves), said: "A new position." }));

export const reset = () => adopt("board", state.start, "");

// ---- moves ----

const sayMove = (step, move) => `${step.to_move} plays ${move}.`;

// Play moves in turn, as the server listed them from here on.
export async function playAll(list) {
  const { steps, ply, moves, table } = state, end = ply + list.length, last = list.at(-1)?.move;
  if (!last || state.setup) return false;
  if (list.every((move, i) => moves[ply + i] === move.move)) return goTo(end);
  return go("board", async () => {
    const more = list.length > 1 ? await api.getPositions(table.spec, list.map((move) => move.position))
      : [await api.getPosition(table.spec, { board: list[0].position })];
    const all = [...steps.slice(0, ply + 1), ...more];
    return { steps: all, moves: [...moves.slice(0, ply), ...list.map((move) => move.move)],
      ply: end, number: null, said: sayMove(all[end - 1], last) };
  });
}

export const play = (text) => playAll(answer().moves.filter((move) => move.move === text));

// Show another ply of the game.
export function goTo(ply) {
  const { steps, moves } = state;
  if (!steps[ply] || ply === state.ply || state.setup) return false;
  newest++;
  update({ ply, number: null, problem: null, busy: false,
    said: ply < state.ply ? `Taken back: ${moves.slice(ply, state.ply).join(", ")}.` : sayMove(steps[ply - 1], moves[ply - 1]) });
  writeAddress("pushState");
  return true;
}

// Take back a move; against the table also its reply, so that the person is to move again.
export function undo() {
  const { steps, ply, byHand } = state;
  const replied = byHand.length === 1 && ply > 0 && !byHand.includes(steps[ply - 1].to_move);
  return goTo(ply - (replied ? 2 : 1));
}

export const redo = () => goTo(state.ply + 1);

// ---- setting up: the server says each time whether such a position can arise ----

export const beginSetup = () => update({ setup: readBoard(state.table, answer().position), problem: null,
  said: "Setting up a position. Enter changes a cell." });

export const endSetup = () => update({ setup: null, problem: null, said: "Nothing was changed." });

export const setupText = () => writeBoard(state.table, state.setup);

function put(setup, said) {
  update({ setup, said });
  attempt("setup", () => api.getPosition(state.table.spec, { board: setupText() }).then(() => null));
}

export const clearSetup = () => put({}, "The board is empty.");

// A number lies on one cell, stones may be used again.
function nextPiece({ table: { pieces, numbers }, setup }, cell) {
  const used = numbers ? Object.values(setup) : [];
  return pieces.slice(pieces.indexOf(setup[cell]) + 1).find((piece) => !used.includes(piece));
}

// Another piece on a cell: the next one, or the one that is named, null for none.
export function changeCell(cell, piece = nextPiece(state, cell)) {
  const { [cell]: before, ...setup } = state.setup;
  put(piece ? { ...setup, [cell]: piece } : setup, `${cell}: ${piece ?? "empty"}.`);
}

export const useSetup = () => adopt("setup", setupText(), "");

// ---- how it is shown ----

// Of `flip` and `compare`, which the address holds, too.
export function look(change) {
  update(change);
  writeAddress("replaceState");
}

export function hideValues() {
  const hidden = !state.hidden, word = hidden ? "hidden" : "shown";
  store.values = word;
  update({ hidden, said: `Values are ${word}.` });
}

export function choosePlayers(byHand) {
  store.players = byHand;
  update({ byHand });
}

// What a screen reader is told.
export const spoken = () => `${state.said} ${state.setup ? "" : positionText(answer(), state.hidden)}`.trim();
