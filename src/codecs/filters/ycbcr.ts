/**
 * Uncompressed YCbCr samples of TIFF files, with chroma of fewer pixels: to RGB.
 *
 * ```
 * unit of subX × subY pixels   Y Y … (row by row)  Cb Cr
 * ```
 * Source: TIFF 6.0, section 21.
 *
 * @module
 */

import { type ChunkFilter, filterError } from "./common/filter.ts";

const [SHIFT, HALF] = [16, 1 << 15];
const LUMA = [0.299, 0.587, 0.114] as const;
const REFERENCE = [0, 255, 128, 255, 128, 255] as const;

/**
 * Makes RGB of samples of 8 bits. Values: pixels of a unit across and down, width and height of the tile; then, if the file has
 * them, the three coefficients of luma, and the three pairs of reference black and white.
 */
export const ycbcr: ChunkFilter = ({ input, output, values }) => {
  const [across = 1, down = 1, width = 0, height = 0] = values;
  const isKnown = [1, 2, 4].includes(across) && [1, 2, 4].includes(down);
  const room = width * height * 3;
  if (!isKnown || width < 1 || height < 1 || room > output.length) {
    throw filterError(
      "ycbcr",
      `${width} × ${height} pixels in units of ${across} × ${down}, ${output.length} bytes`,
    );
  }
  const unit = across * down + 2, perRow = Math.ceil(width / across);
  const rows = Math.min(height, down * Math.floor(input.length / (unit * perRow)));
  const rgb = converter(values.slice(4, 7), values.slice(7, 13));
  for (let y = 0; y < rows; y++) {
    const line = Math.floor(y / down) * perRow * unit + y % down * across;
    for (let x = 0; x < width; x++) {
      const within = x % across, start = line + (x - within) / across * unit;
      const chroma = start - y % down * across + across * down;
      rgb(output, 3 * (y * width + x), input[start + within]!, input[chroma]!, input[chroma + 1]!);
    }
  }
  return rows * width * 3;
};

/** Writes one pixel at a place of `out`. */
type Convert = (out: Uint8Array, at: number, y: number, cb: number, cr: number) => void;

/** Conversion with tables in 16 bits, as libtiff has it. */
function converter(luma: readonly number[], reference: readonly number[]): Convert {
  const [red, green, blue] = luma.length === 3 && luma[1] !== 0 ? luma as unknown as typeof LUMA : LUMA;
  const range = reference.length === 6 ? reference : REFERENCE;
  const fix = (x: number) => Math.trunc(x * 65536 + 0.5);
  const [toRed, toBlue] = [2 - 2 * red, 2 - 2 * blue].map((x) => Math.max(0, Math.min(2, x))) as [
    number,
    number,
  ];
  const [greenOfRed, greenOfBlue] = [red * toRed / green, blue * toBlue / green].map((x) =>
    -fix(Math.max(0, Math.min(2, x)))
  ) as [number, number];
  const scaled = (code: number, from: number, to: number, most: number) =>
    Math.max(-4096, Math.min(4096, Math.trunc((code - from) * most / (to - from || 1))));
  const table = (make: (code: number) => number) => Int32Array.from({ length: 256 }, (_, code) => make(code));
  const chroma = (from: number) => (code: number) =>
    scaled(code - 128, range[from]! - 128, range[from + 1]! - 128, 127);
  const [blueAt, redAt] = [chroma(2), chroma(4)];
  const light = table((code) => scaled(code, range[0]!, range[1]!, 255));
  const reds = table((code) => fix(toRed) * redAt(code) + HALF >> SHIFT);
  const blues = table((code) => fix(toBlue) * blueAt(code) + HALF >> SHIFT);
  const greenReds = table((code) => greenOfRed * redAt(code));
  const greenBlues = table((code) => greenOfBlue * blueAt(code) + HALF);
  const clamped = (value: number) => value < 0 ? 0 : value > 255 ? 255 : value;
  return (out, at, y, cb, cr) => {
    out[at] = clamped(light[y]! + reds[cr]!);
    out[at + 1] = clamped(light[y]! + (greenBlues[cb]! + greenReds[cr]! >> SHIFT));
    out[at + 2] = clamped(light[y]! + blues[cb]!);
  };
}
