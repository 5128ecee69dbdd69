// SPDX-License-Identifier: MIT
// Where answers come from, and addresses of the page: for plybase serve. site/source.js is for a page
// without a server. No other module knows which it is.
import { Problem, query } from "./request.js";

// The body of an answer; a refusal is thrown with the server's message.
export async function ask(path, options) {
  const [response, body] = await fetch(path, options).then(async (one) => [one, await one.json()]).catch(() => {
    throw options?.signal?.aborted ? new Problem("The search was ended.")
      : Object.assign(new Problem("The server does not answer. Is plybase serve still running?"), { passing: true });
  });
  if (response.ok) return body;
  const replaced = body.type === "/problems/table-replaced";
  throw Object.assign(new Problem(body.detail), { replaced, passing: response.status >= 500 });
}

// The counts of a table as a file.
export const countsFile = (spec) => `/v1/tables/${encodeURIComponent(spec)}/stats?format=csv`;

// ---- the address of the page: /tables/SPEC?…, or /embed/SPEC?… in a frame ----

export const embedded = location.pathname.startsWith("/embed");

export const addressOf = (spec, parameters = {}) => `/${embedded ? "embed" : "tables"}/${spec}${query(parameters)}`;

// The table that the address names: { spec }, {} for none, or null where it is no address of the page.
export function placeOf({ pathname }) {
  const [, page, spec] = pathname.split("/");
  return !page ? {} : spec && /^(tables|embed)$/.test(page) ? { spec } : null;
}
