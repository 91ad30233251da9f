/**
 * Tiles of images for pages: any level, any image of a stack, decoded by workers, filtered as they are asked for.
 *
 * @module
 */

import { throwIfAborted, TilewiseError } from "../errors.ts";
import { checkOptionNames, defined, type OptionNames } from "../options.ts";
import { must, needed, signal as signalRule, whole } from "../options/rules.ts";
import { copyBox } from "../memory/copy_box.ts";
import { viewOf } from "../memory/strided.ts";
import { type Context, insideOf } from "../runner/context.ts";
import { context as contextRule } from "../runner/rules.ts";
import { type BorderInput, borderRule } from "../space/border.ts";
import type { DType } from "../space/dtype.ts";
import { type NDArray, ndarray, zeroArray } from "../space/ndarray.ts";
import { bytes } from "../space/rules.ts";
import type { ViewOperations } from "../views/operations/chain.ts";
import type { ViewsInput } from "../views/tiles/loaders/origin.ts";
import { openViews, planLoading } from "../views/tiles/open.ts";
import type { TiledView } from "../views/tiles/tiled_view.ts";
import type { Views } from "../views/tiles/views.ts";
import { filteredPart, filterFacts, type Filtering } from "./filtered.ts";
import { type ImagePlane, planeIn, positionOf, type TileSelection } from "./plane.ts";

/**
 * Options of {@link tileSource}.
 * @category Tiles for pages
 */
export interface TileSourceOptions {
  /**
   * Rows and columns of a tile. Whole, 1 to 4096. Default: those in which the image is stored, if they are equal and
   * usual; else 256.
   */
  readonly tileSize?: number;
  /** Filters to apply to each tile, as `mapViews` takes them; the result of a tile is that of the whole image. */
  readonly filters?: ViewOperations;
  /** What filters see outside of the image. Default `edge`. */
  readonly border?: BorderInput | readonly BorderInput[];
  /** Most bytes for decoded tiles, as a number or as text such as `64MiB`. Default: a quarter of the budget, at most 64 MiB. */
  readonly cache?: number | string;
  /** The context, with its budget and workers. Default: the shared context. */
  readonly context?: Context;
  /** Ends the source. */
  readonly signal?: AbortSignal;
}

const OPTIONS: OptionNames<TileSourceOptions> = {
  tileSize: whole(1, 4096),
  filters: must(
    "filters, such as gaussian({ sigma: 2 }), or a list of them",
    (value) => Object(value) === value,
  ),
  border: borderRule,
  cache: bytes,
  context: contextRule,
  signal: signalRule,
};

/**
 * A level of an image in tiles.
 * @category Tiles for pages
 */
export interface TileSourceLevel {
  /** Samples per dimension of the array. */
  readonly shape: readonly number[];
  /** Rows. */
  readonly height: number;
  /** Columns. */
  readonly width: number;
  /** Samples of level 0 per sample, along rows and columns. */
  readonly scale: readonly [y: number, x: number];
}

/**
 * Which tile is wanted.
 * @category Tiles for pages
 */
export interface TileRequest {
  /** The level, 0 has the full resolution. Whole, at least 0. Default 0. */
  readonly level?: number;
  /** Number of the tile along a row. Whole, at least 0. */
  readonly x: number;
  /** Number of the tile along a column. Whole, at least 0. */
  readonly y: number;
  /** Which image. */
  readonly selection?: TileSelection;
  /** Cancels the request. */
  readonly signal?: AbortSignal;
}

// deno-fmt-ignore: written by `deno task build`
const REQUEST: OptionNames<TileRequest> = {
  level: whole(0), x: needed(whole(0)), y: needed(whole(0)), selection: true, signal: signalRule,
};

/**
 * Which image is wanted, or which part of it.
 * @category Tiles for pages
 */
export interface RasterRequest extends Omit<TileRequest, "x" | "y"> {
  /** Its rows, from the first up to, but without, the second number. Default: all. */
  readonly rows?: readonly [start: number, stop: number];
  /** Its columns, in the same way. Default: all. */
  readonly columns?: readonly [start: number, stop: number];
}

const range = must<readonly [number, number]>(
  "two whole numbers, the lower one first",
  (value) =>
    Array.isArray(value) && value.length === 2 && value.every(Number.isInteger) && value[0] < value[1],
);

// deno-fmt-ignore: written by `deno task build`
const RASTER: OptionNames<RasterRequest> = {
  level: whole(0), selection: true, signal: signalRule, rows: range, columns: range,
};

