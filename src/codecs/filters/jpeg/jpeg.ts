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
import { Desk } from "./desk.ts";
import { decodeLossless } from "./lossless.ts";
import { type Frame, Segments, Tables, wrong } from "./markers.ts";

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
  const desk = new Desk(job), target = output.subarray(0, bytes);
  if (frame.kind === 3) decodeLossless(desk, image, scan, rows, target);
  else decodeBlocks(desk, image, scan, rows, colour === 1, target);
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
