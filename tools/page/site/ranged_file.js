// SPDX-License-Identifier: MIT
// Reads a file on a web host, whole or in parts, in chunks by range requests, with a cache of chunks. Opening
// fetches the first chunk, which shows whether the host serves ranges. If it does not, a small file is
// fetched whole.
//
// The address of a request has the number of its first chunk (?NUMBER), since browsers send requests for
// the same address one after the other, and cache one answer for each.

// A refusal; its message is a sentence.
export class Refusal extends Error {}

const CHUNK = 4096, LATE_CHUNKS = 16, MAX_CHUNKS = 1 << 14, MAX_WHOLE_BYTES = 32 << 20;

export class RangedFile {
  #chunks = new Map(); // by number, the least recently used first
  #missing = new Set();

  // file: { name, size_bytes, part_bytes (0: not in parts) }
  constructor(folder, file) {
    Object.assign(this, { folder, file, collecting: false });
  }

  open = () => this.#fetch(0, 1);

  // ---- chunks ----

  #store(number, bytes) {
    if (this.#chunks.size >= MAX_CHUNKS && !this.whole) this.#chunks.delete(this.#chunks.keys().next().value);
    this.#chunks.set(number, bytes);
  }

  #find(number) {
    const bytes = this.#chunks.get(number);
    if (bytes && !this.whole) {
      this.#chunks.delete(number);
      this.#chunks.set(number, bytes);
    }
    return bytes;
  }

  // Copy bytes from an offset of the file. While `collecting`, missing chunks are recorded for fetchMissing
  // instead of fetched, and the result is false.
  read(offset, to) {
    const first = Math.floor(offset / CHUNK), end = Math.ceil((offset + to.length) / CHUNK);
    const missing = [];
    for (let number = first; number < end; number++) if (!this.#chunks.has(number)) missing.push(number);
    if (missing.length && this.collecting) {
      missing.forEach((number) => this.#missing.add(number));
      return false;
    }
    missing.forEach((number) => this.#chunks.has(number) || this.#fetchLate(number));
    for (let number = first; number < end; number++) {
      const begin = number * CHUNK, bytes = this.#find(number);
      const from = Math.max(offset - begin, 0), until = Math.min(offset + to.length - begin, CHUNK);
      if (bytes.length < until) throw this.#short();
      to.set(bytes.subarray(from, until), begin + from - offset);
    }
    return true;
  }

  // ---- requests ----

  #short = () => new Refusal(`The file ${this.file.name} is cut short on this host.`);

  // The part of the file and the range of a request for `count` chunks, which does not extend beyond the part.
  #place(number, count) {
    const { name, size_bytes: size, part_bytes: part } = this.file, begin = number * CHUNK;
    const which = part ? Math.floor(begin / part) : 0, base = which * part, limit = part ? Math.min(base + part, size) : size;
    const end = Math.min(begin + count * CHUNK, limit);
    return { file: part ? `${name}.${String(which).padStart(3, "0")}` : `${name}.plb`, base, limit, begin, end,
      range: `bytes=${begin - base}-${end - base - 1}` };
  }

  #put(place, status, bytes) {
    const { file, base, limit, begin, end } = place;
    if (status === 404) throw new Refusal(`The host of this page has no file ${file}.`);
    if (status === 416) throw this.#short();
    if (status !== 200 && status !== 206) throw new Refusal(`The host of this page does not give ${file}: status ${status}.`);
    const from = status === 200 ? base : begin, wanted = (status === 200 ? limit : end) - from;
    if (status === 200 && bytes.length !== wanted)
      throw new Refusal(`The file ${file} is not what plybase site wrote: it has ${bytes.length} bytes, and not ${wanted}.`);
    if (status === 200) this.whole = true;
    if (bytes.length < wanted) throw this.#short();
    for (let at = 0; at < wanted; at += CHUNK) this.#store((from + at) / CHUNK, bytes.subarray(at, Math.min(at + CHUNK, wanted)));
  }

  #check({ file, base, limit }, status) {
    if (status === 200 && limit - base > MAX_WHOLE_BYTES)
      throw new Refusal(`The host of this page sends ${file} whole when a part is asked for. For large tables a host is needed that serves ranges.`);
  }

  async #fetch(number, count) {
    const place = this.#place(number, count), abort = new AbortController();
    const response = await fetch(`${this.folder}${place.file}?${number}`, { headers: { Range: place.range }, signal: abort.signal });
    try {
      this.#check(place, response.status);
    } catch (problem) {
      abort.abort();
      throw problem;
    }
    this.#put(place, response.status, new Uint8Array(await response.arrayBuffer()));
  }

  // Fetch LATE_CHUNKS chunks synchronously, while the library waits. Only searches need this.
  #fetchLate(number) {
    const place = this.#place(number, LATE_CHUNKS), request = new XMLHttpRequest();
    request.open("GET", `${this.folder}${place.file}?${number}-late`, false);
    request.setRequestHeader("Range", place.range);
    request.responseType = "arraybuffer";
    request.send();
    this.#check(place, request.status);
    this.#put(place, request.status, new Uint8Array(request.response));
  }

  // Fetch the recorded chunks, adjacent ones in one request. Returns whether there were any.
  async fetchMissing() {
    const numbers = [...this.#missing].sort((a, b) => a - b), runs = [];
    this.#missing.clear();
    for (const number of numbers) {
      const last = runs.at(-1), part = this.file.part_bytes / CHUNK;
      if (last && number === last[0] + last[1] && !(part && number % part === 0)) last[1]++;
      else runs.push([number, 1]);
    }
    await Promise.all(runs.map(([number, count]) => this.#fetch(number, count)));
    return numbers.length > 0;
  }
}
