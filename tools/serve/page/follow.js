// SPDX-License-Identifier: MIT
// Moves that the table makes: the replies of a player who is the table, the best move, and the line
// to the end, at once or step by step. Nothing moves unless it was asked to.
import * as api from "./api.js";
import * as game from "./game.js";

let searching = new AbortController();

// A search is of use for one position: the next question ends it.
function newSearch() {
    searching.abort();
    searching = new AbortController();
    return searching.signal;
}

const lacksDistance = (answer) => answer.dtm_plies === null && !answer.over &&
    (answer.value === "win" || answer.value === "loss");

// The best move, by a search where the table knows no distances.
async function bestMove() {
    const { table, best } = game.get(), answer = game.answer();
    if (!lacksDistance(answer)) return answer.moves[0];
    const found = best?.position === answer.position ? best.answer
        : await api.getBest(table.spec, answer.position, newSearch()).catch(() => null);
    if (game.answer() !== answer) return null;
    return answer.moves.find((move) => move.move === found?.moves[0]?.move) ?? answer.moves[0];
}

// Ask for the distance of the position that is shown.
export async function findDistance() {
    const { table } = game.get(), answer = game.answer();
    game.update({ busy: true });
    try {
        const found = await api.getBest(table.spec, answer.position, newSearch());
        if (game.answer() === answer) game.update({ best: { position: answer.position, answer: found } });
    } catch (error) {
        if (error.name !== "AbortError" && game.answer() === answer)
            game.update({ problem: { where: "page", text: error.message } });
    }
    game.update({ busy: false });
}

export const wantsDistance = lacksDistance;

let playing = false;

export async function playBest() {
    if (playing || game.answer().over) return false;
    playing = true;
    try {
        const move = await bestMove();
        return move ? await game.playAll([move]) : false;
    } finally {
        playing = false;
    }
}

// The table's reply, after a moment in which a person sees his own move.
let reply = 0;

export const stopReply = () => clearTimeout(reply);

export function replyIfAsked() {
    const { byHand, setup } = game.get(), answer = game.answer();
    clearTimeout(reply);
    if (setup || !answer || answer.over || byHand.includes(answer.to_move)) return;
    reply = setTimeout(async () => { if (await playBest()) replyIfAsked(); }, byHand ? 350 : 900);
}

// ---- the line ----

export async function showLine() {
    const { table } = game.get(), answer = game.answer();
    game.update({ busy: true, problem: null });
    try {
        const { moves, complete } = await api.getLine(table.spec, answer.position, newSearch());
        const positions = [answer.position, ...moves.map((move) => move.position)];
        if (game.answer() === answer) game.update({ line: { positions, moves, complete: complete !== false },
            said: `${moves.length} moves to the end: ${moves.map((move) => move.move).join(", ")}.` });
    } catch (error) {
        if (error.name !== "AbortError") game.update({ problem: { where: "line", text: error.message } });
    }
    game.update({ busy: false });
}

// How many moves of the line have been made, or -1 where the position is not on it.
export const placeOnLine = ({ line } = game.get()) => (line ? line.positions.indexOf(game.answer()?.position) : -1);

// Go on to a place of the line, or back.
export async function goAlong(place) {
    const { line, ply } = game.get(), here = placeOnLine();
    if (here < 0 || place < 0 || place > line.moves.length) return false;
    if (place < here) return game.goTo(ply - (here - place));
    return game.playAll(line.moves.slice(here, place));
}

let running = 0;

export const isRunning = () => running !== 0;

export function pause() {
    clearTimeout(running);
    running = 0;
}

// Step until the end; milliseconds() says how long a step is shown.
export function run(milliseconds, changed) {
    pause();
    running = setTimeout(async function step() {
        const went = await goAlong(placeOnLine() + 1);
        if (went && running && placeOnLine() < game.get().line.moves.length) running = setTimeout(step, milliseconds());
        else running = 0;
        changed();
    }, 0);
}
