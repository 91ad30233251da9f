/**
 * Files into which tiles of arrays are put, wherever these were computed: cut into the chunks of their array, in any order. A result
 * that a later run can go on with gets its tiles in their order, and has a journal.
 *
 * @module
 */

import { type Checksum, checksumOfRuntime } from "../../io/checksum.ts";
import { randomDigits } from "../../io/write/part_files.ts";
import type { Beside } from "../../io/write/together.ts";
import { PartialFolder } from "../../io/write/partial_folder.ts";
import type { Box } from "../../space/box.ts";
import { type ChunkFiles, ChunkWriter } from "../chunks/chunk_writer.ts";
import type { PlacedTile } from "../chunks/placing.ts";
import type { ChunkPlace } from "../chunks/target.ts";

/** An array whose tiles are cut into chunks. */
export interface TiledArray {
  /** The chunks of which a box consists, in the order in which they are written. */
  places(box: Box): Iterable<ChunkPlace>;
  /** The bytes of a chunk of a tile; none: it is not stored. */
  encoded(tile: PlacedTile, place: ChunkPlace): Uint8Array | undefined | Promise<Uint8Array | undefined>;
}

/** A file or folder with one array or several. */
export interface TiledFiles extends Pick<ChunkFiles, "kind" | "documents" | "size"> {
  /** The arrays, in the order in which those of a tile come. */
  readonly arrays: readonly TiledArray[];
}

/** The tiles that come. */
interface ComingTiles {
  /** What they cover, array by array. */
  readonly windows: readonly Box[];
  /** Of a result that a later run can go on with. */
  readonly resumed?: {
    /** Identifies everything that decides the bytes; hexadecimal. */
    readonly digest: string;
    /** The tiles in their order, array by array. */
    tiles(): Iterable<readonly Box[]>;
  };
}

/** A file or folder that is being written. */
export class TileFiles implements AsyncDisposable {
  /** Tiles, counted array by array, that are complete or have come. */
  #next = 0;
  /** Chunks of the next one that an earlier run has written. */
  #skip = 0;

  private constructor(
    private readonly arrays: readonly TiledArray[],
    private readonly partial: PartialFolder,
    private readonly writer: ChunkWriter,
    /** Of a result that a later run can go on with. */
    private readonly checksum: Checksum | undefined,
  ) {}

  /** Makes the files of the result `path`, or goes on with those of an earlier run. */
  static async open(
    path: string,
    { arrays, ...files }: TiledFiles,
    { windows, resumed }: ComingTiles,
  ): Promise<TileFiles> {
    const tiles = () => resumed?.tiles() ?? [windows];
    const target: ChunkFiles = {
      ...files,
      head: 0,
      around: () => [],
      *places() {
        for (const [box, array] of boxesOf(arrays, tiles())) yield* array.places(box);
      },
    };
    const { kind } = files, { digest = randomDigits() } = resumed ?? {};
    const partial = await PartialFolder.open(path, { digest, resume: resumed !== undefined, kind });
    try {
      const writer = await ChunkWriter.open(target, partial, () => true);
      const checksum = resumed && await checksumOfRuntime();
      const opened = new TileFiles(arrays, partial, writer, checksum);
      if (resumed) opened.#goOn(resumed.tiles());
      return opened;
    } catch (error) {
      await partial[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Tiles that an earlier run has completed. */
  get completed(): number {
    return Math.floor(this.#next / this.arrays.length);
  }

  /**
   * Writes what array `which` has of tile `number`, unless an earlier run has done it. `false`: of a result that a later run can go
   * on with, and others must come before it.
   */
  async put(which: number, number: number, tile: PlacedTile): Promise<boolean> {
    const array = this.arrays[which]!;
    const places = array.places({ origin: tile.origin, shape: tile.data.shape });
    if (!this.checksum) {
      for (const place of places) {
        const bytes = await array.encoded(tile, place);
        if (bytes) await this.writer.putAt(place, bytes);
      }
      return true;
    }
    const own = number * this.arrays.length + which;
    if (own !== this.#next) return own < this.#next;
    this.#next++;
    for (const place of places) {
      if (this.#skip > 0) {
        this.#skip--;
        continue;
      }
      const bytes = await array.encoded(tile, place);
      await this.writer.put({ bytes: bytes ?? 0, checksum: bytes ? this.checksum(bytes) : 0, kept: 0 });
    }
    return true;
  }

  /** Writes what has been gathered: what an error leaves can be resumed. */
  flush(): void {
    this.writer.flush();
  }

  /** Gives all results their names, and what lies beside the first, or none of them. */
  static async finish(all: readonly TileFiles[], beside?: Beside): Promise<void> {
    for (const { writer } of all) await writer.finish();
    const [first, ...others] = all.map(({ partial }) => partial);
    const files = function* (): Generator<string, void> {
      for (const { writer } of all) yield* writer.files();
    };
    const more = first && await beside?.(first.result) || [];
    await first?.finish(files(), [...others.map(({ naming }) => naming), ...more]);
  }

  /** Removes what has no name yet, unless a later run can go on with it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.partial[Symbol.asyncDispose]();
  }

  /** Counts what an earlier run has written. */
  #goOn(tiles: Iterable<readonly Box[]>): void {
    let left = this.writer.done;
    for (const [box, array] of boxesOf(this.arrays, tiles)) {
      let count = 0;
      for (const _ of array.places(box)) count++;
      if (count > left) break;
      left -= count;
      this.#next++;
    }
    this.#skip = left;
  }
}

/** The boxes of tiles, one after another, each with its array. */
function* boxesOf(
  arrays: readonly TiledArray[],
  tiles: Iterable<readonly Box[]>,
): Generator<readonly [Box, TiledArray], void> {
  for (const boxes of tiles) {
    for (const [i, box] of boxes.entries()) yield [box, arrays[i]!];
  }
}
