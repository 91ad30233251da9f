/**
 * The interface of targets: how the chunks of a result lie in files.
 *
 * A target says in which order chunks are written, so that the bytes of its files depend neither on the number of workers
 * nor on which of them is faster. Chunks of one file follow each other in it.
 *
 * @module
 */

import type { EncoderStep } from "../../codecs/encoders/encoder.ts";
import type { Shape } from "../../space/shape.ts";
import type { LevelGrid } from "./levels.ts";
import type { LevelReduction } from "./reduce.ts";

/** One chunk, and the file that gets it. */
export interface ChunkPlace {
  /** Its level. */
  readonly level: number;
  /** Its index in the grid of chunks of that level. */
  readonly index: Shape;
  /** Path of the file inside of the result; empty: the result itself. */
  readonly file: string;
  /** In an archive: the name of its entry. */
  readonly entry?: string;
  /** Number of the chunk in that file, as the file counts. */
  readonly slot: number;
  /** Whether it is the last chunk of that file. */
  readonly last: boolean;
  /** Where its bytes lie in the file. Default: together, behind the chunk before it. */
  rows?(): Iterable<PlacedRow>;
}

/** Bytes of a chunk that follow each other in its file. */
export interface PlacedRow {
  /** The first of them, in the chunk. */
  readonly from: number;
  /** The same byte, in the file. */
  readonly to: number;
  /** How many there are. */
  readonly bytes: number;
}

/** Where the chunks of a file lie in it; those that are not stored have size 0. */
export interface FilledFile {
  /** First bytes, by slot. */
  readonly offsets: readonly number[];
  /** Sizes, by slot. */
  readonly sizes: readonly number[];
  /** CRC-32 of the stored bytes, by slot. */
  readonly checksums: readonly number[];
  /** One past the last chunk. */
  readonly end: number;
}

/** Bytes at their place in a file. */
export interface PlacedBytes {
  /** First byte. */
  readonly position: number;
  /** The bytes. */
  readonly bytes: Uint8Array;
}

/** How a result lies in files. */
export interface ChunkTarget {
  /** Whether the result is one file, or a folder of files. */
  readonly kind: "file" | "folder";
  /** Samples of every chunk, per dimension; chunks at the ends of dimensions are filled up with zeros. */
  readonly chunk: Shape;
  /** The levels; chunks of later levels are written after those of earlier ones. */
  readonly levels: readonly LevelGrid[];
  /** How samples of later levels are made. */
  readonly reduction: LevelReduction;
  /** What is done to the bytes of a chunk. */
  readonly steps: readonly EncoderStep[];
  /** Whether chunks in which all bytes are zero are left out. */
  readonly sparse: boolean;
  /** Chunks that lie in a file row-major, per dimension; absent: those of the array. */
  readonly perFile?: Shape;
  /** Whether workers write: all chunks are in one file, are stored as they are, and none is left out. */
  readonly isPlain?: boolean;
  /** Bytes at the beginning of each file that are written at its end. */
  readonly head: number;
  /** Everything on which the bytes of the result depend, beside samples: plain data. */
  readonly facts: unknown;
  /** All chunks, in the order in which they are written. */
  places(): Iterable<ChunkPlace>;
  /** What a file contains beside its chunks. */
  around(file: string, filled: FilledFile): Iterable<PlacedBytes>;
  /** What lies before the bytes of a stored chunk; absent: nothing. Its length depends on the place alone. */
  before?(place: ChunkPlace, bytes: number, checksum: number): Uint8Array;
  /** Further files of a folder: path and content. */
  documents(): readonly (readonly [path: string, content: string | Uint8Array])[];
}
