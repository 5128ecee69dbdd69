// SPDX-License-Identifier: MIT
// What the page says of positions and moves. Values are those of the player to move, those of a
// move are of the player who makes it; distances are in plies.

export const SIGNS = { win: "+", draw: "=", loss: "−" };

export const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

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

// What a move has cost the player who made it, compared with the best of its position, or "".
export function costText(best, made) {
  if (best.value !== made.value) return `${best.value} becomes ${made.value}`;
  const plies = Math.abs(best.dtm_plies - made.dtm_plies);
  return plies ? `${count(plies, "ply", "plies")} ${made.value === "win" ? "slower" : "sooner"}` : "";
}

// A cell for somebody who does not see the board; column: the key that plays it, or null.
export function cellText({ cell, piece, last, grouped, move, hidden, column }) {
  const place = column ? `column ${column}` : cell, row = column ? `, row ${cell.slice(1)}` : "";
  if (piece) return `${place}${row}: ${piece}${last ? ", last move" : ""}${grouped ? ", in a complete group" : ""}`;
  if (!move) return `${place}${row}: empty`;
  return `${place}: ${column ? "plays here" : `plays ${move.move}`}${hidden ? "" : `, ${valueText(move)}`}`;
}

export const tableText = (table) => table.spec + (table.state !== "ok" ? `: ${table.state}`
  : { dtm: ", with distances", strategy: ", a strategy" }[table.values] ?? "");
