/**
 * From the planes of a JPEG image to interleaved samples: chroma is widened to the size of the image, and made RGB.
 *
 * Chroma of half the size is interpolated (3 : 1 between the nearest two), as all widespread readers do; other sizes are repeated.
 *
 * @module
 */

import type { Component, Frame } from "./markers.ts";

/** Samples of 8 or of up to 16 bits. */
export type Samples = Uint8Array | Uint16Array;

/** A component with its samples, in rows of `stride`. */
export interface Plane extends Component {
  readonly samples: Samples;
  readonly stride: number;
}

/** Writes the first `rows` rows of an image to `out`, interleaved; `isRgb`: converts YCbCr to RGB. */
export function interleave(
  frame: Frame,
  planes: readonly Plane[],
  rows: number,
  isRgb: boolean,
  out: Samples,
): void {
  const { width } = frame, count = planes.length;
  const makers = planes.map((plane) => rowMaker(frame, plane));
  for (let y = 0; y < rows; y++) {
    const lines = makers.map((make) => make(y));
    const start = y * width * count;
    if (isRgb && count === 3) rgbRow(lines[0]!, lines[1]!, lines[2]!, width, frame.precision, out, start);
    else if (count === 1) out.set(lines[0]!.subarray(0, width), start);
    else {for (let c = 0; c < count; c++) {
        for (let x = 0, at = start + c; x < width; x++, at += count) out[at] = lines[c]![x]!;
      }}
  }
}

/** Gives rows of a plane in the size of the image; a row is valid until the next one is made. */
function rowMaker(frame: Frame, plane: Plane): (y: number) => Samples {
  const { samples, stride, width, height } = plane;
  const across = frame.across / plane.across, down = frame.down / plane.down;
  const lineAt = (y: number) => {
    const from = Math.max(0, Math.min(height - 1, y)) * stride;
    return samples.subarray(from, from + width);
  };
  if (across === 1 && down === 1) return lineAt;
  const row = samples instanceof Uint8Array
    ? new Uint8Array(frame.width + 1)
    : new Uint16Array(frame.width + 1);
  const other = (y: number) => (y >> 1) + (y & 1 ? 1 : -1); // the second nearest row
  if (across === 2 && down === 1 && width > 2) return (y) => doubled(lineAt(y), row);
  if (across === 2 && down === 2 && width > 2) {
    return (y) => doubledTwice(lineAt(y >> 1), lineAt(other(y)), row);
  }
  if (across === 1 && down === 2) {
    return (y) => {
      const near = lineAt(y >> 1), far = lineAt(other(y)), bias = y & 1 ? 2 : 1;
      for (let x = 0; x < width; x++) row[x] = 3 * near[x]! + far[x]! + bias >> 2;
      return row;
    };
  }
  return (y) => {
    const line = lineAt(Math.floor(y / down));
    for (let x = 0; x < frame.width; x++) row[x] = line[Math.floor(x / across)]!;
    return row;
  };
}

function doubled(line: Samples, row: Samples): Samples {
  const last = line.length - 1;
  for (let i = 0; i <= last; i++) {
    const three = 3 * line[i]!;
    row[2 * i] = i === 0 ? line[0]! : three + line[i - 1]! + 1 >> 2;
    row[2 * i + 1] = i === last ? line[last]! : three + line[i + 1]! + 2 >> 2;
  }
  return row;
}

function doubledTwice(near: Samples, far: Samples, row: Samples): Samples {
  const last = near.length - 1;
  let before = 0, sum = 3 * near[0]! + far[0]!;
  for (let i = 0; i <= last; i++) {
    const next = i < last ? 3 * near[i + 1]! + far[i + 1]! : 0;
    row[2 * i] = i === 0 ? 4 * sum + 8 >> 4 : 3 * sum + before + 8 >> 4;
    row[2 * i + 1] = i === last ? 4 * sum + 7 >> 4 : 3 * sum + next + 7 >> 4;
    before = sum;
    sum = next;
  }
  return row;
}

/** Factors of YCbCr in 16 bits: 1.402, 1.772, 0.71414, 0.34414. */
const [RED, BLUE, GREEN_RED, GREEN_BLUE] = [91881, 116130, 46802, 22554];

function rgbRow(
  luma: Samples,
  blue: Samples,
  red: Samples,
  width: number,
  precision: number,
  out: Samples,
  start: number,
): void {
  const most = (1 << precision) - 1, middle = 1 << precision - 1;
  const clamped = (value: number) => value < 0 ? 0 : value > most ? most : value;
  for (let x = 0, at = start; x < width; x++, at += 3) {
    const y = luma[x]!, cb = blue[x]! - middle, cr = red[x]! - middle;
    out[at] = clamped(y + (RED * cr + 32768 >> 16));
    out[at + 1] = clamped(y + (-GREEN_BLUE * cb - GREEN_RED * cr + 32768 >> 16));
    out[at + 2] = clamped(y + (BLUE * cb + 32768 >> 16));
  }
}
