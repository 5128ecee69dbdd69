// SPDX-License-Identifier: MIT
// What requests and their sources have in common: refusals, and the query of an address.

// A refusal with its sentence. `replaced`: the table is another one now; `passing`: it may be over soon.
export class Problem extends Error {}

// A query string; / , and @ stay readable, as they are allowed there.
export function query(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value || value === 0);
  return given.length ? `?${new URLSearchParams(given)}`.replace(/%(2F|2C|40)/g, decodeURIComponent) : "";
}
