// SPDX-License-Identifier: MIT
// How many positions of each ply the first player wins, draws and loses: shares on a linear scale,
// or counts on a logarithmic one, and both as a table. A ply that is chosen shows one of its positions.
import { dataTable, draw, make } from "./elements.js";
import { number } from "./texts.js";

const WIDTH = 600, HEIGHT = 220, LEFT = 52, RIGHT = 10, TOP = 12, BOTTOM = 28;
const SERIES = [["won", "win"], ["drawn", "draw"], ["lost", "loss"]]; // from the bottom up
const INNER = HEIGHT - TOP - BOTTOM;

const rule = (y, text) => [
    draw("line", { class: "rule", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }),
    draw("text", { x: LEFT - 8, y: y + 4, "text-anchor": "end" }, text)];

// Stacked shares of a ply.
function bar(ply, x, width) {
    let below = 0;
    return SERIES.map(([name, value]) => {
        const height = ply.total ? (INNER * ply[name]) / ply.total : 0;
        below += height;
        return draw("rect", { class: "share", "data-value": value, x, y: TOP + INNER - below, width, height });
    });
}

// Lines of counts; where there is none, a gap.
function lines(plies, middle, top) {
    const y = (count) => TOP + INNER * (1 - Math.log10(count) / top);
    return SERIES.flatMap(([name, value]) => {
        const runs = [[]];
        for (const ply of plies) {
            if (ply[name]) runs.at(-1).push(`${middle(ply.ply)},${y(ply[name])}`);
            else if (runs.at(-1).length) runs.push([]);
        }
        const marks = plies.filter((ply) => ply[name]).map((ply) =>
            draw("circle", { class: "mark", "data-value": value, cx: middle(ply.ply), cy: y(ply[name]), r: 3 }));
        return [...runs.map((run) => draw("polyline", { class: "count", "data-value": value, points: run.join(" ") })), ...marks];
    });
}

export function showCounts(svg, plies, here, logarithmic) {
    const step = (WIDTH - LEFT - RIGHT) / plies.length;
    const left = (ply) => LEFT + ply * step, middle = (ply) => left(ply) + step / 2;
    const top = Math.max(1, Math.ceil(Math.log10(Math.max(...plies.map((ply) => ply.total)))));
    const exponents = Array.from({ length: top + 1 }, (_, i) => i).filter((i) => i % Math.ceil(top / 6) === 0);
    const rules = logarithmic
        ? exponents.flatMap((i) => rule(TOP + INNER * (1 - i / top), i < 4 ? number(10 ** i) : `1e${i}`))
        : [0, 50, 100].flatMap((share) => rule(TOP + INNER * (1 - share / 100), `${share} %`));
    const each = Math.ceil(plies.length / 14);
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    svg.setAttribute("aria-label", "Positions won, drawn and lost for x at every ply: the table below has the numbers");
    svg.replaceChildren(...rules,
        draw("rect", { class: "now", x: left(here), y: TOP - 6, width: step, height: INNER + BOTTOM }),
        ...(logarithmic ? lines(plies, middle, top)
            : plies.flatMap((ply) => bar(ply, left(ply.ply) + step * 0.12, step * 0.76))),
        ...plies.filter((ply) => ply.ply % each === 0).map((ply) =>
            draw("text", { x: middle(ply.ply), y: HEIGHT - 10, "text-anchor": "middle" }, String(ply.ply))),
        ...plies.map((ply) => draw("rect", { class: "target", "data-sample": ply.ply, x: left(ply.ply), y: 0,
            width: step, height: HEIGHT }, draw("title", {},
            `ply ${ply.ply}: ${number(ply.won)} won, ${number(ply.drawn)} drawn, ${number(ply.lost)} lost`))));
}

export function countsTable(plies) {
    return dataTable("Positions of every ply that can arise, for x", ["ply", "positions", "game over", "won", "drawn", "lost"],
        plies.map((ply) => [
            make("button", { type: "button", class: "link", "data-sample": ply.ply, disabled: !ply.total,
                "aria-label": `ply ${ply.ply}: show one of its positions`, text: String(ply.ply) }),
            ...[ply.total, ply.terminal, ply.won, ply.drawn, ply.lost].map(number)]));
}
