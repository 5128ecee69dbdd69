// SPDX-License-Identifier: MIT
// Two charts, each with a table: the values of the game, move by move; and how many positions of each ply the
// first player wins, draws and loses, as shares or as counts on a logarithmic scale.
import { button, dataTable, draw, upTo } from "./elements.js";
import { costText, positionText, valueText, winnerOf } from "./texts.js";

const WIDTH = 320, LEFT = 44, TOP = 10, BOTTOM = 24;
const SERIES = [["won", "win"], ["drawn", "draw"], ["lost", "loss"]]; // from the bottom up

// Begin a chart: horizontal lines [text, y from 0 (top) to 1], and the plies on the x axis.
function begin(svg, height, lines, plies) {
  const inner = height - TOP - BOTTOM, width = (WIDTH - LEFT) / plies;
  const x = (ply) => LEFT + (ply + 0.5) * width, y = (at) => TOP + at * inner;
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${height}`);
  svg.replaceChildren(...lines.flatMap(([text, at]) => [draw("path", { class: "rule", d: `M${LEFT} ${y(at)}H${WIDTH}` }),
    draw("text", { x: LEFT - 6, y: y(at) + 4, "text-anchor": "end" }, text)]));
  for (let ply = 0; ply < plies; ply += Math.ceil(plies / 14))
    svg.append(draw("text", { x: x(ply), y: height - 7, "text-anchor": "middle" }, ply));
  return { x, y, inner, width, height };
}

// ---- the game ----

// The y of a value, from 0 (x has won) to 1 (o has won). Without distances, a win is half way from draw to the edge.
function heightOf(answer, plies) {
  const size = answer.dtm_plies === null ? 0.25 : 0.5 - 0.45 * answer.dtm_plies / plies;
  return 0.5 + size * { x: -1, nobody: 0, o: 1 }[winnerOf(answer)];
}

export function showGraph(svg, state) {
  const { steps, played, table, hidden, ply } = state, plies = table.cells + 1;
  const { x, y } = begin(svg, 112, [["x wins", 0], ["draw", 0.5], ["o wins", 1]], plies);
  if (hidden) return;
  const at = steps.map((step, i) => ({ cx: x(i), cy: y(heightOf(step, plies)) }));
  svg.append(draw("polyline", { class: "course", points: at.map(({ cx, cy }) => `${cx},${cy}`).join(" ") }),
    ...steps.map((step, i) => draw("g", { class: `${winnerOf(step)}${i === ply ? " here" : ""}`, "data-ply": i },
      draw("circle", { ...at[i], r: 7, class: played[i - 1]?.mistake ? "target blunder" : "target" }),
      draw("circle", { ...at[i], r: 3, class: "dot" }))));
}

// The same table as `plybase annotate` prints.
export function recordTable({ steps, played, ply, hidden }) {
  const values = (i) => {
    const made = played[i - 1], step = steps[i];
    if (!i || hidden) return ["", !i ? "" : step.over ? positionText(step) : "hidden", ""];
    return [valueText(steps[i - 1]), step.over ? positionText(step) : valueText(made), costText(made)];
  };
  return dataTable("Values for the player who moved, before and after the move", ["no.", "move", "before", "after", "cost"], steps.map((_, i) => [
    button({ class: "link", "data-ply": i, "aria-current": i === ply && "step", "aria-label": `go to move ${i}` }, i),
    i ? `${played[i - 1].player} ${played[i - 1].move}` : "start", ...values(i)]));
}

// ---- every ply ----

// Shares are stacked; counts are side by side, on a logarithmic scale up to 10^top.
export function showCounts(svg, plies, here, { logarithmic, hidden }) {
  const top = Math.max(1, Math.ceil(Math.log10(Math.max(...plies.map((ply) => +ply.total)))));
  const size = (n, { total }) => (logarithmic ? Math.log10(+n + 1) / top : n / (+total || 1));
  const powers = upTo(Math.floor(top / 2) + 1).map((i) => [i < 2 ? 100 ** i : `1e${2 * i}`, 1 - Math.log10(100 ** i + 1) / top]);
  const { x, y, inner, width, height } = begin(svg, 144, logarithmic ? powers : [["100 %", 0], ["50 %", 0.5], ["0 %", 1]], plies.length);
  const column = (ply, attributes) => draw("rect", { ...attributes, x: x(ply) - width / 2, width, height });
  svg.append(column(here, { class: "now" }));
  for (const ply of hidden ? [] : plies) {
    let below = 1;
    SERIES.forEach(([name, value], i) => {
      const share = size(ply[name], ply), left = x(ply.ply) + width * (logarithmic ? 0.27 * i - 0.4 : -0.38);
      below = (logarithmic ? 1 : below) - share;
      svg.append(draw("rect", { class: "share", "data-value": value, x: left, y: y(below),
        width: width * (logarithmic ? 0.27 : 0.76), height: share * inner }));
    });
  }
  svg.append(...plies.map(({ ply }) => column(ply, { class: "target", "data-sample": ply })));
}

export const countsTable = (plies) => dataTable("Reachable positions, for x",
  ["stones", "positions", "over", "won", "drawn", "lost"], plies.map(({ ply, total, terminal, won, drawn, lost }) => [
    button({ class: "link", "data-sample": ply, disabled: !+total, "aria-label": `a position with ${ply} stones` }, ply),
    ...[total, terminal, won, drawn, lost].map((n) => BigInt(n).toLocaleString("en"))]));
