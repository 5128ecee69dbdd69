// SPDX-License-Identifier: MIT
// The game so far: its moves, with what each has cost, and its values as a graph. Above the middle x
// wins, below it o; the farther from the middle, the sooner.
import { dataTable, draw, make, replaceChildren } from "./elements.js";
import { lossText, valueText } from "./texts.js";

const WIDTH = 600, HEIGHT = 170, LEFT = 52, RIGHT = 14, TOP = 14, BOTTOM = 26;

// What the move from one step to the next has cost: null, or a text and whether the value changed.
export function costOf(steps, moves, i) {
    const best = steps[i].moves[0], made = steps[i].moves.find((move) => move.move === moves[i]);
    const text = best && lossText(best, made);
    return text ? { text, blunder: best.value !== made.value } : null;
}

// Who wins a position: "x", "o", or null for nobody.
function winnerOf({ value, to_move: mover }) {
    if (value !== "win" && value !== "loss") return null;
    return (value === "win") === (mover === "x") ? "x" : "o";
}

// From -1, o has won, to 1, x has won; without distances half way.
function heightOf(answer, cells) {
    const winner = winnerOf(answer);
    if (!winner) return 0;
    const size = answer.dtm_plies === null ? 0.5 : 1 - (0.9 * answer.dtm_plies) / (cells + 1);
    return winner === "x" ? size : -size;
}

function frame(x, y, cells) {
    const step = cells > 30 ? 10 : cells > 12 ? 5 : 1;
    const ticks = Array.from({ length: Math.floor(cells / step) + 1 }, (_, i) => i * step);
    return [
        ...[["x wins", 1], ["draw", 0], ["o wins", -1]].flatMap(([text, at]) => [
            draw("line", { class: "rule", x1: LEFT, x2: WIDTH - RIGHT, y1: y(at), y2: y(at) }),
            draw("text", { x: LEFT - 8, y: y(at) + 4, "text-anchor": "end" }, text)]),
        ...ticks.map((ply) => draw("text", { x: x(ply), y: HEIGHT - 6, "text-anchor": "middle" }, String(ply))),
    ];
}

function point(answer, i, state, x, y) {
    const cost = i && costOf(state.steps, state.moves, i - 1);
    const kind = `point ${winnerOf(answer) ?? "nobody"}${i === state.ply ? " here" : ""}`;
    const at = { cx: x(i), cy: y(heightOf(answer, state.table.cells)) };
    return draw("g", { class: kind, "data-ply": i },
        draw("circle", { ...at, r: 11, class: "target" }),
        cost?.blunder ? draw("circle", { ...at, r: 9, class: "blunder" }) : null,
        draw("circle", { ...at, r: 5, class: "dot" }));
}

export function showGraph(svg, state) {
    const { steps, table } = state;
    const x = (ply) => LEFT + 10 + (ply * (WIDTH - LEFT - RIGHT - 20)) / table.cells;
    const y = (height) => TOP + ((1 - height) * (HEIGHT - TOP - BOTTOM)) / 2;
    const line = steps.map((answer, i) => `${x(i)},${y(heightOf(answer, table.cells))}`).join(" ");
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    svg.setAttribute("aria-label", state.hidden ? "Values of the game, hidden"
        : `Values of the game, ply by ply: ${steps.map((answer) => winnerOf(answer) ?? "draw").join(", ")}`);
    svg.replaceChildren(...frame(x, y, table.cells), ...(state.hidden ? [] : [
        draw("polyline", { class: "course", points: line }),
        ...steps.map((answer, i) => point(answer, i, state, x, y))]));
}

export function showRecord(list, state) {
    replaceChildren(list, state.steps.map((answer, i) => {
        const player = i ? state.steps[i - 1].to_move : null;
        const cost = i && !state.hidden ? costOf(state.steps, state.moves, i - 1) : null;
        return make("li", {}, make("button", { type: "button", class: "played", "data-ply": i, "data-key": String(i),
            "aria-current": i === state.ply ? "step" : null },
        i ? make("span", { class: "count", text: String(i) }) : null,
        make("span", { text: i ? `${player} ${state.moves[i - 1]}` : state.start ? "given position" : "start" }),
        cost ? make("span", { class: cost.blunder ? "cost blunder" : "cost",
            text: `${cost.blunder ? "✗" : "▾"} ${cost.text}` }) : null));
    }));
}

export function recordTable(state) {
    return dataTable("Value of every position of the game, for the player to move",
        ["moves made", "last move", "to move", "value", "what the move has cost"],
        state.steps.map((answer, i) => [String(i), i ? state.moves[i - 1] : "–", answer.to_move,
            state.hidden ? "hidden" : valueText(answer),
            (!state.hidden && i && costOf(state.steps, state.moves, i - 1)?.text) || "–"]));
}
