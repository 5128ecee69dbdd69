// SPDX-License-Identifier: MIT
// Another table at the same position: normal and misere play, plane and cylinder, other groups.
import * as api from "./api.js";
import * as game from "./game.js";

const likeness = (table) => [table.width, table.height, table.gravity, table.spec.startsWith("numeric")].join();

// Tables whose boards have the same form: only they can be asked about the same position.
export const comparable = ({ tables, table }) => tables.filter((other) => other.state === "ok" &&
    other.spec !== table.spec && likeness(other) === likeness(table));

// Keep what the other table says of the position that is shown.
export async function follow(state, before) {
    const position = state.steps[state.ply]?.position;
    if (!state.compare || !position) {
        if (state.other) game.update({ other: null });
        return;
    }
    if (state.compare === before.compare && before.steps[before.ply]?.position === position) return;
    let other;
    try {
        const table = await api.getTable(state.compare);
        other = { table, answer: await api.getPosition(state.compare, { board: position }) };
    } catch (error) {
        other = { problem: error.message };
    }
    const now = game.get();
    if (now.compare === state.compare && game.answer()?.position === position) game.update({ other });
}