/** Decoded tiles that are kept, if the caller says nothing. */
const CACHE = 64 * 2 ** 20;

/** Tiles that are stored in these sizes are read as they are stored. */
const USUAL_SIZES = [128, 256, 512, 1024];

/** The size of tiles where they are stored in others. */
const USUAL = 256;

/**
 * Images in tiles, of any size and any number of levels: what viewers in pages ask for.
 *
 * @category Tiles for pages
 */
export class TileSource implements AsyncDisposable {
  readonly #views: Views;
  readonly #plane: ImagePlane;
  readonly #filtering: Filtering | undefined;

  /** `tileSource()` makes it. */
  constructor(
    views: Views,
    plane: ImagePlane,
    /** Rows and columns of a tile; tiles at the end of the image have fewer. */
    readonly tileSize: number,
    /** Type of the samples in tiles. */
    readonly dtype: DType,
    filtering: Filtering | undefined,
  ) {
    this.#views = views;
    this.#plane = plane;
    this.#filtering = filtering;
  }

  /** Names of the dimensions, slowest first: `y` and `x` are rows and columns. */
  get labels(): readonly string[] {
    return this.#plane.labels;
  }

  /** The levels, the one with the full resolution first. */
  get levels(): readonly TileSourceLevel[] {
    const { y, x } = this.#plane;
    return this.#views.plan.levels.map(({ views: { array: { shape } }, scale }) => ({
      shape,
      height: shape[y]!,
      width: shape[x]!,
      scale: [scale[y]!, scale[x]!] as const,
    }));
  }

  /**
   * One tile: rows and columns, clipped to the image. Tiles that nobody waits for any more are not loaded.
   *
   * Errors: `invalid` for tiles, levels and images that do not exist; `aborted`; those of reading and of filters.
   */
  async getTile(request: TileRequest): Promise<NDArray> {
    checkOptionNames("getTile()", request, REQUEST);
    const { x, y, selection, signal } = request;
    throwIfAborted(signal);
    const { plan, index } = this.#imageAt(request.level ?? 0, selection);
    index[this.#plane.y] = y;
    index[this.#plane.x] = x;
    const options = { level: plan.level, ...defined({ signal }) };
    return this.#image(await this.#samplesOf(await this.#views.read(index, options), signal));
  }

  /** An image of a level, or a part of it, put together from its tiles. Errors: those of {@link getTile}. */
  async getRaster(request: RasterRequest = {}): Promise<NDArray> {
    checkOptionNames("getRaster()", request, RASTER);
    const { rows, columns, ...image } = request;
    const { height, width } = this.#levelAt(request.level ?? 0);
    const [top, bottom] = rangeWithin("rows", rows, height);
    const [left, right] = rangeWithin("columns", columns, width);
    const { tileSize } = this;
    const whole = zeroArray([bottom - top, right - left], this.dtype);
    const wanted: Promise<void>[] = [];
    for (let y = Math.floor(top / tileSize); y * tileSize < bottom; y++) {
      for (let x = Math.floor(left / tileSize); x * tileSize < right; x++) {
        const corner = [y * tileSize - top, x * tileSize - left] as const;
        wanted.push(this.getTile({ ...image, y, x }).then((tile) => placeAt(tile, whole, corner)));
      }
    }
    await Promise.all(wanted);
    return whole;
  }

  /** Stops loading, and returns all memory. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#views[Symbol.asyncDispose]();
  }

  #levelAt(level: number): TileSourceLevel {
    const found = this.levels[level];
    if (found) return found;
    const most = this.levels.length - 1;
    const text = `There is no level ${level}: levels are 0 to ${most}`;
    throw new TilewiseError("invalid", text, { option: "level", expected: most, found: level });
  }

  #imageAt(level: number, selection: TileSelection | undefined) {
    const { shape } = this.#levelAt(level);
    const plan = this.#views.plan.levels[level]!;
    return { plan, index: positionOf(selection, this.#plane, shape) };
  }

  /** The tile of a view, filtered; the view is released before, as others wait for its place. */
  async #samplesOf(view: TiledView, signal: AbortSignal | undefined): Promise<NDArray> {
    const { central } = view.geometry;
    const samples = this.#filtering ? view.copy() : view.copy(0);
    view[Symbol.dispose]();
    return this.#filtering ? await filteredPart(samples, central, this.#filtering, signal) : samples;
  }

  /** The array as rows and columns: all other dimensions have one sample. */
  #image({ data, shape, dtype }: NDArray): NDArray {
    return ndarray(data, [shape[this.#plane.y]!, shape[this.#plane.x]!], dtype);
  }
}

/**
 * Tiles of a data set, with all levels of its pyramid; of several data sets as the levels of one; or of a tile loader of your
 * own. Tiles are read and decoded by the workers of the context, kept while there is room, and filtered if `filters` says so.
 *
 * Rows and columns are those of the frames of a scan (`ky` and `kx`), or the dimensions called `y` and `x`, or the last two. All others are selected by their labels.
 *
 * @param input a data set, levels of a pyramid, or a tile loader
 * @param options filters, border, size of tiles, cache, and the context
 * @returns the source; dispose of it when the page is done with it
 * @throws {TilewiseError} those of `openViews` and of the filters; `unsupported` for arrays of one dimension, filters that
 * change the size, and the border `wrap`
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { tileSource } from "@tilewise/tilewise/web";
 * import { boxMean } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 *
 * const stack = await open({ data: Uint8Array.from({ length: 3 * 4 * 6 }, (_, i) => i), shape: [3, 4, 6] });
 * await using context = createContext({ memory: "4MiB", workers: 0 });
 * await using tiles = await tileSource(stack, { tileSize: 4, context });
 * const [label] = tiles.labels;
 * const tile = await tiles.getTile({ y: 0, x: 1, selection: { [label!]: 2 } });
 * assertEquals([tile.shape, [...tile.data].slice(0, 4)], [[4, 2], [52, 53, 58, 59]]);
 *
 * await using means = await tileSource(stack, { filters: boxMean({ radius: [0, 1, 1] }), context });
 * assertEquals((await means.getTile({ y: 0, x: 0 })).data[7], 7);
 * ```
 * @category Tiles for pages
 */
export async function tileSource(input: ViewsInput, options: TileSourceOptions = {}): Promise<TileSource> {
  checkOptionNames("tileSource()", options, OPTIONS);
  const { filters, border, context, signal } = options;
  const own = defined({ context });
  const stored = await planLoading(input, { levels: "all", ...own });
  const plane = planeIn(stored.origin.names ?? stored.levels[0]!.views.array.shape.map(() => ""));
  const filtering = filters && { filters, ...defined({ border }), ...own };
  const facts = filtering && await filterFacts(stored.levels[0]!.views.array, filtering);
  const size = options.tileSize ?? usualSize(stored.levels[0]!.tiles.tile, plane);
  const views = await openViews(input, {
    levels: "all",
    tile: stored.levels.map(({ views: { array: { shape } } }) =>
      shape.map((_, d) => d === plane.y || d === plane.x ? size : 1)
    ),
    radius: facts?.halo ?? 0,
    clipped: true,
    ordered: false,
    cache: options.cache ?? Math.min(CACHE, Math.floor(insideOf(context).arenaBudget / 4)),
    ...own,
    ...defined({ signal }),
  });
  return new TileSource(views, plane, size, facts?.dtype ?? stored.dtype, filtering);
}

/** The size of tiles: as stored, if that is usual. */
function usualSize(stored: readonly number[], { y, x }: ImagePlane): number {
  return stored[y] === stored[x] && USUAL_SIZES.includes(stored[y]!) ? stored[y]! : USUAL;
}

/** A range of rows or columns; all of them by default. Errors: `invalid` for one that lies outside. */
function rangeWithin(
  option: string,
  [start, stop]: readonly [number, number] = [0, Infinity],
  size: number,
): readonly [number, number] {
  if (start >= 0 && (stop <= size || stop === Infinity)) return [start, Math.min(stop, size)];
  const text = `There are no ${option} ${start}:${stop}: the image has ${size}, 0:${size}`;
  throw new TilewiseError("invalid", text, { option, expected: `0:${size}`, found: `${start}:${stop}` });
}

/** Copies what a tile has in common with a part of its image, in which its corner lies at `corner`. */
function placeAt(tile: NDArray, whole: NDArray, corner: readonly [number, number]): void {
  const view = ({ data, dtype, shape }: NDArray) => viewOf(data, dtype, shape);
  const origin = corner.map((at) => Math.max(0, -at));
  const shape = origin.map((from, d) => Math.min(tile.shape[d]! - from, whole.shape[d]! - corner[d]! - from));
  copyBox(view(tile), { origin, shape }, view(whole), corner.map((at) => Math.max(0, at)));
}
