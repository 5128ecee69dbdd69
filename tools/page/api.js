// SPDX-License-Identifier: MIT
// Requests for tables and positions, with a cache. A request has the id of the table (`v`). It is refused if
// the table was replaced (Problem.replaced).

import { ask as askSource } from "./source.js";
import { query } from "./request.js";

export { Problem } from "./request.js";

// Answers by path.
const cache = new Map(), MAX_CACHED = 1000;

function store(path, answer) {
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(path, answer);
  return answer;
}

// Send a request. If the table was replaced, its description is removed from the cache.
const ask = (path, options) => askSource(path, options).catch((problem) => {
  if (problem.replaced) cache.delete(path.split("/", 4).join("/"));
  throw problem;
});

const askCached = async (path, options) => cache.get(path) ?? store(path, await ask(path, options));

const tablePath = (spec) => `/v1/tables/${encodeURIComponent(spec)}`;

export const pathOf = (spec, route, parameters) => `${tablePath(spec)}/${route}${query(parameters)}`;

export const listTables = async () => (await ask("/v1/tables")).tables;

export const getTable = (spec) => askCached(tablePath(spec), { cache: "no-cache" });

const currentPath = async (spec, route, parameters) =>
  pathOf(spec, route, { ...parameters, v: (await getTable(spec)).id });

// A position. Each of its moves gets the ply of the position after it.
export async function getPosition(spec, board) {
  const { moves, ...answer } = await askCached(await currentPath(spec, "positions", { board }));
  return { ...answer, moves: moves.map((move) => ({ ...move, ply: answer.ply + 1 })) };
}

// A game: the annotated moves of a text, from a board or the empty board, and the positions (steps).
export async function getGame(spec, board, text) {
  const path = (moves) => currentPath(spec, "annotate", { board, moves });
  const game = await askCached(await path(text)), { played, mistakes, ...end } = game, moves = played.map(({ move }) => move);
  store(await path(moves.join()), game);
  store(await currentPath(spec, "positions", { board: end.position }), end);
  const boards = [board ?? (await getTable(spec)).empty, ...played.map(({ position }) => position)];
  return { moves, played, mistakes, steps: await Promise.all(boards.map((position) => getPosition(spec, position))) };
}

// Statistics of every ply; null if unknown, as for a strategy.
export const getCounts = async (spec) => (await getTable(spec)).values === "strategy" ? null
  : askCached(await currentPath(spec, "stats")).then((stats) => stats.plies, (error) => {
    if (error.passing) throw error;
    return null;
  });

export async function getSample(spec, ply) {
  const { positions } = await ask(await currentPath(spec, "sample", { seed: Date.now(), ply }));
  return positions[0].position;
}

let searching = new AbortController();

export function endSearch() {
  searching.abort();
  searching = new AbortController();
}

export const getLimits = async () => (await askCached("/v1")).limits;

// Search for the `best` moves or the `line` to the end.
export async function search(spec, route, board, seconds) {
  const { signal } = searching;
  return ask(await currentPath(spec, route, { board, seconds }), { signal });
}
