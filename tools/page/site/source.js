// SPDX-License-Identifier: MIT
// Where answers come from on a page without a server: constants from files, positions from the probe
// library in a worker. Searches have a worker of their own, which ends with the search.
import { Problem, query } from "./request.js";

const LIMITS = { search_seconds: 5, search_most_seconds: 60 };
const folder = new URL("../tables/", import.meta.url);

// What a host without a server has no use for.
for (const one of document.querySelectorAll("[data-service]")) one.hidden = true;

const passing = (text) => Object.assign(new Problem(text), { passing: true });

async function readFile(name) {
  const response = await fetch(new URL(name, folder), { cache: "no-cache" }).catch(() => {
    throw passing("The host of this page does not answer.");
  });
  if (!response.ok) throw passing(`The host of this page has no file ${name} (status ${response.status}).`);
  return response.json().catch(() => {
    throw new Problem(`The file ${name} is not what plybase site wrote.`);
  });
}

const constants = new Map(); // promises of tables, by spec

function readTable(spec) {
  if (!constants.has(spec)) constants.set(spec, readFile(`${spec}.json`));
  constants.get(spec).catch(() => constants.delete(spec)); // it may be there later
  return constants.get(spec);
}

// ---- workers ----

class Asker {
  #waiting = new Map();
  #worker = null;
  #asked = 0;

  start() {
    this.#worker = new Worker(new URL("table_worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data: { id, body, problem } }) => {
      const { resolve, reject } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (problem) reject(Object.assign(new Problem(problem.detail), { passing: problem.passing }));
      else resolve(body);
    };
    this.#worker.onerror = () => this.end("The library of this page could not be started.");
  }

  ask(question) {
    if (!this.#worker) this.start();
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, folder: folder.href, ...question });
    });
  }

  // Refuse what was asked; the next question starts another worker.
  end(why) {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(new Problem(why));
    this.#waiting.clear();
  }
}

const positions = new Asker(), searches = new Asker();
positions.start(); // the library is fetched while the page is made

// ---- questions, by the paths that the service has ----

async function askTable(spec, what, given, signal) {
  const table = await readTable(spec);
  if (!what) return table;
  if (what === "stats") return readFile(`${spec}.stats.json`);
  const question = { table, what, given: Object.fromEntries(given) };
  if (what === "positions" || what === "annotate") return positions.ask(question);
  signal?.addEventListener("abort", () => searches.end("The search was ended."), { once: true });
  return searches.ask({ ...question, seconds: Number(given.get("seconds") ?? LIMITS.search_seconds) });
}

export async function ask(path, options) {
  const { pathname, searchParams } = new URL(path, location.href);
  const [, , tables, spec, what] = pathname.split("/");
  if (spec) return askTable(decodeURIComponent(spec), what, searchParams, options?.signal);
  return tables ? readFile("tables.json") : { limits: LIMITS };
}

export const countsFile = (spec) => new URL(`${spec}.stats.csv`, folder).href;

// ---- the address of the page: ?table=SPEC&…, with &embed=1 in a frame ----

export const embedded = new URLSearchParams(location.search).has("embed");

export const addressOf = (spec, parameters = {}) =>
  location.pathname + query({ table: spec, embed: embedded && 1, ...parameters });

export function placeOf({ search }) {
  const spec = new URLSearchParams(search).get("table");
  return spec ? { spec } : {};
}

// The table of the address, while the list of tables is still on its way.
if (placeOf(location).spec) readTable(placeOf(location).spec);
