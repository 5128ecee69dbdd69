// SPDX-License-Identifier: MIT
// The page: what is shown of a state, and what a person's actions do to it.
import * as api from "./api.js";
import * as compare from "./compare.js";
import * as follow from "./follow.js";
import * as game from "./game.js";
import * as setup from "./setup.js";
import * as share from "./share.js";
import { Board } from "./board.js";
import { countsTable, showCounts } from "./counts.js";
import { find, make, replaceChildren, setAttribute } from "./elements.js";
import { listen } from "./keys.js";
import { numbersOf, showMoves, showNumbers } from "./moves.js";
import { writeBoard } from "./notation.js";
import { recordTable, showGraph, showRecord } from "./record.js";
import { KEYS, positionText, tableText } from "./texts.js";

const board = new Board(find("board"), "Board"), other = new Board(find("other"), "Board", true);
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// ---- showing ----

// The answer that is shown, with the distance where a search has found it.
function judged(state) {
    const answer = state.steps[state.ply];
    const found = state.best?.position === answer.position ? state.best.answer : null;
    return found ? { ...answer, dtm_plies: found.dtm_plies } : answer;
}

// In games of numbers one number is always chosen: at first that of the best move.
const numberOf = (state, answer) => {
    const numbers = numbersOf(answer).map(([name]) => name);
    if (numbers.includes(state.number)) return state.number;
    return numbers.length ? (state.hidden ? numbers[0] : answer.moves[0].move.split("@")[0]) : null;
};

function showTables(state, before) {
    if (state.tables !== before.tables)
        find("table").replaceChildren(...state.tables.map((table) => make("option", { value: table.spec,
            disabled: table.state !== "ok", text: table.state === "ok" ? tableText(table) : `${table.spec}: ${table.state}` })));
    if (!state.table) return;
    find("table").value = state.table.spec;
    document.title = `${state.table.spec} · Plybase`;
    find("rules").textContent = (state.table.rules ?? []).join(" ");
    const others = compare.comparable(state);
    find("compare-part").hidden = !others.length;
    if (state.tables !== before.tables || state.table !== before.table)
        find("compare").replaceChildren(make("option", { value: "", text: "none" }),
            ...others.map((table) => make("option", { value: table.spec, text: tableText(table) })));
    find("compare").value = state.compare ?? "";
}

function showPosition(state) {
    const answer = judged(state), last = game.lastMove(state)?.cell ?? null;
    const number = numberOf(state, answer);
    board.show(state.table, state.flip, { answer, last, hidden: state.hidden, number, setup: state.setup });
    find("status").textContent = state.setup ? "Setting up a position" : positionText(answer, state);
    setAttribute(find("status"), "data-value", !state.hidden && !state.setup && !answer.over && answer.value);
    const view = { hidden: state.hidden, number, other: state.other?.answer, compare: state.compare };
    showNumbers(find("numbers"), answer, view, (name) => game.update({ number: name }));
    showMoves(find("moves"), answer, view);
    find("no-moves").textContent = answer.over ? "The game is over: there are no moves." : "";
    find("distance").hidden = state.hidden || !follow.wantsDistance(answer);
}

function showOther(state) {
    const { answer, table, problem } = state.other ?? {};
    find("compare-status").textContent = problem ?? (answer ? `${table.spec}: ${positionText(answer, state)}` : "");
    find("other").hidden = !answer;
    if (answer) other.show(table, state.flip, { answer, hidden: state.hidden,
        last: game.lastMove(state)?.cell, number: numberOf(state, judged(state)) });
}

function showLine(state) {
    const place = follow.placeOnLine(state), shown = place >= 0;
    find("line-part").hidden = !shown;
    if (!shown) return;
    replaceChildren(find("line-moves"), state.line.moves.map((move, i) => make("li", {}, make("button", { type: "button",
        class: "played", "data-along": i + 1, "data-key": String(i), "aria-current": i + 1 === place ? "step" : null,
        text: move.move }))));
    find("line-step").disabled = place === state.line.moves.length;
    find("line-run").disabled = place === state.line.moves.length;
    find("line-run").textContent = follow.isRunning() ? "Pause" : "Run";
}

function showTexts(state) {
    if (document.activeElement !== find("board-text"))
        find("board-text").value = state.setup ? writeBoard(state.table, state.setup) : game.answer().position;
    if (document.activeElement !== find("moves-text"))
        find("moves-text").value = state.start ? "" : state.moves.slice(0, state.ply).join(state.table.gravity ? "" : ",");
    find("share-text").value = share.texts.link();
    find("moves-text").placeholder = state.start ? "from the empty board" : "";
}

function showProblems(state) {
    for (const where of ["page", "setup", "board", "moves", "line", "counts"]) {
        const text = state.problem?.where === where ? state.problem.text : "";
        const place = find(where === "page" ? "problem" : `${where}-problem`);
        if (place.textContent !== text) place.textContent = text;
        const field = find(`${where}-text`);
        if (field) setAttribute(field, "aria-invalid", Boolean(text) && "true");
    }
}

function showControls(state) {
    find("undo").disabled = !state.ply;
    find("redo").disabled = state.ply === state.moves.length;
    find("values").setAttribute("aria-pressed", String(!state.hidden));
    find("controls").hidden = Boolean(state.setup);
    find("setup").hidden = !state.setup;
    find("best").disabled = find("line").disabled = game.answer().over || Boolean(state.setup);
    find("players").value = state.byHand;
}

