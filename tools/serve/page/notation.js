// SPDX-License-Identifier: MIT
// Text of boards and names of cells: rows from the top with `/` between them, columns `a`, `b` ..,
// rows 1, 2 .. from the bottom. Notation only: what may stand where is the server's to say.

const hasNumbers = (table) => table.pieces[0] !== "x";

export const columnLetter = (column) => String.fromCharCode(97 + column);

export const cellName = (column, row) => columnLetter(column) + (row + 1);

export const columnOf = (cell) => cell.charCodeAt(0) - 97;

export const rowOf = (cell) => Number(cell.slice(1)) - 1;

// The character that plays a column: 1 .. 9, then a ..
export const columnKey = (column) => (column < 9 ? String(column + 1) : columnLetter(column - 9));

// A line of a board with stones: runs of empty cells are numbers.
function readRow(row) {
    const pieces = [];
    for (const [part] of row.matchAll(/\d+|[a-z]/g)) {
        if (/\d/.test(part)) pieces.push(...Array(Number(part)).fill(null));
        else pieces.push(part);
    }
    return pieces;
}

// What stands on the cells that are not empty: { c2: "o", … }.
export function readBoard(table, text) {
    const pieces = {};
    text.split("/").forEach((row, fromTop) => {
        const line = hasNumbers(table) ? row.split(",").map((p) => (p === "." ? null : p)) : readRow(row);
        line.forEach((piece, column) => {
            if (piece) pieces[cellName(column, table.height - 1 - fromTop)] = piece;
        });
    });
    return pieces;
}

function writeRow(line) {
    return line.map((piece) => piece ?? " ").join("").replace(/ +/g, (run) => run.length);
}

// Inverse of readBoard.
export function writeBoard(table, pieces) {
    const rows = [];
    for (let row = table.height - 1; row >= 0; row--) {
        const line = Array.from({ length: table.width }, (_, c) => pieces[cellName(c, row)] ?? null);
        rows.push(hasNumbers(table) ? line.map((piece) => piece ?? ".").join(",") : writeRow(line));
    }
    return rows.join("/");
}

// In games of numbers a move is a number and a cell, `5@b2`; else there is no number.
export const numberOf = (move) => (move.move.includes("@") ? move.move.split("@")[0] : null);
