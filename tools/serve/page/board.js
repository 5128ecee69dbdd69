// SPDX-License-Identifier: MIT
// The board: a grid of cells, of which one has the focus (W3C APG, grid). It is built once for a
// table and then kept up to date, so that a move does not lose the reader's place. On a cylinder the
// neighbours over the seam are repeated beside it, for the eye alone. Keys work while it has the
// focus, so that no letter is taken from elsewhere.
import { make, set, upTo } from "./elements.js";
import { cellName, cellText, columnName, columnOf, numberOf, readBoard, rowOf, shortValue } from "./texts.js";

// Actions by keys, and steps to the right and up.
const KEYS = { pageup: "undo", pagedown: "redo", backspace: "undo", "?": "help", b: "best", v: "values", f: "flip", e: "edit" };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

const GHOSTS = 2; // columns repeated on either side

const clamp = (index, size) => Math.min(Math.max(index, 0), size - 1);

// The value of a move on an element, or of none: less colour with every ply that it is worse than
// the best of its value.
export function colour(element, moves, move) {
  set(element, "data-value", move?.value);
  if (!move) return;
  const best = moves.find((one) => one.value === move.value);
  element.style.setProperty("--strength", Math.max(0.35, 1 - Math.abs(best.dtm_plies - move.dtm_plies) * 0.06));
}

export class Board {
  constructor(root) {
    Object.assign(this, { root, table: null, moves: [] });
  }

  build(table) {
    if (table === this.table) return;
    Object.assign(this, { table, cells: [], feet: [], focus: cellName(0, table.height - 1) });
    const { width, height, cylinder } = table, ghosts = cylinder ? GHOSTS : 0;
    const columns = upTo(width + 2 * ghosts).map((i) => {
      const beyond = Math.max(0, ghosts - i, i - ghosts - width + 1);
      return [(i - ghosts + width) % width, ["", " ghost", " ghost far"][beyond]];
    });
    const row = (rank, role, ones) => make("div", { class: "row", ...role },
      make("span", { class: "rank", "aria-hidden": "true" }, rank), ...ones);
    const rows = upTo(height).reverse().map((r) => row(r + 1, { role: "row" },
      columns.map(([column, ghost]) => this.buildCell(cellName(column, r), ghost))));
    this.root.replaceChildren(make("div", { role: "grid", "aria-label": "Board" }, ...rows),
      row("", { "aria-hidden": "true" }, columns.map(([column, ghost]) => this.buildFoot(column, ghost))));
    this.root.style.setProperty("--columns", columns.length);
    this.root.classList.toggle("gravity", table.gravity);
  }

  buildCell(cell, ghost) {
    const element = make("div", { class: `cell${ghost}`, "data-cell": cell, role: ghost ? null : "gridcell", "aria-hidden": ghost ? "true" : null },
      make("span", { class: "piece" }), make("span", { class: "tag" }));
    this.cells.push({ cell, ghost, element });
    return element;
  }

  // Below a column: its name, and where stones fall the value of its move.
  buildFoot(column, ghost) {
    const element = make("div", { class: `foot${ghost}` }, make("span", { class: "tag" }), columnName(this.table, column));
    this.feet.push({ cell: cellName(column, 0), ghost, element });
    return element;
  }

  // view: { answer, last (cell), hidden, number, setup (pieces) }
  show(table, flip, view) {
    this.build(table);
    const { answer, number, setup } = view;
    Object.assign(this, { view, flip, pieces: setup ?? readBoard(table, answer.position) });
    this.moves = setup ? [] : answer.moves.filter((move) => !number || numberOf(move) === number);
    this.root.classList.toggle("flipped", flip);
    for (const one of this.cells) this.showCell(one);
    for (const { cell, ghost, element } of this.feet) this.judge(element, table.gravity && this.moveAt(cell), !ghost);
    this.moveFocus(this.focus, false);
  }

  // A move and its value on its place.
  judge(element, move, tagged) {
    const shown = !this.view.hidden && move;
    set(element, "data-move", move?.move);
    colour(element, this.view.answer.moves, shown);
    const tag = element.querySelector(".tag"), told = tagged && shown;
    set(tag, "data-short", told && shortValue(told));
    set(tag, "data-word", told && told.value);
  }

  showCell({ cell, ghost, element }) {
    const { answer, hidden, setup } = this.view, piece = this.pieces[cell] ?? null;
    const move = this.moves.find((one) => one.cell === cell);
    const last = !setup && this.view.last === cell, grouped = !setup && answer.group.includes(cell);
    this.judge(element, move, !this.table.gravity);
    for (const [name, value] of Object.entries({ piece, last, grouped, target: Boolean(move) }))
      set(element, `data-${name}`, value);
    set(element, "data-move", this.moveAt(cell)?.move);
    element.firstChild.textContent = piece && !/[xo]/.test(piece) ? piece : "";
    if (!ghost) set(element, "aria-label", cellText({ cell, piece, last, grouped, move, hidden,
      column: this.table.gravity && columnName(this.table, columnOf(cell)) }));
  }

  // The move that a click on a cell makes: where stones fall, that of its column.
  moveAt(cell) {
    return this.moves.find((move) => (this.table.gravity ? columnOf(move.cell) === columnOf(cell) : move.cell === cell));
  }

  // ---- the focus ----

  moveFocus(cell, take = true) {
    for (const one of this.cells) if (!one.ghost) one.element.tabIndex = one.cell === cell ? 0 : -1;
    this.focus = cell;
    if (take) this.root.querySelector("[tabindex='0']").focus();
  }

  // To the right and up, as the board is seen; over the edge of a cylinder to its other side.
  step(right, up) {
    const { width, height, cylinder } = this.table;
    const column = columnOf(this.focus) + (this.flip ? -right : right);
    this.moveFocus(cellName(cylinder ? (column + width) % width : clamp(column, width), clamp(rowOf(this.focus) + up, height)));
  }

  // To an end of the row, or of the board.
  jump(toEnd, far) {
    const { width, height } = this.table, top = toEnd ? 0 : height - 1;
    this.moveFocus(cellName(toEnd === this.flip ? 0 : width - 1, far ? top : rowOf(this.focus)));
  }

  // ---- keys ----

  // actions: { choose(cell), change(cell, piece), undo, redo, best, values, flip, edit, help }
  listen(actions) {
    this.root.addEventListener("keydown", (event) => {
      const ours = event.target.role === "gridcell" && !event.altKey && !event.metaKey;
      if (ours && this.act(event, actions)) event.preventDefault();
    });
  }

  // Is the key one of ours?
  act({ key, ctrlKey, shiftKey }, actions) {
    const name = shiftKey && key === "Backspace" ? "redo" : KEYS[key.toLowerCase()];
    // While a position is set up a key may name a piece, and where stones fall the column of a move.
    const piece = key === "." || key === "Delete" ? null : this.table.pieces.find((one) => one === key);
    const move = this.table.gravity && this.moves.find((one) => columnName(this.table, columnOf(one.cell)) === key);
    if (ARROWS[key]) this.step(...ARROWS[key]);
    else if (key === "Home" || key === "End") this.jump(key === "End", ctrlKey);
    else if (ctrlKey) return false;
    else if (this.view.setup && piece !== undefined) actions.change(this.focus, piece);
    else if (key === "Enter" || key === " " || move) {
      if (move) this.moveFocus(cellName(columnOf(move.cell), this.table.height - 1));
      actions.choose(this.focus);
    } else if (name) actions[name]();
    else return false;
    return true;
  }
}
