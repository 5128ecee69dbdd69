// SPDX-License-Identifier: MIT
// The list of moves, best first as the server orders them, beside what another table says of them;
// and in games of numbers the numbers that can be placed.
import { colour } from "./board.js";
import { make, replaceChildren } from "./elements.js";
import { numberOf } from "./notation.js";
import { SIGNS, valueText } from "./texts.js";

const chip = (move, hidden) => make("span", { class: "chip", "aria-hidden": "true",
    text: hidden ? "·" : SIGNS[move.value] ?? "?" });

function item(moves, move, { hidden, other, compare }) {
    const text = hidden ? "" : valueText(move);
    const theirs = !hidden && other?.moves?.find((one) => one.move === move.move);
    const button = make("button", { type: "button", class: "move", "data-move": move.move, "data-key": move.move },
        make("span", { class: "name", text: move.move }), chip(move, hidden),
        make("span", { class: "word", text }),
        theirs ? make("span", { class: "theirs", "data-value": theirs.value },
            chip(theirs, false), make("span", { text: valueText(theirs) }),
            make("span", { class: "unseen", text: ` in ${compare}` })) : null);
    colour(button, moves, hidden ? null : move);
    return make("li", {}, button);
}

export function showMoves(list, answer, view) {
    const shown = answer.moves.filter((move) => !view.number || numberOf(move) === view.number);
    // Hidden values must not be told by the order either.
    if (view.hidden) shown.sort((a, b) => a.move.localeCompare(b.move, "en", { numeric: true }));
    replaceChildren(list, shown.map((move) => item(answer.moves, move, view)));
}

// The numbers of a position, each as good as its best move; [] in games of stones.
export function numbersOf(answer) {
    const best = new Map();
    for (const move of answer.moves)
        if (numberOf(move) && !best.has(numberOf(move))) best.set(numberOf(move), move);
    return [...best].sort((a, b) => parseInt(a[0], 10) - parseInt(b[0], 10));
}

export function showNumbers(tray, answer, { hidden, number }, choose) {
    const numbers = numbersOf(answer);
    tray.closest("[data-part]").hidden = !numbers.length;
    replaceChildren(tray, numbers.map(([name, move]) => {
        const button = make("button", { type: "button", class: "number", "data-key": name,
            "aria-pressed": String(name === number), on: { click: () => choose(name) },
            "aria-label": hidden ? `number ${name}` : `number ${name}, at best ${valueText(move)}` },
        make("b", { text: name }), chip(move, hidden));
        colour(button, answer.moves, hidden ? null : move);
        return button;
    }));
}
