// SPDX-License-Identifier: MIT
// Moves that the table makes on request: the best move, replies, and the line to the end.
import * as api from "./api.js";
import * as game from "./game.js";

const pause = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));

// What the table is doing; any other action ends it.
let errand = null;

export const isAt = (name) => errand?.name === name;

export function stop() {
  errand = null;
  api.endSearch();
}

// Wait and take a step, until a step says that it was the last.
async function begin(name, wait, step) {
  stop();
  const mine = { name };
  errand = mine;
  game.update({});
  do await pause(wait()); while (mine === errand && await step() && mine === errand);
  if (mine === errand) errand = null;
  game.update({});
}

// ---- the best move ----

// A table without distances searches, so that it wins as fast as possible.
async function findBest({ position, moves, value, dtm_plies: distance }) {
  if (distance !== null || value === "draw") return moves[0].move;
  const found = await api.search(game.state.table.spec, "best", position).catch(() => null);
  return found?.moves[0]?.move ?? moves[0].move;
}

async function makeBest() {
  const mine = errand;
  let best = null;
  if (game.answer().over || game.state.setup) return false;
  const found = await game.attempt("best", async () => { best = await findBest(game.answer()); });
  return found && mine === errand && game.play(best);
}

export const playBest = () => begin("best", () => 0, async () => await makeBest() && false);

// It replies only after the last move of the game, not where moves were taken back.
function isTablesTurn() {
  const { players, setup, ply, moves } = game.state, answer = game.answer();
  return answer && !answer.over && !setup && ply === moves.length && !players.includes(answer.to_move);
}

// Wait a moment, so that the player sees his own move.
export function replyIfAsked() {
  if (isTablesTurn()) begin("reply", () => (game.state.players ? 350 : 900), async () => await makeBest() && isTablesTurn());
}

// ---- the line to the end ----

// It can be searched for as long as the server allows.
function notFound({ spec, values }, seconds, most) {
  const advice = values === "wdl" ? ` A table with distances needs no search: plybase build ${spec} --values dtm` : "";
  return Object.assign(new api.Problem(`The line to the end was not found in ${seconds} s.${advice}`),
    seconds < most && { offer: `Search for ${most} s`, retry: () => showLine(most) });
}

export const showLine = (longer) => game.attempt("line", async () => {
  const { position } = game.answer(), { table } = game.state, limits = await api.getLimits();
  const seconds = longer ?? limits.search_seconds, { moves, complete } = await api.search(table.spec, "line", position, seconds);
  if (!complete) throw notFound(table, seconds, limits.search_most_seconds);
  const names = moves.map(({ move }) => move), positions = [position, ...moves.map((move) => move.position)];
  return { line: { moves: names, positions }, said: `The line to the end: ${names.join(", ")}.` };
});

// The number of moves of the line that have been made, or -1 if the position is not on it.
export const place = () => game.state.line?.positions.indexOf(game.answer().position) ?? -1;

export function goAlong(to) {
  const here = place(), { line, ply } = game.state;
  return to < here ? game.goTo(ply - here + to) : game.play(...line.moves.slice(here, to));
}

export const run = () => begin("line", () => game.state.speed, async () =>
  place() >= 0 && await goAlong(place() + 1) && place() < game.state.line.moves.length);
