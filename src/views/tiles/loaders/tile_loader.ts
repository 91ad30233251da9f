/**
 * The interface of tile loaders: what a user writes to show data of any kind as views. A loader gives facts about the
 * array and its levels, and fills one tile at a time.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { wholeUrl } from "../../../executor/module_url.ts";
import { checkOptionNames, defined, inWords, type OptionNames } from "../../../options.ts";
import { each, text } from "../../../options/rules.ts";
import { importExport } from "../../../runner/import_export.ts";
import { mustTravel } from "../../../runner/travel.ts";
import { type ArrayOf, type DType, DTYPES } from "../../../space/dtype.ts";
import { gridOf } from "../../../space/box.ts";
import { dtypeName } from "../../../space/rules.ts";
import type { Shape } from "../../../space/shape.ts";
import type { SingleLayout } from "../../plan.ts";

/**
 * One level of an array in tiles.
 * @category Views
 */
export interface TileLevel {
  /** Samples per dimension, slowest dimension first. */
  readonly shape: Shape;
  /** Samples of a tile per dimension. Tiles at the end of a dimension may stick out. */
  readonly tile: Shape;
  /** Samples of level 0 per sample, per dimension. Default: from the sizes. */
  readonly scale?: readonly number[];
}

/**
 * Loads the tiles of an array, one at a time.
 * @category Views
 */
export interface TileLoader<D extends DType = DType> {
  /** Type of the samples. */
  readonly dtype: D;
  /** The levels, the one with the full resolution first; all have the same number of dimensions. */
  readonly levels: readonly TileLevel[];
  /** Path or name of the data, for errors. */
  readonly name?: string;
  /** Names of the dimensions. */
  readonly names?: readonly string[];
  /** Known facts about the data. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /**
   * Writes the samples of tile `index` of `level` to `target`, which has the size of a whole tile, row-major. Samples
   * of a tile that lie outside of the array are never read. `signal` fires when nobody waits for the tile any more.
   */
  load(index: Shape, level: number, target: ArrayOf<D>, signal: AbortSignal): void | Promise<void>;
  /**
   * Called once after the last tile, when loads that were under way have ended. Disposal of views does not wait for such loads, as
   * they may never end; `context.settled()` does.
   */
  close?(): void | Promise<void>;
}

/**
 * Options of {@link tileLoader}.
 * @category Views
 */
export interface TileLoaderOptions<D extends DType = DType> {
  /** The export of the module. Default `default`. */
  readonly export?: string;
  /** The argument of the export. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Type of its samples, for the compiler; a loader that has another one is refused. */
  readonly dtype?: D;
}

/**
 * A loader that travels: each worker makes its own one of the export of a module.
 * @category Views
 */
export interface TileLoaderModule<D extends DType = DType> {
  /** Type of the samples, if it was given. */
  readonly dtype?: D;
  /** URL of the module. */
  readonly module: string;
  /** The export: a function that makes a {@link TileLoader}. */
  readonly export: string;
  /** Its argument. */
  readonly params: Readonly<Record<string, unknown>>;
}

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<TileLoaderOptions> = {
  export: text, params: each("an object of parameters by name", () => {}), dtype: dtypeName,
};

/**
 * A tile loader for workers: an export of the module at `url`, a function that is called with `params` and gives a
 * {@link TileLoader}. It is called once on each worker, and once on the calling thread for the facts.
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { tileLoader } from "@tilewise/tilewise/unstable/views";
 * import { openViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const module = `data:text/javascript,export default ({ value }) => ({
 *   dtype: "uint8", levels: [{ shape: [4, 4], tile: [2, 2] }],
 *   load: (index, level, target) => target.fill(value),
 * })`;
 * await using context = createContext({ workers: 1, memory: "1MiB" });
 * await using views = await openViews(tileLoader(module, { params: { value: 7 } }), { context });
 * using view = await views.read([1, 0]);
 * assertEquals(view.data, Uint8Array.of(7, 7, 7, 7));
 * ```
 * @category Views
 */
export function tileLoader<const D extends DType = DType>(
  url: string | URL,
  options: TileLoaderOptions<D> = {},
): TileLoaderModule<D> {
  checkOptionNames("tileLoader()", options, OPTIONS);
  const { export: name = "default", params = {}, dtype } = options;
  mustTravel(`Tile loader "${name}"`, params);
  const module = wholeUrl(url, "use the tile loader");
  return { module, export: name, params, ...defined({ dtype }) };
}

