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

/** Which image of a stack: a position along each of its other dimensions. */
export type ImageSelection = Readonly<Record<string, number>>;

/** What gives tiles: such as `tileSource` of `@tilewise/tilewise/web`. */
export interface TileReader {
  /** The stored levels, the one with the full resolution first. */
  readonly levels: readonly StoredLevel[];
  /** Rows and columns of a tile. */
  readonly tileSize: number;
  /** Whether samples are labels, which have no means: coarse tiles have some of them. */
  readonly isLabels?: boolean;
  /** One tile: rows and columns. */
  getTile(request: TileReaderRequest): Promise<NDArray>;
}

/** Which tile is wanted. */
export interface TileReaderRequest {
  readonly level: number;
  readonly y: number;
  readonly x: number;
  readonly selection: ImageSelection;
  readonly signal: AbortSignal;
}

/** A tile of one channel in memory. */
export interface ChannelTile {
  /** Its numbers. */
  readonly image: DrawnImage;
  /** Some of its values, evenly spaced: for contrast. */
  readonly samples: Float64Array;
  readonly bytes: number;
}

/** A tile in memory: that of each channel that is shown. */
export type StoredTile = readonly ChannelTile[];

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

/** So many tiles of the coarsest level are always read, for the contrast of the whole image. */
const MOST_COARSE = 16;

/** Tiles of all images of a source: a channel that is shown again, or a plane that one returns to, is not read again. */
export class TileCache {
  /**
   * Some values of whole images, by channel: all planes of a stack are shown with the contrast of one of them. None, where these
   * are all the same.
   */
  readonly whole: Map<string, Float64Array> = new Map();
  readonly #tiles = new Map<string, ChannelTile>();
  #bytes = 0;

  /** Whether a tile is in memory. */
  has(name: string): boolean {
    return this.#tiles.has(name);
  }

  /** A tile, if it is in memory. */
  get(name: string): ChannelTile | undefined {
    const tile = this.#tiles.get(name);
    if (tile) { // what was used last is at the end
      this.#tiles.delete(name);
      this.#tiles.set(name, tile);
    }
    return tile;
  }

  /** Keeps a tile. If there is no room, those that were not used for the longest time go, but for `needed` ones. */
  set(name: string, tile: ChannelTile, needed: ReadonlySet<string>): void {
    this.#bytes += tile.bytes - (this.#tiles.get(name)?.bytes ?? 0); // two stores may read the same tile
    this.#tiles.set(name, tile);
    for (const [old, { bytes }] of this.#tiles) {
      if (this.#bytes <= MOST_BYTES) break;
      if (needed.has(old)) continue;
      this.#tiles.delete(old);
      this.#bytes -= bytes;
    }
  }
}

/** A tile of a channel that is wanted. */
interface WantedTile {
  readonly name: string;
  readonly key: TileKey;
  readonly selection: ImageSelection;
}

/** Tiles of one image, or of several channels of it that are shown together. */
export class TileStore {
  /** The levels, also those that are made of the last one. */
  readonly levels: readonly MosaicLevel[];
  /** Some values of the whole images that are seen, by channel, where the one for contrast is of no use. */
  readonly own: Map<string, Float64Array> = new Map();
  readonly #underWay = new Map<string, AbortController>();
  readonly #refused = new Set<string>();
  #wanted: readonly WantedTile[] = [];
  #isClosed = false;

  /**
   * The images that `selections` choose of a stack, one for each channel, with the contrast of those that `contrast` chooses.
   * Tiles are kept in `cache`.
   */
  constructor(
    readonly reader: TileReader,
    readonly selections: readonly ImageSelection[],
    readonly listener: TileListener,
    readonly cache: TileCache = new TileCache(),
    readonly contrast: readonly ImageSelection[] = selections,
  ) {
    this.levels = levelsOf(reader.levels, reader.tileSize);
  }

  /** A tile, if it is in memory with all channels. */
  get(key: TileKey, selections: readonly ImageSelection[] = this.selections): StoredTile | undefined {
    const tiles = selections.map((selection) => this.cache.get(nameOf(selection, key)));
    return tiles.every((tile) => tile !== undefined) ? tiles as StoredTile : undefined;
  }

