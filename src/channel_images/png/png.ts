/**
 * PNG images: all kinds of pixels, 1 to 16 bits, plain or interlaced.
 *
 * Rows of plain files are unpacked one after another, so that the image is never in memory as a whole. An interlaced file is
 * gathered first, as its last pass has pixels of every other row.
 *
 * @module
 */

import { mustFit, type OpenImage, type PutRow } from "../common/image.ts";
import { type PngFile, readPng } from "./chunks.ts";
import { PackedRows, unfilter } from "./rows.ts";
import { type Samples, samplesOf, storedBits } from "./samples.ts";

/** The passes of an interlaced file: first column and row, steps across and down. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Opens the image in `bytes`. Errors: `malformed`, `truncated`, `unsupported`, `over-budget`. */
export function openPng(bytes: Uint8Array<ArrayBuffer>): OpenImage {
  const file = readPng(bytes), samples = samplesOf(file);
  const { width, height } = file;
  return {
    width,
    height,
    samples: samples.samples,
    dtype: samples.bytes === 2 ? "uint16" : "uint8",
    bits: 8 * samples.bytes,
    meaning: samples.meaning,
    decode: (put) => file.isInterlaced ? decodePasses(file, samples, put) : decodeRows(file, samples, put),
  };
}

async function decodeRows(file: PngFile, samples: Samples, put: PutRow): Promise<void> {
  await using packed = new PackedRows(file.packed);
  await eachRow(packed, file, samples, file, put);
  await packed.end();
}

/** Unpacks rows of `width` pixels; a pass of an interlaced file has fewer than the image. */
async function eachRow(
  packed: PackedRows,
  file: PngFile,
  { samples, bytes, make }: Samples,
  { width, height }: Pick<PngFile, "width" | "height">,
  put: PutRow,
): Promise<void> {
  const bits = storedBits(file), length = Math.ceil(width * bits / 8), step = Math.max(1, bits >> 3);
  mustFit(3 * length + width * samples * bytes, `rows of ${width} pixels`);
  const pair = [new Uint8Array(1 + length), new Uint8Array(1 + length)] as const;
  const out = new Uint8Array(width * samples * bytes);
  for (let y = 0; y < height; y++) {
    const stored = pair[y & 1]!;
    await packed.read(stored);
    const row = stored.subarray(1);
    unfilter(stored[0]!, row, pair[~y & 1]!.subarray(1), step);
    make(row, out, width);
    put(y, out);
  }
}

async function decodePasses(file: PngFile, samples: Samples, put: PutRow): Promise<void> {
  const { width, height } = file, size = samples.samples * samples.bytes;
  mustFit(width * height * size, `an interlaced PNG file of ${width} × ${height} pixels`);
  const whole = new Uint8Array(width * height * size);
  await using packed = new PackedRows(file.packed);
  for (const [left, top, across, down] of PASSES) {
    const pass = { width: Math.ceil((width - left) / across), height: Math.ceil((height - top) / down) };
    if (pass.width <= 0 || pass.height <= 0) continue;
    await eachRow(packed, file, samples, pass, (y, row) => {
      for (let x = 0; x < pass.width; x++) {
        const to = ((top + y * down) * width + left + x * across) * size;
        for (let b = 0; b < size; b++) whole[to + b] = row[x * size + b]!;
      }
    });
  }
  await packed.end();
  for (let y = 0; y < height; y++) put(y, whole.subarray(y * width * size, (y + 1) * width * size));
}
