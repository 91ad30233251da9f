/**
 * The header of a WebP picture with losses: its size, segments, loop filter, partitions, factors and probabilities.
 *
 * ```
 * frame₁₆₊₈  shown, profile, bytes of part 0    9d 01 2a    width₁₆ height₁₆    part 0    sizes₂₄ of parts    parts
 * ```
 * Source: RFC 6386, section 9.
 *
 * @module
 */

import { Booleans } from "./booleans.ts";
import type { ByteRange } from "./container.ts";
import { wrong } from "./prefix.ts";
import { COEFFICIENTS, UNCHANGED } from "./probabilities.ts";

/** Width and height of the picture, and where its first part is. */
export interface Start {
  readonly width: number;
  readonly height: number;
  readonly first: ByteRange;
}

/** Reads what is in front of the first part. */
export function readStart(input: Uint8Array, { start, stop }: ByteRange): Start {
  const byte = (at: number) => start + at < stop ? input[start + at]! : 0;
  const frame = byte(0) | byte(1) << 8 | byte(2) << 16;
  const first = { start: start + 10, stop: start + 10 + (frame >> 5) };
  const isKey = (frame & 1) === 0 && (frame >> 1 & 7) <= 3 && (frame >> 4 & 1) === 1;
  if (!isKey || byte(3) !== 0x9d || byte(4) !== 1 || byte(5) !== 0x2a) {
    throw wrong("no picture begins here", start);
  }
  if (first.stop > stop) throw wrong("the input ends too early", stop);
  const size = (at: number) => byte(at) | (byte(at + 1) & 0x3f) << 8;
  const [width, height] = [size(6), size(8)];
  if (width === 0 || height === 0) throw wrong(`${width} × ${height} pixels`, start + 6);
  return { width, height, first };
}

/** Segments of macroblocks that have factors and filters of their own. */
export interface Segments {
  /** Whether there are any. */
  readonly isUsed: boolean;
  /** The probabilities of the tree of segments, if macroblocks have them. */
  readonly tree: readonly number[] | undefined;
  /** Whether the numbers below stand for themselves, else they are added to those of the picture. */
  readonly isAbsolute: boolean;
  readonly quantisers: readonly number[];
  readonly levels: readonly number[];
}

/** The loop filter. */
export interface LoopFilter {
  readonly isSimple: boolean;
  readonly level: number;
  readonly sharpness: number;
  /** What is added for key frames, and for macroblocks with fine modes. */
  readonly forKey: number;
  readonly forFine: number;
}

/** Factors of coefficients: the first and the others, of luma, of the means of luma, and of chroma. */
export interface Factors {
  readonly luma: readonly [number, number];
  readonly means: readonly [number, number];
  readonly chroma: readonly [number, number];
}

/** All of the header. */
export interface Header {
  readonly segments: Segments;
  readonly filter: LoopFilter;
  /** By segment. */
  readonly factors: readonly Factors[];
  /** For the words of coefficients, as `COEFFICIENTS`. */
  readonly probabilities: Uint8Array;
  /** How probable it is that a macroblock has coefficients, if the picture says it for each. */
  readonly coded: number | undefined;
  /** Parts with coefficients: rows of macroblocks take turns. */
  readonly parts: readonly Booleans[];
}

/** Reads the header from the bits of the first part; the others lie between its end and `stop`. */
export function readHeader(bits: Booleans, input: Uint8Array, rest: ByteRange): Header {
  bits.number(2); // kind of colours, and whether samples need to be kept in their range
  const segments = readSegments(bits), filter = readFilter(bits);
  const parts = findParts(input, rest, 1 << bits.number(2));
  const factors = readFactors(bits, segments);
  bits.flag(); // whether later frames start from these probabilities
  const probabilities = COEFFICIENTS.map((usual, i) => bits.bit(UNCHANGED[i]!) ? bits.number(8) : usual);
  const coded = bits.flag() ? bits.number(8) : undefined;
  return { segments, filter, factors, probabilities, coded, parts };
}

