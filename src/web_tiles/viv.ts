/**
 * Tiles as Viv wants them: one pixel source per level of a pyramid.
 *
 * @module
 */

import { defined } from "../options.ts";
import { isTilewiseError, TilewiseError } from "../errors.ts";
import type { DType } from "../space/dtype.ts";
import type { NDArray } from "../space/ndarray.ts";
import type { TileSelection } from "./plane.ts";
import type { TileSource } from "./tile_source.ts";

/**
 * Samples as Viv wants them.
 * @category Tiles for pages
 */
export interface PixelData {
  /** The samples, row by row. */
  readonly data: VivArray;
  /** Columns. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
}

/**
 * Arrays that textures are made of.
 * @category Tiles for pages
 */
export type VivArray =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Float32Array
  | Float64Array;

/**
 * Types of samples, as Viv names them.
 * @category Tiles for pages
 */
export type VivDType =
  | "Uint8"
  | "Uint16"
  | "Uint32"
  | "Int8"
  | "Int16"
  | "Int32"
  | "Float32"
  | "Float64";

const DTYPES: Readonly<Partial<Record<DType, VivDType>>> = {
  bool: "Uint8",
  uint8: "Uint8",
  uint16: "Uint16",
  uint32: "Uint32",
  int8: "Int8",
  int16: "Int16",
  int32: "Int32",
  float32: "Float32",
  float64: "Float64",
};

/** What Viv takes for a tile that it has cancelled. */
const CANCELLED = "__vivSignalAborted";

/**
 * Which image, as Viv asks for it.
 * @category Tiles for pages
 */
export interface VivSelection {
  /** Positions by label. */
  readonly selection: TileSelection;
  /** Cancels the request. */
  readonly signal?: AbortSignal;
}

/**
 * Which tile, as Viv asks for it.
 * @category Tiles for pages
 */
export interface VivTile extends VivSelection {
  /** Column of tiles, from 0. */
  readonly x: number;
  /** Row of tiles, from 0. */
  readonly y: number;
}

/**
 * One level of a pyramid with the shape of Viv's `PixelSource`.
 * @category Tiles for pages
 */
export class VivPixelSource {
  /** Sizes of the array, slowest dimension first. */
  readonly shape: number[];
  /** Names of the dimensions. */
  readonly labels: string[];
  /** Rows and columns of a tile. */
  readonly tileSize: number;
  /** Type of the samples. */
  readonly dtype: VivDType;
  readonly #source: TileSource;
  readonly #level: number;

  /** The level `level` of `source`. Errors: `unsupported` for samples that no texture holds. */
  constructor(source: TileSource, level: number) {
    const { labels, levels, tileSize, dtype } = source;
    this.shape = [...levels[level]!.shape];
    this.labels = [...labels];
    this.tileSize = tileSize;
    this.dtype = vivType(dtype);
    this.#source = source;
    this.#level = level;
  }

  /** A tile, clipped to the image. */
  async getTile({ x, y, selection, signal }: VivTile): Promise<PixelData> {
    const request = { level: this.#level, x, y, selection, ...defined({ signal }) };
    return await this.#pixels(this.#source.getTile(request));
  }

  /** The whole level. */
  async getRaster({ selection, signal }: VivSelection): Promise<PixelData> {
    const request = { level: this.#level, selection, ...defined({ signal }) };
    return await this.#pixels(this.#source.getRaster(request));
  }

  /** Called by Viv with errors of tiles. */
  onTileError(error: Error): void {
    throw error;
  }

  async #pixels(loading: Promise<NDArray>): Promise<PixelData> {
    try {
      const { data, shape: [height = 0, width = 0] } = await loading;
      return { data: data as VivArray, width, height };
    } catch (error) {
      throw isTilewiseError(error, "aborted") ? CANCELLED : error;
    }
  }
}

/**
 * The levels of `source` as what Viv's layers and viewers take as `loader`. `MultiscaleImageLayer` expects each level to have half
 * the size of the one before.
 *
 * Errors: `unsupported` for samples that no texture holds: complex numbers and integers of 64 bits.
 *
 * @example
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { vivSources } from "@tilewise/tilewise/unstable/web";
 * import { tileSource } from "@tilewise/tilewise/web";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint16Array.from({ length: 12 }, (_, i) => i), shape: [3, 4] });
 * await using tiles = await tileSource(image, { tileSize: 2 });
 * const [level] = vivSources(tiles);
 * const { data, width, height } = await level!.getTile({ x: 1, y: 1, selection: {} });
 * assertEquals([[...data], width, height, level!.dtype], [[10, 11], 2, 1, "Uint16"]);
 * ```
 * @category Tiles for pages
 */
export function vivSources(source: TileSource): VivPixelSource[] {
  return source.levels.map((_, level) => new VivPixelSource(source, level));
}

function vivType(dtype: DType): VivDType {
  const found = DTYPES[dtype];
  if (found) return found;
  const text =
    `Viv cannot show samples of ${dtype}: textures hold none; add the filter convert({ dtype: "float32" })`;
  throw new TilewiseError("unsupported", text, { expected: Object.keys(DTYPES).join(", "), found: dtype });
}
