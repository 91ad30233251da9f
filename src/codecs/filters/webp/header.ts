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

import { TilewiseError } from "../../../errors.ts";
import { Booleans, wrong } from "./prefix.ts";

// Probabilities that WebP pictures with losses (VP8 key frames) start from.
//
// Source: RFC 6386, sections 13.4 and 13.5.

/** Numbers of a text. */
function numbers(text: string): Uint8Array {
  return Uint8Array.from(text.trim().split(/\s+/), Number);
}

/** How probable a 0 is in the words of coefficients: for 4 kinds, 8 bands and 3 contexts, 11 each. */
const COEFFICIENTS: Uint8Array = numbers(`
128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128
128 128 128 128 128 128 128 253 136 254 255 228 219 128 128 128 128 128 189 129 242 255 227 213 255 219
128 128 128 106 126 227 252 214 209 255 255 128 128 128 1 98 248 255 236 226 255 255 128 128 128 181 133
238 254 221 234 255 154 128 128 128 78 134 202 247 198 180 255 219 128 128 128 1 185 249 255 243 255 128
128 128 128 128 184 150 247 255 236 224 128 128 128 128 128 77 110 216 255 236 230 128 128 128 128 128 1
101 251 255 241 255 128 128 128 128 128 170 139 241 252 236 209 255 255 128 128 128 37 116 196 243 228 255
255 255 128 128 128 1 204 254 255 245 255 128 128 128 128 128 207 160 250 255 238 128 128 128 128 128 128
102 103 231 255 211 171 128 128 128 128 128 1 152 252 255 240 255 128 128 128 128 128 177 135 243 255 234
225 128 128 128 128 128 80 129 211 255 194 224 128 128 128 128 128 1 1 255 128 128 128 128 128 128 128 128
246 1 255 128 128 128 128 128 128 128 128 255 128 128 128 128 128 128 128 128 128 128 198 35 237 223 193
187 162 160 145 155 62 131 45 198 221 172 176 220 157 252 221 1 68 47 146 208 149 167 221 162 255 223 128
1 149 241 255 221 224 255 255 128 128 128 184 141 234 253 222 220 255 199 128 128 128 81 99 181 242 176
190 249 202 255 255 128 1 129 232 253 214 197 242 196 255 255 128 99 121 210 250 201 198 255 202 128 128
128 23 91 163 242 170 187 247 210 255 255 128 1 200 246 255 234 255 128 128 128 128 128 109 178 241 255
231 245 255 255 128 128 128 44 130 201 253 205 192 255 255 128 128 128 1 132 239 251 219 209 255 165 128
128 128 94 136 225 251 218 190 255 255 128 128 128 22 100 174 245 186 161 255 199 128 128 128 1 182 249
255 232 235 128 128 128 128 128 124 143 241 255 227 234 128 128 128 128 128 35 77 181 251 193 211 255 205
128 128 128 1 157 247 255 236 231 255 255 128 128 128 121 141 235 255 225 227 255 255 128 128 128 45 99
188 251 195 217 255 224 128 128 128 1 1 251 255 213 255 128 128 128 128 128 203 1 248 255 255 128 128 128
128 128 128 137 1 177 255 224 255 128 128 128 128 128 253 9 248 251 207 208 255 192 128 128 128 175 13 224
243 193 185 249 198 255 255 128 73 17 171 221 161 179 236 167 255 234 128 1 95 247 253 212 183 255 255 128
128 128 239 90 244 250 211 209 255 255 128 128 128 155 77 195 248 188 195 255 255 128 128 128 1 24 239 251
218 219 255 205 128 128 128 201 51 219 255 196 186 128 128 128 128 128 69 46 190 239 201 218 255 228 128
128 128 1 191 251 255 255 128 128 128 128 128 128 223 165 249 255 213 255 128 128 128 128 128 141 124 248
255 255 128 128 128 128 128 128 1 16 248 255 255 128 128 128 128 128 128 190 36 230 255 236 255 128 128
128 128 128 149 1 255 128 128 128 128 128 128 128 128 1 226 255 128 128 128 128 128 128 128 128 247 192
255 128 128 128 128 128 128 128 128 240 128 255 128 128 128 128 128 128 128 128 1 134 252 255 255 128 128
128 128 128 128 213 62 250 255 255 128 128 128 128 128 128 55 93 255 128 128 128 128 128 128 128 128 128
128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128 128
128 128 128 128 128 128 202 24 213 235 186 191 220 160 240 175 255 126 38 182 232 169 184 228 174 255 187
128 61 46 138 219 151 178 240 170 255 216 128 1 112 230 250 199 191 247 159 255 255 128 166 109 228 252
211 215 255 174 128 128 128 39 77 162 232 172 180 245 178 255 255 128 1 52 220 246 198 199 249 220 255 255
128 124 74 191 243 183 193 250 221 255 255 128 24 71 130 219 154 170 243 182 255 255 128 1 182 225 249 219
240 255 224 128 128 128 149 150 226 252 216 205 255 171 128 128 128 28 108 170 242 183 194 254 223 255 255
128 1 81 230 252 204 203 255 192 128 128 128 123 102 209 247 188 196 255 233 128 128 128 20 95 153 243 164
173 255 203 128 128 128 1 222 248 255 216 213 128 128 128 128 128 168 175 246 252 235 205 255 255 128 128
128 47 116 215 255 211 212 255 255 128 128 128 1 121 236 253 212 214 255 255 128 128 128 141 84 213 252
201 202 255 219 128 128 128 42 80 160 240 162 185 255 205 128 128 128 1 1 255 128 128 128 128 128 128 128
128 244 1 255 128 128 128 128 128 128 128 128 238 1 255 128 128 128 128 128 128 128 128`);

