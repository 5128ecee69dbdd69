// SPDX-License-Identifier: MIT
// The one state of the page, and all that may happen to it. A state is never changed, only replaced;
// whoever draws is told. The address bar holds what a game is:
//
//     /tables/SPEC?board=START&moves=M1,M2,…&ply=2&flip=1&compare=SPEC
//
// steps[i] is the server's answer for the position after i moves; `ply` says which one is shown, the
// later ones can be played again. Rules are the server's: here moves are found in its answers.
import * as api from "./api.js";
import { valueText } from "./texts.js";

const remembered = (name, otherwise) => {
    try { return localStorage.getItem(`plybase.${name}`) ?? otherwise; } catch { return otherwise; }
};

let state = Object.freeze({
    tables: [], table: null, start: null, moves: [], steps: [], ply: 0,
    flip: false, compare: null, other: null,
    hidden: remembered("values", "shown") === "hidden",
    byHand: remembered("players", "xo"), // the players who are not the table
    number: null, // in games of numbers, the one to be placed
    best: null,   // what a search found where the table has no distances: { position, answer }
    line: null,   // moves to the end: { positions, moves }
    setup: null,  // pieces while a position is set up
    problem: null, busy: false, said: "",
});
const watchers = [];

export const get = () => state;

export const watch = (watcher) => watchers.push(watcher);

export function update(change) {
    const before = state;
    state = Object.freeze({ ...state, ...change });
    for (const watcher of watchers) watcher(state, before);
}

export const answer = () => state.steps[state.ply];

// The player who made the last move, and its cell.
export const lastMove = ({ steps, ply, moves } = state) => {
    if (!ply) return null;
    return steps[ply - 1].moves.find((move) => move.move === moves[ply - 1]) ?? null;
};

export function remember(name, value) {
    try { localStorage.setItem(`plybase.${name}`, value); } catch { /* it is forgotten, no more */ }
}

// ---- the address ----

export function addressOf({ table, start, moves, ply, flip, compare } = state) {
    const page = location.pathname.startsWith("/embed") ? "embed" : "tables";
    return `/${page}/${table.spec}` + api.query({
        board: start, moves: moves.join(","), ply: ply === moves.length ? null : ply,
        flip: flip ? 1 : null, compare,
    });
}

function writeAddress(replacing) {
    if (location.pathname + location.search === addressOf()) return;
    history[replacing ? "replaceState" : "pushState"](null, "", addressOf());
}

// ---- whatever takes time ----

let newest = 0;

// Do what asks the server; of several that are under way only the last one counts. A refusal is
// shown where `where` says.
async function attempt(where, action) {
    const mine = ++newest;
    const current = () => mine === newest;
    update({ busy: true, problem: null });
    try {
        const change = await action(current);
        if (current() && change) update(change);
        return current();
    } catch (error) {
        if (current()) update({ problem: { where, text: error.message } });
        if (!(error instanceof api.Problem)) console.error(error);
        return false;
    } finally {
        if (current()) update({ busy: false });
    }
}

// A whole game, from a board and the text of moves from there.
async function readGame(spec, board, moves) {
    const table = await api.getTable(spec);
    const first = await api.getPosition(spec, board ? { board, moves } : { moves: moves ?? "" });
    const played = first.played ?? [];
    if (!played.length) return { table, start: board, moves: [], steps: [first] };
    const positions = [board ?? table.empty, ...played.slice(0, -1).map((step) => step.position)];
    const steps = await api.getPositions(spec, positions);
    return { table, start: board, moves: played.map((step) => step.move), steps: [...steps, first] };
}

const FRESH = { line: null, best: null, setup: null, number: null };

