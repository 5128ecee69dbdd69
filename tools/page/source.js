// SPDX-License-Identifier: MIT
// Where answers come from (HTTP requests to plybase serve), and the addresses of the page. On a site without
// a server site/source.js replaces this module.
import { Problem, query } from "./request.js";

// The body of an answer. A refusal is thrown as a Problem with the server's message.
export async function ask(path, options) {
  const [response, body] = await fetch(path, options).then(async (answer) => [answer, await answer.json()]).catch(() => {
    throw options?.signal?.aborted ? new Problem("The search was ended.")
      : Object.assign(new Problem("The server does not answer. Is plybase serve still running?"), { passing: true });
  });
  if (response.ok) return body;
  const replaced = body.type === "/problems/table-replaced";
  throw Object.assign(new Problem(body.detail ?? `The server answers with status ${response.status}.`), { replaced, passing: response.status >= 500 });
}

// The counts of a table as CSV.
export const countsFile = (spec) => `/v1/tables/${encodeURIComponent(spec)}/stats?format=csv`;

// ---- the address of the page: /tables/SPEC?…, or /embed/SPEC?… in a frame ----

export const embedded = location.pathname.startsWith("/embed");

export const addressOf = (spec, parameters = {}) => `/${embedded ? "embed" : "tables"}/${spec}${query(parameters)}`;

// The table in the address: { spec }, {} for none, or null if the address is invalid.
export function placeOf({ pathname }) {
  const [, page, spec] = pathname.split("/");
  return !page ? {} : spec && /^(tables|embed)$/.test(page) ? { spec } : null;
}
