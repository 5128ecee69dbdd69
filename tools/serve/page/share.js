// SPDX-License-Identifier: MIT
// What can be taken away: the position and its link as text, the question for curl, and a picture of
// the board that needs nothing besides itself.
import * as api from "./api.js";
import * as game from "./game.js";
import { draw } from "./elements.js";
import { columnKey, columnLetter, columnOf, readBoard, rowOf } from "./notation.js";

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

export const texts = {
    position: () => game.answer().position,
    link: () => location.origin + game.addressOf(),
    curl: () => `curl ${quoted(location.origin + api.routeOf(game.get().table.spec, "positions",
        { board: game.answer().position }))}`,
};

// Where a page may not write to the clipboard, the person can: the text is selected.
export async function copy(what, field) {
    field.value = texts[what]();
    try {
        await navigator.clipboard.writeText(field.value);
        return "Copied.";
    } catch {
        field.focus();
        field.select();
        return "Selected: copy it with Ctrl+C.";
    }
}

const SIDE = 60;

function stone(piece, x, y, grouped) {
    const circle = { cx: x, cy: y, r: 22, stroke: grouped ? "#e69f00" : "#1d232b", "stroke-width": grouped ? 5 : 2.5 };
    if (piece === "x") return [draw("circle", { ...circle, fill: "#1d232b" })];
    if (piece === "o") return [draw("circle", { ...circle, fill: "#fff" })];
    const text = { x, y: y + 9, fill: "#1d232b", "font-size": 26, "text-anchor": "middle", "font-family": "sans-serif" };
    return [grouped ? draw("circle", { ...circle, fill: "none" }) : null, draw("text", text, piece)];
}

export function picture() {
    const { table, flip } = game.get(), answer = game.answer();
    const at = (column) => SIDE * ((flip ? table.width - 1 - column : column) + 1);
    const width = SIDE * (table.width + 1), height = SIDE * (table.height + 1);
    const pieces = readBoard(table, answer.position);
    const svg = draw("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height },
        draw("title", {}, `${table.spec} ${answer.position}`), draw("rect", { width, height, fill: "#fff" }));
    for (let column = 0; column < table.width; column++) {
        const name = table.gravity ? columnKey(column) : columnLetter(column);
        svg.append(draw("text", { x: at(column), y: height - 12, fill: "#5a6472", "font-size": 18,
            "text-anchor": "middle", "font-family": "sans-serif" }, name));
        for (let row = 0; row < table.height; row++)
            svg.append(draw("rect", { x: at(column) - SIDE / 2, y: SIDE * (table.height - row) - SIDE / 2 - 15,
                width: SIDE, height: SIDE, fill: "none", stroke: "#c9ced6" }));
    }
    for (const [cell, piece] of Object.entries(pieces))
        svg.append(...stone(piece, at(columnOf(cell)), SIDE * (table.height - rowOf(cell)) - 15,
            (answer.group ?? []).includes(cell)).filter(Boolean));
    return new XMLSerializer().serializeToString(svg);
}
