/**
 * The tiles of an image that are in memory, and those under way: tiles that are not seen any more are cancelled.
 *
 * @module
 */

import type { NDArray } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import { DrawnImage } from "./drawn.ts";
import { countedPlane } from "./histogram.ts";
import { keyText, levelsOf, type MosaicLevel, type StoredLevel, type TileKey } from "./mosaic.ts";
import type { Planes } from "./numbers.ts";

/** What gives tiles: such as `tileSource` of `@tilewise/tilewise/web`. */
export interface TileReader {
  /** The stored levels, the one with the full resolution first. */
  readonly levels: readonly StoredLevel[];
  /** Rows and columns of a tile. */
  readonly tileSize: number;
  /** One tile: rows and columns. */
  getTile(request: TileReaderRequest): Promise<NDArray>;
}

/** Which tile is wanted. */
export interface TileReaderRequest {
  readonly level: number;
  readonly y: number;
  readonly x: number;
  readonly selection: Readonly<Record<string, number>>;
  readonly signal: AbortSignal;
}

/** A tile in memory. */
export interface StoredTile {
  /** Its numbers. */
  readonly image: DrawnImage;
  /** Some of its values, evenly spaced: for contrast. */
  readonly samples: Float64Array;
  readonly bytes: number;
}

/** Whom the store tells. */
export interface TileListener {
  /** A tile has arrived, or nothing is under way any more. */
  changed(): void;
  /** A tile cannot be read. */
  failed(error: unknown): void;
}

/** Tiles that are read at once. */
const AT_ONCE = 6;

/** Bytes of tiles that are kept. */
const MOST_BYTES = 128 * 2 ** 20;

/** Values of a tile that count for contrast. */
const SAMPLES = 512;

/** Tiles of one image. */
export class TileStore {
  /** The levels, also those that are made of the last one. */
  readonly levels: readonly MosaicLevel[];
  readonly #tiles = new Map<string, StoredTile>();
  readonly #underWay = new Map<string, AbortController>();
  readonly #refused = new Set<string>();
  #wanted: readonly TileKey[] = [];
  #bytes = 0;
  #isClosed = false;

  /** The image that `selection` chooses of a stack. */
  constructor(
    readonly reader: TileReader,
    readonly selection: Readonly<Record<string, number>>,
    readonly listener: TileListener,
  ) {
    this.levels = levelsOf(reader.levels, reader.tileSize);
  }

  /** A tile, if it is in memory. */
  get(key: TileKey): StoredTile | undefined {
    const text = keyText(key);
    const tile = this.#tiles.get(text);
    if (tile) { // what was used last is at the end
      this.#tiles.delete(text);
      this.#tiles.set(text, tile);
    }
    return tile;
  }

  /** Tiles that are wanted and not there. */
  get missing(): number {
    return this.#wanted.filter((key) => this.#isMissing(key)).length;
  }

  /** Reads these tiles, the first ones first, and no others. */
  want(keys: readonly TileKey[]): void {
    this.#wanted = keys;
    const names = new Set(keys.map(keyText));
    for (const [name, controller] of this.#underWay) if (!names.has(name)) controller.abort();
    this.#start();
  }

  /** Reads again what could not be read. */
  retry(): void {
    this.#refused.clear();
    this.#start();
  }

  /** Ends all reading. */
  close(): void {
    this.#isClosed = true;
    for (const controller of this.#underWay.values()) controller.abort();
  }

  #isMissing(key: TileKey): boolean {
    const name = keyText(key);
    return !this.#tiles.has(name) && !this.#refused.has(name);
  }

  #start(): void {
    for (const key of this.#wanted) {
      if (this.#isClosed || this.#underWay.size >= AT_ONCE) return;
      if (this.#isMissing(key) && !this.#underWay.has(keyText(key))) void this.#read(key);
    }
  }

  async #read(key: TileKey): Promise<void> {
    const name = keyText(key);
    const controller = new AbortController();
    this.#underWay.set(name, controller);
    const { stored, n } = this.levels[key.level]!;
    try {
      const { signal } = controller;
      const request = { level: stored, y: key.y, x: key.x, selection: this.selection, signal };
      const array = await this.reader.getTile(request);
      if (!this.#isClosed && !signal.aborted) this.#keep(name, array, n);
    } catch (error) {
      if (!controller.signal.aborted && !this.#isClosed) this.#refuse(name, error);
    } finally {
      this.#underWay.delete(name);
    }
    if (this.#isClosed) return;
    this.#start();
    this.listener.changed();
  }

  #refuse(name: string, error: unknown): void {
    this.#refused.add(name);
    this.listener.failed(error);
  }

  #keep(name: string, array: NDArray, n: number): void {
    const image = tileImage(array, n);
    const bytes = n === 1 ? array.data.byteLength : 8 * image.width * image.height;
    this.#tiles.set(name, { image, samples: samplesOf(image.planes), bytes });
    this.#bytes += bytes;
    const names = new Set(this.#wanted.map(keyText));
    for (const [old, tile] of this.#tiles) {
      if (this.#bytes <= MOST_BYTES) break;
      if (names.has(old)) continue;
      this.#tiles.delete(old);
      this.#bytes -= tile.bytes;
    }
  }
}

/** A tile, or means of it, so that the tile itself need not be kept. */
function tileImage(array: NDArray, n: number): DrawnImage {
  const axes = [{ name: "y", step: 1, unit: "px" }, { name: "x", step: 1, unit: "px" }] as const;
  const image = new DrawnImage({ array, title: "", axes });
  return n === 1 ? image : new DrawnImage({ array: arrayOf(image, n), title: "", axes });
}

function arrayOf(image: DrawnImage, n: number): NDArray {
  const { width, height, parts } = image.reduced(n);
  const all = new Float64Array(parts.length * width * height);
  const line = new Float64Array(width);
  parts.forEach((part, p) => {
    for (let y = 0; y < height; y++) {
      part.row(y, line);
      // Of vectors, which are complex numbers here, the second part is the real one.
      for (let x = 0; x < width; x++) all[parts.length * (y * width + x) + (parts.length - 1 - p)] = line[x]!;
    }
  });
  return ndarray(all, [height, width], parts.length === 2 ? "complex128" : "float64");
}

/** Some values, evenly spaced. */
function samplesOf(planes: Planes): Float64Array {
  const plane = countedPlane(planes);
  const { width, height } = plane;
  const every = Math.max(1, Math.floor(width * height / SAMPLES)) | 1;
  const samples = new Float64Array(Math.ceil(width * height / every));
  const line = new Float64Array(width);
  for (let y = 0, next = 0, kept = 0; y < height; y++) {
    const end = (y + 1) * width;
    if (next < end) plane.row(y, line);
    for (; next < end; next += every) samples[kept++] = line[next - y * width]!;
  }
  return samples;
}
