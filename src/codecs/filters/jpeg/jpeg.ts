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
import { decodeBlocks } from "./blocks.ts";
import { BitScan, JpegWorkspace } from "./scan.ts";
import { type Frame, type Scan, Segments, Tables, wrong } from "./markers.ts";
import { PLACES } from "./sizes.ts";

/** Undoes JPEG; values: width and height of the tile, samples of a pixel, whether to make RGB of YCbCr, bytes of tables. */
export const jpeg: ChunkFilter = (job) => {
  const { input, output, values } = job;
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
  const work = new JpegWorkspace(job), target = output.subarray(0, bytes);
  if (frame.kind === 3) decodeLossless(work, image, scan, rows, target);
  else decodeBlocks(work, image, scan, rows, colour === 1, target);
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

/** Decodes an image to `output`, of which `rows` rows are wanted. */
function decodeLossless(
  work: JpegWorkspace,
  image: Segments,
  first: Scan,
  rows: number,
  output: Uint8Array,
): void {
  const { components, precision } = image.frame!;
  let left = components.length;
  let low = 0;
  for (let scan: Scan | undefined = first; scan && left > 0; scan = image.next()) {
    if (left < components.length && scan.low !== low) throw wrong("scans leave out different bits", scan.at);
    low = scan.low;
    image.at = losslessScan(work, image, scan, rows, output.byteOffset);
    left -= scan.parts.length;
  }
  if (left > 0) throw wrong("a component is missing", image.at);
  if (low === 0) return;
  const isWide = precision > 8;
  const view = new DataView(output.buffer, output.byteOffset, output.length);
  for (let i = 0; i < output.length; i += isWide ? 2 : 1) {
    if (isWide) view.setUint16(i, view.getUint16(i, true) << low, true);
    else output[i] = output[i]! << low;
  }
}

/** Reads a scan; where it ends. */
function losslessScan(work: JpegWorkspace, image: Segments, scan: Scan, rows: number, out: number): number {
  const { width, precision, components } = image.frame!, { first: predictor, low, at, parts } = scan;
  if (predictor > 7 || low >= precision || components.some(({ across, down }) => across * down > 1)) {
    throw wrong(`a lossless scan with predictor ${predictor}, ${low} bits left out, subsampled or not`, at);
  }
  const bits = new BitScan(work, image.bytes, scan, image.tables, { dc: true, ac: false });
  parts.forEach(({ component }, p) => work.ints.set([component, bits.codes(p)[0]], PLACES.plan / 4 + 2 * p));
  const { kernels } = work;
  const undo = precision > 8 ? kernels.jpeg_lossless_u16 : kernels.jpeg_lossless_u8;
  const args = [
    work.status,
    work.state,
    out,
    image.bytes.byteOffset,
    image.bytes.length,
    work.codes,
  ] as const;
  const size = [rows, width, components.length, bits.interval, predictor, precision - low] as const;
  undo(...args, work.plan, parts.length, ...size, work.spare);
  bits.check();
  return bits.end;
}
