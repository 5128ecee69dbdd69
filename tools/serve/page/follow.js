// SPDX-License-Identifier: MIT
// Moves that the table makes: the best one, replies, and the line to the end. Nothing moves that was
// not asked to.
import * as api from "./api.js";
import * as game from "./game.js";

// The best move; by a search where the table has no distances, lest it dawdle.
async function bestMove({ position, moves, value, dtm_plies: distance }) {
  if (distance !== null || value === "draw") return moves[0];
  const found = await api.search(game.state.table.spec, "best", position).catch(() => null);
  return moves.find((move) => move.move === found?.moves[0]?.move) ?? moves[0];
}

let playing = false;

// Where a move is under way, as when the key is held, there is no second one.
export async function playBest() {
  const answer = game.answer();
  if (playing || answer.over) return false;
  playing = true;
  const move = await bestMove(answer);
  const done = game.answer() === answer && await game.playAll([move]);
  playing = false;
  return done;
}

let timer = 0, running = false; // of the next move; along the line

export const isRunning = () => running;

export function stop() {
  clearTimeout(timer);
  running = false;
}

// After a moment, so that a person sees his own move.
export function replyIfAsked() {
  const { byHand, setup } = game.state, answer = game.answer();
  stop();
  if (!setup && !answer.over && !byHand.includes(answer.to_move))
    timer = setTimeout(async () => { if (await playBest()) replyIfAsked(); }, byHand ? 350 : 900);
}

// ---- the line to the end ----

export const showLine = () => game.attempt("line", async () => {
  const { position } = game.answer(), { moves, complete } = await api.search(game.state.table.spec, "line", position);
  if (!complete) throw new api.Problem("The line was not found in time.");
  return { line: { moves, positions: [position, ...moves.map((move) => move.position)] },
    said: `The line to the end: ${moves.map((move) => move.move).join(", ")}.` };
});

// How many moves of the line have been made, or -1 where the position is not on it.
export const place = () => game.state.line?.positions.indexOf(game.answer().position) ?? -1;

export async function goAlong(to) {
  const here = place(), { line, ply } = game.state;
  return to < here ? game.goTo(ply - here + to) : game.playAll(line.moves.slice(here, to));
}

// Step until the end, unless something else is done.
export function run(milliseconds) {
  running = true;
  timer = setTimeout(async () => {
    const goes = place() >= 0 && await goAlong(place() + 1);
    running = running && goes && place() < game.state.line.moves.length;
    if (running) run(milliseconds);
    game.update({});
  }, milliseconds);
}
