/**
 * Coefficients of WebP pictures with losses: 16 for each block of 4 × 4 samples, times their factors.
 *
 * ```
 * macroblock   [means of luma]   16 blocks of luma   4 of U   4 of V      a block: words, as the two next to it suggest
 * ```
 * Source: RFC 6386, section 13.
 *
 * @module
 */

import type { Booleans } from "./booleans.ts";
import type { Factors } from "./header.ts";

/** Undoes the transform of the 16 means of luma: each is the first coefficient of a block of `blocks`. */
export function addMeans(means: Int16Array, blocks: Int16Array): void {
  const half = new Int32Array(16);
  for (let i = 0; i < 4; i++) {
    const [a, b, c, d] = [means[i]!, means[4 + i]!, means[8 + i]!, means[12 + i]!];
    half[i] = a + d + (b + c);
    half[4 + i] = a - d + (b - c);
    half[8 + i] = a + d - (b + c);
    half[12 + i] = a - d - (b - c);
  }
  for (let i = 0; i < 16; i += 4) {
    const [a, b, c, d] = [half[i]! + 3, half[i + 1]!, half[i + 2]!, half[i + 3]!];
    blocks[16 * i] = a + d + (b + c) >> 3;
    blocks[16 * i + 16] = a - d + (b - c) >> 3;
    blocks[16 * i + 32] = a + d - (b + c) >> 3;
    blocks[16 * i + 48] = a - d - (b - c) >> 3;
  }
}

/** √2 cos(π/8), and √2 sin(π/8). */
const long = (x: number) => x + (x * 20091 >> 16), short = (x: number) => x * 35468 >> 16;

const HALF = new Int32Array(16);

/** Adds to 4 × 4 samples the inverse cosine transform of the 16 coefficients from `from` on. */
export function addBlock(
  coefficients: Int16Array,
  from: number,
  samples: Uint8ClampedArray,
  at: number,
  stride: number,
): void {
  for (let i = 0; i < 4; i++) {
    const column = from + i;
    const w = coefficients[column]!, x = coefficients[column + 4]!;
    const y = coefficients[column + 8]!, z = coefficients[column + 12]!;
    const a = w + y, b = w - y, c = short(x) - long(z), d = long(x) + short(z);
    HALF[4 * i] = a + d;
    HALF[4 * i + 1] = b + c;
    HALF[4 * i + 2] = b - c;
    HALF[4 * i + 3] = a - d;
  }
  for (let i = 0; i < 4; i++, at += stride) {
    const w = HALF[i]! + 4, x = HALF[4 + i]!, y = HALF[8 + i]!, z = HALF[12 + i]!;
    const a = w + y, b = w - y, c = short(x) - long(z), d = long(x) + short(z);
    samples[at] = samples[at]! + (a + d >> 3);
    samples[at + 1] = samples[at + 1]! + (b + c >> 3);
    samples[at + 2] = samples[at + 2]! + (b - c >> 3);
    samples[at + 3] = samples[at + 3]! + (a - d >> 3);
  }
}

/** Where the coefficients of a block lie, in the order of their words. */
const ORDER = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15] as const;
/** The probabilities for each coefficient: its band, times what a band has; one more for behind the last. */
const BANDS = [0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0].map((band) => 33 * band);
/** Probabilities of the bits of large numbers, the highest bit first. */
const LARGE = [
  [173, 148, 140],
  [176, 155, 140, 135],
  [180, 157, 141, 134, 130],
  [254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129],
] as const;

/** Kinds of blocks, times the probabilities of a kind. */
const [LUMA_REST, MEANS, CHROMA, LUMA] = [0, 264, 528, 792] as const;

/** Neighbours of a macroblock on one side, and whether they have words: 4 of luma, 2 of U, 2 of V, the means. */
const EDGES = 9;
const OF_MEANS = 8;