// Show what an address says, such as that of a link.
export const openAddress = () => attempt("page", async () => {
    const [, page, name] = location.pathname.split("/");
    const tables = state.tables.length ? state.tables : await api.listTables();
    update({ tables });
    const sound = tables.filter((table) => table.state === "ok");
    const spec = page === "tables" || page === "embed" ? decodeURIComponent(name ?? "") : sound[0]?.spec;
    if (!spec) throw new api.Problem("There is no table in the folder that is served. plybase build makes one.");
    const parameters = new URLSearchParams(location.search);
    const table = await api.getTable(spec);
    update({ table });
    const game = await readGame(spec, parameters.get("board"), parameters.get("moves"));
    const ply = Number(parameters.get("ply") ?? game.moves.length);
    return {
        ...FRESH, ...game, ply: Math.min(Math.max(0, ply | 0), game.moves.length),
        flip: parameters.get("flip") === "1", compare: parameters.get("compare"), said: "",
    };
}).then((done) => { if (done && !location.pathname.split("/")[2]) writeAddress(true); return done; });

// Another table, from its empty board.
export async function chooseTable(spec) {
    const done = await attempt("page", async () => {
        const game = await readGame(spec, null, null);
        return { ...FRESH, ...game, ply: 0, compare: null, said: `${spec}.` };
    });
    if (done) writeAddress(false);
    return done;
}

// A game from texts that a person entered; board or moves may be empty.
export async function adopt(where, board, moves) {
    const done = await attempt(where, async () => {
        const game = await readGame(state.table.spec, board || null, moves);
        return { ...FRESH, ...game, ply: game.moves.length, said: "A new position." };
    });
    if (done) writeAddress(false);
    return done;
}

// ---- moves ----

const sayMove = (player, move) => `${player} plays ${move.move}.`;

// Play moves one after another, as the server listed them from here on.
export async function playAll(list) {
    const { steps, ply, moves, table } = state;
    const known = list.every((move, i) => moves[ply + i] === move.move);
    if (!list.length) return false;
    if (known) return goTo(ply + list.length, sayMove(steps[ply + list.length - 1].to_move, list.at(-1)));
    const done = await attempt("page", async () => {
        const more = list.length === 1
            ? [await api.getPosition(table.spec, { board: list[0].position })]
            : await api.getPositions(table.spec, list.map((move) => move.position));
        const all = [...steps.slice(0, ply + 1), ...more];
        return {
            steps: all, moves: [...moves.slice(0, ply), ...list.map((move) => move.move)],
            ply: ply + list.length, best: null, number: null,
            said: sayMove(all[ply + list.length - 1].to_move, list.at(-1)),
        };
    });
    if (done) writeAddress(false);
    return done;
}

export async function play(text) {
    const move = answer()?.moves.find((one) => one.move === text);
    return move && !state.setup ? playAll([move]) : false;
}

// Show another ply of the game.
export async function goTo(ply, said = "") {
    if (ply < 0 || ply > state.moves.length || ply === state.ply || state.setup) return false;
    const back = ply < state.ply ? `Taken back: ${state.moves.slice(ply, state.ply).join(", ")}.` : "";
    newest++;
    update({ ply, best: null, number: null, problem: null, busy: false, said: said || back });
    writeAddress(false);
    return true;
}

// Take back a move; against the table also its reply, so that the person is to move again.
export function undo() {
    const mine = (ply) => state.byHand.includes(state.steps[ply].to_move);
    let ply = state.ply - 1;
    if (state.byHand.length === 1 && ply > 0 && !mine(ply)) ply--;
    return goTo(ply);
}

export const redo = () => goTo(state.ply + 1, state.ply < state.moves.length
    ? sayMove(answer().to_move, { move: state.moves[state.ply] }) : "");

export const reset = () => adopt("page", state.start, "");

export function flip() {
    update({ flip: !state.flip });
    writeAddress(true);
}

export function hideValues(hidden) {
    remember("values", hidden ? "hidden" : "shown");
    update({ hidden, said: hidden ? "Values are hidden." : `Values are shown: ${valueText(answer())}.` });
}

export function compareWith(compare) {
    update({ compare });
    writeAddress(true);
}
