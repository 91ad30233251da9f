/**
 * Packed bytes for the rows of kernels that unpack: random literals and matches, written in each format by a few plain
 * lines; every third call is damaged.
 *
 * @module
 */

import type { Sizes } from "./describe.ts";

/** The input of a call that unpacks. */
export interface Packed {
  /** Number of bytes that result if nothing is damaged. */
  readonly bytes: number;
  /** The input. */
  readonly packed: readonly number[];
}

/** A step: some literals, then a match. */
export interface Step {
  /** Bytes that are copied unchanged. */
  readonly literals: readonly number[];
  /** How many bytes back the match begins. */
  readonly offset: number;
  /** Number of its bytes. */
  readonly length: number;
}

/** A number that is at least 0 and below `below`. */
export type Random = (below: number) => number;

/** Numbers that depend only on a seed. */
export function randomOf(seed: number): Random {
  let state = seed * 2654435761 >>> 0;
  return (below) => {
    state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9 >>> 0;
    return ((state ^ state >>> 13) >>> 0) % below;
  };
}

/** About `pixels` bytes in steps; matches overlap, repeat and reach far back. */
export function stepsOf({ pixels, seed }: Sizes, longest: number): Step[] {
  const random = randomOf(seed);
  const steps: Step[] = [];
  for (let at = 0; at < pixels;) {
    const literals = Array.from({ length: 1 + random([3, 20, 33][seed % 3]!) }, () => random(256));
    at += literals.length;
    const offset = 1 + random(Math.min(at, [1, 9, 40, 8192][random(4)]!));
    const length = 4 + random([4, 30, longest - 3][random(3)]!);
    steps.push({ literals, offset, length });
    at += length;
  }
  return steps;
}

/** Bytes of all steps. */
export function bytesIn(steps: readonly Step[]): number {
  return steps.reduce((n, s) => n + s.literals.length + s.length, 0);
}

/** Shortens the input, or changes a byte, in every third call. */
export function maybeDamaged(packed: number[], { seed }: Sizes): number[] {
  if (seed % 3 !== 1 || packed.length === 0) return packed;
  const random = randomOf(seed + 1);
  if (seed % 2) return packed.slice(0, random(packed.length));
  packed[random(packed.length)]! ^= 1 << random(8);
  return packed;
}

/** Caches the last call, as a row calls it several times. */
export function once(make: (sizes: Sizes) => Packed): (sizes: Sizes) => Packed {
  let last: { sizes: Sizes; made: Packed } | undefined;
  return (sizes) => {
    if (last?.sizes !== sizes) last = { sizes, made: make(sizes) };
    return last.made;
  };
}

/** An LZ4 block. */
export const lz4Packed: (sizes: Sizes) => Packed = once((sizes) => {
  const steps = stepsOf(sizes, 600);
  const packed: number[] = [];
  const more = (length: number) => {
    if (length < 15) return;
    for (length -= 15; length >= 255; length -= 255) packed.push(255);
    packed.push(length);
  };
  for (const { literals, offset, length } of steps) {
    packed.push(Math.min(15, literals.length) << 4 | Math.min(15, length - 4));
    more(literals.length);
    packed.push(...literals, offset & 255, offset >> 8);
    more(length - 4);
  }
  packed.push(0x50, 1, 2, 3, 4, 5);
  return { bytes: bytesIn(steps) + 5, packed: maybeDamaged(packed, sizes) };
});

/** Bitshuffle with LZ4, of elements of `1 + seed % 9` bytes: each block is literals, then zeros. */
export const bitshuffled: (sizes: Sizes) => Packed = once((sizes) => {
  const random = randomOf(sizes.seed);
  const size = 1 + sizes.seed % 9;
  const block = 8 * (1 + random(9));
  const total = sizes.pixels * size;
  const packed = [0, 0, 0, 0, ...big(total), ...big(block * size)];
  for (let left = sizes.pixels; left >= 8;) {
    const elements = left >= block ? block : left - left % 8;
    const bytes = elements * size;
    const literals = Math.min(14, Math.max(1, bytes - 9)); // the last five bytes must be literals
    const zeros = Math.min(18, bytes - literals - 5);
    const first = [
      literals << 4 | zeros - 4,
      ...new Array(literals - 1).fill(0).map(() => random(256)),
      0,
      1,
      0,
    ];
    const rest = bytes - (zeros >= 4 ? literals + zeros : 0);
    const last = rest < 15
      ? [rest << 4]
      : [0xf0, ...new Array(Math.floor((rest - 15) / 255)).fill(255), (rest - 15) % 255];
    const own = [...(zeros >= 4 ? first : []), ...last, ...Array.from({ length: rest }, () => random(256))];
    packed.push(...big(own.length), ...own);
    left -= elements;
  }
  packed.push(...Array.from({ length: sizes.pixels % 8 * size }, () => random(256)));
  return { bytes: total, packed: maybeDamaged(packed, sizes) };
});

