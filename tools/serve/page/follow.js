// SPDX-License-Identifier: MIT
// Moves that the table makes: the best one, the replies of a player who is the table, and the line to
// the end. Nothing moves that was not asked to.
import * as api from "./api.js";
import * as game from "./game.js";

// The best move; by a search where the table has no distances, for else it might dawdle.
async function bestMove() {
  const { table } = game.get(), answer = game.answer();
  if (answer.dtm_plies !== null || answer.value === "draw") return answer.moves[0];
  const found = await api.search(table.spec, "best", answer.position).catch(() => null);
  return answer.moves.find((move) => move.move === found?.moves[0]?.move) ?? answer.moves[0];
}

let playing = false;

// Where a move is under way, as when the key is held, there is no second one.
export async function playBest() {
  const answer = game.answer();
  if (playing || answer.over) return false;
  playing = true;
  try {
    const move = await bestMove();
    return game.answer() === answer && await game.playAll([move]);
  } finally {
    playing = false;
  }
}

let reply = 0;

export const stop = () => { clearTimeout(reply); pause(); };

// After a moment, in which a person sees his own move.
export function replyIfAsked() {
  const { byHand, setup } = game.get(), answer = game.answer();
  clearTimeout(reply);
  if (setup || answer.over || byHand.includes(answer.to_move)) return;
  reply = setTimeout(async () => { if (await playBest()) replyIfAsked(); }, byHand ? 350 : 900);
}

// ---- the line to the end ----

export const showLine = () => game.attempt("line", async () => {
  const { moves } = await api.search(game.get().table.spec, "line", game.answer().position);
  return { line: { moves, positions: [game.answer().position, ...moves.map((move) => move.position)] },
    said: `The line to the end: ${moves.map((move) => move.move).join(", ")}.` };
});

// How many moves of the line have been made, or -1 where the position is not on it.
export const place = () => game.get().line?.positions.indexOf(game.answer().position) ?? -1;

export async function goAlong(to) {
  const here = place(), { line, ply } = game.get();
  return to < here ? game.goTo(ply - here + to) : game.playAll(line.moves.slice(here, to));
}

let running = 0;

export const isRunning = () => running !== 0;

export function pause() {
  clearTimeout(running);
  running = 0;
}

// Step until the end, unless something else is done.
export function run(milliseconds) {
  running = setTimeout(async () => {
    const last = game.get().line.moves.length;
    const goes = place() >= 0 && await goAlong(place() + 1);
    if (goes && running && place() < last) run(milliseconds);
    else running = 0;
    game.update({});
  }, milliseconds);
}