/** Whether `value` is a loader, not the module of one. */
export function isLoader(value: unknown): value is TileLoader {
  return typeof (value as Partial<TileLoader> | null)?.load === "function";
}

/** Whether `value` is what {@link tileLoader} makes. */
export function isLoaderModule(value: unknown): value is TileLoaderModule {
  const { module, export: name } = (value ?? {}) as Partial<TileLoaderModule>;
  return typeof module === "string" && typeof name === "string";
}

/** Refuses loaders whose facts cannot be right. */
export function checkLoader(loader: TileLoader): void {
  const name = typeof loader.name === "string" ? loader.name : "the tile loader";
  const refuse = (why: string, found: unknown) => {
    throw new TilewiseError("invalid", `Cannot use ${name}: ${why}`, { found: inWords(found) });
  };
  const { dtype, levels, names } = loader;
  if (!DTYPES.includes(dtype)) {
    refuse(`its dtype is ${inWords(dtype)}; known are ${DTYPES.join(", ")}`, dtype);
  }
  if (!Array.isArray(levels) || levels.length === 0) {
    refuse("it has no levels; give levels: [{ shape, tile }]", levels);
  }
  const rank = levels[0]?.shape?.length ?? 0;
  if (rank === 0) refuse("its level 0 has no dimensions", levels[0]?.shape);
  for (const [level, { shape, tile, scale }] of levels.entries()) {
    gridOf(shape, tile);
    if (shape.length !== rank) {
      refuse(`level ${level} has ${shape.length} dimensions, level 0 has ${rank}`, shape);
    }
    if (scale && scale.length !== rank) {
      refuse(`level ${level} has ${scale.length} scales, not ${rank}`, scale);
    }
    if (scale && !scale.every((one: number) => Number.isFinite(one) && one > 0)) {
      refuse(`level ${level} has the scales ${scale.join(", ")}; they must be numbers above 0`, scale);
    }
  }
  if (names) mustBeNames(names, rank, refuse);
  for (const [field, kind] of FIELDS) {
    const value = loader[field];
    if (value !== undefined && (value === null || typeof value !== kind)) {
      refuse(`its ${field} is ${inWords(value)}; it must be ${KINDS[kind]}`, value);
    }
  }
}

const KINDS = { string: "a text", function: "a function", object: "an object of facts by name" } as const;

/** Fields that a loader need not have. */
const FIELDS: readonly (readonly [keyof TileLoader, keyof typeof KINDS])[] = [
  ["name", "string"],
  ["metadata", "object"],
  ["close", "function"],
];

function mustBeNames(
  names: readonly string[],
  rank: number,
  refuse: (why: string, found: unknown) => void,
): void {
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) {
    return refuse(`its names are ${inWords(names)}; they must be a list of texts`, names);
  }
  if (names.length !== rank) refuse(`it has ${names.length} names for ${rank} dimensions`, names);
  if (new Set(names).size !== rank) refuse(`two dimensions have one name: ${names.join(", ")}`, names);
}

// How a thread gets a tile loader.

/** How a thread gets a loader. */
export type LoaderSpec =
  | { readonly kind: "arrays"; readonly levels: readonly SingleLayout[] }
  | { readonly kind: "module"; readonly loader: TileLoaderModule; readonly levels: readonly number[] }
  | { readonly kind: "here"; readonly loader: TileLoader; readonly levels: readonly number[] };

/** Makes the loader of a module on this thread. */
export async function makeLoader(
  { module, export: name, params, dtype }: TileLoaderModule,
): Promise<TileLoader> {
  const make = await importExport(module, name, "tile loader");
  const loader = typeof make === "function" ? await make(params) : undefined;
  if (isLoader(loader)) {
    if (dtype === undefined || loader.dtype === dtype) return loader;
    const text = `Cannot use "${name}" of ${module}: it loads ${loader.dtype}, not ${dtype}`;
    throw new TilewiseError("udf", text, { option: "dtype", expected: loader.dtype, found: dtype });
  }
  const found = inWords(typeof make === "function" ? loader : make);
  const text = `Cannot use "${name}" of ${module}: it must be a function that gives a tile loader; ` +
    (typeof make === "function" ? `it gave ${found}` : `it is ${found}`);
  throw new TilewiseError("udf", text, { file: module, found });
}
