/**
 * WebP, as TIFF tiles have it.
 *
 * ```
 * file      "RIFF" bytes₃₂ "WEBP"   chunks: name₃₂ bytes₃₂ …
 * lossless  ["VP8X"]                "VP8L"
 * lossy     ["VP8X"] ["ALPH"]       "VP8 "
 * ```
 * Source: RFC 9649, section 2.
 *
 * @module
 */

import type { ChunkFilter } from "../common/filter.ts";
import { Bits, Booleans, wrong } from "./prefix.ts";
import { addBlock, CoefficientReader, ModeReader, type Modes } from "./coefficients.ts";
import {
  type ByteRange,
  findPicture,
  type Header,
  type Picture,
  readHeader,
  readStart,
  type Segments,
} from "./header.ts";
import { type CheckSize, readLossless, readPicture } from "./lossless.ts";
import { makePlane, placeOf, type Plane, predictLarge, predictSmall, smooth, strengths } from "./predict.ts";

// WebP pictures with losses: a key frame of VP8, and alpha beside it.
//
// ```
// macroblock   16 × 16 of luma, 8 × 8 of U and V:   prediction from what is decoded + inverse transform of coefficients
// picture      macroblocks row by row, then the loop filter, then interpolation of chroma and RGB
// ```
// Source: RFC 6386. Samples are the same as by libwebp, to the last bit.

/** Fractions of 2¹⁴, and offsets, as libwebp has them. */
const high = (value: number, factor: number) => value * factor >> 8;

/** Writes the pixels to `output`, each of `samples` samples. */
function writeColours(
  [luma, ...chroma]: readonly [Plane, Plane, Plane],
  width: number,
  height: number,
  output: Uint8Array | Uint8ClampedArray,
  samples: number,
): void {
  const [us, vs] = [new Uint8Array(width), new Uint8Array(width)];
  for (let y = 0, to = 0; y < height; y++) {
    interpolate(chroma[0], width, height, y, us);
    interpolate(chroma[1], width, height, y, vs);
    for (let x = 0, from = placeOf(luma, 0, y); x < width; x++, from++, to += samples) {
      const grey = high(luma.samples[from]!, 19077), u = us[x]!, v = vs[x]!;
      output[to] = sample(grey + high(v, 26149) - 14234);
      output[to + 1] = sample(grey - high(u, 6419) - high(v, 13320) + 8708);
      output[to + 2] = sample(grey + high(u, 33050) - 17685);
    }
  }
}

/** A sample of 8 bits, from one with 6 bits more. */
function sample(value: number): number {
  return value < 0 ? 0 : value > 16383 ? 255 : value >> 6;
}

/** Chroma of row `y` of the picture. */
function interpolate(plane: Plane, width: number, height: number, y: number, row: Uint8Array): void {
  const { samples } = plane, lastX = width - 1 >> 1, lastY = height - 1 >> 1;
  const near = placeOf(plane, 0, y >> 1);
  const far = placeOf(plane, 0, Math.max(0, Math.min(lastY, y & 1 ? (y >> 1) + 1 : (y >> 1) - 1)));
  for (let x = 0; x < width; x++) {
    const at = x >> 1, other = Math.max(0, Math.min(lastX, x & 1 ? at + 1 : at - 1));
    row[x] = 9 * samples[near + at]! + 3 * (samples[near + other]! + samples[far + at]!) +
        samples[far + other]! + 8 >> 4;
  }
}

/** Planes of luma, U and V. */
type Planes = readonly [Plane, Plane, Plane];

/** Writes the pixels of the picture to `output`, each of `samples` samples. */
function readLossy(
  input: Uint8Array,
  picture: Picture,
  check: CheckSize,
  output: Uint8Array,
  samples: number,
): void {
  const { width, height, first } = readStart(input, picture);
  check(width, height);
  const bits = new Booleans(input, first.start, first.stop);
  const header = readHeader(bits, input, { start: first.stop, stop: picture.stop });
  const across = Math.ceil(width / 16), down = Math.ceil(height / 16);
  const chroma = () => makePlane(8 * across, 8 * down);
  const planes: Planes = [makePlane(16 * across, 16 * down), chroma(), chroma()];
  const marks = readMacroblocks(bits, header, planes, across, down);
  smoothAll(header, planes, marks, across);
  writeColours(planes, width, height, output, samples);
  if (samples < 4) return;
  const alpha = picture.alpha && readAlpha(input, picture.alpha, width, height);
  for (let at = 0, to = 3; at < width * height; at++, to += 4) output[to] = alpha ? alpha[at]! : 255;
}

/** What the loop filter needs to know of a macroblock: twice its segment, whether its modes are fine, and `WHOLE`. */
type Marks = Uint8Array;
/** Its edges inside are filtered. */
const WHOLE = 8;

