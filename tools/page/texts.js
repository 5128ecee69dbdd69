// SPDX-License-Identifier: MIT
// Boards as text, and texts about positions and moves. The value of a position is for the player to
// move, that of a move for the player who makes it. Distances are in plies.
import { upTo } from "./elements.js";

// ---- boards: rows from the top with `/` between them, columns `a`, `b` .., rows 1, 2 .. from the bottom ----

const letter = (column) => String.fromCharCode(97 + column);

export const cellName = (column, row) => letter(column) + (row + 1);

export const columnOf = (cell) => cell.charCodeAt(0) - 97;

export const rowOf = (cell) => cell.slice(1) - 1;

// With gravity the character of a move in the column: 1 .. 9, then a ..
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

// The number of a move such as `5@b2`; else null.
export const numberOf = (move) => (move.move.includes("@") ? move.move.split("@")[0] : null);

// The owner of a piece, x or o; a number belongs to the player who may place it.
export const ownerOf = ({ numbers }, piece) =>
  (numbers ? Object.keys(numbers).find((player) => numbers[player].includes(piece)) : piece);

// ---- values ----

export const SIGNS = { win: "+", draw: "=", loss: "−" };

const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

let cells = 0; // of the board, if values are shown as scores; 0: as distances

export const showScores = (size) => { cells = size; };

// The score of Pons' solver, such as "+4": half the cells that are empty at the end, rounded down, plus one.
const scoreText = ({ value, dtm_plies: distance, ply }) => (value === "draw" ? "0"
  : SIGNS[value] + (Math.floor((cells - ply - distance) / 2) + 1));

// "win in 21 plies", "score +4", "draw", or "at least draw" in a strategy.
export function valueText(one) {
  const { value, dtm_plies: distance, bound } = one, known = cells ? `score ${scoreText(one)}`
    : distance ? `${value} in ${count(distance, "ply", "plies")}` : value;
  return bound ? `${bound} ${known}` : known;
}

// "+21", "=", or the score.
export const shortValue = (move) => (cells ? scoreText(move) : SIGNS[move.value] + (move.dtm_plies ?? ""));

export const winnerOf = ({ value, to_move: mover }) =>
  (value === "draw" ? "nobody" : (value === "win") === (mover === "x") ? "x" : "o");

// "x to move: o wins in 5 moves"; two plies are one move, as in chess.
export function positionText(answer, hidden) {
  if (answer.over) return answer.winner ? `${answer.winner} has won` : "The game is drawn";
  const turn = `${answer.to_move} to move`, moves = Math.ceil(answer.dtm_plies / 2);
  if (hidden) return turn;
  if (cells || answer.bound || answer.value === "draw") return `${turn}: ${valueText(answer)}`;
  return `${turn}: ${winnerOf(answer)} wins${moves ? ` in ${count(moves, "move", "moves")}` : ""}`;
}

export function costText({ mistake, plies_lost: lost, value_before: before, value, best }) {
  if (!mistake && !lost) return "";
  const cost = mistake ? `✗ ${before} becomes ${value}` : `${count(lost, "ply", "plies")} ${value === "win" ? "slower" : "sooner"}`;
  return `${cost}; best: ${best.slice(0, 4).join(", ")}${best.length > 4 ? " …" : ""}`;
}

export const unitText = () => (cells ? "A score is half the cells that are empty at the end of best play, rounded down, plus one; negative of a loss."
  : "A distance is the number of plies (moves of either player) to the end of best play; of a move, it is counted after it.");

// The description of a cell for screen readers.
export function cellText(table, { cell, piece, last, grouped, move, hidden }) {
  const place = table.gravity ? `column ${columnName(table, columnOf(cell))}, row ${cell.slice(1)}` : cell;
  const facts = piece ? [piece, last && "last move", grouped && "in a complete group"]
    : move ? [`plays ${move.move}`, !hidden && valueText(move)] : ["empty"];
  return `${place}: ${facts.filter(Boolean).join(", ")}`;
}

export const tableText = (table) => table.spec + (table.state !== "ok" ? `: ${table.state}`
  : table.values === "strategy" ? ", a strategy" : "");
