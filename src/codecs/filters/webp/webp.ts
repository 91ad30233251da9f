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
import { findPicture } from "./container.ts";
import { readLossless } from "./lossless.ts";
import { readLossy } from "./lossy.ts";
import { wrong } from "./prefix.ts";

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
