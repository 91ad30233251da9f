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

import type { Factors } from "./header.ts";
import type { Booleans } from "./prefix.ts";

/** Undoes the transform of the 16 means of luma: each is the first coefficient of a block of `blocks`. */
function addMeans(means: Int16Array, blocks: Int16Array): void {
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

// How the samples of each macroblock of a WebP picture with losses are predicted: its modes, as they are coded.
//
// Source: RFC 6386, sections 8.2 and 11.

/** Modes of blocks of any size: the mean, left + above − corner, rows from above, columns from the left. */
export const MEAN = 0, SLOPE = 1, ABOVE = 2, LEFT = 3;
/** The other modes, of 4 × 4 samples: directions, by the angle. */
export const RIGHT_DOWN = 4, RIGHT_LOW = 5, LEFT_DOWN = 6, LEFT_LOW = 7, DOWN_FLAT = 8, UP_FLAT = 9;

/** Modes of 4 × 4 samples as a tree: where a 0 and a 1 lead to; a mode is below zero, less 1. */
const TREE = [
  ...[~MEAN, 1, ~SLOPE, 2, ~ABOVE, 3, 4, 6, ~LEFT, 5],
  ...[~RIGHT_DOWN, ~RIGHT_LOW, ~LEFT_DOWN, 7, ~LEFT_LOW, 8, ~DOWN_FLAT, ~UP_FLAT],
] as const;

/** How probable a 0 is in that tree: 9 numbers for each mode above and each mode to the left. */
const BY_NEIGHBOURS = Uint8Array.from(
  `
231 120 48 89 115 113 120 152 112 152 179 64 126 170 118 46 70 95 175 69 143 80 85 82 72 155 103 56 58 10
171 218 189 17 13 152 114 26 17 163 44 195 21 10 173 121 24 80 195 26 62 44 64 85 144 71 10 38 171 213 144
34 26 170 46 55 19 136 160 33 206 71 63 20 8 114 114 208 12 9 226 81 40 11 96 182 84 29 16 36 134 183 89
137 98 101 106 165 148 72 187 100 130 157 111 32 75 80 66 102 167 99 74 62 40 234 128 41 53 9 178 241 141
26 8 107 74 43 26 146 73 166 49 23 157 65 38 105 160 51 52 31 115 128 104 79 12 27 217 255 87 17 7 87 68
71 44 114 51 15 186 23 47 41 14 110 182 183 21 17 194 66 45 25 102 197 189 23 18 22 88 88 147 150 42 46 45
196 205 43 97 183 117 85 38 35 179 61 39 53 200 87 26 21 43 232 171 56 34 51 104 114 102 29 93 77 39 28 85
171 58 165 90 98 64 34 22 116 206 23 34 43 166 73 107 54 32 26 51 1 81 43 31 68 25 106 22 64 171 36 225
114 34 19 21 102 132 188 16 76 124 62 18 78 95 85 57 50 48 51 193 101 35 159 215 111 89 46 111 60 148 31
172 219 228 21 18 111 112 113 77 85 179 255 38 120 114 40 42 1 196 245 209 10 25 109 88 43 29 140 166 213
37 43 154 61 63 30 155 67 45 68 1 209 100 80 8 43 154 1 51 26 71 142 78 78 16 255 128 34 197 171 41 40 5
102 211 183 4 1 221 51 50 17 168 209 192 23 25 82 138 31 36 171 27 166 38 44 229 67 87 58 169 82 115 26 59
179 63 59 90 180 59 166 93 73 154 40 40 21 116 143 209 34 39 175 47 15 16 183 34 223 49 45 183 46 17 33
183 6 98 15 32 183 57 46 22 24 128 1 54 17 37 65 32 73 115 28 128 23 128 205 40 3 9 115 51 192 18 6 223 87
37 9 115 59 77 64 21 47 104 55 44 218 9 54 53 130 226 64 90 70 205 40 41 23 26 57 54 57 112 184 5 41 38
166 213 30 34 26 133 152 116 10 32 134 39 19 53 221 26 114 32 73 255 31 9 65 234 2 15 1 118 73 75 32 12 51
192 255 160 43 51 88 31 35 67 102 85 55 186 85 56 21 23 111 59 205 45 37 192 55 38 70 124 73 102 1 34 98
125 98 42 88 104 85 117 175 82 95 84 53 89 128 100 113 101 45 75 79 123 47 51 128 81 171 1 57 17 5 71 102
57 53 41 49 38 33 13 121 57 73 26 1 85 41 10 67 138 77 110 90 47 114 115 21 2 10 102 255 166 23 6 101 29
16 10 85 128 101 196 26 57 18 10 102 102 213 34 20 43 117 20 15 36 163 128 68 1 26 102 61 71 37 34 53 31
243 192 69 60 71 38 73 119 28 222 37 68 45 128 34 1 47 11 245 171 62 17 19 70 146 85 55 62 70 37 43 37 154
100 163 85 160 1 63 9 92 136 28 64 32 201 85 75 15 9 9 64 255 184 119 16 86 6 28 5 64 255 25 248 1 56 8 17
132 137 255 55 116 128 58 15 20 82 135 57 26 121 40 164 50 31 137 154 133 25 35 218 51 103 44 131 131 123
31 6 158 86 40 64 135 148 224 45 183 128 22 26 17 131 240 154 14 1 209 45 16 21 91 64 222 7 1 197 56 21 39
155 60 138 23 102 213 83 12 13 54 192 255 68 47 28 85 26 85 85 128 128 32 146 171 18 11 7 63 144 171 4 4
246 35 27 10 146 174 171 12 26 128 190 80 35 99 180 80 126 54 45 85 126 47 87 176 51 41 20 32 101 75 128
139 118 146 116 128 85 56 41 15 176 236 85 37 9 62 71 30 17 119 118 255 17 18 138 101 38 60 138 55 70 43
26 142 146 36 19 30 171 255 97 27 20 138 45 61 62 219 1 81 188 64 32 41 20 117 151 142 20 21 163 112 19 12
61 195 128 48 4 24`.trim().split(/\s+/),
  Number,
);

/** Modes of one macroblock. */
export interface Modes {
  /** Whether luma has a mode for each 4 × 4 samples, else one for all. */
  isFine: boolean;
  /** Modes of luma, row by row; without `isFine` all are the same. */
  readonly luma: Uint8Array;
  chroma: number;
}

/** Reads modes, macroblock by macroblock; fine ones depend on those above and to the left. */
export class ModeReader {
  readonly #above: Uint8Array;
  readonly #left = new Uint8Array(4);
  /** Those of the last macroblock. */
  readonly modes: Modes = { isFine: false, luma: new Uint8Array(16), chroma: MEAN };

  /** For rows of `across` macroblocks. */
  constructor(private readonly bits: Booleans, across: number) {
    this.#above = new Uint8Array(4 * across);
  }

  /** Begins a row. */
  startRow(): void {
    this.#left.fill(MEAN);
  }

  /** Reads the modes of the macroblock `x` of the row. */
  read(x: number): Modes {
    const { bits, modes } = this;
    modes.isFine = bits.bit(145) === 0;
    if (modes.isFine) this.#fine(4 * x);
    else {
      const mode = bits.bit(156) ? bits.bit(128) ? SLOPE : LEFT : bits.bit(163) ? ABOVE : MEAN;
      for (const part of [modes.luma, this.#left]) part.fill(mode);
      this.#above.fill(mode, 4 * x, 4 * x + 4);
    }
    modes.chroma = !bits.bit(142) ? MEAN : !bits.bit(114) ? ABOVE : bits.bit(183) ? SLOPE : LEFT;
    return modes;
  }

  #fine(first: number): void {
    for (let at = 0; at < 16; at++) {
      const above = first + (at & 3), left = at >> 2;
      const from = 9 * (10 * this.#above[above]! + this.#left[left]!);
      let node = 0;
      do node = TREE[2 * node + this.bits.bit(BY_NEIGHBOURS[from + node]!)]!; while (node > 0);
      this.modes.luma[at] = this.#above[above] = this.#left[left] = ~node;
    }
  }
}