const FOUR = [0, 1, 2, 3] as const;

function readSegments(bits: Booleans): Segments {
  const isUsed = bits.flag(), hasMap = isUsed && bits.flag(), hasNumbers = isUsed && bits.flag();
  const isAbsolute = hasNumbers ? bits.flag() : true;
  const quantisers = FOUR.map(() => hasNumbers ? bits.optional(7) : 0);
  const levels = FOUR.map(() => hasNumbers ? bits.optional(6) : 0);
  const tree = hasMap ? [0, 1, 2].map(() => bits.flag() ? bits.number(8) : 255) : undefined;
  return { isUsed, tree, isAbsolute, quantisers, levels };
}

function readFilter(bits: Booleans): LoopFilter {
  const isSimple = bits.flag(), level = bits.number(6), sharpness = bits.number(3);
  const changes = bits.flag() && bits.flag() ? [...FOUR, ...FOUR].map(() => bits.optional(6)) : [];
  return { isSimple, level, sharpness, forKey: changes[0] ?? 0, forFine: changes[4] ?? 0 };
}

/** The sizes of all parts but the last come first. */
function findParts(input: Uint8Array, { start, stop }: ByteRange, count: number): Booleans[] {
  let from = start + 3 * (count - 1);
  if (from > stop) throw wrong("the input ends too early", stop);
  return Array.from({ length: count }, (_, i) => {
    const at = start + 3 * i, size = input[at]! | input[at + 1]! << 8 | input[at + 2]! << 16;
    const begin = from;
    from = i === count - 1 ? stop : from + size;
    if (from > stop) throw wrong(`a part of ${size} bytes goes over the end`, at);
    return new Booleans(input, begin, from);
  });
}

/** Factors of the first coefficient, and of the others, by the index that is coded. */
const FIRST = Uint8Array.from(
  `
4 5 6 7 8 9 10 10 11 12 13 14 15 16 17 17 18 19 20 20 21 21 22 22 23 23 24 25 25 26 27 28 29 30 31 32 33
34 35 36 37 37 38 39 40 41 42 43 44 45 46 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66
67 68 69 70 71 72 73 74 75 76 76 77 78 79 80 81 82 83 84 85 86 87 88 89 91 93 95 96 98 100 101 102 104 106
108 110 112 114 116 118 122 124 126 128 130 132 134 136 138 140 143 145 148 151 154 157`.trim().split(/\s+/),
  Number,
);
const OTHER = Uint16Array.from(
  `
4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40
41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 60 62 64 66 68 70 72 74 76 78 80 82 84 86 88 90 92
94 96 98 100 102 104 106 108 110 112 114 116 119 122 125 128 131 134 137 140 143 146 149 152 155 158 161
164 167 170 173 177 181 185 189 193 197 201 205 209 213 217 221 225 229 234 239 245 249 254 259 264 269
274 279 284`.trim().split(/\s+/),
  Number,
);

function readFactors(bits: Booleans, { isUsed, isAbsolute, quantisers }: Segments): Factors[] {
  const base = bits.number(7);
  const [luma, means, otherMeans, chroma, otherChroma] = [0, 1, 2, 3, 4].map(() => bits.optional(4)) as [
    ...[number, number, number, number, number],
  ];
  const pick = (table: Uint8Array | Uint16Array, index: number, last = 127) =>
    table[Math.max(0, Math.min(last, index))]!;
  return quantisers.map((own) => {
    const q = !isUsed ? base : isAbsolute ? own : base + own;
    return {
      luma: [pick(FIRST, q + luma), pick(OTHER, q)],
      means: [2 * pick(FIRST, q + means), Math.max(8, Math.floor(pick(OTHER, q + otherMeans) * 155 / 100))],
      chroma: [pick(FIRST, q + chroma, 117), pick(OTHER, q + otherChroma)],
    };
  });
}
