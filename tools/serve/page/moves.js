// SPDX-License-Identifier: MIT
// The list of moves, best first as the server orders them; in games of numbers also the numbers.
import { colour } from "./board.js";
import { button, make, refill } from "./elements.js";
import { numberOf } from "./notation.js";
import { SIGNS, valueText } from "./texts.js";

const chip = (move, hidden) => make("span", { class: "chip", "aria-hidden": "true" }, hidden ? "·" : SIGNS[move.value]);

// What the other table says of a move, or null.
function showTheirs({ hidden, other }, move) {
  const theirs = !hidden && other?.answer?.moves.find((one) => one.move === move.move);
  return theirs ? make("span", { class: "theirs", "data-value": theirs.value }, chip(theirs), valueText(theirs),
    make("span", { class: "unseen" }, ` in ${other.table.spec}`)) : null;
}

// view: { answer, hidden, number, other }
export function showMoves(list, view) {
  const { answer, hidden, number } = view;
  const shown = answer.moves.filter((move) => !number || numberOf(move) === number);
  // The order would tell what is hidden.
  if (hidden) shown.sort((a, b) => a.move.localeCompare(b.move, "en", { numeric: true }));
  refill(list, shown.map((move) => {
    const element = button({ class: "move", "data-move": move.move, "data-key": move.move },
      make("b", {}, move.move), chip(move, hidden), hidden ? "" : valueText(move), showTheirs(view, move));
    colour(element, answer.moves, hidden ? null : move);
    return make("li", {}, element);
  }));
}

// The numbers that can be placed, each with its best move; none in games of stones.
function numbersOf({ moves }) {
  const best = moves.filter((move, i) => numberOf(move) && moves.findIndex((one) => numberOf(one) === numberOf(move)) === i);
  return best.map((move) => [numberOf(move), move]).sort((a, b) => parseInt(a[0], 10) - parseInt(b[0], 10));
}

// One number is always chosen, at first that of the best move, unless that would tell it.
export function chosenNumber(answer, number, hidden) {
  const numbers = new Map(numbersOf(answer));
  if (!numbers.size || numbers.has(number)) return numbers.size ? number : null;
  return hidden ? [...numbers.keys()][0] : numberOf(answer.moves[0]);
}

export function showNumbers(tray, { answer, hidden, number }) {
  const numbers = numbersOf(answer);
  tray.hidden = !numbers.length;
  refill(tray, numbers.map(([name, move]) => {
    const element = button({ class: "number", "data-number": name, "data-key": name, "aria-pressed": String(name === number),
      "aria-label": `number ${name}${hidden ? "" : `, at best ${valueText(move)}`}` }, make("b", {}, name), chip(move, hidden));
    colour(element, answer.moves, hidden ? null : move);
    return element;
  }));
}
