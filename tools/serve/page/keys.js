// SPDX-License-Identifier: MIT
// Keys of the board. They work while it has the focus, so that no letter is taken from elsewhere.
import { cellName, columnKey, columnOf } from "./notation.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// The move that a character makes where stones fall: that of its column.
function columnMove(board, key) {
    if (!board.table.gravity || !/^[1-9a-z]$/.test(key)) return null;
    return board.moves.find((move) => columnKey(columnOf(move.cell)) === key) ?? null;
}

// In a position that is being set up: the piece that a character names, null for none.
function pieceOf(board, key) {
    if (key === "." || key === "Delete") return null;
    return board.table.pieces.includes(key) ? key : undefined;
}

// actions: { choose(cell), change(cell, piece), undo, redo, best, values, flip, setup, help }
export function listen(board, actions) {
    const named = { PageUp: actions.undo, PageDown: actions.redo, "?": actions.help,
        b: actions.best, v: actions.values, f: actions.flip, e: actions.setup };
    board.root.addEventListener("keydown", (event) => {
        if (event.altKey || event.metaKey || !event.target.closest("[role=gridcell]")) return;
        const { key } = event;
        if (act(key, event)) event.preventDefault();
    });

    function act(key, event) {
        if (ARROWS[key]) board.step(...ARROWS[key]);
        else if (key === "Home" || key === "End") board.jump(key === "End", event.ctrlKey);
        else if (event.ctrlKey) return false;
        else if (key === "Enter" || key === " ") actions.choose(board.focus);
        else if (key === "Backspace") (event.shiftKey ? actions.redo : actions.undo)();
        else if (board.view.setup && pieceOf(board, key) !== undefined) actions.change(board.focus, pieceOf(board, key));
        else if (!board.view.setup && columnMove(board, key)) {
            board.moveFocus(cellName(columnOf(columnMove(board, key).cell), board.table.height - 1));
            actions.choose(board.focus);
        } else if (named[key.toLowerCase()]) named[key.toLowerCase()]();
        else return false;
        return true;
    }
}
