// SPDX-License-Identifier: MIT
// The list of moves, best first; in games of numbers also the numbers to place.
import { colour } from "./board.js";
import { button, make, refill } from "./elements.js";
import { numberOf, shortValue, SIGNS, valueText } from "./texts.js";

const chip = (move, hidden) => make("span", { class: "chip", "aria-hidden": "true" }, hidden ? "·" : SIGNS[move.value]);

function moveButton(attributes, name, move, { answer, hidden }, ...more) {
  const element = button(attributes, make("b", {}, name), chip(move, hidden), ...more);
  colour(element, answer.moves, hidden ? null : move);
  return element;
}

// The value of a move in the other table, in a list; [] if there is none.
function otherValue({ hidden, other }, move) {
  const theirs = !hidden && other?.answer?.moves.find((its) => its.move === move.move);
  return theirs ? [make("span", { class: "theirs", "data-value": theirs.value },
    make("span", { class: "tag", "aria-hidden": "true", "data-short": shortValue(theirs), "data-word": theirs.value }),
    make("span", { class: "unseen" }, `${valueText(theirs)} in ${other.table.spec}`))] : [];
}

// view: { answer, hidden, number, other }
export function showMoves(list, view) {
  const { answer, hidden, number } = view;
  const shown = answer.moves.filter((move) => !number || numberOf(move) === number);
  // The order would reveal hidden values.
  if (hidden) shown.sort((a, b) => a.move.localeCompare(b.move, "en", { numeric: true }));
  refill(list, shown.map((move) => make("li", {}, moveButton({ class: "move", "data-move": move.move }, move.move, move, view,
    hidden ? "" : valueText(move), ...otherValue(view, move)))));
}

// The numbers that can be placed, each with its best move; empty in games of stones.
const numbersOf = ({ moves }) => new Map(moves.filter(numberOf).reverse().map((move) => [numberOf(move), move])
  .sort(([a], [b]) => parseInt(a, 10) - parseInt(b, 10)));

// The number to place: the chosen one, if it can be placed; else that of the best move or, if values are hidden,
// the lowest.
export function chosenNumber(answer, number, hidden) {
  const numbers = numbersOf(answer);
  if (numbers.has(number)) return number;
  return hidden ? [...numbers.keys()][0] : answer.moves.map(numberOf)[0];
}

export function showNumbers(tray, view) {
  const numbers = numbersOf(view.answer);
  tray.hidden = !numbers.size;
  refill(tray, [...numbers].map(([name, move]) => moveButton({ class: "number", "data-number": name,
    "aria-pressed": String(name === view.number),
    "aria-label": `number ${name}${view.hidden ? "" : `, at best ${valueText(move)}`}` }, name, move, view)));
}
