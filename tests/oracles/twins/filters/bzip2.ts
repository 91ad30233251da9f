/**
 * The reference kernel of bzip2: bit by bit, block by block.
 *
 * @module
 */

import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { type Unpacking, unpackTwin } from "./unpacking.ts";

/** A prefix code: its symbols by length and word, such as `3,5` for the word 101; undefined if it has too many words. */
type Code = ReadonlyMap<string, number> | undefined;

/** Streams of bzip2. */
export function bzip2(memory: WebAssembly.Memory): KernelFamilies["bzip2"] {
  return (status, dst, room, src, length, _tables, symbols) =>
    unpackTwin(memory, (job) => new Bunzipper(job, symbols).run())(status, dst, room, src, length);
}

const BLOCK = 0x314159265359;
const END = 0x177245385090;
const LONGEST = 20;
const MOST_SELECTORS = 18002;

class Bunzipper {
  #bit = 0;

  constructor(private readonly job: Unpacking, private readonly symbols: number) {}

  run(): void {
    const { job } = this;
    do {
      job.start = job.from;
      if (job.input.length - job.from < 4) job.stop("inputEnds");
      if (!this.#isStream()) job.stop("noCode");
      this.#stream(100_000 * (job.input[job.from + 3]! - 0x30));
    } while (this.#isStream());
  }

  #isStream(): boolean {
    const [b, z, h, level = 0] = this.job.input.subarray(this.job.from, this.job.from + 4);
    return b === 0x42 && z === 0x5a && h === 0x68 && level >= 0x31 && level <= 0x39;
  }

  #stream(level: number): void {
    const { job } = this;
    this.#bit = 8 * (job.from + 4);
    for (let sums = 0;;) {
      job.start = Math.floor(this.#bit / 8);
      const kind = this.#bits(48);
      if (kind !== BLOCK && kind !== END) job.stop("noCode");
      const sum = this.#bits(32);
      if (kind === END) {
        if (sum !== sums) job.stop("wrongSum");
        job.from = Math.ceil(this.#bit / 8);
        return;
      }
      const before = job.to;
      this.#block(level);
      if (sumOf(job.output.subarray(before, job.to)) !== sum) job.stop("wrongSum");
      sums = ((sums << 1 | sums >>> 31) ^ sum) >>> 0;
    }
  }

  #block(level: number): void {
    const { job } = this;
    if (this.#bits(1) === 1) job.stop("oldKind");
    const origin = this.#bits(24);
    const last = this.#symbols(level);
    if (origin >= last.length) job.stop("noCode");
    const next = Array.from(last.keys()).toSorted((a, b) => last[a]! - last[b]!); // equal bytes keep their order
    let run = 0, before = -1;
    for (let n = last.length, at = next[origin]!; n > 0; n--, at = next[at]!) {
      const byte = last[at]!;
      if (run === 4) {
        for (let i = 0; i < byte; i++) job.put(before);
        run = 0;
        continue;
      }
      job.put(byte);
      run = byte === before ? run + 1 : 1;
      before = byte;
    }
  }

  /** The bytes that the symbols of a block represent. */
  #symbols(level: number): number[] {
    const { job } = this;
    const list = this.#list();
    if (list.length === 0) job.stop("noCode");
    const end = list.length + 1;
    const groups = this.#bits(3);
    if (groups < 2 || groups > 6) job.stop("noCode");
    const selectors = this.#selectors(groups);
    const codes = Array.from({ length: groups }, () => codeOf(this.#lengths(end + 1)));
    const bytes: number[] = [];
    const tooMany = (more: number) => {
      if (bytes.length + more <= Math.min(level, this.symbols)) return;
      job.stop(level <= this.symbols ? "noCode" : "noRoom");
    };
    for (let i = 0, run = 0, digit = 1;; i++) {
      const symbol = this.#symbol(codes[selectors[Math.floor(i / 50)] ?? -1]);
      if (symbol <= 1) {
        run += digit << symbol;
        digit *= 2;
        tooMany(run);
        continue;
      }
      for (; run > 0; run--) bytes.push(list[0]!);
      digit = 1;
      if (symbol === end) return bytes;
      tooMany(1);
      const [byte] = list.splice(symbol - 1, 1);
      list.unshift(byte!);
      bytes.push(byte!);
    }
  }

  #list(): number[] {
    const rows = this.#bits(16);
    const list: number[] = [];
    for (let row = 0; row < 16; row++) {
      if ((rows >> (15 - row) & 1) === 0) continue;
      const used = this.#bits(16);
      for (let i = 0; i < 16; i++) if (used >> (15 - i) & 1) list.push(16 * row + i);
    }
    return list;
  }

  #selectors(groups: number): number[] {
    const count = this.#bits(15);
    if (count === 0) this.job.stop("noCode");
    const front = Array.from({ length: groups }, (_, c) => c);
    const selectors: number[] = [];
    for (let i = 0; i < count; i++) {
      let at = 0;
      while (this.#bits(1) === 1) if (++at >= groups) this.job.stop("noCode");
      const [selector] = front.splice(at, 1);
      front.unshift(selector!);
      if (i < MOST_SELECTORS) selectors.push(selector!);
    }
    return selectors;
  }

  #lengths(n: number): number[] {
    let length = this.#bits(5);
    return Array.from({ length: n }, () => {
      for (;;) {
        if (length < 1 || length > LONGEST) this.job.stop("noCode");
        if (this.#bits(1) === 0) return length;
        length += this.#bits(1) === 1 ? -1 : 1;
      }
    });
  }

  #symbol(code: Code): number {
    if (!code) this.job.stop("noCode");
    for (let length = 1, word = 0; length <= LONGEST; length++) {
      word = 2 * word + this.#bits(1);
      const symbol = code.get(`${length},${word}`);
      if (symbol !== undefined) return symbol;
    }
    return this.job.stop("noCode");
  }

  #bits(count: number): number {
    const { input } = this.job;
    let value = 0;
    if (this.#bit + count > 8 * input.length) this.job.stop("inputEnds");
    for (let i = 0; i < count; i++, this.#bit++) {
      value = 2 * value + (input[this.#bit >> 3]! >> (7 - (this.#bit & 7)) & 1);
    }
    return value;
  }
}

/**
 * Words are numbered consecutively, shorter ones first; undefined if there are more words than their bits can
 * distinguish.
 */
function codeOf(lengths: readonly number[]): Code {
  const code = new Map<string, number>();
  for (let length = 1, word = 0; length <= LONGEST; length++, word *= 2) {
    for (const [symbol, own] of lengths.entries()) {
      if (own === length) code.set(`${length},${word++}`, symbol);
    }
    if (word > 2 ** length) return undefined;
  }
  return code;
}

/** CRC-32, highest bit first. */
function sumOf(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum << 1 ^ (sum < 0 ? 0x04c11db7 : 0);
  }
  return ~sum >>> 0;
}
