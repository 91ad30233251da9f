/**
 * The two kinds of codes of Zstandard: states, each of which says how many bits give the next one (FSE), and words of
 * different lengths (Huffman).
 *
 * Source: RFC 8878, sections 4.1 and 4.2.
 *
 * @module
 */

import type { Unpacking } from "./unpacking.ts";

/** Most bits of a word of a Huffman code. */
const MOST = 11;

/** Bits of a stream, read from its end to its beginning. */
export class Backward {
  /** Bits that are left. */
  left: number;

  /** The last byte has a 1 behind the last bit. */
  constructor(private readonly job: Unpacking, private readonly bytes: Uint8Array) {
    const last = bytes.at(-1) ?? 0;
    if (last === 0) job.stop("noCode");
    this.left = 8 * bytes.length - 1 - (Math.clz32(last) - 24);
  }

  /** The next `count` bits as a number, the first one highest. */
  bits(count: number): number {
    if (count > this.left) this.job.stop("noCode");
    let value = 0;
    for (let i = 0; i < count; i++) {
      this.left--;
      value = 2 * value + (this.bytes[this.left >> 3]! >> (this.left & 7) & 1);
    }
    return value;
  }
}

/** A state: what it stands for, and the next one, which is `next` and the number in `bits` bits. */
export interface State {
  readonly symbol: number;
  readonly bits: number;
  readonly next: number;
}

/** A table of states, and the bits of a state. */
export interface States {
  readonly log: number;
  readonly states: readonly State[];
}

/** A table that is always in the same state. */
export function onlyState(symbol: number): States {
  return { log: 0, states: [{ symbol, bits: 0, next: 0 }] };
}

/** The table in which each symbol has so many states; -1: one, from which every state can follow. */
export function statesOf(counts: readonly number[], log: number): States {
  const size = 2 ** log;
  const symbols = new Array<number>(size).fill(-1);
  let high = size;
  for (const [symbol, count] of counts.entries()) if (count === -1) symbols[--high] = symbol;
  let at = 0;
  for (const [symbol, count] of counts.entries()) {
    for (let i = 0; i < count; i++) {
      symbols[at] = symbol;
      do at = (at + size / 2 + size / 8 + 3) % size; while (at >= high);
    }
  }
  const used = counts.map(Math.abs);
  const states = symbols.map((symbol) => {
    const number = used[symbol]!++;
    const bits = log - Math.floor(Math.log2(number));
    return { symbol, bits, next: number * 2 ** bits - size };
  });
  return { log, states };
}

/** Reads counts of states of `symbols` symbols at most; the table, and the bytes of its description. */
export function readStates(
  job: Unpacking,
  bytes: Uint8Array,
  symbols: number,
  mostLog: number,
): States & { readonly taken: number } {
  let at = 0;
  const peek = (count: number) => {
    let value = 0;
    for (let i = 0; i < count; i++) value += ((bytes[(at + i) >> 3] ?? 0) >> ((at + i) & 7) & 1) * 2 ** i;
    return value;
  };
  const take = (count: number) => {
    const value = peek(count);
    at += count;
    return value;
  };
  const log = take(4) + 5;
  if (log > mostLog) job.stop("noCode");
  const counts: number[] = [];
  for (let left = 2 ** log; left > 0;) { // of `left + 2` values, the lowest are a bit shorter
    if (counts.length >= symbols) job.stop("noCode");
    const width = Math.floor(Math.log2(left + 1));
    const short = 2 ** (width + 1) - 2 - left;
    const low = peek(width);
    const value = low < short ? take(width) : take(width + 1);
    const count = (low < short || value < 2 ** width ? value : value - short) - 1;
    counts.push(count);
    left -= Math.abs(count);
    for (let more = count === 0 ? 3 : 0; more === 3;) {
      more = take(2);
      counts.push(...new Array<number>(more).fill(0));
      if (counts.length > symbols) job.stop("noCode");
    }
  }
  const taken = Math.ceil(at / 8);
  if (taken > bytes.length) job.stop("noCode");
  return { ...statesOf(counts, log), taken };
}

/** Words, as text of 0 and 1, and the bytes they stand for. */
export type Words = ReadonlyMap<string, number>;

/** Reads a Huffman code; the words, and the bytes of their description. */
export function readWords(
  job: Unpacking,
  bytes: Uint8Array,
): { readonly words: Words; readonly taken: number } {
  const head = bytes[0] ?? job.stop("noCode");
  const packed = head < 128 ? head : Math.ceil((head - 127) / 2);
  const own = bytes.subarray(1, 1 + packed);
  if (own.length < packed) job.stop("noCode");
  const weights = head < 128
    ? packedWeights(job, own)
    : Array.from({ length: head - 127 }, (_, i) => i % 2 ? own[i >> 1]! & 15 : own[i >> 1]! >> 4);
  return { words: wordsOf(job, weights), taken: 1 + packed };
}

/** Weights by two states that take turns, until there are not enough bits for the next state. */
function packedWeights(job: Unpacking, bytes: Uint8Array): number[] {
  const { states, log, taken } = readStates(job, bytes, 12, 6);
  const stream = new Backward(job, bytes.subarray(taken));
  const turns = [states[stream.bits(log)]!, states[stream.bits(log)]!];
  const weights: number[] = [];
  for (let turn = 0; weights.length < 254; turn = 1 - turn) {
    const { symbol, bits, next } = turns[turn]!;
    weights.push(symbol);
    if (bits > stream.left) return [...weights, turns[1 - turn]!.symbol];
    turns[turn] = states[next + stream.bits(bits)]!;
  }
  return job.stop("noCode");
}

/** A byte of weight w has 2^(w - 1) of all words of the longest length; the weight of the last byte makes them whole. */
function wordsOf(job: Unpacking, weights: readonly number[]): Words {
  if (weights.some((weight) => weight > MOST)) job.stop("noCode");
  const sum = weights.reduce((all, weight) => all + Math.floor(2 ** (weight - 1)), 0);
  if (sum === 0) job.stop("noCode");
  const longest = Math.floor(Math.log2(sum)) + 1;
  const last = Math.log2(2 ** longest - sum) + 1;
  if (longest > MOST || !Number.isInteger(last)) job.stop("noCode");
  const all = [...weights, last];
  const ones = all.filter((weight) => weight === 1).length;
  if (ones < 2 || ones % 2 === 1) job.stop("noCode");
  const words = new Map<string, number>();
  for (let weight = 1, at = 0; weight <= longest; weight++) {
    for (const [byte, own] of all.entries()) {
      if (own !== weight) continue;
      words.set(at.toString(2).padStart(longest, "0").slice(0, longest + 1 - weight), byte);
      at += 2 ** (weight - 1);
    }
  }
  return words;
}

/** The next byte of a stream. */
export function byteOf(job: Unpacking, stream: Backward, words: Words): number {
  for (let word = ""; word.length <= MOST;) {
    word += stream.bits(1);
    const byte = words.get(word);
    if (byte !== undefined) return byte;
  }
  return job.stop("noCode");
}
