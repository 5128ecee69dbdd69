// SPDX-License-Identifier: MIT
// Requests to the source of answers. A refusal is thrown as a Problem with its message. Requests carry
// the id of the table (`v`). If the table was replaced, the server refuses them (`replaced`), and the
// page asks for the new id. A problem that may be over soon is `passing`. Answers are cached, so
// stepping through a game makes no new request.

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

export const getPosition = async (spec, board) => askOnce(await currentPath(spec, "positions", { board }));

// A game: the moves of a text, from a board or the empty one, and the positions before and after each move.
export async function getGame(spec, board, text) {
  const path = (start, moves) => currentPath(spec, "positions", { board: start, moves });
  const { played = [], ...end } = await askOnce(await path(board, text)), moves = played.map(({ move }) => move);
  keep(await path(board, moves.join()), { played, ...end });
  keep(await path(end.position), end);
  const boards = [board ?? (await getTable(spec)).empty, ...played.map(({ position }) => position)];
  return { moves, steps: await Promise.all(boards.map((one) => getPosition(spec, one))) };
}

// Statistics of every ply; null if unknown, as for a strategy.
export const getCounts = async (spec) => (await getTable(spec)).values === "strategy" ? null
  : askOnce(await currentPath(spec, "stats")).then((stats) => stats.plies, (error) => {
    if (error.passing) throw error;
    return null;
  });

// A random position of a ply.
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
