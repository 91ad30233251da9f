/**
 * From rows of an image to pixels of red, green, blue and alpha, of eight bits each.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { dtypeInfo } from "../space/dtype.ts";
import type { OpenImage } from "./common/image.ts";

/** Writes the pixels of `row` to `out`, four bytes each. */
export type ToRgba = (row: Uint8Array, out: Uint8Array) => void;

/**
 * What makes such pixels of the rows of `image`. Samples of more than 8 bits lose their lower bits, samples of fewer are spread,
 * truth values become 0 and 255. Errors: `unsupported`, for samples that are not brightness of whole numbers.
 *
 * @example Two gray pixels of 16 bits
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const image = { width: 2, height: 1, samples: 1, dtype: "uint16", bits: 16, meaning: "gray" } as const;
 * const out = new Uint8Array(8);
 * toRgba({ ...image, decode: () => {} })(Uint8Array.of(0, 1, 255, 255), out);
 * assertEquals([...out], [1, 1, 1, 255, 255, 255, 255, 255]);
 * ```
 */
export function toRgba(image: OpenImage): ToRgba {
  const { samples, meaning, width } = image;
  const eight = eightBits(image);
  const colours = meaning === "colours" ? 3 : 1;
  if (meaning === "unknown" || samples < colours || samples > colours + 1) throw notBrightness(image);
  const hasAlpha = samples > colours, last = colours - 1;
  const flip = meaning === "white is zero" ? 255 : 0;
  return (row, out) => {
    for (let x = 0; x < width; x++) {
      const from = x * samples;
      out[4 * x] = eight(row, from) ^ flip;
      out[4 * x + 1] = eight(row, from + (last >> 1)) ^ flip;
      out[4 * x + 2] = eight(row, from + last) ^ flip;
      out[4 * x + 3] = hasAlpha ? eight(row, from + colours) : 255;
    }
  };
}

/** Sample `i` of a row in eight bits. */
function eightBits(image: OpenImage): (row: Uint8Array, i: number) => number {
  const { dtype, bits } = image;
  if (dtype === "bool") return (row, i) => row[i] ? 255 : 0;
  if (dtypeInfo(dtype).kind !== "u" || bits > 16) throw notBrightness(image);
  const value = dtype === "uint8"
    ? (row: Uint8Array, i: number) => row[i]!
    : (row: Uint8Array, i: number) => row[2 * i]! | row[2 * i + 1]! << 8;
  if (bits === 8) return value;
  if (bits > 8) return (row, i) => Math.min(255, value(row, i) >> (bits - 8));
  const factor = 255 / (2 ** bits - 1);
  return (row, i) => Math.min(255, Math.round(value(row, i) * factor));
}

function notBrightness({ samples, dtype, meaning, bits }: OpenImage): TilewiseError {
  const found = `${samples} × ${dtype} of ${bits} bits${
    meaning === "unknown" ? ", whose colours are not known" : ""
  }`;
  const text = `Cannot make RGBA of pixels of ${found}; load the native samples`;
  return new TilewiseError("unsupported", text, { found });
}
