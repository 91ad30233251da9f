/**
 * Planes of luma and chroma of WebP pictures with losses to RGB. Chroma has half the width and height; between its
 * samples it is interpolated, 9 : 3 : 3 : 1.
 *
 * @module
 */

import { placeOf, type Plane } from "./planes.ts";

/** Fractions of 2¹⁴, and offsets, as libwebp has them. */
const high = (value: number, factor: number) => value * factor >> 8;

/** Writes the pixels to `output`, each of `samples` samples. */
export function writeColours(
  [luma, ...chroma]: readonly [Plane, Plane, Plane],
  width: number,
  height: number,
  output: Uint8Array | Uint8ClampedArray,
  samples: number,
): void {
  const [us, vs] = [new Uint8Array(width), new Uint8Array(width)];
  for (let y = 0, to = 0; y < height; y++) {
    interpolate(chroma[0], width, height, y, us);
    interpolate(chroma[1], width, height, y, vs);
    for (let x = 0, from = placeOf(luma, 0, y); x < width; x++, from++, to += samples) {
      const grey = high(luma.samples[from]!, 19077), u = us[x]!, v = vs[x]!;
      output[to] = sample(grey + high(v, 26149) - 14234);
      output[to + 1] = sample(grey - high(u, 6419) - high(v, 13320) + 8708);
      output[to + 2] = sample(grey + high(u, 33050) - 17685);
    }
  }
}

/** A sample of 8 bits, from one with 6 bits more. */
function sample(value: number): number {
  return value < 0 ? 0 : value > 16383 ? 255 : value >> 6;
}

/** Chroma of row `y` of the picture. */
function interpolate(plane: Plane, width: number, height: number, y: number, row: Uint8Array): void {
  const { samples } = plane, lastX = width - 1 >> 1, lastY = height - 1 >> 1;
  const near = placeOf(plane, 0, y >> 1);
  const far = placeOf(plane, 0, Math.max(0, Math.min(lastY, y & 1 ? (y >> 1) + 1 : (y >> 1) - 1)));
  for (let x = 0; x < width; x++) {
    const at = x >> 1, other = Math.max(0, Math.min(lastX, x & 1 ? at + 1 : at - 1));
    row[x] = 9 * samples[near + at]! + 3 * (samples[near + other]! + samples[far + at]!) +
        samples[far + other]! + 8 >> 4;
  }
}
