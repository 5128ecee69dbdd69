// SPDX-License-Identifier: MIT
// Where answers come from on a site without a server: tables and statistics are files, positions are looked up by
// the probe library in a worker. Searches run in a second worker, which is terminated to stop a search.
import { Problem, query } from "./request.js";

const LIMITS = { search_seconds: 5, search_most_seconds: 60 };
const folder = new URL("../tables/", import.meta.url);

// Hide what needs a server.
for (const element of document.querySelectorAll("[data-service]")) element.hidden = true;

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

const tables = new Map(); // promises of descriptions, by spec

function readTable(spec) {
  if (!tables.has(spec)) tables.set(spec, readFile(`${spec}.json`));
  tables.get(spec).catch(() => tables.delete(spec)); // so that it is tried again
  return tables.get(spec);
}

// ---- workers ----

class WorkerClient {
  #waiting = new Map(); // { resolve, reject } by id of the request
  #worker = null;
  #lastId = 0;

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
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, folder: folder.href, ...question });
    });
  }

  // Terminate the worker and refuse its requests; the next request starts another worker.
  end(why) {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(new Problem(why));
    this.#waiting.clear();
  }
}

const positions = new WorkerClient(), searches = new WorkerClient();
positions.start(); // so that the library is fetched while the page is built

// ---- requests, with the paths of the service ----

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
  const [, , list, spec, what] = pathname.split("/");
  if (spec) return askTable(decodeURIComponent(spec), what, searchParams, options?.signal);
  return list ? readFile("tables.json") : { limits: LIMITS };
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

// Fetch the table of the address at once, in parallel with the list of tables.
if (placeOf(location).spec) readTable(placeOf(location).spec);
