// SPDX-License-Identifier: MIT
// Shared by requests and both sources of answers: refusals, and query strings.

// A refusal; its message is a sentence. replaced: the table was replaced; passing: a retry may succeed.
export class Problem extends Error {}

// A query string, in which the characters / , and @, which are allowed there, are not encoded.
export function query(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value || value === 0);
  return given.length ? `?${new URLSearchParams(given)}`.replace(/%(2F|2C|40)/g, decodeURIComponent) : "";
}
