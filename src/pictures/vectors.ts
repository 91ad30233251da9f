/**
 * Pictures of vector fields: the hue is the direction, the lightness the length.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { NdArray } from "../space/ndarray.ts";
import { sameShape, showShape } from "../space/shape.ts";
import { oklab } from "./oklab.ts";
import type { Raster } from "./png.ts";
import { limitsOf, numbersOf, scaled } from "./scale.ts";

const HUES = 120;
const LENGTHS = 64;

let colours: Uint8Array | undefined;

/**
 * The picture of the field with components `y` (down) and `x` (right), as RGBA; dark where it vanishes, transparent
 * where a component is NaN or not valid. To the right is red, down yellow-green, left cyan, up violet.
 *
 * @param longest the length that is brightest; default: the longest there is
 *
 * @example
 * ```ts
 * import { ndarray } from "../space/ndarray.ts";
 * import { assertEquals } from "@std/assert";
 * const at = (v: number) => ndarray(Float64Array.of(v, NaN), [1, 2], "float64");
 * const { data } = vectorPicture(at(0), at(1));
 * assertEquals([data[3], data[7]], [255, 0]);
 * ```
 */
export function vectorPicture(y: NdArray, x: NdArray, longest?: number): Raster {
  if (y.shape.length !== 2 || !sameShape(y.shape, x.shape)) {
    const text = `Cannot show vectors of ${showShape(y.shape)} and ${
      showShape(x.shape)
    }; both need the same two dimensions`;
    throw new TilewiseError("invalid", text);
  }
  const [down, right] = [numbersOf(y), numbersOf(x)];
  const lengths = down.map((v, i) => Math.hypot(v, right[i]!));
  const limits = [0, longest ?? limitsOf(lengths)[1]] as const;
  const table = colours ??= makeTable();
  const data = new Uint8Array(4 * lengths.length);
  lengths.forEach((length, i) => {
    if (Number.isNaN(length)) return;
    const turn = Math.atan2(down[i]!, right[i]!) / (2 * Math.PI);
    const hue = Math.round((turn + 1) * HUES) % HUES;
    const entry = 3 * (hue * LENGTHS + Math.round(scaled(length, limits) * (LENGTHS - 1)));
    data.set(table.subarray(entry, entry + 3), 4 * i);
    data[4 * i + 3] = 255;
  });
  return { height: y.shape[0]!, width: y.shape[1]!, channels: 4, data };
}

/** Lightness and chroma grow together, so that short vectors do not shout. */
function makeTable(): Uint8Array {
  const table = new Uint8Array(3 * HUES * LENGTHS);
  for (let hue = 0; hue < HUES; hue++) {
    for (let length = 0; length < LENGTHS; length++) {
      const share = length / (LENGTHS - 1);
      const colour = oklab(0.16 + 0.6 * share, 0.16 * Math.sqrt(share), 29 + hue * 360 / HUES);
      table.set(colour, 3 * (hue * LENGTHS + length));
    }
  }
  return table;
}