/** Reads coefficients, macroblock by macroblock. */
export class CoefficientReader {
  /** Of the last macroblock: 16 blocks of luma, 4 of U, 4 of V. */
  readonly values: Int16Array = new Int16Array(16 * 24);
  readonly #means = new Int16Array(16);
  readonly #above: Uint8Array;
  readonly #left = new Uint8Array(EDGES);
  #bits!: Booleans;

  /** With the probabilities of a picture whose rows have `across` macroblocks. */
  constructor(private readonly probabilities: Uint8Array, across: number) {
    this.#above = new Uint8Array(EDGES * across);
  }

  /** Begins a row, whose words are in `bits`. */
  startRow(bits: Booleans): void {
    this.#bits = bits;
    this.#left.fill(0);
  }

  /** Passes over a macroblock without words. */
  skip(x: number, isFine: boolean): void {
    const count = isFine ? OF_MEANS : EDGES; // there are no means to pass over
    this.#left.fill(0, 0, count);
    this.#above.fill(0, EDGES * x, EDGES * x + count);
  }

  /** Reads `values` of the macroblock `x` of the row; says whether one is not 0. */
  read(x: number, isFine: boolean, { luma, means, chroma }: Factors): boolean {
    const { values } = this, above = EDGES * x;
    values.fill(0);
    if (!isFine) {
      this.#means.fill(0);
      this.#block(MEANS, above + OF_MEANS, OF_MEANS, this.#means, 0, 0, means);
      addMeans(this.#means, values);
    }
    const kind = isFine ? LUMA : LUMA_REST, first = isFine ? 0 : 1;
    for (let i = 0; i < 16; i++) this.#block(kind, above + (i & 3), i >> 2, values, 16 * i, first, luma);
    for (let i = 0; i < 8; i++) {
      const plane = 4 + 2 * (i >> 2), to = 16 * (16 + i);
      this.#block(CHROMA, above + plane + (i & 1), plane + (i >> 1 & 1), values, to, 0, chroma);
    }
    return values.some((value) => value !== 0);
  }

  /** Reads a block; its neighbours choose the first probabilities, and it is a neighbour of later ones. */
  #block(
    kind: number,
    above: number,
    left: number,
    out: Int16Array,
    to: number,
    first: number,
    factors: readonly [number, number],
  ): void {
    const start = this.#above[above]! + this.#left[left]!;
    const count = this.#words(kind, start, out, to, first, factors);
    this.#above[above] = this.#left[left] = count > first ? 1 : 0;
  }

  /** Reads the words of a block; returns the number of its coefficients up to the last that is coded. */
  #words(
    kind: number,
    start: number,
    out: Int16Array,
    to: number,
    first: number,
    factors: readonly [number, number],
  ): number {
    const bits = this.#bits, zero = this.probabilities;
    let at = kind + BANDS[first]! + 11 * start;
    for (let n = first; n < 16; n++) {
      if (!bits.bit(zero[at]!)) return n;
      while (!bits.bit(zero[at + 1]!)) {
        if (++n === 16) return 16;
        at = kind + BANDS[n]!;
      }
      const size = bits.bit(zero[at + 2]!) ? this.#large(at) : 1;
      at = kind + BANDS[n + 1]! + (size > 1 ? 22 : 11);
      out[to + ORDER[n]!] = (bits.flag() ? -size : size) * factors[n > 0 ? 1 : 0];
    }
    return 16;
  }

  /** A number of 2 or more. */
  #large(at: number): number {
    const bits = this.#bits, zero = this.probabilities;
    if (!bits.bit(zero[at + 3]!)) return bits.bit(zero[at + 4]!) ? 3 + bits.bit(zero[at + 5]!) : 2;
    if (!bits.bit(zero[at + 6]!)) {
      return bits.bit(zero[at + 7]!) ? 7 + 2 * bits.bit(165) + bits.bit(145) : 5 + bits.bit(159);
    }
    const high = bits.bit(zero[at + 8]!), kind = 2 * high + bits.bit(zero[at + 9 + high]!);
    return 3 + (8 << kind) + LARGE[kind]!.reduce((value, one) => 2 * value + bits.bit(one), 0);
  }
}
