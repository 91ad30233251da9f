/**
 * WebP pictures with losses: a key frame of VP8, and alpha beside it.
 *
 * ```
 * macroblock   16 × 16 of luma, 8 × 8 of U and V:   prediction from what is decoded + inverse transform of coefficients
 * picture      macroblocks row by row, then the loop filter, then interpolation of chroma and RGB
 * ```
 * Source: RFC 6386. Samples are the same as by libwebp, to the last bit.
 *
 * @module
 */

import { readAlpha } from "./alpha.ts";
import { Booleans } from "./booleans.ts";
import { CoefficientReader } from "./coefficients.ts";
import { writeColours } from "./colour.ts";
import type { Picture } from "./container.ts";
import { addBlock } from "./cosine.ts";
import { type Header, readHeader, readStart, type Segments } from "./header.ts";
import type { CheckSize } from "./lossless.ts";
import { ModeReader, type Modes } from "./modes.ts";
import { makePlane, placeOf, type Plane } from "./planes.ts";
import { predictLarge, predictSmall } from "./predict.ts";
import { smooth, strengths } from "./smooth.ts";

/** Planes of luma, U and V. */
type Planes = readonly [Plane, Plane, Plane];

/** Writes the pixels of the picture to `output`, each of `samples` samples. */
export function readLossy(
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