const big = (value: number) => [24, 16, 8, 0].map((shift) => value >> shift & 255);

/** LZF. */
export const lzfPacked: (sizes: Sizes) => Packed = once((sizes) => {
  const steps = stepsOf(sizes, 260);
  const packed: number[] = [];
  for (const { literals, offset, length } of steps) {
    for (let at = 0; at < literals.length; at += 32) {
      const part = literals.slice(at, at + 32);
      packed.push(part.length - 1, ...part);
    }
    const [code, back] = [length - 2, offset - 1];
    if (code < 7) packed.push(code << 5 | back >> 8, back & 255);
    else packed.push(7 << 5 | back >> 8, code - 7, back & 255);
  }
  return { bytes: bytesIn(steps), packed: maybeDamaged(packed, sizes) };
});

/** BloscLZ; in some calls everything lies behind more literals, so that matches reach further back. */
export const blosclzPacked: (sizes: Sizes) => Packed = once((sizes) => {
  const random = randomOf(sizes.seed + 5);
  const steps = stepsOf(sizes, 900);
  if (sizes.seed % 7 === 0) {
    const first = Array.from({ length: 9000 }, () => random(256));
    steps.unshift({ literals: first, offset: 8192 + random(800), length: 300 });
  }
  const packed: number[] = [];
  for (const { literals, offset, length } of steps) {
    for (let at = 0; at < literals.length; at += 32) {
      const part = literals.slice(at, at + 32);
      packed.push(part.length - 1, ...part);
    }
    const [code, near] = [Math.min(7, length - 2), Math.min(8191, offset - 1)];
    packed.push(code << 5 | near >> 8);
    if (code === 7) {
      packed.push(...new Array<number>(Math.floor((length - 9) / 255)).fill(255), (length - 9) % 255);
    }
    packed.push(near & 255);
    if (near === 8191) packed.push((offset - 8192) >> 8, (offset - 8192) & 255);
  }
  return { bytes: bytesIn(steps), packed: maybeDamaged(packed, sizes) };
});

/** DEFLATE: a stored block, then one with the fixed codes. */
export const deflated: (sizes: Sizes) => Packed = once((sizes) => {
  const steps = stepsOf(sizes, 258);
  const plain = Array.from({ length: sizes.seed % 4 }, (_, i) => i);
  const bits = new Bits();
  if (plain.length > 0) {
    bits.put(0, 3);
    bits.align();
    bits.put(plain.length, 16);
    bits.put(plain.length ^ 0xffff, 16);
    for (const byte of plain) bits.put(byte, 8);
  }
  bits.put(3, 3);
  for (const { literals, offset, length } of steps) {
    for (const byte of literals) bits.symbol(byte);
    const l = length === 258 ? [28, 0, 0] as const : stepped(length - 3, 4);
    bits.symbol(257 + l[0]);
    bits.put(l[1], l[2]);
    const d = stepped(offset - 1, 2);
    bits.word(d[0], 5);
    bits.put(d[1], d[2]);
  }
  bits.symbol(256);
  return { bytes: plain.length + bytesIn(steps), packed: maybeDamaged(bits.bytes, sizes) };
});

/** Number, extra bits and count of extra bits of `value` on a scale whose steps double after every `group` numbers. */
function stepped(value: number, group: number): readonly [number, number, number] {
  const extra = Math.max(0, Math.floor(Math.log2(Math.max(1, value) / group)));
  const above = value >> extra;
  return [extra === 0 ? value : group * extra + above, value & (1 << extra) - 1, extra];
}

/** A stream of bits, starting with the lowest bit of each byte. */
class Bits {
  readonly bytes: number[] = [];
  #used = 8;

  put(value: number, count: number): void {
    for (let i = 0; i < count; i++) {
      if (this.#used === 8) {
        this.bytes.push(0);
        this.#used = 0;
      }
      this.bytes[this.bytes.length - 1]! |= (value >> i & 1) << this.#used++;
    }
  }

  align(): void {
    this.#used = 8;
  }

  /** A word of a code, highest bit first. */
  word(value: number, count: number): void {
    for (let i = count - 1; i >= 0; i--) this.put(value >> i & 1, 1);
  }

  /** A symbol in the fixed code for literals and lengths. */
  symbol(symbol: number): void {
    if (symbol < 144) this.word(0x30 + symbol, 8);
    else if (symbol < 256) this.word(0x190 + symbol - 144, 9);
    else if (symbol < 280) this.word(symbol - 256, 7);
    else this.word(0xc0 + symbol - 280, 8);
  }
}