function say(state) {
    const text = state.setup ? state.said : `${state.said} ${positionText(judged(state), state)}`.trim();
    if (find("said").textContent !== text) find("said").textContent = text;
}

const counts = { table: null, plies: null };

async function showAllCounts(state) {
    if (counts.table !== state.table) {
        Object.assign(counts, { table: state.table, plies: null });
        find("csv").href = api.routeOf(state.table.spec, "stats", { format: "csv" });
        const stats = await api.getStats(state.table.spec).catch(() => null);
        if (counts.table !== state.table) return;
        counts.plies = stats?.plies ?? null;
        find("counts-table").replaceChildren(...(counts.plies ? [countsTable(counts.plies)] : []));
        document.querySelector(".counts").hidden = !counts.plies;
    }
    const { plies } = counts, now = game.answer();
    if (plies && now) showCounts(find("counts"), plies, now.ply, document.querySelector("[name=scale]:checked").value === "log");
}

function show(state, before) {
    document.body.setAttribute("aria-busy", String(state.busy));
    showTables(state, before);
    showProblems(state);
    if (!game.answer()) return;
    showPosition(state);
    showOther(state);
    showLine(state);
    showTexts(state);
    showControls(state);
    showGraph(find("graph"), state);
    showRecord(find("record"), state);
    find("record-table").replaceChildren(recordTable(state));
    showAllCounts(state);
    if (!state.busy) say(state);
    compare.follow(state, before);
}

// ---- acting ----

async function choose(cell) {
    if (game.get().setup) return setup.change(cell);
    const move = board.moveAt(cell);
    if (move && await game.play(move.move)) follow.replyIfAsked();
}

const actions = {
    choose, change: setup.change, undo: () => { follow.stopReply(); game.undo(); }, redo: game.redo,
    best: async () => { if (await follow.playBest()) follow.replyIfAsked(); },
    values: () => game.hideValues(!game.get().hidden), flip: game.flip,
    setup: () => (game.get().setup ? setup.end() : setup.begin()), help: () => find("keys").showModal(),
};

const clicks = {
    undo: actions.undo, redo: game.redo, flip: game.flip, values: actions.values, edit: setup.begin, best: actions.best,
    reset: async () => { if (await game.reset()) follow.replyIfAsked(); }, help: actions.help,
    "setup-use": async () => { if (await setup.use()) follow.replyIfAsked(); },
    "setup-clear": setup.clear, "setup-end": setup.end, distance: follow.findDistance, line: follow.showLine,
    "line-step": () => follow.goAlong(follow.placeOnLine() + 1),
    "line-run": () => {
        const again = () => showLine(game.get());
        if (follow.isRunning()) follow.pause();
        else follow.run(() => (calm.matches ? 1500 : 2200 / find("speed").value), again);
        again();
    },
};

async function click(event) {
    const { target } = event, data = (name) => target.closest(`[data-${name}]`)?.dataset[name];
    const button = target.closest("button");
    if (button && clicks[button.id]) return clicks[button.id]();
    if (target.closest("#board")) {
        const cell = data("cell");
        if (cell) board.moveFocus(cell);
        if (cell && game.get().setup) return setup.change(cell);
    }
    if (data("move") && !target.closest("#other")) {
        if (await game.play(data("move"))) follow.replyIfAsked();
    } else if (data("ply")) game.goTo(Number(data("ply")));
    else if (data("along")) follow.goAlong(Number(data("along")));
    else if (data("sample")) sample(Number(data("sample")));
    else if (data("copy")) game.update({ said: await share.copy(data("copy"), find("share-text")) });
}

async function sample(ply) {
    const { table } = game.get();
    try {
        await game.adopt("counts", await api.getSample(table.spec, ply), "");
    } catch (error) {
        game.update({ problem: { where: "counts", text: error.message } });
    }
}

// A move and its place on the board are lit together.
function light(event) {
    const move = event.target.closest?.("[data-move]")?.dataset.move;
    for (const element of document.querySelectorAll("[data-move]"))
        element.classList.toggle("lit", element.dataset.move === move);
}

function listenToForms() {
    for (const [name, values] of [["board", (text) => [text, ""]], ["moves", (text) => ["", text]]])
        find(`${name}-form`).addEventListener("submit", (event) => {
            event.preventDefault();
            game.adopt(name, ...values(find(`${name}-text`).value.trim()));
        });
    find("table").addEventListener("change", async () => {
        if (await game.chooseTable(find("table").value)) follow.replyIfAsked();
    });
    find("compare").addEventListener("change", () => game.compareWith(find("compare").value || null));
    find("players").addEventListener("change", () => {
        game.remember("players", find("players").value);
        game.update({ byHand: find("players").value });
        follow.replyIfAsked();
    });
    for (const scale of document.querySelectorAll("[name=scale]"))
        scale.addEventListener("change", () => showAllCounts(game.get()));
    find("picture").addEventListener("click", () => {
        find("picture").href = `data:image/svg+xml,${encodeURIComponent(share.picture())}`;
    });
}

for (const type of ["pointerover", "focusin"]) document.addEventListener(type, light);
document.addEventListener("click", click);
window.addEventListener("popstate", () => { follow.pause(); follow.stopReply(); game.openAddress(); });
document.body.classList.toggle("embedded", location.pathname.startsWith("/embed"));
find("key-list").replaceChildren(...KEYS.flatMap(([keys, text]) => [make("dt", { text: keys }), make("dd", { text })]));
listenToForms();
listen(board, actions);
game.watch(show);
game.openAddress();
