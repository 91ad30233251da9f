/**
 * The reference kernel of INFLATE: bit by bit, as in RFC 1951.
 *
 * @module
 */

import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { type Unpacking, unpackTwin } from "./unpacking.ts";

/** A prefix code: its symbols by length and word, such as `3,5` for the word 101. */
type Code = ReadonlyMap<string, number>;

/** DEFLATE without a wrapper. */
export function inflate(memory: WebAssembly.Memory): KernelFamilies["inflate"] {
  const unpack = unpackTwin(memory, (job) => new Inflater(job).run());
  return (status, dst, room, src, length, _tables) => unpack(status, dst, room, src, length);
}

const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

class Inflater {
  #bit = 0;

  constructor(private readonly job: Unpacking) {}

  run(): void {
    for (let isLast = false; !isLast;) {
      this.#mark();
      isLast = this.#bits(1) === 1;
      const kind = this.#bits(2);
      if (kind === 0) this.#stored();
      else if (kind === 1) this.#symbols(codeOf(FIXED)!, codeOf(new Array(32).fill(5))!);
      else if (kind === 2) this.#symbols(...this.#codes());
      else this.job.stop("noCode");
    }
    this.job.from = Math.ceil(this.#bit / 8);
  }

  /** Marks the current place: errors name the place where the current part begins. */
  #mark(): void {
    this.job.start = Math.floor(this.#bit / 8);
  }

  #bits(count: number): number {
    const { input } = this.job;
    let value = 0;
    if (this.#bit + count > 8 * input.length) this.job.stop("inputEnds");
    for (let i = 0; i < count; i++, this.#bit++) {
      value += (input[this.#bit >> 3]! >> (this.#bit & 7) & 1) << i;
    }
    return value;
  }

  #stored(): void {
    this.#bit = 8 * Math.ceil(this.#bit / 8);
    const all = this.#bits(32);
    const [length, check] = [all & 0xffff, all >>> 16];
    if ((length ^ check) !== 0xffff) this.job.stop("noCode");
    this.job.from = this.#bit / 8;
    this.job.literals(length);
    this.#bit = 8 * this.job.from;
  }

  #symbol(code: Code): number {
    for (let length = 1, word = 0; length <= 15; length++) {
      word = 2 * word + this.#bits(1);
      const symbol = code.get(`${length},${word}`);
      if (symbol !== undefined) return symbol;
    }
    return this.job.stop("noCode");
  }

  #codes(): [Code, Code] {
    const all = this.#bits(14);
    const [symbols, distances, count] = [257 + (all & 31), 1 + (all >> 5 & 31), 4 + (all >> 10)];
    if (symbols > 286 || distances > 30) this.job.stop("noCode");
    const own = new Array(19).fill(0);
    for (let i = 0; i < count; i++) own[LENGTH_ORDER[i]!] = this.#bits(3);
    const ownCode = this.#checked(own, "whole");
    const lengths: number[] = [];
    while (lengths.length < symbols + distances) {
      const symbol = this.#symbol(ownCode);
      const times = symbol < 16
        ? 1
        : symbol === 16
        ? 3 + this.#bits(2)
        : symbol === 17
        ? 3 + this.#bits(3)
        : 11 + this.#bits(7);
      if (symbol === 16 && lengths.length === 0) this.job.stop("noCode");
      if (lengths.length + times > symbols + distances) this.job.stop("noCode");
      const length = symbol < 16 ? symbol : symbol === 16 ? lengths.at(-1)! : 0;
      lengths.push(...new Array(times).fill(length));
    }
    if (lengths[256] === 0) this.job.stop("noCode");
    const distanceCode = this.#checked(lengths.slice(symbols), "none");
    return [this.#checked(lengths.slice(0, symbols), "one"), distanceCode];
  }

  /** The code of these lengths; `whole`: no word may be unused; `one`: a single word of one bit is fine; `none`: or no word. */
  #checked(lengths: number[], may: "whole" | "one" | "none"): Code {
    const used = lengths.filter((length) => length > 0);
    const space = used.reduce((sum, length) => sum + 2 ** -length, 0);
    const isFine = space === 1 || (may !== "whole" && used.length === 1 && used[0] === 1) ||
      (may === "none" && used.length === 0);
    return isFine ? codeOf(lengths) : this.job.stop("noCode");
  }

  #symbols(code: Code, distances: Code): void {
    for (;;) {
      this.#mark();
      const symbol = this.#symbol(code);
      if (symbol === 256) return;
      if (symbol < 256) {
        this.job.put(symbol);
        continue;
      }
      if (symbol > 285) this.job.stop("noCode");
      const length = symbol === 285 ? 258 : 3 + this.#stepped(symbol - 257, 4);
      const distance = this.#symbol(distances);
      if (distance > 29) this.job.stop("noCode");
      this.job.match(1 + this.#stepped(distance, 2), length);
    }
  }

  /** Number `i` of a scale whose steps double after every `group` numbers; the first two groups have steps of 1. */
  #stepped(i: number, group: number): number {
    const extra = Math.max(0, Math.floor(i / group) - 1);
    const base = extra === 0 ? i : (group + i % group) * 2 ** extra;
    return base + this.#bits(extra);
  }
}

const FIXED = Array.from({ length: 288 }, (_, i) => i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);

/** Words are numbered consecutively, shorter ones first. */
function codeOf(lengths: readonly number[]): Code {
  const code = new Map<string, number>();
  for (let length = 1, word = 0; length <= 15; length++, word *= 2) {
    for (const [symbol, own] of lengths.entries()) {
      if (own === length) code.set(`${length},${word++}`, symbol);
    }
  }
  return code;
}
