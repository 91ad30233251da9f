/**
 * Colour maps: 256 colours from the lowest to the highest value.
 *
 * Colour maps taken from matplotlib are the same to the byte (`colormap_tables.ts`). `signed` is an additional map, for
 * values of both signs. A name followed by `_r` is the same map in reverse.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { OptionRule } from "../../options.ts";
import { must } from "../../options/rules.ts";
import { fromBase64 } from "../../space/bytes.ts";
import { COLORMAP_TABLES } from "./colormap_tables.ts";
import { oklab } from "./oklab.ts";

/**
 * Names of the colour maps.
 * @category Results
 */
export const COLORMAPS = [
  "gray",
  "viridis",
  "magma",
  "inferno",
  "plasma",
  "cividis",
  "turbo",
  "twilight",
  "coolwarm",
  "RdBu",
  "signed",
] as const;

/**
 * A colour map; with `_r` in reverse. `signed`, `coolwarm` and `RdBu` are for values of both signs; `twilight` ends
 * with the colour it begins with, for angles.
 * @category Results
 */
export type Colormap = typeof COLORMAPS[number] | `${typeof COLORMAPS[number]}_r`;

type Name = typeof COLORMAPS[number];
type Rgb = readonly [number, number, number];

/** Maps whose middle stands for zero. */
const DIVERGING: readonly string[] = ["signed", "coolwarm", "RdBu"] satisfies readonly Name[];

/** Whether the middle of a map stands for zero, so that limits must be symmetric. */
export function isDiverging(map: Colormap): boolean {
  return DIVERGING.includes(map.replace(/_r$/, ""));
}

const KNOWN = `${COLORMAPS.join(", ")}, and each from the other end, as in viridis_r`;

function isColormap(name: unknown): name is Colormap {
  return typeof name === "string" && (COLORMAPS as readonly string[]).includes(name.replace(/_r$/, ""));
}

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

/** The colour map with this name; otherwise throws an error that lists the names. */
export function parseColormap(name: string): Colormap {
  if (isColormap(name)) return name;
  throw new TilewiseError("invalid", `Unknown colour map "${name}"; known are ${KNOWN}`, {
    option: "colormap",
    found: name,
  });
}

/** The rule for names of colour maps. */
export const colormapRule: OptionRule<Colormap> = must(`one of ${KNOWN}`, isColormap);

function makeTable(name: Colormap): Uint8Array {
  const stored = (COLORMAP_TABLES as Readonly<Record<string, string>>)[name];
  if (stored !== undefined) return fromBase64(stored);
  const base = name.replace(/_r$/, "") as Name;
  if (base !== name) return backwards(colourTable(base));
  const table = new Uint8Array(768);
  for (let i = 0; i < 256; i++) table.set(name === "gray" ? [i, i, i] : signed(i / 255), 3 * i);
  return table;
}

function backwards(table: Uint8Array): Uint8Array {
  return table.map((_, i) => table[3 * (255 - Math.floor(i / 3)) + i % 3]!);
}

/** Blue, pale in the middle, red: lightness falls equally towards both ends, so that v and −v are equally visible. */
function signed(t: number): Rgb {
  const side = 2 * t - 1;
  const lightness = 0.96 - 0.58 * Math.abs(side);
  const chroma = 0.19 * Math.sin(Math.min(1, 1.35 * Math.abs(side)) * Math.PI / 2);
  return oklab(lightness, chroma, side < 0 ? 255 : 27);
}