/** Makes the samples of all macroblocks, before the loop filter. */
function readMacroblocks(
  bits: Booleans,
  { segments, factors, probabilities, coded, parts }: Header,
  planes: Planes,
  across: number,
  down: number,
): Marks {
  const modeReader = new ModeReader(bits, across),
    coefficients = new CoefficientReader(probabilities, across);
  const marks = new Uint8Array(across * down);
  for (let y = 0, at = 0; y < down; y++) {
    modeReader.startRow();
    coefficients.startRow(parts[y % parts.length]!);
    for (let x = 0; x < across; x++, at++) {
      const segment = readSegment(bits, segments);
      const isEmpty = coded !== undefined && bits.bit(coded) === 1;
      const modes = modeReader.read(x), { isFine } = modes;
      if (isEmpty) coefficients.skip(x, isFine);
      const hasValues = !isEmpty && coefficients.read(x, isFine, factors[segment]!);
      marks[at] = 2 * segment + (isFine ? 1 : 0) + (isFine || hasValues ? WHOLE : 0);
      makeSamples(planes, 16 * x, 16 * y, 16 * across, modes, hasValues ? coefficients.values : undefined);
    }
  }
  return marks;
}

function readSegment(bits: Booleans, { tree }: Segments): number {
  if (!tree) return 0;
  return bits.bit(tree[0]!) ? 2 + bits.bit(tree[2]!) : bits.bit(tree[1]!);
}

/** Predicts the samples of the macroblock at the sample `x`, `y` of luma, and adds its coefficients. */
function makeSamples(
  planes: Planes,
  x: number,
  y: number,
  width: number,
  { isFine, luma, chroma }: Modes,
  values: Int16Array | undefined,
): void {
  const add = (plane: Plane, x: number, y: number, block: number) => {
    if (values) addBlock(values, 16 * block, plane.samples, placeOf(plane, x, y), plane.stride);
  };
  if (!isFine) predictLarge(planes[0], x, y, 16, luma[0]!);
  for (let i = 0; i < 16; i++) {
    const [left, top] = [x + 4 * (i & 3), y + 4 * (i >> 2)];
    if (isFine) predictSmall(planes[0], left, top, width, luma[i]!);
    add(planes[0], left, top, i);
  }
  for (let p = 1; p < 3; p++) {
    const plane = planes[p]!;
    predictLarge(plane, x / 2, y / 2, 8, chroma);
    for (let i = 0; i < 4; i++) add(plane, x / 2 + 4 * (i & 1), y / 2 + 4 * (i >> 1), 12 + 4 * p + i);
  }
}

/** The loop filter on the whole picture, macroblock by macroblock. */
function smoothAll({ segments, filter }: Header, planes: Planes, marks: Marks, across: number): void {
  if (filter.level === 0) return;
  const kinds = strengths(segments, filter);
  for (let at = 0; at < marks.length; at++) {
    const mark = marks[at]!, x = at % across;
    smooth(planes, x, (at - x) / across, kinds[mark & 7]!, filter.isSimple, mark >= WHOLE);
  }
}

// Alpha of WebP pictures with losses: plain or packed as a lossless picture, as differences from neighbours.
// ```
// unused₂ smoothed₂ filter₂ packing₂   samples, or a lossless picture without its header, whose green they are
// ```
// Source: RFC 9649, section 2.7.1.2.

/** The alpha of each pixel. */
export function readAlpha(input: Uint8Array, part: ByteRange, width: number, height: number): Uint8Array {
  const { start, stop } = part, head = input[start]!;
  if (start >= stop || (head & 0xa2) !== 0) throw wrong("its alpha is of an unknown kind", start);
  const alpha = head & 3 ? unpack(input, part, width, height) : plain(input, part, width * height);
  addNeighbours(alpha, width, head >> 2 & 3);
  return alpha;
}

function plain(input: Uint8Array, { start, stop }: ByteRange, count: number): Uint8Array {
  if (count > stop - start - 1) throw wrong("the input ends too early", stop);
  return Uint8Array.from(input.subarray(start + 1, start + 1 + count));
}

function unpack(input: Uint8Array, { start, stop }: ByteRange, width: number, height: number): Uint8Array {
  const pixels = readPicture(new Bits(input.subarray(0, stop), start + 1), width, height);
  const alpha = new Uint8Array(pixels.length);
  for (let i = 0; i < alpha.length; i++) alpha[i] = pixels[i]! >> 8 & 255;
  return alpha;
}

/** Adds to each sample one of its neighbours: left, above, or left + above − corner; in the first row always left. */
function addNeighbours(alpha: Uint8Array, width: number, filter: number): void {
  if (filter === 0) return;
  for (let at = 1; at < alpha.length; at++) {
    const left = alpha[at - 1]!, above = alpha[at - width]!;
    if (at < width) alpha[at]! += left;
    else if (filter === 2 || at % width === 0) alpha[at]! += above;
    else if (filter === 1) alpha[at]! += left;
    else alpha[at]! += Math.max(0, Math.min(255, left + above - alpha[at - width - 1]!));
  }
}

/** Undoes WebP; values: samples of a pixel, 3 or 4. */
export const webp: ChunkFilter = ({ input, output, values: [samples = 3] }) => {
  const picture = findPicture(input);
  let bytes = 0;
  const check = (width: number, height: number) => {
    const [across, down] = picture.canvas ?? [width, height];
    if (width !== across || height !== down) {
      throw wrong(`${width} × ${height} pixels do not fill its canvas of ${across} × ${down}`, picture.start);
    }
    bytes = width * height * samples;
    if ((samples !== 3 && samples !== 4) || bytes > output.length) {
      throw wrong(`${width} × ${height} pixels of ${samples} samples do not fit ${output.length} bytes`, 0);
    }
  };
  if (picture.isLossless) readLossless(input, picture, check, output, samples);
  else readLossy(input, picture, check, output, samples);
  return bytes;
};
