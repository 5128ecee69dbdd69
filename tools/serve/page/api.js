// SPDX-License-Identifier: MIT
// The server's answers. Every function returns a promise; a refusal is thrown as a Problem, with
// the server's own sentence. Answers carry the identity of the table (`v`), so that the browser may
// keep them for ever; a table that was replaced is asked for once more.
import { UNREACHABLE } from "./texts.js";

export class Problem extends Error {
    constructor(sentence, code, kind) {
        super(sentence);
        this.code = code;
        this.kind = kind;
    }
}

async function ask(path, options) {
    let response;
    try {
        response = await fetch(path, { credentials: "omit", ...options });
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Problem(UNREACHABLE, "unreachable", "");
    }
    const body = await response.json().catch(() => ({}));
    if (response.ok) return body;
    const kind = (body.type ?? "").split("/").pop();
    throw new Problem(body.detail ?? body.title ?? `The server answers ${response.status}.`, body.code, kind);
}

// A query as people write it: / , @ and the like are allowed there.
export function query(parameters) {
    const parts = Object.entries(parameters)
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%(2F|2C|40|3A)/g, decodeURIComponent)}`);
    return parts.length ? `?${parts.join("&")}` : "";
}

const known = new Map(); // tables by spec

export const listTables = async () => (await ask("/v1/tables")).tables;

export async function getTable(spec) {
    if (!known.has(spec)) known.set(spec, await ask(`/v1/tables/${encodeURIComponent(spec)}`));
    return known.get(spec);
}

export const routeOf = (spec, route, parameters) => `/v1/tables/${spec}/${route}${query(parameters)}`;

async function askTable(spec, route, parameters, options) {
    for (let again = false; ; again = true) {
        const { id } = await getTable(spec);
        try {
            return await ask(routeOf(spec, route, { ...parameters, v: id }), options);
        } catch (error) {
            if (again || error.kind !== "table-replaced") throw error;
            known.delete(spec);
        }
    }
}

// A position with its moves: of a board, of moves, or of moves from a board; `played` are those.
export const getPosition = (spec, where) => askTable(spec, "positions", where);

// Many positions with their moves, in the order of their texts.
export async function getPositions(spec, positions) {
    const body = JSON.stringify({ positions, with_moves: true });
    const headers = { "Content-Type": "application/json" };
    const answer = await askTable(spec, "positions", {}, { method: "POST", body, headers });
    const refused = answer.positions.find((position) => position.error);
    if (refused) throw new Problem(refused.error.detail, refused.error.code, "");
    return answer.positions;
}

export const getStats = (spec) => askTable(spec, "stats", {});

export const getBest = (spec, board, signal) => askTable(spec, "best", { board }, { signal });

export const getLine = (spec, board, signal) => askTable(spec, "line", { board }, { signal });

// Some position of a ply.
export async function getSample(spec, ply) {
    const seed = Math.floor(Math.random() * 2 ** 31);
    return (await askTable(spec, "sample", { count: 1, seed, ply })).positions[0].position;
}
