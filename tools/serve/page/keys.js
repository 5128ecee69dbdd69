// SPDX-License-Identifier: MIT
// Keys of the board. They work while it has the focus, so that no letter is taken from elsewhere.
import { cellName, columnName, columnOf } from "./notation.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// actions: { choose(cell), change(cell, piece), undo, redo, best, values, flip, setup, help }
export function listen(board, actions) {
  const named = { pageup: actions.undo, pagedown: actions.redo, "?": actions.help,
    b: actions.best, v: actions.values, f: actions.flip, e: actions.setup };

  // Where stones fall: the move of the column that a character names.
  const columnMove = (key) => board.table.gravity &&
    board.moves.find((move) => columnName(board.table, columnOf(move.cell)) === key);

  // While a position is set up: the piece that a character names, null for none.
  const pieceOf = (key) => (key === "." || key === "Delete" ? null : board.table.pieces.find((piece) => piece === key));

  // Is the key one of ours?
  function act(key, { ctrlKey, shiftKey }) {
    if (ARROWS[key]) board.step(...ARROWS[key]);
    else if (key === "Home" || key === "End") board.jump(key === "End", ctrlKey);
    else if (ctrlKey) return false;
    else if (key === "Enter" || key === " ") actions.choose(board.focus);
    else if (key === "Backspace") (shiftKey ? actions.redo : actions.undo)();
    else if (board.view.setup && pieceOf(key) !== undefined) actions.change(board.focus, pieceOf(key));
    else if (columnMove(key)) {
      board.moveFocus(cellName(columnOf(columnMove(key).cell), board.table.height - 1));
      actions.choose(board.focus);
    } else if (named[key.toLowerCase()]) named[key.toLowerCase()]();
    else return false;
    return true;
  }

  board.root.addEventListener("keydown", (event) => {
    const ours = event.target.role === "gridcell" && !event.altKey && !event.metaKey;
    if (ours && act(event.key, event)) event.preventDefault();
  });
}
