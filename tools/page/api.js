// SPDX-License-Identifier: MIT
// Requests to the source of answers, which are kept. A refusal is thrown as a Problem. Requests carry
// the id of the table (`v`). If the table was replaced, they are refused (`replaced`), and the page
// asks for the new id.

import { ask as askSource } from "./source.js";
import { query } from "./request.js";

export { Problem } from "./request.js";

// Answers by address. A full cache is emptied.
const kept = new Map(), MOST_KEPT = 1000;

function keep(path, answer) {
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(path, answer);
  return answer;
}

// A table that was replaced is asked for anew.
const ask = (path, options) => askSource(path, options).catch((problem) => {
  if (problem.replaced) kept.delete(path.split("/", 4).join("/"));
  throw problem;
});

const askOnce = async (path, options) => kept.get(path) ?? keep(path, await ask(path, options));

const tablePath = (spec) => `/v1/tables/${encodeURIComponent(spec)}`;

export const pathOf = (spec, route, parameters) => `${tablePath(spec)}/${route}${query(parameters)}`;

export const listTables = async () => (await ask("/v1/tables")).tables;

export const getTable = (spec) => askOnce(tablePath(spec), { cache: "no-cache" });

// The path of a request to a table, with its known id.
const currentPath = async (spec, route, parameters) =>
  pathOf(spec, route, { ...parameters, v: (await getTable(spec)).id });

// A position; its moves have the ply that they lead to, too.
export async function getPosition(spec, board) {
  const { moves, ...answer } = await askOnce(await currentPath(spec, "positions", { board }));
  return { ...answer, moves: moves.map((move) => ({ ...move, ply: answer.ply + 1 })) };
}

// A game: the moves of a text, from a board or the empty one, annotated, and the positions between them.
export async function getGame(spec, board, text) {
  const path = (moves) => currentPath(spec, "annotate", { board, moves });
  const game = await askOnce(await path(text)), { played, mistakes, ...end } = game, moves = played.map(({ move }) => move);
  keep(await path(moves.join()), game);
  keep(await currentPath(spec, "positions", { board: end.position }), end);
  const boards = [board ?? (await getTable(spec)).empty, ...played.map(({ position }) => position)];
  return { moves, played, mistakes, steps: await Promise.all(boards.map((one) => getPosition(spec, one))) };
}

// Statistics of every ply; null if unknown, as for a strategy.
export const getCounts = async (spec) => (await getTable(spec)).values === "strategy" ? null
  : askOnce(await currentPath(spec, "stats")).then((stats) => stats.plies, (error) => {
    if (error.passing) throw error;
    return null;
  });

// A position of a ply.
export async function getSample(spec, ply) {
  const { positions } = await ask(await currentPath(spec, "sample", { seed: Date.now(), ply }));
  return positions[0].position;
}

// Search for the `best` moves or the `line` to the end.
let searching = new AbortController();

export function endSearch() {
  searching.abort();
  searching = new AbortController();
}

export const getLimits = async () => (await askOnce("/v1")).limits;

export async function search(spec, route, board, seconds) {
  const { signal } = searching;
  return ask(await currentPath(spec, route, { board, seconds }), { signal });
}
