// SPDX-License-Identifier: MIT
// Boards as text, and texts about positions and moves. Nothing here checks the rules; the server does.
// The value of a position is for the player to move, the value of a move for the player who makes it.
// Distances are in plies.
import { upTo } from "./elements.js";

// ---- boards: rows from the top with `/` between them, columns `a`, `b` .., rows 1, 2 .. from the bottom ----

const letter = (column) => String.fromCharCode(97 + column);

export const cellName = (column, row) => letter(column) + (row + 1);

export const columnOf = (cell) => cell.charCodeAt(0) - 97;

export const rowOf = (cell) => cell.slice(1) - 1;

// The name of a column: with gravity the character that plays it, 1 .. 9, then a ..
export const columnName = (table, column) =>
  (table.gravity ? (column + 1).toString(36) : letter(column));

// The pieces by cell: { c2: "o", … }. In the text a number is a run of empty cells.
export function readBoard(table, text) {
  const pieces = {};
  text.split("/").forEach((row, fromTop) => {
    const cells = table.largest_number ? row.split(",") : [...row.replace(/\d+/g, (run) => ".".repeat(run))];
    cells.forEach((piece, column) => {
      if (piece !== ".") pieces[cellName(column, table.height - 1 - fromTop)] = piece;
    });
  });
  return pieces;
}

// Inverse of readBoard.
export const writeBoard = (table, pieces) => upTo(table.height).reverse().map((row) => {
  const cells = upTo(table.width).map((column) => pieces[cellName(column, row)] ?? ".");
  return table.largest_number ? cells.join() : cells.join("").replace(/\.+/g, (run) => run.length);
}).join("/");

// The number of a move in games of numbers, such as `5@b2`; else null.
export const numberOf = (move) => (move.move.includes("@") ? move.move.split("@")[0] : null);

// Whose piece it is: x or o; a number belongs to the player who has it.
export const ownerOf = ({ numbers }, piece) =>
  (numbers ? Object.keys(numbers).find((player) => numbers[player].includes(piece)) : piece);

// ---- values ----

export const SIGNS = { win: "+", draw: "=", loss: "−" };

const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

// "win in 21 plies", "draw", "at least draw" (a strategy knows no more).
export function valueText({ value, dtm_plies: distance, bound }) {
  const text = distance === null ? value : `${value} in ${count(distance, "ply", "plies")}`;
  return bound ? `${bound} ${text}` : text;
}

// "+21", "=".
export const shortValue = (move) => SIGNS[move.value] + (move.dtm_plies ?? "");

export function positionText(answer, hidden) {
  if (answer.over) return answer.winner ? `${answer.winner} has won` : "The game is drawn";
  const turn = `${answer.to_move} to move`, own = Math.ceil(answer.dtm_plies / 2);
  if (hidden) return turn;
  return `${turn}: ${valueText(answer)}${own ? ` (${count(own, "move", "moves")} of ${answer.to_move})` : ""}`;
}

export const BLUNDER = "✗"; // the move changed the value

// The cost of a move compared with the best move of its position, or "".
export function costText(best, made) {
  if (best.value !== made.value) return `${BLUNDER} ${best.value} becomes ${made.value}`;
  const plies = Math.abs(best.dtm_plies - made.dtm_plies);
  return plies ? `${count(plies, "ply", "plies")} ${made.value === "win" ? "slower" : "sooner"}` : "";
}

// A cell, described for screen readers.
export function cellText(table, { cell, piece, last, grouped, move, hidden }) {
  const place = table.gravity ? `column ${columnName(table, columnOf(cell))}, row ${cell.slice(1)}` : cell;
  const told = piece ? [piece, last && "last move", grouped && "in a complete group"]
    : move ? [`plays ${move.move}`, !hidden && valueText(move)] : ["empty"];
  return `${place}: ${told.filter(Boolean).join(", ")}`;
}

export const tableText = (table) => table.spec + (table.state !== "ok" ? `: ${table.state}`
  : { dtm: ", with distances", strategy: ", a strategy" }[table.values] ?? "");
