// SPDX-License-Identifier: MIT
// The game so far as a graph and a table of its values, and what there is on every ply: shares of
// positions won, drawn and lost by the first player, or counts, side by side on a logarithmic scale.
import { button, dataTable, draw, upTo } from "./elements.js";
import { moveTo } from "./game.js";
import { costText, valueText } from "./texts.js";

const WIDTH = 600, LEFT = 70, TOP = 14, BOTTOM = 26;
const SERIES = [["won", "win"], ["drawn", "draw"], ["lost", "loss"]]; // from the bottom up

// Begin a chart: lines across, [text, y from 0 at the top to 1], and below the numbers of plies.
function begin(svg, height, lines, plies) {
  const inner = height - TOP - BOTTOM, width = (WIDTH - LEFT) / plies;
  const x = (ply) => LEFT + (ply + 0.5) * width, y = (at) => TOP + at * inner;
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${height}`);
  svg.replaceChildren(...lines.flatMap(([text, at]) => [
    draw("path", { class: "rule", d: `M${LEFT} ${y(at)}H${WIDTH}` }),
    draw("text", { x: LEFT - 8, y: y(at) + 4, "text-anchor": "end" }, text)]));
  for (let ply = 0; ply < plies; ply += Math.ceil(plies / 14))
    svg.append(draw("text", { x: x(ply), y: height - 7, "text-anchor": "middle" }, ply));
  return { x, y, inner, width, height };
}

// ---- the game ----

// What the move that led to a step has cost: "" or a text; a blunder has changed the value.
function costOf(state, i) {
  const made = moveTo(state, i), best = state.steps[i - 1]?.moves[0];
  return made ? { text: costText(best, made), blunder: made.value !== best.value } : { text: "" };
}

// Who wins a position, or "nobody".
const winnerOf = ({ value, to_move: mover }) => (value === "draw" ? "nobody" : (value === "win") === (mover === "x") ? "x" : "o");

// From 0, x has won, to 1, o has won: the nearer the end, the farther from the middle; where there
// are no distances, half way.
function heightOf(answer, plies) {
  const size = answer.dtm_plies === null ? 0.25 : 0.5 - 0.45 * answer.dtm_plies / plies;
  return 0.5 + size * { x: -1, nobody: 0, o: 1 }[winnerOf(answer)];
}

export function showGraph(svg, state) {
  const { steps, table, hidden, ply } = state, plies = table.cells + 1;
  const { x, y } = begin(svg, 170, [["x wins", 0], ["draw", 0.5], ["o wins", 1]], plies);
  const told = steps.map((step) => `${winnerOf(step)} wins`).join(", ");
  svg.setAttribute("aria-label", `Values of the game, ply by ply: ${hidden ? "hidden" : told}`);
  if (hidden) return;
  const at = steps.map((step, i) => ({ cx: x(i), cy: y(heightOf(step, plies)) }));
  svg.append(draw("polyline", { class: "course", points: at.map(({ cx, cy }) => `${cx},${cy}`).join(" ") }),
    ...steps.map((step, i) => draw("g", { class: `${winnerOf(step)}${i === ply ? " here" : ""}`, "data-ply": i },
      draw("circle", { ...at[i], r: 11, class: costOf(state, i).blunder ? "target blunder" : "target" }),
      draw("circle", { ...at[i], r: 5, class: "dot" }))));
}

export function recordTable(state) {
  return dataTable("Moves, and the value for the player to move", ["ply", "move", "value", "cost"], state.steps.map((step, i) => {
    const { text, blunder } = costOf(state, i);
    return [button({ class: "link", "data-ply": i, "data-key": i, "aria-current": i === state.ply && "step",
      "aria-label": `go to ply ${i}` }, i), i ? `${state.steps[i - 1].to_move} ${state.moves[i - 1]}` : "–",
    step.over ? "over" : state.hidden ? "hidden" : valueText(step), state.hidden ? "" : `${blunder ? "✗ " : ""}${text}`];
  }));
}

// ---- every ply ----

// Three bars for a ply, with logarithms up to `top` beside each other, with shares (top 0) on each other.
function drawBars(svg, ply, { x, y, inner, width }, top) {
  const bar = width * (top ? 0.27 : 0.76);
  let below = 1;
  SERIES.forEach(([name, value], i) => {
    const size = top ? Math.log10(ply[name] + 1) / top : ply[name] / (ply.total || 1);
    below = (top ? 1 : below) - size;
    svg.append(draw("rect", { class: "share", "data-value": value, x: x(ply.ply) - width * 0.38 + (top && i * bar),
      y: y(below), width: bar, height: size * inner }));
  });
}

export function showCounts(svg, plies, here, logarithmic) {
  const top = Math.max(1, Math.ceil(Math.log10(Math.max(...plies.map((ply) => ply.total)))));
  const powers = upTo(top + 1).filter((i) => i % Math.ceil(top / 5) === 0);
  const frame = begin(svg, 220, logarithmic ? powers.map((i) => [i < 4 ? 10 ** i : `1e${i}`, 1 - Math.log10(10 ** i + 1) / top])
    : [["100 %", 0], ["50 %", 0.5], ["0 %", 1]], plies.length);
  const column = (ply, attributes) => draw("rect", { ...attributes, x: frame.x(ply) - frame.width / 2,
    width: frame.width, height: frame.height });
  svg.append(column(here, { class: "now" }));
  for (const ply of plies) drawBars(svg, ply, frame, logarithmic && top);
  svg.append(...plies.map(({ ply }) => column(ply, { class: "target", "data-sample": ply })));
}

export const countsTable = (plies) => dataTable("Positions of every ply that can arise, for x",
  ["ply", "positions", "over", "won", "drawn", "lost"], plies.map(({ ply, total, terminal, won, drawn, lost }) => [
    button({ class: "link", "data-sample": ply, disabled: !total, "aria-label": `ply ${ply}: show one of its positions` }, ply),
    ...[total, terminal, won, drawn, lost].map((number) => number.toLocaleString("en"))]));
