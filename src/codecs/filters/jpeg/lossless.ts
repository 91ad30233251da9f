/**
 * Lossless JPEG images (the process of 1992, not JPEG-LS): each sample as the difference from a prediction.
 *
 * @module
 */

import { BitReader, wrong } from "./bits.ts";
import type { Frame, Scan, Tables } from "./markers.ts";

/** Reads a scan into interleaved samples; where it ends. */
export function losslessScan(
  bytes: Uint8Array,
  frame: Frame,
  scan: Scan,
  tables: Tables,
  out: Uint16Array,
): number {
  const { width, height, precision, components } = frame;
  const { first: predictor, low, at, parts } = scan;
  if (predictor > 7 || low >= precision || components.some(({ across, down }) => across * down > 1)) {
    throw wrong(`a lossless scan with predictor ${predictor}, ${low} bits left out, subsampled or not`, at);
  }
  const codes = parts.map(({ dc }) => {
    const code = tables.dc[dc];
    if (!code) throw wrong(`the Huffman table ${dc} is missing`, at);
    return code;
  });
  const bits = new BitReader(bytes, at);
  const count = components.length, stride = width * count, middle = 1 << precision - low - 1;
  let isFirst = true; // in the first row after a restart, samples are predicted from their left
  for (let y = 0, unit = 0; y < height; y++) {
    for (let x = 0; x < width; x++, unit++) {
      if (tables.interval > 0 && unit > 0 && unit % tables.interval === 0) {
        bits.restart();
        isFirst = true;
      }
      for (let p = 0; p < parts.length; p++) {
        const size = bits.symbol(codes[p]!);
        if (size > 16) throw wrong(`a difference of ${size} bits`, bits.at);
        const difference = size === 16 ? 32768 : bits.signed(size);
        const i = y * stride + x * count + parts[p]!.component;
        out[i] = difference +
          (isFirst
            ? x === 0 ? middle : out[i - count]!
            : x === 0
            ? out[i - stride]!
            : predicted(predictor, out[i - count]!, out[i - stride]!, out[i - stride - count]!));
      }
    }
    bits.check();
    isFirst = false;
  }
  return bits.at;
}

/** From the samples to the left, above, and above the left one. */
function predicted(predictor: number, a: number, b: number, c: number): number {
  switch (predictor) {
    case 0:
      return 0;
    case 1:
      return a;
    case 2:
      return b;
    case 3:
      return c;
    case 4:
      return a + b - c;
    case 5:
      return a + (b - c >> 1);
    case 6:
      return b + (a - c >> 1);
    default:
      return a + b >> 1;
  }
}
