/**
 * Tiles as OpenSeadragon wants them: pictures of samples in a range of values, through a colour map.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { checkOptionNames, defined, type OptionNames } from "../options.ts";
import { type Colormap, colormapRule } from "../pictures/colours/colormap.ts";
import { type Limits, limitsOf } from "../pictures/scale.ts";
import type { NDArray } from "../space/ndarray.ts";
import { asNumbers } from "../space/numbers.ts";
import { limitsRule, pixelsOf } from "./pixels.ts";
import type { TileSelection } from "./plane.ts";
import type { TileSource } from "./tile_source.ts";

// The range of values in which an image is shown if nobody says another.

/** Most samples that are looked at: of larger images, only the tile in the middle. */
const MOST = 2 ** 22;

/** Values of the coarsest level that leave out a few at both ends. */
async function rangeOf(source: TileSource, selection: TileSelection = {}): Promise<Limits> {
  const level = source.levels.length - 1;
  const { height, width } = source.levels[level]!;
  const middle = (size: number) => Math.floor(size / 2 / source.tileSize);
  const image = height * width <= MOST
    ? await source.getRaster({ level, selection })
    : await source.getTile({ level, selection, y: middle(height), x: middle(width) });
  return limitsOf(Float64Array.from(asNumbers(image.data)), { percentile: [0.5, 99.5] });
}

/**
 * Options of {@link seadragonSource}.
 * @category Tiles for pages
 */
export interface SeadragonOptions {
  /** Which image. */
  readonly selection?: TileSelection;
  /** The colours. Default `gray`. */
  readonly colormap?: Colormap;
  /** The values of the first and of the last colour. Default: percentiles 0.5 and 99.5 of the coarsest level. */
  readonly range?: Limits;
}

const OPTIONS: OptionNames<SeadragonOptions> = { selection: true, colormap: colormapRule, range: limitsRule };

/**
 * A tile that OpenSeadragon loads: the part of its `ImageJob` that is used.
 * @category Tiles for pages
 */
export interface SeadragonJob {
  /** Which tile. */
  readonly tile: {
    /** Its level, 0 for the smallest image. */
    readonly level: number;
    /** Its column. */
    readonly x: number;
    /** Its row. */
    readonly y: number;
  };
  /** For the source to keep something. */
  readonly userData: {
    /** Ends loading; set when it begins. */
    cancel?: AbortController;
  };
  /** Takes the tile. */
  finish(data: unknown, request: unknown, type: string): void;
  /** Takes the reason why there is none. */
  fail(message: string, request: unknown): void;
}

/**
 * What OpenSeadragon (version 6) takes as `tileSources`; methods are called by it.
 * @category Tiles for pages
 */
export interface SeadragonSource {
  /** Columns of the image. */
  readonly width: number;
  /** Rows of the image. */
  readonly height: number;
  /** Rows and columns of a tile. */
  readonly tileSize: number;
  /** The coarsest level: levels are counted from it. */
  readonly minLevel: number;
  /** The level with the full resolution. */
  readonly maxLevel: number;
  /** Size of a level relative to the full one. */
  getLevelScale(level: number): number;
  /** Tiles of a level. */
  getNumTiles(level: number): {
    /** Columns. */
    readonly x: number;
    /** Rows. */
    readonly y: number;
  };
  /** A name for a tile, different from those of all other tiles; nothing is fetched from there. */
  getTileUrl(level: number, x: number, y: number): string;
  /** Samples that are not valid, or NaN, are transparent. */
  hasTransparency(): boolean;
  /** Loads a tile. */
  downloadTileStart(job: SeadragonJob): void;
  /** Ends loading. */
  downloadTileAbort(job: SeadragonJob): void;
}

/** Sources that were made: their tiles have different names. */
let made = 0;

/**
 * An image of `source` for OpenSeadragon: `OpenSeadragon({ element, tileSources: seadragonSource(source) })`. Samples of any
 * type become 8-bit colours between two values; for other colours, another image or other filters make another source.
 *
 * Errors: `invalid` for options that are wrong; those of tiles go to OpenSeadragon, which shows or tells them.
 *
 * @example
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { seadragonSource } from "@tilewise/tilewise/unstable/web";
 * import { tileSource } from "@tilewise/tilewise/web";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: new Uint16Array(700 * 900), shape: [700, 900] });
 * await using tiles = await tileSource(image, { tileSize: 256 });
 * const { width, height, maxLevel, getNumTiles } = seadragonSource(tiles, { colormap: "viridis", range: [0, 4095] });
 * assertEquals([width, height, maxLevel, getNumTiles(0)], [900, 700, 0, { x: 4, y: 3 }]);
 * ```
 * @category Tiles for pages
 */
export function seadragonSource(source: TileSource, options: SeadragonOptions = {}): SeadragonSource {
  checkOptionNames("seadragonSource()", options, OPTIONS);
  const { selection, colormap = "gray" } = options;
  const { levels, tileSize } = source;
  const [full] = levels;
  const last = levels.length - 1;
  const name = `tilewise:${made++}`;
  const image = defined({ selection });
  let range: Promise<Limits> | undefined;
  const paint = async (level: number, x: number, y: number, signal: AbortSignal) => {
    const tile = await source.getTile({ level: last - level, x, y, ...image, signal });
    range ??= options.range ? Promise.resolve(options.range) : rangeOf(source, selection);
    return paintedTile(tile, colormap, await range);
  };
  return {
    width: full!.width,
    height: full!.height,
    tileSize,
    minLevel: 0,
    maxLevel: last,
    getLevelScale: (level) => (levels[last - level]?.width ?? 0) / full!.width,
    getNumTiles: (level) => {
      const { width = 0, height = 0 } = levels[last - level] ?? {};
      return { x: Math.ceil(width / tileSize), y: Math.ceil(height / tileSize) };
    },
    getTileUrl: (level, x, y) => `${name}/${level}/${x}_${y}`,
    hasTransparency: () => true,
    downloadTileStart(job) {
      const { level, x, y } = job.tile;
      const cancel = job.userData.cancel = new AbortController();
      paint(level, x, y, cancel.signal).then(
        (data) => job.finish(data, null, "context2d"),
        (error) => job.fail(error instanceof Error ? error.message : String(error), null),
      );
    },
    downloadTileAbort: (job) => job.userData.cancel?.abort(),
  };
}

/** The part of a canvas that is used; pages have it, other programs do not. */
interface Canvas {
  width: number;
  height: number;
  getContext(kind: "2d"): { putImageData(pixels: unknown, x: number, y: number): void } | null;
}

/** The parts of a page that are used. */
interface Page {
  readonly document?: { createElement(name: "canvas"): Canvas };
  readonly ImageData: new (data: Uint8ClampedArray, width: number) => unknown;
}

/** A tile as a drawing context of a canvas. */
function paintedTile(tile: NDArray, colormap: Colormap, range: Limits): unknown {
  const { data, width, height } = pixelsOf(tile, { colormap, range });
  const { document, ImageData } = globalThis as unknown as Page;
  const canvas = document?.createElement("canvas");
  if (!canvas) {
    throw new TilewiseError("unsupported", "Cannot paint a tile: there is no page here to paint it in");
  }
  canvas.width = width;
  canvas.height = height;
  const drawing = canvas.getContext("2d");
  drawing?.putImageData(new ImageData(data, width), 0, 0);
  return drawing;
}
