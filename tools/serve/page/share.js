// SPDX-License-Identifier: MIT
// What can be taken away: position, link, a line for curl, and a picture of the board that needs
// nothing besides itself.
import { routeOf } from "./api.js";
import * as game from "./game.js";
import { draw } from "./elements.js";
import { columnName, columnOf, readBoard, rowOf } from "./notation.js";

const board = () => game.answer().position;

export const link = () => location.origin + game.address();

const texts = { position: board, link,
  curl: () => `curl "${location.origin}${routeOf(game.get().table.spec, "positions", { board: board() })}"` };

// Where a page may not write to the clipboard, the person can: the text is selected.
export function copy(what, field) {
  field.value = texts[what]();
  field.select();
  navigator.clipboard?.writeText(field.value).catch(() => {});
}

const SIDE = 60, INK = "#1d232b";

const write = (x, y, text) => draw("text", { x, y, fill: INK, "font-size": 24, "text-anchor": "middle", "font-family": "sans-serif" }, text);

export function picture() {
  const { table, flip } = game.get(), { group } = game.answer();
  const width = SIDE * table.width, height = SIDE * (table.height + 0.6);
  const x = (column) => SIDE * ((flip ? table.width - 1 - column : column) + 0.5), y = (row) => SIDE * (table.height - row - 0.5);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height }, draw("rect", { width, height, fill: "#fff" }));
  for (let column = 0; column < table.width; column++) {
    svg.append(write(x(column), height - 10, columnName(table, column)));
    for (let row = 0; row < table.height; row++)
      svg.append(draw("rect", { x: x(column) - SIDE / 2, y: y(row) - SIDE / 2, width: SIDE, height: SIDE, fill: "none", stroke: "#c9ced6" }));
  }
  for (const [cell, piece] of Object.entries(readBoard(table, board()))) {
    const cx = x(columnOf(cell)), cy = y(rowOf(cell)), stone = /[xo]/.test(piece);
    svg.append(draw("circle", { cx, cy, r: 22, fill: piece === "x" ? INK : "#fff", "stroke-width": 5,
      stroke: group.includes(cell) ? "#e69f00" : stone ? INK : "none" }), stone ? "" : write(cx, cy + 9, piece));
  }
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
}
