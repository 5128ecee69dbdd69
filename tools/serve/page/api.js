// SPDX-License-Identifier: MIT
// The server's answers. A refusal is thrown as a Problem, with the server's own sentence. Questions
// carry the identity of the table (`v`), so that the browser may keep the answers for ever; where the
// table was replaced they are refused (`replaced`), and its identity is asked for anew.

export class Problem extends Error {}

async function ask(path, options) {
  const response = await fetch(path, options).catch(() => {
    throw new Problem(options?.signal?.aborted ? "The search was ended."
      : "The server does not answer. Is plybase serve still running?");
  });
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  const problem = new Problem(body.detail ?? `The server answers ${response.status}.`);
  throw Object.assign(problem, { replaced: body.type === "/problems/table-replaced" });
}

// A query as people write it: / , and @ are allowed there.
export function query(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value || value === 0);
  return given.length ? `?${new URLSearchParams(given)}`.replace(/%(2F|2C|40)/g, decodeURIComponent) : "";
}

const known = new Map(); // tables by spec

export const listTables = async () => (await ask("/v1/tables")).tables;

export async function getTable(spec) {
  if (!known.has(spec)) known.set(spec, await ask(`/v1/tables/${encodeURIComponent(spec)}`, { cache: "no-cache" }));
  return known.get(spec);
}

export const routeOf = (spec, route, parameters) => `/v1/tables/${spec}/${route}${query(parameters)}`;

async function askTable(spec, route, parameters, options) {
  const { id } = await getTable(spec);
  return ask(routeOf(spec, route, { ...parameters, v: id }), options).catch((error) => {
    if (error.replaced) known.delete(spec);
    throw error;
  });
}

// A position with its moves: of a `board`, of `moves`, or of moves from a board; `played` are those.
export const getPosition = (spec, where) => askTable(spec, "positions", where);

// Many, in the order of their texts.
export async function getPositions(spec, positions) {
  const answer = await askTable(spec, "positions", {}, { method: "POST",
    body: JSON.stringify({ positions, with_moves: true }), headers: { "Content-Type": "application/json" } });
  const refused = answer.positions.find((position) => position.error);
  if (refused) throw new Problem(refused.error.detail);
  return answer.positions;
}

// What there is on every ply; null where that is not known.
export const getCounts = (spec) => askTable(spec, "stats").then((stats) => stats.plies, () => null);

// What is searched for: the `best` moves, or the `line` to the end. Only the last search goes on.
let searching = new AbortController();

export function search(spec, route, board) {
  searching.abort();
  searching = new AbortController();
  return askTable(spec, route, { board }, { signal: searching.signal });
}

// Some position of a ply.
export async function getSample(spec, ply) {
  return (await askTable(spec, "sample", { seed: Date.now(), ply })).positions[0].position;
}
