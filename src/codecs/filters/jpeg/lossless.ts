/**
 * Lossless JPEG images (the process of 1992, not JPEG-LS): each sample as the difference from a prediction.
 *
 * @module
 */

import type { Desk } from "./desk.ts";
import { type Scan, type Segments, wrong } from "./markers.ts";
import { BitScan } from "./scan.ts";
import { PLACES } from "./sizes.ts";

/** Decodes an image to `output`, of which `rows` rows are wanted. */
export function decodeLossless(
  desk: Desk,
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
    image.at = losslessScan(desk, image, scan, rows, output.byteOffset);
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
function losslessScan(desk: Desk, image: Segments, scan: Scan, rows: number, out: number): number {
  const { width, precision, components } = image.frame!, { first: predictor, low, at, parts } = scan;
  if (predictor > 7 || low >= precision || components.some(({ across, down }) => across * down > 1)) {
    throw wrong(`a lossless scan with predictor ${predictor}, ${low} bits left out, subsampled or not`, at);
  }
  const bits = new BitScan(desk, image.bytes, scan, image.tables, { dc: true, ac: false });
  parts.forEach(({ component }, p) => desk.ints.set([component, bits.codes(p)[0]], PLACES.plan / 4 + 2 * p));
  const { kernels } = desk;
  const undo = precision > 8 ? kernels.jpeg_lossless_u16 : kernels.jpeg_lossless_u8;
  const args = [
    desk.status,
    desk.state,
    out,
    image.bytes.byteOffset,
    image.bytes.length,
    desk.codes,
  ] as const;
  const size = [rows, width, components.length, bits.interval, predictor, precision - low] as const;
  undo(...args, desk.plan, parts.length, ...size, desk.spare);
  bits.check();
  return bits.end;
}
