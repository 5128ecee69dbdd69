// SPDX-License-Identifier: MIT
// Another table at the same position: normal and misere play, plane and cylinder, other groups.
import * as api from "./api.js";
import * as game from "./game.js";

const form = ({ width, height, gravity, spec }) => [width, height, gravity, spec.startsWith("numeric")].join();

// Only tables whose boards have the same form can be asked about the same position.
export const comparable = ({ tables, table }) =>
  tables.filter((other) => other.state === "ok" && other.spec !== table.spec && form(other) === form(table));

// Keep what the other table says of the position that is shown: an answer, or a problem.
export async function follow(state, before) {
  const { compare, steps, ply } = state, position = steps[ply].position;
  if (compare === before.compare && before.steps[before.ply]?.position === position) return;
  if (state.other) game.update({ other: null });
  if (!compare) return;
  const table = await api.getTable(compare).catch(() => null);
  const other = await api.getPosition(compare, { board: position }).then((answer) => ({ table, answer }),
    (error) => ({ problem: error.message }));
  if (game.get().compare === compare && game.answer().position === position) game.update({ other });
}
