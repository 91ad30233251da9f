/**
 * Colour maps: 256 colours from the lowest to the highest value, all with evenly rising lightness
 * (except `balance`, which is lightest in the middle), so that they stay readable without colour vision.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { oklab } from "./oklab.ts";

/** Names of the colour maps. */
export const COLORMAPS = ["gray", "viridis", "magma", "balance"] as const;

/** A colour map: `balance` is for values of both signs, blue below and red above the middle. */
export type Colormap = typeof COLORMAPS[number];

type Rgb = readonly [number, number, number];

/** Support points, evenly spaced; between them lines. Viridis and magma are in the public domain (CC0). */
const POINTS = {
  gray: [0x000000, 0xffffff],
  viridis: [
    0x440154,
    0x482475,
    0x414487,
    0x355f8d,
    0x2a788e,
    0x21918c,
    0x22a884,
    0x44bf70,
    0x7ad151,
    0xbddf26,
    0xfde725,
  ],
  magma: [
    0x000004,
    0x140e36,
    0x3b0f70,
    0x641a80,
    0x8c2981,
    0xb73779,
    0xde4968,
    0xf7705c,
    0xfe9f6d,
    0xfecf92,
    0xfcfdbf,
  ],
} as const;

const tables = new Map<Colormap, Uint8Array>();

/**
 * The 256 colours of a map, as red, green, blue.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const table = colourTable("gray");
 * assertEquals([table.length, table[0], table[767]], [768, 0, 255]);
 * ```
 */
export function colourTable(name: Colormap): Uint8Array {
  let table = tables.get(name);
  if (!table) tables.set(name, table = makeTable(name));
  return table;
}

/** The colour map of that name; an error that lists the names otherwise. */
export function parseColormap(name: string): Colormap {
  const found = COLORMAPS.find((map) => map === name);
  if (found) return found;
  throw new TilewiseError("invalid", `Unknown colour map "${name}"; known are ${COLORMAPS.join(", ")}`, {
    option: "colormap",
    found: name,
  });
}

function makeTable(name: Colormap): Uint8Array {
  const table = new Uint8Array(768);
  for (let i = 0; i < 256; i++) {
    const t = i / 255;
    table.set(name === "balance" ? balance(t) : between(POINTS[name], t), 3 * i);
  }
  return table;
}

function between(points: readonly number[], t: number): Rgb {
  const at = t * (points.length - 1);
  const low = Math.min(Math.floor(at), points.length - 2);
  return [16, 8, 0].map((bits) => {
    const [a, b] = [points[low]! >> bits & 255, points[low + 1]! >> bits & 255];
    return Math.round(a + (b - a) * (at - low));
  }) as unknown as Rgb;
}

/** Blue, pale in the middle, red: lightness falls equally to both sides, so that ±v stand out alike. */
function balance(t: number): Rgb {
  const side = 2 * t - 1;
  const lightness = 0.96 - 0.58 * Math.abs(side);
  const chroma = 0.19 * Math.sin(Math.min(1, 1.35 * Math.abs(side)) * Math.PI / 2);
  return oklab(lightness, chroma, side < 0 ? 255 : 27);
}
