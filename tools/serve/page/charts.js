// SPDX-License-Identifier: MIT
// The game so far as a graph and a table of its values, and what there is on every ply: shares of
// positions won, drawn and lost by the first player, or counts on a logarithmic scale.
import { button, dataTable, draw } from "./elements.js";
import { costText, valueText } from "./texts.js";

const WIDTH = 600, LEFT = 52, TOP = 14, BOTTOM = 26;
const SERIES = [["won", "win"], ["drawn", "draw"], ["lost", "loss"]]; // from the bottom up

// Begin a chart with so many plies: lines across, [text, y from 0 at the top to 1], and numbers below.
function begin(svg, label, height, lines, plies) {
  const inner = height - TOP - BOTTOM, width = (WIDTH - LEFT) / plies, each = Math.ceil(plies / 14);
  const x = (ply) => LEFT + (ply + 0.5) * width, y = (at) => TOP + at * inner;
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${height}`);
  svg.setAttribute("aria-label", label);
  svg.replaceChildren(...lines.flatMap(([text, at]) => [
    draw("line", { class: "rule", x1: LEFT, x2: WIDTH, y1: y(at), y2: y(at) }),
    draw("text", { x: LEFT - 8, y: y(at) + 4, "text-anchor": "end" }, text)]));
  for (let ply = 0; ply < plies; ply += each)
    svg.append(draw("text", { x: x(ply), y: height - 7, "text-anchor": "middle" }, String(ply)));
  return { x, y, inner, width, height };
}

// ---- the game ----

// What the move that led to a step has cost: "" or a text; a blunder has changed the value.
function costOf({ steps, moves }, i) {
  const best = i ? steps[i - 1].moves[0] : null;
  const made = best && steps[i - 1].moves.find((move) => move.move === moves[i - 1]);
  return { text: made ? costText(best, made) : "", blunder: Boolean(made) && made.value !== best.value };
}

// Who wins a position, or "nobody".
const winnerOf = ({ value, to_move: mover }) => (value === "draw" ? "nobody" : (value === "win") === (mover === "x") ? "x" : "o");

// From 0, x has won, to 1, o has won: the nearer the end, the farther from the middle; where there
// are no distances, half way.
function heightOf(answer, plies) {
  const size = { win: 0.5, loss: 0.5, draw: 0 }[answer.value] * (answer.dtm_plies === null ? 0.5 : 1 - 0.9 * answer.dtm_plies / plies);
  return winnerOf(answer) === "x" ? 0.5 - size : 0.5 + size;
}

export function showGraph(svg, state) {
  const { steps, table, hidden, ply } = state, plies = table.cells + 1;
  const told = hidden ? "hidden" : steps.map((step) => ({ x: "x wins", o: "o wins", nobody: "draw" })[winnerOf(step)]).join(", ");
  const { x, y } = begin(svg, `Values of the game, ply by ply: ${told}`, 170, [["x wins", 0], ["draw", 0.5], ["o wins", 1]], plies);
  if (hidden) return;
  const at = steps.map((step, i) => ({ cx: x(i), cy: y(heightOf(step, plies)) }));
  svg.append(draw("polyline", { class: "course", points: at.map(({ cx, cy }) => `${cx},${cy}`).join(" ") }),
    ...steps.map((step, i) => draw("g", { class: `${winnerOf(step)}${i === ply ? " here" : ""}`, "data-ply": i },
      draw("circle", { ...at[i], r: 11, class: costOf(state, i).blunder ? "target blunder" : "target" }),
      draw("circle", { ...at[i], r: 5, class: "dot" }))));
}

export function recordTable(state) {
  return dataTable("Moves, and the value for the player to move", ["ply", "move", "value", "cost"], state.steps.map((step, i) => {
    const cost = state.hidden ? { text: "" } : costOf(state, i);
    return [button({ class: "link", "data-ply": i, "data-key": i, "aria-current": i === state.ply && "step",
      "aria-label": `go to ply ${i}` }, String(i)), i ? `${state.steps[i - 1].to_move} ${state.moves[i - 1]}` : "–",
    state.hidden ? "hidden" : step.over ? "over" : valueText(step), `${cost.blunder ? "✗ " : ""}${cost.text}`];
  }));
}

// ---- every ply ----

// Stacked shares.
function drawShares(svg, plies, { x, y, inner, width }) {
  for (const ply of plies) {
    let below = 1;
    for (const [name, value] of SERIES) {
      const share = ply.total ? ply[name] / ply.total : 0;
      below -= share;
      svg.append(draw("rect", { class: "share", "data-value": value, x: x(ply.ply) - width * 0.38, y: y(below),
        width: width * 0.76, height: share * inner }));
    }
  }
}

// Lines of counts; where there is none, a gap.
function drawCounts(svg, plies, { x, y }, top) {
  for (const [name, value] of SERIES) {
    const point = (ply) => `${x(ply.ply)} ${y(1 - Math.log10(ply[name]) / top)}`;
    const path = plies.map((ply, i) => (ply[name] ? `${plies[i - 1]?.[name] ? "L" : "M"}${point(ply)}` : "")).join("");
    svg.append(draw("path", { class: "count", "data-value": value, d: path || "M0 0" }));
  }
}

export function showCounts(svg, plies, here, logarithmic) {
  const top = Math.max(1, Math.ceil(Math.log10(Math.max(...plies.map((ply) => ply.total)))));
  const powers = [...Array(top + 1).keys()].filter((i) => i % Math.ceil(top / 5) === 0);
  const lines = logarithmic ? powers.map((i) => [i < 4 ? String(10 ** i) : `1e${i}`, 1 - i / top])
    : [["100 %", 0], ["50 %", 0.5], ["0 %", 1]];
  const frame = begin(svg, "Positions won, drawn and lost by x on every ply, as in the table below", 220, lines, plies.length);
  const column = (ply, attributes, ...children) => draw("rect", { ...attributes, x: frame.x(ply) - frame.width / 2, y: 0,
    width: frame.width, height: frame.height }, ...children);
  svg.append(column(here, { class: "now" }));
  (logarithmic ? drawCounts : drawShares)(svg, plies, frame, top);
  svg.append(...plies.map((ply) => column(ply.ply, { class: "target", "data-sample": ply.ply }, draw("title", {},
    `ply ${ply.ply}: ${ply.won} won, ${ply.drawn} drawn, ${ply.lost} lost`))));
}

export function countsTable(plies) {
  return dataTable("Positions of every ply that can arise, for x", ["ply", "positions", "over", "won", "drawn", "lost"],
    plies.map((ply) => [button({ class: "link", "data-sample": ply.ply, disabled: !ply.total,
      "aria-label": `ply ${ply.ply}: show one of its positions` }, String(ply.ply)),
    ...[ply.total, ply.terminal, ply.won, ply.drawn, ply.lost].map((number) => number.toLocaleString("en"))]));
}
