// SPDX-License-Identifier: MIT
// The probe library (plybase.wasm) in a worker: it opens tables and answers questions about positions.
//
// The library reads synchronously, so it cannot wait for fetch. Therefore each question is first asked in
// trial rounds: the library continues without the missing bytes, which are recorded and then fetched
// together. When nothing is missing any more, the question is asked for its answer.
import { Refusal, RangedFile } from "./ranged_file.js";

const MAX_ROUNDS = 20, QUESTIONS = ["positions", "best", "line", "annotate"];
const library = WebAssembly.compileStreaming(fetch(new URL("plybase.wasm", import.meta.url)))
  .catch(async () => WebAssembly.compile(await (await fetch(new URL("plybase.wasm", import.meta.url))).arrayBuffer()));

class Table {
  static async open(folder, { spec, file }) {
    const table = new Table();
    table.file = new RangedFile(folder, file);
    const [directory] = await Promise.all([table.#fetchDirectory(folder, `${file.name}.dir`), table.file.open()]);
    table.library = (await WebAssembly.instantiate(await library, table.#host(file))).exports;
    table.library._initialize();
    table.#useDirectory(directory, `${file.name}.dir`);
    const opened = table.#call("open", [`${file.name}.plb`]);
    if (opened.spec !== spec) throw new Refusal(`The file ${file.name}.dir is one of another table, ${opened.spec}.`);
    return table;
  }

  // ---- what the library reads ----

  async #fetchDirectory(folder, name) {
    const response = await fetch(folder + name);
    if (!response.ok) throw new Refusal(`The host of this page has no file ${name} (status ${response.status}).`);
    return new Uint8Array(await response.arrayBuffer());
  }

  #host(file) {
    const memory = (pointer, size) => new Uint8Array(this.library.memory.buffer, pointer, size);
    const read = (offset, size, pointer) => {
      try {
        return Number(this.#readDirectory(offset, memory(pointer, size)) || this.file.read(offset, memory(pointer, size)));
      } catch (problem) {
        this.problem ??= problem;
        return 0;
      }
    };
    const clock = (id, precision, pointer) => {
      new DataView(this.library.memory.buffer).setBigUint64(pointer, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    };
    const none = () => 8; // there are no files: EBADF
    return { host: { size: () => file.size_bytes, read, seconds: () => performance.now() / 1000 },
      wasi_snapshot_preview1: { clock_time_get: clock, fd_write: none, fd_seek: none, fd_close: none } };
  }

  // A directory has all bytes that opening a table reads: [size of the content: 4 bytes] [zstd frame of the content];
  // content: [number of extents: 8 bytes] [offset, size: 8 bytes each] .. [their bytes] ..
  #useDirectory(bytes, name) {
    const damaged = new Refusal(`The file ${name} is not what plybase site wrote.`);
    if (bytes.length < 5) throw damaged;
    const size = new DataView(bytes.buffer).getUint32(0, true);
    this.#setInput(bytes.subarray(4));
    const pointer = size < 1 << 30 && this.library.unpack(bytes.length - 4, size);
    if (!pointer) throw damaged;
    const content = new Uint8Array(this.library.memory.buffer, pointer, size).slice(), view = new DataView(content.buffer);
    const number = (at) => Number(view.getBigUint64(at, true)), count = size < 8 ? Infinity : number(0);
    if (8 + 16 * count > size) throw damaged;
    this.extents = [];
    let at = 8 + 16 * count;
    for (let e = 0; e < count; e++) {
      const [offset, length] = [number(8 + 16 * e), number(16 + 16 * e)];
      this.extents.push({ offset, bytes: content.subarray(at, at + length) });
      at += length;
    }
    if (at !== size) throw damaged;
  }

  #readDirectory(offset, to) {
    let low = 0, high = this.extents.length; // find the first extent after the offset
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.extents[middle].offset <= offset) low = middle + 1;
      else high = middle;
    }
    const extent = this.extents[low - 1], from = offset - (extent?.offset ?? 0);
    if (!extent || from + to.length > extent.bytes.length) return false;
    to.set(extent.bytes.subarray(from, from + to.length));
    return true;
  }

  // ---- calls ----

  // Copy bytes to the input buffer of the library.
  #setInput(bytes) {
    const pointer = this.library.input(bytes.length);
    new Uint8Array(this.library.memory.buffer, pointer, bytes.length).set(bytes);
  }

  // Call a function of the library and return its answer; a refusal is thrown.
  #call(name, texts, ...values) {
    this.problem = null;
    this.#setInput(new TextEncoder().encode(texts.map((text) => `${text ?? ""}\0`).join("")));
    const memory = (pointer) => new Uint8Array(this.library.memory.buffer, pointer), line = memory(this.library[name](...values));
    const answer = JSON.parse(new TextDecoder().decode(line.subarray(0, line.indexOf(0))));
    if (this.library.status() === 0) return answer;
    throw this.problem ?? new Refusal(answer.detail);
  }

  // trial: missing chunks are recorded instead of read, so the answer may be wrong and is not used.
  #askOnce(what, { board, moves }, seconds, trial) {
    this.file.collecting = trial;
    return this.#call("ask", [board, moves], QUESTIONS.indexOf(what), (board !== undefined) + 2 * (moves !== undefined),
      seconds, trial);
  }

  async ask({ what, given, seconds = 0 }) {
    if (what === "sample") return this.#call("sample", [], Number(given.ply), Number(given.seed));
    for (let round = 0; round < MAX_ROUNDS; round++) {
      try {
        this.#askOnce(what === "annotate" ? what : "positions", given, 0, true);
      } catch (problem) {
        if (!(problem instanceof Refusal)) throw problem;
      }
      if (!await this.file.fetchMissing()) break;
    }
    return this.#askOnce(what, given, seconds, false);
  }
}

// ---- messages ----

const tables = new Map(); // promises, by spec

async function answer({ folder, table, ...question }) {
  if (!tables.has(table.spec)) tables.set(table.spec, Table.open(folder, table));
  const open = tables.get(table.spec);
  return (await open.catch((problem) => {
    tables.delete(table.spec); // so that it is tried again
    throw problem;
  })).ask(question);
}

function explain(problem, spec) {
  if (problem instanceof Refusal) return { detail: problem.message };
  if (!(problem instanceof WebAssembly.RuntimeError))
    return { detail: `The host of this page does not answer. (${problem.message})`, passing: true };
  tables.delete(spec); // the memory of the failed library is invalid
  return { detail: `The library of this page has failed: ${problem.message}.`, passing: true };
}

onmessage = async ({ data: { id, ...question } }) => postMessage({ id,
  ...await answer(question).then((body) => ({ body }), (problem) => ({ problem: explain(problem, question.table.spec) })) });
