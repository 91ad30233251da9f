/**
 * Streams of bzip2 for the row of its kernel: blocks of random bytes with runs, packed by a few plain lines with codes
 * of every length; every third call is damaged.
 *
 * @module
 */

import type { Sizes } from "./describe.ts";
import { bytesIn, maybeDamaged, once, type Packed, type Random, randomOf, stepsOf } from "./packed.ts";

/** Largest number of symbols of a block: all pairs of rotations are compared. */
const MOST_SYMBOLS = 4096;

/** One or two streams. */
export const bzip2Packed: (sizes: Sizes) => Packed = once((sizes) => {
  const random = randomOf(sizes.seed);
  const steps = stepsOf(sizes, 600);
  const bytes: number[] = [];
  for (const { literals, offset, length } of steps) {
    bytes.push(...literals);
    for (let i = 0; i < length; i++) bytes.push(bytes.at(-offset)!);
  }
  const cut = sizes.seed % 4 === 0 ? random(bytes.length + 1) : bytes.length;
  const packed = [bytes.slice(0, cut), bytes.slice(cut)].filter((part, p) => p === 0 || part.length > 0)
    .flatMap((part) => streamOf(part, sizes.seed, random));
  return { bytes: bytesIn(steps), packed: maybeDamaged(packed, sizes) };
});

function streamOf(bytes: readonly number[], seed: number, random: Random): number[] {
  const bits = new Bits();
  for (const byte of [0x42, 0x5a, 0x68, 0x31 + seed % 9]) bits.put(byte, 8);
  let sums = 0;
  for (let at = 0; at < bytes.length;) {
    const { symbols, taken } = counted(bytes, at);
    const sum = sumOf(bytes.slice(at, at + taken));
    bits.put(0x314159, 24);
    bits.put(0x265359, 24);
    bits.put(sum, 32);
    blockOf(symbols, bits, seed, random);
    sums = (sums << 1 | sums >>> 31) ^ sum;
    at += taken;
  }
  bits.put(0x177245, 24);
  bits.put(0x385090, 24);
  bits.put(sums, 32);
  return bits.bytes;
}

/** Runs of four or more as four bytes and a count, up to the largest number of symbols of a block. */
function counted(bytes: readonly number[], from: number): { symbols: number[]; taken: number } {
  const symbols: number[] = [];
  let at = from;
  while (at < bytes.length && symbols.length < MOST_SYMBOLS) {
    const byte = bytes[at]!;
    let run = 1;
    while (run < 259 && bytes[at + run] === byte) run++;
    symbols.push(...new Array<number>(Math.min(4, run)).fill(byte), ...(run < 4 ? [] : [run - 4]));
    at += run;
  }
  return { symbols, taken: at - from };
}

function blockOf(block: readonly number[], bits: Bits, seed: number, random: Random): void {
  const n = block.length;
  const compare = (a: number, b: number) => {
    for (let i = 0; i < n; i++) {
      const difference = block[(a + i) % n]! - block[(b + i) % n]!;
      if (difference !== 0) return difference;
    }
    return a - b;
  };
  const sorted = Array.from(block.keys()).toSorted(compare);
  bits.put(0, 1);
  bits.put(sorted.indexOf(0), 24);
  const used = new Set(block);
  const isUsed = (byte: number) => used.has(byte) ? 1 : 0;
  const rows = Array.from({ length: 16 }, (_, row) => Array.from({ length: 16 }, (_, i) => 16 * row + i));
  for (const row of rows) bits.put(row.some(isUsed) ? 1 : 0, 1);
  for (const row of rows) if (row.some(isUsed)) { for (const byte of row) bits.put(isUsed(byte), 1); }
  const symbols = fronts(sorted.map((i) => block[(i + n - 1) % n]!), [...used].toSorted((a, b) => a - b));
  const count = Math.ceil(symbols.length / 50);
  const codes = Array.from({ length: 2 + seed % 5 }, (_, c) => codeOf(used.size + 2, c, random));
  bits.put(codes.length, 3);
  bits.put(count, 15);
  const front = Array.from(codes.keys());
  const selectors = Array.from({ length: count }, () => random(codes.length));
  for (const selector of selectors) {
    const at = front.indexOf(selector);
    for (let i = 0; i < at; i++) bits.put(1, 1);
    bits.put(0, 1);
    front.unshift(...front.splice(at, 1));
  }
  for (const code of codes) writeLengths(code, bits);
  symbols.forEach((symbol, i) => {
    const [word, length] = codes[selectors[Math.floor(i / 50)]!]![symbol]!;
    bits.put(word, length);
  });
}

/** Move-to-front: the place of each byte in the list of used bytes; runs of the first place as digits 1 and 2. */
function fronts(bytes: readonly number[], list: number[]): number[] {
  const symbols: number[] = [];
  const end = list.length + 1;
  for (let i = 0; i < bytes.length;) {
    let run = 0;
    while (bytes[i + run] === list[0] && i + run < bytes.length) run++;
    for (let left = run; left > 0; left = (left - 1) >> 1) symbols.push((left - 1) & 1);
    i += run;
    if (i === bytes.length) break;
    const at = list.indexOf(bytes[i++]!);
    symbols.push(at + 1);
    list.unshift(...list.splice(at, 1));
  }
  return [...symbols, end];
}

/**
 * Word and length of each symbol: a few short words; all others have the same length, up to twenty bits, and so leave
 * gaps.
 */
function codeOf(n: number, c: number, random: Random): [word: number, length: number][] {
  const short = c % 3 === 0 ? 0 : Math.min(n - 1, c + 1);
  const long = short + Math.max(1, Math.ceil(Math.log2(n - short)));
  const length = Math.min(20, long + (c % 2 ? random(12) : 0));
  const first = random(n - short + 1);
  const lengths = Array.from(
    { length: n },
    (_, i) => i >= first && i < first + short ? i - first + 1 : length,
  );
  let word = 0;
  const code: [number, number][] = [];
  for (let own = 1; own <= 20; own++, word *= 2) {
    lengths.forEach((other, i) => {
      if (other === own) code[i] = [word++, own];
    });
  }
  return code;
}

function writeLengths(code: readonly (readonly [number, number])[], bits: Bits): void {
  let before = code[0]![1];
  bits.put(before, 5);
  for (const [, length] of code) {
    for (; before !== length; before += Math.sign(length - before)) bits.put(before < length ? 2 : 3, 2);
    bits.put(0, 1);
  }
}

function sumOf(bytes: readonly number[]): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum << 1 ^ (sum < 0 ? 0x04c11db7 : 0);
  }
  return ~sum;
}

/** A stream of bits, starting with the highest bit of each byte. */
class Bits {
  readonly bytes: number[] = [];
  #used = 8;

  put(value: number, count: number): void {
    for (let i = count - 1; i >= 0; i--) {
      if (this.#used === 8) {
        this.bytes.push(0);
        this.#used = 0;
      }
      this.bytes[this.bytes.length - 1]! |= (value >> i & 1) << (7 - this.#used++);
    }
  }
}
