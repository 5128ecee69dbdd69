// SPDX-License-Identifier: MIT
// The board: a grid of cells, one of which has the focus (W3C APG, grid). It is built once for each table.
// On a cylinder, columns next to the seam are repeated on the other side, hidden from screen readers.
import { make, set, upTo } from "./elements.js";
import { cellName, cellText, columnName, columnOf, numberOf, ownerOf, readBoard, rowOf, shortValue, SIGNS } from "./texts.js";

// Actions of keys, and steps [right, up] of the focus; FAR: to the edge.
const KEYS = { pageup: "undo", pagedown: "redo", backspace: "undo", "?": "help", b: "best", v: "values", f: "flip", e: "edit" };
const FAR = 99;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], Home: [-FAR, 0], End: [FAR, 0] };

// Keys that the board handles only while it has the focus, as they scroll the page or press buttons.
const FOCUS_KEYS = [...Object.keys(STEPS), "PageUp", "PageDown", "Enter", " "];

const GHOSTS = 2; // columns repeated on each side

const clamp = (index, size) => Math.min(Math.max(index, 0), size - 1);

// Colour an element by the value of a move, or remove the colour. The more plies the move loses, the paler.
export function colour(element, moves, move) {
  set(element, "data-value", move?.value);
  if (!move) return;
  const best = moves.find(({ value }) => value === move.value);
  element.style.setProperty("--strength", Math.max(0.35, 1 - Math.abs(best.dtm_plies - move.dtm_plies) * 0.06));
}

export class Board {
  constructor(root) {
    this.root = root;
  }

  // Build the rows of cells, and below them a row of feet: names of columns and, with gravity, values of moves.
  build(table) {
    if (table === this.table) return;
    Object.assign(this, { table, cells: [], feet: [], focus: cellName(0, table.height - 1) });
    const row = (role, rank, places) => make("div", { class: "row", ...role },
      make("span", { class: "rank", "aria-hidden": "true" }, rank), ...places);
    const rows = upTo(table.height).reverse().map((r) => row({ role: "row" }, r + 1, this.buildPlaces(r, "cell", this.cells)));
    const feet = row({ "aria-hidden": "true" }, "", this.buildPlaces(0, "foot", this.feet));
    this.root.replaceChildren(make("div", { role: "grid", "aria-label": "Board" }, ...rows), feet);
    this.root.style.setProperty("--columns", this.feet.length);
    this.root.style.setProperty("--rows", table.height);
    this.root.classList.toggle("gravity", table.gravity);
  }

  buildPlaces(r, kind, places) {
    const { width, cylinder } = this.table, ghosts = cylinder ? GHOSTS : 0;
    return upTo(width + 2 * ghosts).map((i) => {
      const column = (i - ghosts + width) % width, cell = cellName(column, r), isCell = kind === "cell";
      const ghost = ["", " ghost", " ghost far"][Math.max(0, ghosts - i, i - ghosts - width + 1)];
      const attributes = isCell ? { "data-cell": cell, [ghost ? "aria-hidden" : "role"]: ghost ? "true" : "gridcell" } : {};
      const element = make("div", { class: kind + ghost, ...attributes }, isCell ? make("span", { class: "piece" }) : "",
        make("span", { class: "tag" }), isCell ? "" : columnName(this.table, column));
      places.push({ cell, ghost, element });
      return element;
    });
  }

  // view: { answer, hidden, last: cell of the last move, number, setup: pieces by cell }
  show(table, flip, view) {
    this.build(table);
    const { answer, number, setup } = view;
    Object.assign(this, { view, flip, pieces: setup ?? readBoard(table, answer.position) });
    this.moves = setup ? [] : answer.moves.filter((move) => !number || numberOf(move) === number);
    this.root.classList.toggle("flipped", flip);
    for (const place of this.cells) this.showCell(place);
    for (const { cell, ghost, element } of this.feet) this.showValue(element, table.gravity && this.moveAt(cell), !ghost && shortValue);
    this.moveFocus(this.focus, false);
  }

  // Show a move and its value on an element. format: writes the value; false: nothing is written.
  showValue(element, move, format) {
    const shown = !this.view.hidden && move, tagged = format && shown, tag = element.querySelector(".tag");
    set(element, "data-move", move?.move);
    colour(element, this.view.answer.moves, shown);
    set(tag, "data-short", tagged && format(tagged));
    set(tag, "data-word", tagged && format === shortValue && tagged.value);
  }

  showCell({ cell, ghost, element }) {
    const { answer, hidden, setup, last: played } = this.view, piece = this.pieces[cell];
    const move = this.moves.find((candidate) => candidate.cell === cell);
    const last = !setup && played === cell, grouped = !setup && answer.group.includes(cell);
    this.showValue(element, move, this.table.gravity ? ({ value }) => SIGNS[value] : shortValue);
    for (const [name, value] of Object.entries({ piece, owner: ownerOf(this.table, piece), last, grouped, target: Boolean(move), move: this.moveAt(cell)?.move }))
      set(element, `data-${name}`, value);
    element.firstChild.textContent = piece && !/[xo]/.test(piece) ? piece : "";
    if (!ghost) set(element, "aria-label", cellText(this.table, { cell, piece, last, grouped, move, hidden }));
  }

  // The move that a click on a cell plays; with gravity, the move of its column.
  moveAt(cell) {
    return this.moves.find((move) => (this.table.gravity ? columnOf(move.cell) === columnOf(cell) : move.cell === cell));
  }

  // ---- the focus ----

  moveFocus(cell, takesFocus = true) {
    for (const place of this.cells) if (!place.ghost) place.element.tabIndex = place.cell === cell ? 0 : -1;
    this.focus = cell;
    if (takesFocus) this.root.querySelector("[tabindex='0']").focus();
  }

  // Move the focus in a direction of the screen. On a cylinder a step over the edge goes to the other side.
  step([right, up], ctrlKey) {
    const { width, height, cylinder } = this.table, far = Math.abs(right) === FAR;
    const column = columnOf(this.focus) + (this.flip ? -right : right), row = rowOf(this.focus) + (far && ctrlKey ? -right : up);
    this.moveFocus(cellName(cylinder && !far ? (column + width) % width : clamp(column, width), clamp(row, height)));
  }

  // ---- keys ----

  // Handle a key, or return false. actions: { cell(cell), change(cell, piece), undo, redo, best, .. }
  act({ key, ctrlKey, shiftKey, target }, actions) {
    const { table, view, focus } = this, name = shiftKey && key === "Backspace" ? "redo" : KEYS[key.toLowerCase()];
    const focused = this.root.contains(target);
    if (!view || !focused && FOCUS_KEYS.includes(key)) return false;
    // In setup a key may be a piece; with gravity, a column.
    const piece = [".", "Delete", "Backspace"].includes(key) ? null : table.pieces.find((name) => name === key);
    const move = table.gravity && this.moves.find(({ cell }) => columnName(table, columnOf(cell)) === key);
    if (STEPS[key]) this.step(STEPS[key], ctrlKey);
    else if (ctrlKey) return false;
    else if (focused && view.setup && piece !== undefined) actions.change(focus, piece);
    else if (move) actions.cell(cellName(columnOf(move.cell), table.height - 1));
    else if (key === "Enter" || key === " ") actions.cell(focus);
    else if (name) actions[name]();
    else return false;
    return true;
  }
}
