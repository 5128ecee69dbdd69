// SPDX-License-Identifier: MIT
// Texts to copy, and a self-contained picture of the board.
import { pathOf } from "./api.js";
import * as game from "./game.js";
import { draw, find, upTo } from "./elements.js";
import { columnName, columnOf, ownerOf, readBoard, rowOf } from "./texts.js";

const board = () => game.answer().position;

export const link = () => location.origin + game.address();

export const movesText = () => game.state.moves.slice(0, game.state.ply).join(game.state.table.gravity && game.state.table.width < 10 ? "" : ",");

export const curlLine = () =>
  `curl "${location.origin}${pathOf(game.state.table.spec, "positions", { board: board() })}"`;

// Also selects the text, in case the clipboard is not accessible.
export function copy(id) {
  const field = find(id);
  field.select();
  navigator.clipboard?.writeText(field.value).catch(() => {});
}

const SIDE = 60, MARGIN = 6, INK = "#1d232b", FILL = { x: "#7457cf", o: "#f2b91f" };

export function picture() {
  const { table, flip } = game.state, { width: columns, height: rows } = table, { group } = game.answer();
  const width = SIDE * columns + 2 * MARGIN, height = SIDE * (rows + 0.6) + MARGIN;
  const x = (column) => SIDE * ((flip ? columns - 1 - column : column) + 0.5);
  const write = (column, y, text, fill = INK) => draw("text", { x: x(column), y, fill, stroke: "none" }, text);
  const svg = draw("svg", { viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`, width, height, fill: "none", stroke: "#c9ced6",
    "font-size": 24, "text-anchor": "middle", "font-family": "sans-serif" }, draw("rect", { x: -MARGIN, y: -MARGIN, width, height, fill: "#fff", stroke: "none" }),
  ...upTo(columns).map((column) => write(column, height - 10 - MARGIN, columnName(table, column))),
  ...upTo(columns * rows).map((i) => draw("rect", { x: SIDE * (i % columns), y: SIDE * Math.floor(i / columns), width: SIDE, height: SIDE })));
  for (const [cell, piece] of Object.entries(readBoard(table, board()))) {
    const column = columnOf(cell), owner = ownerOf(table, piece), cy = SIDE * (rows - rowOf(cell) - 0.5);
    svg.append(draw("circle", { cx: x(column), cy, r: 22, fill: FILL[owner], "stroke-width": group.includes(cell) ? 6 : 2,
      stroke: INK }), piece === owner ? "" : write(column, cy + 9, piece, owner === "x" ? "#fff" : INK));
  }
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
}
