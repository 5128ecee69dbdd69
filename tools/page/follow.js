// SPDX-License-Identifier: MIT
// Tasks in which the table moves: the best move, replies, and the line to the end.
import * as api from "./api.js";
import * as game from "./game.js";

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

let current = null; // the running task; any other action stops it

export const isRunning = (name) => current?.name === name;

export function stop() {
  current = null;
  api.endSearch();
}

// Run a task: wait, then step, until a step returns false or another action stops the task.
async function start(name, wait, step) {
  stop();
  const task = { name };
  current = task;
  game.update({});
  do await pause(wait()); while (task === current && await step() && task === current);
  if (task === current) current = null;
  game.update({});
}

// ---- the best move ----

// In a table without distances a search finds the fastest win.
async function findBest({ position, moves, value, dtm_plies: distance }) {
  if (distance !== null || value === "draw") return moves[0].move;
  const found = await api.search(game.state.table.spec, "best", position).catch(() => null);
  return found?.moves[0]?.move ?? moves[0].move;
}

async function makeBest() {
  const task = current;
  let best = null;
  if (game.answer().over || game.state.setup) return false;
  const found = await game.attempt("best", async () => { best = await findBest(game.answer()); });
  return found && task === current && game.play(best);
}

export const playBest = () => start("best", () => 0, async () => await makeBest() && false);

// The table replies only after the last move of the game, not where moves were taken back.
function isTablesTurn() {
  const { players, setup, ply, moves } = game.state, answer = game.answer();
  return answer && !answer.over && !setup && ply === moves.length && !players.includes(answer.to_move);
}

// Wait a moment, so that the player sees his own move.
export function replyIfTurn() {
  if (isTablesTurn()) start("reply", () => (game.state.players ? 350 : 900), async () => await makeBest() && isTablesTurn());
}

// ---- the line to the end ----

// The message of an unfinished search. It offers a search with the longest time that the server allows.
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

// The number of played moves of the line; -1: the position is not on it.
export const linePlace = () => game.state.line?.positions.indexOf(game.answer().position) ?? -1;

export function goToLineMove(to) {
  const here = linePlace(), { line, ply } = game.state;
  return to < here ? game.goTo(ply - here + to) : game.play(...line.moves.slice(here, to));
}

export const runLine = () => start("line", () => game.state.speed, async () =>
  linePlace() >= 0 && await goToLineMove(linePlace() + 1) && linePlace() < game.state.line.moves.length);
