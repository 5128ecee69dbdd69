// SPDX-License-Identifier: MIT
// Setting up a position by clicking: a click puts the next piece on a cell, or takes it away. The
// server says after each whether such a position can arise.
import * as api from "./api.js";
import * as game from "./game.js";
import { readBoard, writeBoard } from "./notation.js";

export function begin() {
    const { table } = game.get();
    game.update({ setup: readBoard(table, game.answer().position), problem: null, line: null,
        said: "Setting up a position. Enter changes a cell." });
}

export const end = () => game.update({ setup: null, problem: null, said: "Nothing was changed." });

export async function clear() {
    game.update({ setup: {} });
    await judge();
}

// The next piece for a cell, of those that lie nowhere else; stones may be used again.
function nextPiece({ table, setup }, cell) {
    const numbers = table.pieces[0] !== "x";
    const used = new Set(numbers ? Object.entries(setup).filter(([at]) => at !== cell).map(([, piece]) => piece) : []);
    const later = table.pieces.slice(table.pieces.indexOf(setup[cell]) + 1);
    return later.find((piece) => !used.has(piece));
}

export async function change(cell, piece) {
    const state = game.get();
    const pieces = { ...state.setup };
    const next = piece === undefined ? nextPiece(state, cell) : piece;
    if (next) pieces[cell] = next;
    else delete pieces[cell];
    game.update({ setup: pieces, said: `${cell}: ${next ?? "empty"}.` });
    await judge();
}

// What the server says of it, beside the board.
async function judge() {
    const { table, setup } = game.get();
    let text = null;
    try {
        await api.getPosition(table.spec, { board: writeBoard(table, setup) });
    } catch (error) {
        text = error.message;
    }
    if (game.get().setup === setup) game.update({ problem: text && { where: "setup", text } });
}

export function use() {
    const { table, setup } = game.get();
    return game.adopt("setup", writeBoard(table, setup), "");
}