/** How probable it is that each of `COEFFICIENTS` stays as it is. */
const UNCHANGED: Uint8Array = numbers(`
255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255
255 255 255 255 255 255 255 176 246 255 255 255 255 255 255 255 255 255 223 241 252 255 255 255 255 255
255 255 255 249 253 253 255 255 255 255 255 255 255 255 255 244 252 255 255 255 255 255 255 255 255 234
254 254 255 255 255 255 255 255 255 255 253 255 255 255 255 255 255 255 255 255 255 255 246 254 255 255
255 255 255 255 255 255 239 253 254 255 255 255 255 255 255 255 255 254 255 254 255 255 255 255 255 255
255 255 255 248 254 255 255 255 255 255 255 255 255 251 255 254 255 255 255 255 255 255 255 255 255 255
255 255 255 255 255 255 255 255 255 255 253 254 255 255 255 255 255 255 255 255 251 254 254 255 255 255
255 255 255 255 255 254 255 254 255 255 255 255 255 255 255 255 255 254 253 255 254 255 255 255 255 255
255 250 255 254 255 254 255 255 255 255 255 255 254 255 255 255 255 255 255 255 255 255 255 255 255 255
255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255
255 255 255 255 217 255 255 255 255 255 255 255 255 255 255 225 252 241 253 255 255 254 255 255 255 255
234 250 241 250 253 255 253 254 255 255 255 255 254 255 255 255 255 255 255 255 255 255 223 254 254 255
255 255 255 255 255 255 255 238 253 254 254 255 255 255 255 255 255 255 255 248 254 255 255 255 255 255
255 255 255 249 254 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255
253 255 255 255 255 255 255 255 255 255 247 254 255 255 255 255 255 255 255 255 255 255 255 255 255 255
255 255 255 255 255 255 255 253 254 255 255 255 255 255 255 255 255 252 255 255 255 255 255 255 255 255
255 255 255 255 255 255 255 255 255 255 255 255 255 255 254 254 255 255 255 255 255 255 255 255 253 255
255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 254 253 255 255 255
255 255 255 255 255 250 255 255 255 255 255 255 255 255 255 255 254 255 255 255 255 255 255 255 255 255
255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255
255 255 255 255 255 255 255 255 186 251 250 255 255 255 255 255 255 255 255 234 251 244 254 255 255 255
255 255 255 255 251 251 243 253 254 255 254 255 255 255 255 255 253 254 255 255 255 255 255 255 255 255
236 253 254 255 255 255 255 255 255 255 255 251 253 253 254 254 255 255 255 255 255 255 255 254 254 255
255 255 255 255 255 255 255 254 254 254 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255
255 255 255 255 254 255 255 255 255 255 255 255 255 255 254 254 255 255 255 255 255 255 255 255 255 254
255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 254 255 255 255 255
255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255
255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255
255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255
255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255
255 255 255 255 255 255 255 255 255 255 255 255 248 255 255 255 255 255 255 255 255 255 255 250 254 252
254 255 255 255 255 255 255 255 248 254 249 253 255 255 255 255 255 255 255 255 253 253 255 255 255 255
255 255 255 255 246 253 253 255 255 255 255 255 255 255 255 252 254 251 254 254 255 255 255 255 255 255
255 254 252 255 255 255 255 255 255 255 255 248 254 253 255 255 255 255 255 255 255 255 253 255 254 254
255 255 255 255 255 255 255 255 251 254 255 255 255 255 255 255 255 255 245 251 254 255 255 255 255 255
255 255 255 253 253 254 255 255 255 255 255 255 255 255 255 251 253 255 255 255 255 255 255 255 255 252
253 254 255 255 255 255 255 255 255 255 255 254 255 255 255 255 255 255 255 255 255 255 252 255 255 255
255 255 255 255 255 255 249 255 254 255 255 255 255 255 255 255 255 255 255 254 255 255 255 255 255 255
255 255 255 255 253 255 255 255 255 255 255 255 255 250 255 255 255 255 255 255 255 255 255 255 255 255
255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 254 255 255 255 255 255
255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255`);

