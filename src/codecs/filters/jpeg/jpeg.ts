/**
 * JPEG, as TIFF tiles have it: sequential and progressive images of 8 or 12 bits, lossless ones of 2 to 16 bits; tables may
 * lie outside of the tile. Samples of more than 8 bits come out as 16 bits, little-endian.
 *
 * Whether samples are YCbCr is a value: TIFF files say so themselves, and what markers in the tile say may contradict it.
 *
 * Source: ITU-T T.81; TIFF technical note 2.
 *
 * @module
 */

import type { ChunkFilter } from "../common/filter.ts";
import { wrong } from "./bits.ts";
import { progressiveScan, sequentialScan } from "./blocks.ts";
import { samplesOf } from "./cosine.ts";
import { losslessScan } from "./lossless.ts";
import { type Frame, type Scan, Segments, Tables } from "./markers.ts";
import { interleave, type Plane, type Samples } from "./planes.ts";

/** Undoes JPEG; values: width and height of the tile, samples of a pixel, whether to make RGB of YCbCr, bytes of tables. */
export const jpeg: ChunkFilter = ({ input, output, values }) => {
  const [width = 0, height = 0, samples = 1, colour = 0] = values;
  const tables = new Tables();
  if (values.length > 4) new Segments(Uint8Array.from(values.slice(4)), tables).next();
  const image = new Segments(input, tables);
  const scan = image.next();
  const { frame } = image;
  if (!scan || !frame) throw wrong("it has no image", image.at);
  const rows = rowsOf(frame, width, height, samples);
  const bytes = rows * width * samples * (frame.precision > 8 ? 2 : 1);
  if (bytes > output.length) throw wrong(`${bytes} bytes do not fit ${output.length}`, 0);
  if (frame.kind === 3) lossless(image, scan, output.subarray(0, bytes));
  else blocks(image, scan, rows, colour === 1, output.subarray(0, bytes));
  return bytes;
};

/** Rows of the image that the tile has; lossless tiles may have pixels of two samples as two components. */
function rowsOf(frame: Frame, width: number, height: number, samples: number): number {
  const { components: { length: count } } = frame;
  const isSame = frame.kind === 3
    ? frame.width * count === width * samples
    : frame.width === width && count === samples;
  if (!isSame || frame.height > height + 64) {
    const found = `${frame.width} × ${frame.height} × ${count}`;
    throw wrong(`it is an image of ${found}, not of ${width} × ${height} × ${samples}`, 0);
  }
  return Math.min(height, frame.height);
}

function lossless(image: Segments, first: Scan, output: Uint8Array): void {
  const frame = image.frame!, { width, height, precision, components } = frame;
  const all = new Uint16Array(width * height * components.length);
  let left = components.length;
  for (let scan: Scan | undefined = first; scan && left > 0; scan = image.next()) {
    image.at = losslessScan(image.bytes, frame, scan, image.tables, all);
    if (scan.low > 0) { for (let i = 0; i < all.length; i++) all[i]! <<= scan.low; }
    left -= scan.parts.length;
  }
  if (left > 0) throw wrong("a component is missing", image.at);
  write(precision > 8 ? all : Uint8Array.from(all), output);
}

function blocks(image: Segments, first: Scan, rows: number, isRgb: boolean, output: Uint8Array): void {
  const frame = image.frame!;
  const make = (length: number) => frame.precision > 8 ? new Uint16Array(length) : new Uint8Array(length);
  const planes: readonly Plane[] = frame.components.map((component) => ({
    ...component,
    stride: 8 * component.columns,
    samples: make(64 * component.columns * component.rows),
  }));
  (frame.kind === 2 ? progressive : sequential)(image, first, planes);
  const out = make(frame.width * rows * planes.length);
  interleave(frame, planes, rows, isRgb, out);
  write(out, output);
}

function write(samples: Samples, output: Uint8Array): void {
  output.set(new Uint8Array(samples.buffer, samples.byteOffset, output.length));
}

function tableOf(image: Segments, { table }: Plane): Uint16Array {
  const found = image.tables.quantization[table];
  if (!found) throw wrong(`the quantization table ${table} is missing`, image.at);
  return found;
}

/** Every component is whole after one scan. */
function sequential(image: Segments, first: Scan, planes: readonly Plane[]): void {
  const frame = image.frame!;
  let left = planes.length;
  for (let scan: Scan | undefined = first; left > 0; scan = image.next()) {
    if (!scan) throw wrong("a component is missing", image.at);
    const tables = planes.map((plane, c) =>
      scan!.parts.some(({ component }) => component === c) ? tableOf(image, plane) : undefined
    );
    image.at = sequentialScan(image.bytes, frame, scan, image.tables, (c, row, column, block) => {
      const { samples, stride } = planes[c]!;
      samplesOf(block, tables[c]!, samples, 8 * (row * stride + column), stride, frame.precision);
    });
    left -= scan.parts.length;
  }
}

/** Scans add to coefficients; samples are computed after the last one. */
function progressive(image: Segments, first: Scan, planes: readonly Plane[]): void {
  const frame = image.frame!;
  const coefficients = planes.map(({ columns, rows }) => new Int16Array(64 * columns * rows));
  const seen = new Set<number>();
  let scans = 0;
  for (let scan: Scan | undefined = first; scan; scan = image.next()) {
    if (++scans > MOST_SCANS) throw wrong(`it has more than ${MOST_SCANS} scans`, image.at);
    image.at = progressiveScan(image.bytes, frame, scan, image.tables, coefficients);
    if (scan.first === 0) { for (const { component } of scan.parts) seen.add(component); }
  }
  if (seen.size < planes.length) throw wrong("a component is missing", image.at);
  planes.forEach((plane, c) => {
    const { samples, stride, columns } = plane, table = tableOf(image, plane);
    for (let at = 0, n = 0; at < coefficients[c]!.length; at += 64, n++) {
      const place = 8 * (Math.floor(n / columns) * stride + n % columns);
      samplesOf(coefficients[c]!.subarray(at, at + 64), table, samples, place, stride, frame.precision);
    }
  });
}

/** Writers make about ten; each costs as much as an image. */
const MOST_SCANS = 100;
