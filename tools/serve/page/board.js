// SPDX-License-Identifier: MIT
// The board: a grid of cells, of which one has the focus (W3C APG, grid). It is built once for a
// table and then kept up to date, so that a move does not lose the reader's place. On a cylinder the
// neighbours over the seam are repeated beside it, for the eye alone.
import { make, setAttribute } from "./elements.js";
import { cellName, columnKey, columnLetter, columnOf, numberOf, readBoard, rowOf } from "./notation.js";
import { cellText, shortValue } from "./texts.js";

const GHOSTS = 2; // columns repeated on either side, at most

// How strongly a move is coloured: less with every ply that it is worse than the best of its value.
export function strength(moves, move) {
    const best = moves.find((one) => one.value === move.value);
    const worse = Math.abs((best.dtm_plies ?? 0) - (move.dtm_plies ?? 0));
    return Math.max(0.35, 1 - worse * 0.06);
}

// Value and colour of a move on an element; nothing where values are hidden.
export function colour(element, moves, move) {
    setAttribute(element, "data-value", move?.value);
    if (move) element.style.setProperty("--strength", strength(moves, move));
}

const showTag = (tag, move) => tag.replaceChildren(...(move
    ? [make("b", { text: shortValue(move) }), make("small", { text: move.value ?? "" })] : []));

export class Board {
    // root: where it stands; label: its name; frozen: it cannot be played on.
    constructor(root, label, frozen = false) {
        Object.assign(this, { root, label, frozen, cells: new Map(), ghosts: [], feet: [], built: null, focus: null });
    }

    build(table, flip) {
        const built = `${table.spec} ${table.id} ${flip}`;
        if (built === this.built) return;
        Object.assign(this, { built, table, flip, cells: new Map(), ghosts: [], feet: [] });
        const columns = Array.from({ length: table.width }, (_, c) => (flip ? table.width - 1 - c : c));
        const ghosts = table.cylinder ? Math.min(GHOSTS, table.width) : 0;
        this.columns = [...columns.slice(-ghosts || table.width).map((c) => [c, "ghost"]),
            ...columns.map((c) => [c, ""]), ...columns.slice(0, ghosts).map((c) => [c, "ghost"])];
        const rows = Array.from({ length: table.height }, (_, r) => this.buildRow(table.height - 1 - r));
        this.root.replaceChildren(
            make("div", { role: "grid", "aria-label": `${this.label} of ${table.spec}`, class: "grid" }, ...rows),
            this.buildFoot());
        this.root.style.setProperty("--columns", table.width);
        this.root.style.setProperty("--rows", table.height);
        this.root.classList.toggle("wrapped", table.cylinder);
        this.root.classList.toggle("gravity", table.gravity);
        if (!this.cells.has(this.focus)) this.focus = cellName(columns[0], table.height - 1);
    }

    buildRow(row) {
        const label = make("span", { class: "rank", "aria-hidden": "true", text: String(row + 1) });
        return make("div", { role: "row", class: "row" }, label, ...this.columns.map(([column, ghost]) => {
            const cell = cellName(column, row);
            const element = make("div", ghost
                ? { class: "cell ghost", "aria-hidden": "true", "data-cell": cell }
                : { class: "cell", role: "gridcell", tabindex: "-1", "data-cell": cell },
                make("span", { class: "piece" }), make("span", { class: "tag" }));
            if (ghost) this.ghosts.push(element);
            else this.cells.set(cell, element);
            return element;
        }));
    }

    // Below the columns: their names, and where stones fall the values of their moves.
    buildFoot() {
        return make("div", { class: "row foot", "aria-hidden": "true" }, make("span", { class: "rank" }),
            ...this.columns.map(([column, ghost]) => {
                const name = this.table.gravity ? columnKey(column) : columnLetter(column);
                const foot = make("div", { class: `under ${ghost}`, "data-column": column },
                    make("span", { class: "tag" }), make("span", { class: "name", text: name }));
                this.feet.push(foot);
                return foot;
            }));
    }

    // view: { answer, last (cell), hidden, number, setup (pieces) }
    show(table, flip, view) {
        this.build(table, flip);
        this.view = view;
        this.pieces = view.setup ?? readBoard(table, view.answer.position);
        const moves = view.setup ? [] : view.answer.moves;
        this.moves = moves.filter((move) => !view.number || numberOf(move) === view.number);
        for (const [cell, element] of this.cells) this.showCell(cell, element, moves);
        for (const ghost of this.ghosts) this.showCell(ghost.dataset.cell, ghost, moves);
        for (const foot of this.feet) this.showFoot(foot, moves);
        setAttribute(this.root, "data-over", !view.setup && view.answer.over);
        this.moveFocus(this.focus, false);
    }

    // The move that a click on a cell makes: where stones fall, that of its column.
    moveAt(cell) {
        return this.moves.find((move) => (this.table.gravity
            ? columnOf(move.cell) === columnOf(cell) : move.cell === cell)) ?? null;
    }

    showCell(cell, element, moves) {
        const { answer, last, hidden, setup } = this.view;
        const piece = this.pieces[cell] ?? null, made = this.moveAt(cell);
        const move = made?.cell === cell ? made : null;
        const grouped = !setup && (answer.group ?? []).includes(cell);
        setAttribute(element, "data-move", made?.move);
        setAttribute(element, "data-piece", piece);
        setAttribute(element, "data-last", !setup && last === cell);
        setAttribute(element, "data-group", grouped);
        setAttribute(element, "data-target", Boolean(move));
        colour(element, moves, hidden ? null : move);
        element.firstChild.textContent = piece && piece !== "x" && piece !== "o" ? piece : "";
        showTag(element.lastChild, hidden || this.table.gravity ? null : move);
        if (element.role !== "gridcell") return;
        element.setAttribute("aria-label", cellText({
            cell, piece, last: !setup && last === cell, grouped, move, hidden,
            column: columnKey(columnOf(cell)), gravity: this.table.gravity }));
    }

    showFoot(foot, moves) {
        const move = this.table.gravity
            ? this.moves.find((one) => columnOf(one.cell) === Number(foot.dataset.column)) : null;
        setAttribute(foot, "data-move", move?.move);
        colour(foot, moves, this.view.hidden ? null : move);
        showTag(foot.firstChild, this.view.hidden ? null : move);
    }

    // ---- the focus ----

    moveFocus(cell, take = true) {
        if (!this.cells.has(cell)) return;
        this.cells.get(this.focus)?.setAttribute("tabindex", "-1");
        this.focus = cell;
        if (!this.frozen) this.cells.get(cell).setAttribute("tabindex", "0");
        if (take) this.cells.get(cell).focus();
    }

    // By columns and rows as they are seen; over the edge of a cylinder to its other side.
    step(right, up) {
        const { width, height, cylinder } = this.table;
        let column = columnOf(this.focus) + (this.flip ? -right : right);
        if (cylinder) column = (column + width) % width;
        const row = rowOf(this.focus) + up;
        this.moveFocus(cellName(Math.min(Math.max(column, 0), width - 1), Math.min(Math.max(row, 0), height - 1)));
    }

    // To an end of the row, or of the board.
    jump(toEnd, far) {
        const { width, height } = this.table;
        const row = far ? (toEnd ? 0 : height - 1) : rowOf(this.focus);
        this.moveFocus(cellName(toEnd === this.flip ? 0 : width - 1, row));
    }
}
