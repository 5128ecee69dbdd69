// SPDX-License-Identifier: MIT
// Setting up a position: a click puts the next piece on a cell, or takes the last away. The server
// says each time whether such a position can arise.
import * as api from "./api.js";
import * as game from "./game.js";
import { hasNumbers, readBoard, writeBoard } from "./notation.js";

export function begin() {
  game.update({ setup: readBoard(game.get().table, game.answer().position), problem: null,
    said: "Setting up a position. Enter changes a cell." });
}

export const end = () => game.update({ setup: null, problem: null, said: "Nothing was changed." });

const text = ({ table, setup }) => writeBoard(table, setup);

function put(setup, said) {
  game.update({ setup, said });
  game.attempt("setup", () => api.getPosition(game.get().table.spec, { board: text(game.get()) }).then(() => null));
}

export const clear = () => put({}, "The board is empty.");

// A number lies on one cell, stones may be used again.
function nextPiece({ table, setup }, cell) {
  const used = hasNumbers(table) ? Object.values(setup) : [];
  return table.pieces.slice(table.pieces.indexOf(setup[cell]) + 1).find((piece) => !used.includes(piece));
}

// Another piece on a cell: the next one, or the one that is named, null for none.
export function change(cell, piece = nextPiece(game.get(), cell)) {
  const { [cell]: before, ...setup } = game.get().setup;
  put(piece ? { ...setup, [cell]: piece } : setup, `${cell}: ${piece ?? "empty"}.`);
}

export const use = () => game.adopt("setup", text(game.get()), "");
