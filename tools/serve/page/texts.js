// SPDX-License-Identifier: MIT
// What the page says, in one place. Values are those of the player to move, those of a move are of
// the player who makes it; distances are in plies.

export const SIGNS = { win: "+", draw: "=", loss: "−" };

export const plies = (count) => `${count} ${count === 1 ? "ply" : "plies"}`;

export const number = (count) => count.toLocaleString("en");

// "win in 21 plies", "draw", "at least draw" (a strategy knows no more), or "not known".
export function valueText({ value, dtm_plies: distance, bound }) {
    const text = !value ? "not known" : distance === null || distance === undefined ? value
        : `${value} in ${plies(distance)}`;
    return bound ? `${bound} ${text}` : text;
}

// "+21", "=": a sign and the plies.
export const shortValue = ({ value, dtm_plies: distance }) =>
    value ? SIGNS[value] + (distance ?? "") : "?";

// What a position is: who has won, or who is to move and how it ends.
export function positionText(answer, { hidden = false, searching = false } = {}) {
    if (answer.over) return answer.winner ? `${answer.winner} has won` : "The game is drawn";
    const turn = `${answer.to_move} to move`;
    if (hidden) return turn;
    if (searching) return `${turn}: ${valueText(answer)}; looking for the distance`;
    const own = Math.ceil(answer.dtm_plies / 2);
    const moves = answer.dtm_plies ? ` (${own} ${own === 1 ? "move" : "moves"} of ${answer.to_move})` : "";
    return `${turn}: ${valueText(answer)}${moves}`;
}

// What a move has cost the player who made it, or null: compared with the best of its position.
export function lossText(best, made) {
    if (!made || !best.value || !made.value) return null;
    if (best.value !== made.value) return `${best.value} becomes ${made.value}`;
    if (best.dtm_plies === null || made.dtm_plies === null) return null;
    const slower = Math.abs(best.dtm_plies - made.dtm_plies);
    if (!slower) return null;
    return made.value === "win" ? `${plies(slower)} slower` : `loses ${plies(slower)} sooner`;
}

// The name of a cell for a reader who does not see the board.
export function cellText({ cell, piece, last, grouped, move, hidden, column, gravity }) {
    const place = gravity ? `column ${column}, row ${cell.slice(1)}` : cell;
    if (piece)
        return `${place}: ${piece}${last ? ", last move" : ""}${grouped ? ", in a complete group" : ""}`;
    if (!move) return `${place}: empty`;
    const plays = gravity ? `column ${column}: plays here` : `${cell}: plays ${move.move}`;
    return hidden ? plays : `${plays}, ${valueText(move)}`;
}

export const tableText = (table) =>
    `${table.spec}${table.values === "dtm" ? ", with distances" : table.values === "strategy" ? ", strategy" : ""}`;

export const UNREACHABLE = "The server does not answer. Is plybase serve still running?";

export const KEYS = [
    ["Arrows, Home, End", "go from cell to cell; with Ctrl to the first and the last"],
    ["Enter, Space", "play here"],
    ["1 to 9, a …", "play that column, where stones fall"],
    ["Backspace, Page Up", "take back"],
    ["Shift+Backspace, Page Down", "play again what was taken back"],
    ["B", "play the best move; hold to go on"],
    ["V", "show or hide values"],
    ["F", "flip the board"],
    ["E", "set up a position"],
    ["?", "these keys"],
];