  /** All tiles of the coarsest level, if they are few. */
  get coarse(): readonly TileKey[] {
    const level = this.levels.length - 1;
    const { height, width, tile } = this.levels[level]!;
    const [down, right] = [Math.ceil(height / tile), Math.ceil(width / tile)];
    if (down * right > MOST_COARSE) return [];
    return Array.from(
      { length: down * right },
      (_, i) => ({ level, y: Math.floor(i / right), x: i % right }),
    );
  }

  /** Tiles that are wanted and not there. */
  get missing(): number {
    return this.#wanted.filter(({ name }) => this.#isMissing(name)).length;
  }

  /** Some of the values of a channel in the whole image, for contrast, once they are known. */
  valuesOf(id: string): Float64Array | undefined {
    const values = this.cache.whole.get(id);
    return values?.length ? values : this.own.get(id);
  }

  /** Reads these tiles, the first ones first, and no others; of the coarsest ones also those of the images in `contrast`. */
  want(keys: readonly TileKey[], contrast: readonly ImageSelection[] = []): void {
    const coarse = keys.filter(({ level }) => level === this.levels.length - 1);
    const wanted = [[keys, this.selections], [coarse, contrast]] as const;
    const all = wanted.flatMap(([keys, selections]) =>
      keys.flatMap((key) => selections.map((selection) => ({ key, selection, name: nameOf(selection, key) })))
    );
    this.#wanted = [...new Map(all.map((tile) => [tile.name, tile])).values()];
    const names = this.#names;
    for (const [name, controller] of this.#underWay) if (!names.has(name)) controller.abort();
    this.#start();
  }

  /** Reads again what could not be read. */
  retry(): void {
    this.#refused.clear();
    this.#start();
  }

  /** Whether a tile could not be read. */
  isRefused(key: TileKey, selection: ImageSelection): boolean {
    return this.#refused.has(nameOf(selection, key));
  }

  /** Ends all reading. */
  close(): void {
    this.#isClosed = true;
    for (const controller of this.#underWay.values()) controller.abort();
  }

  get #names(): ReadonlySet<string> {
    return new Set(this.#wanted.map(({ name }) => name));
  }

  #isMissing(name: string): boolean {
    return !this.cache.has(name) && !this.#refused.has(name);
  }

  #start(): void {
    for (const wanted of this.#wanted) {
      if (this.#isClosed || this.#underWay.size >= AT_ONCE) return;
      if (this.#isMissing(wanted.name) && !this.#underWay.has(wanted.name)) void this.#read(wanted);
    }
  }

  async #read(wanted: WantedTile): Promise<void> {
    const { name, key, selection } = wanted;
    const controller = new AbortController();
    this.#underWay.set(name, controller);
    const { stored, n } = this.levels[key.level]!;
    try {
      const { signal } = controller;
      const array = await this.reader.getTile({ level: stored, y: key.y, x: key.x, selection, signal });
      if (!this.#isClosed && !signal.aborted) {
        this.cache.set(name, tileOf(array, n, this.reader.isLabels), this.#names);
      }
    } catch (error) {
      if (!controller.signal.aborted && !this.#isClosed) this.#refuse(wanted, error);
    } finally {
      this.#underWay.delete(name);
    }
    if (this.#isClosed) return;
    this.#start();
    this.listener.changed();
  }

  /** Tells what cannot be seen: without a tile for contrast, only colours are others. */
  #refuse({ name, key }: WantedTile, error: unknown): void {
    this.#refused.add(name);
    if (this.selections.some((one) => nameOf(one, key) === name)) this.listener.failed(error);
  }
}

function nameOf(selection: ImageSelection, key: TileKey): string {
  return `${Object.entries(selection)} ${keyText(key)}`;
}

function tileOf(array: NDArray, n: number, isLabels = false): ChannelTile {
  const image = isLabels ? tileImage(thinned(array, n), 1) : tileImage(array, n);
  const bytes = n === 1 ? array.data.byteLength : 8 * image.width * image.height;
  return { image, samples: samplesOf(image.planes), bytes };
}

/** Every `n`-th sample along rows and columns. */
function thinned(array: NDArray, n: number): NDArray {
  if (n === 1) return array;
  const { data, shape: [height = 0, width = 0] } = array;
  const [rows, columns] = [Math.ceil(height / n), Math.ceil(width / n)];
  const few = Float64Array.from(
    { length: rows * columns },
    (_, i) => Number(data[Math.floor(i / columns) * n * width + (i % columns) * n]),
  );
  return ndarray(few, [rows, columns], "float64");
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
