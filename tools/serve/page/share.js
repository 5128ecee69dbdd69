// SPDX-License-Identifier: MIT
// What can be taken away: position, link, a line for curl, and a picture of the board that needs
// nothing besides itself.
import { routeOf } from "./api.js";
import * as game from "./game.js";
import { draw } from "./elements.js";
import { columnName, columnOf, readBoard, rowOf } from "./notation.js";

const board = () => game.answer().position;

const texts = {
  position: board,
  link: () => location.origin + game.address(),
  curl: () => `curl "${location.origin}${routeOf(game.get().table.spec, "positions", { board: board() })}"`,
};

export const link = texts.link;

// Where a page may not write to the clipboard, the person can: the text is selected.
export async function copy(what, field) {
  field.value = texts[what]();
  field.select();
  const done = await navigator.clipboard?.writeText(field.value).then(() => true, () => false);
  return done ? "Copied." : "Selected, to be copied by Ctrl+C.";
}

const SIDE = 60;

export function picture() {
  const { table, flip } = game.get(), answer = game.answer(), ink = "#1d232b";
  const width = SIDE * table.width, height = SIDE * table.height;
  const x = (column) => SIDE * ((flip ? table.width - 1 - column : column) + 0.5);
  const text = (where, size, content) => draw("text", { ...where, fill: ink, "font-size": size, "text-anchor": "middle",
    "font-family": "sans-serif" }, content);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height + 30}`, width, height: height + 30 },
    draw("title", {}, `${table.spec} ${board()}`), draw("rect", { width, height: height + 30, fill: "#fff" }));
  for (let column = 0; column < table.width; column++) {
    svg.append(text({ x: x(column), y: height + 22 }, 18, columnName(table, column)));
    for (let row = 0; row < table.height; row++)
      svg.append(draw("rect", { x: x(column) - SIDE / 2, y: SIDE * row, width: SIDE, height: SIDE, fill: "none", stroke: "#c9ced6" }));
  }
  for (const [cell, piece] of Object.entries(readBoard(table, board()))) {
    const cx = x(columnOf(cell)), cy = height - SIDE * (rowOf(cell) + 0.5), grouped = answer.group.includes(cell);
    svg.append(/[xo]/.test(piece) || grouped ? draw("circle", { cx, cy, r: 22, fill: piece === "x" ? ink : "#fff",
      stroke: grouped ? "#e69f00" : ink, "stroke-width": 5 }) : "", /[xo]/.test(piece) ? "" : text({ x: cx, y: cy + 9 }, 26, piece));
  }
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
}
