// SPDX-License-Identifier: MIT
// Text of boards and names of cells: rows from the top with `/` between them, columns `a`, `b` ..,
// rows 1, 2 .. from the bottom. Notation only: what may stand where is the server's to say.

export const hasNumbers = (table) => table.pieces[0] !== "x";

const letter = (column) => String.fromCharCode(97 + column);

export const cellName = (column, row) => letter(column) + (row + 1);

export const columnOf = (cell) => cell.charCodeAt(0) - 97;

export const rowOf = (cell) => cell.slice(1) - 1;

// What a column is called: where stones fall by the character that plays it, 1 .. 9, then a ..
export const columnName = (table, column) =>
  (!table.gravity ? letter(column) : column < 9 ? String(column + 1) : letter(column - 9));

// What stands on the cells that are not empty: { c2: "o", … }. Runs of empty cells are numbers.
export function readBoard(table, text) {
  const pieces = {};
  text.split("/").forEach((row, fromTop) => {
    const cells = hasNumbers(table) ? row.split(",")
      : row.replace(/\d+/g, (run) => ".".repeat(run)).split("");
    cells.forEach((piece, column) => {
      if (piece !== ".") pieces[cellName(column, table.height - 1 - fromTop)] = piece;
    });
  });
  return pieces;
}

// Inverse of readBoard.
export function writeBoard(table, pieces) {
  const rows = [];
  for (let row = table.height - 1; row >= 0; row--) {
    const cells = Array.from({ length: table.width }, (_, column) => pieces[cellName(column, row)] ?? ".");
    rows.push(hasNumbers(table) ? cells.join() : cells.join("").replace(/\.+/g, (run) => run.length));
  }
  return rows.join("/");
}

// In games of numbers a move is a number and a cell, `5@b2`; else there is no number.
export const numberOf = (move) => (move.move.includes("@") ? move.move.split("@")[0] : null);