/** Width and height of the picture, and where its first part is. */
interface Start {
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

// The parts of a WebP file: where its picture is, and its alpha.
//
// ```
// part    name₃₂ bytes₃₂ …, and a byte more if they are odd
// "VP8X"  flags₃₂ width − 1₂₄ height − 1₂₄
// ```

/** A part of a file: half open. */
export interface ByteRange {
  readonly start: number;
  readonly stop: number;
}

/** The picture of a file. */
export interface Picture extends ByteRange {
  readonly isLossless: boolean;
  /** Alpha of a picture with losses. */
  readonly alpha: ByteRange | undefined;
  /** Width and height, if the file says them in front. */
  readonly canvas: readonly [number, number] | undefined;
}

/** Finds the picture; what is behind the file is left out. */
export function findPicture(input: Uint8Array): Picture {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const name = (at: number) => String.fromCharCode(...input.subarray(at, at + 4));
  if (name(0) !== "RIFF" || name(8) !== "WEBP") throw wrong("it does not begin with RIFF and WEBP", 0);
  const end = 8 + view.getUint32(4, true);
  if (end > input.length) throw wrong(`the input ends too early, it should have ${end} bytes`, input.length);
  let alpha: ByteRange | undefined, canvas: Picture["canvas"];
  for (let at = 12; at + 8 <= end;) {
    const kind = name(at), bytes = view.getUint32(at + 4, true), start = at + 8, stop = start + bytes;
    if (stop > end) throw wrong(`a part of ${bytes} bytes goes over the end`, at);
    if (kind === "VP8L") return { isLossless: true, start, stop, alpha: undefined, canvas };
    if (kind === "VP8 ") return { isLossless: false, start, stop, alpha, canvas };
    if (kind === "ANMF") {
      const text = "Cannot undo the filter webp: pictures that move are not supported";
      throw new TilewiseError("unsupported", text, { place: at });
    }
    if (kind === "VP8X") canvas = readCanvas(view, start, bytes);
    if (!canvas) throw wrong("it has parts in front of its canvas", at);
    if (kind === "ALPH") alpha = { start, stop };
    at = stop + bytes % 2;
  }
  throw wrong("it has no picture", end);
}

function readCanvas(view: DataView, start: number, bytes: number): readonly [number, number] {
  if (bytes !== 10) throw wrong(`its canvas has ${bytes} bytes`, start);
  return [(view.getUint32(start + 4, true) & 0xffffff) + 1, (view.getUint32(start + 6, true) >>> 8) + 1];
}
