// SPDX-License-Identifier: MIT
// Refusals and query strings, for api.js and both versions of source.js.

// A refused or failed request; the message is for users. Properties: replaced (the table was replaced),
// passing (a retry may succeed).
export class Problem extends Error {}

// A query string, in which the characters / , and @, which are allowed there, are not encoded.
export function query(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value || value === 0);
  return given.length ? `?${new URLSearchParams(given)}`.replace(/%(2F|2C|40)/g, decodeURIComponent) : "";
}
