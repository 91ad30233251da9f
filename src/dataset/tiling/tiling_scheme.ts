/**
 * Input and output of a negotiation: the wishes of the functions of a run, and the tiling scheme.
 *
 * @module
 */

import type { Box } from "../../space/box.ts";
import type { DType } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";

/** Size that `"bestFit"` stands for: about the share of the last cache level that one worker has. */
export const BEST_FIT_BYTES: number = 2 ** 20;

/** Default depth of a tile function. */
export const DEFAULT_DEPTH = 32;

/** What one function wants of its tiles. */
export interface TileWish {
  /** Name, for explanations. */
  readonly name: string;
  /** What one call gets: a tile, at least one whole frame, or a whole partition. */
  readonly method: "tile" | "frame" | "partition";
  /** Frames in a tile that a tile function would like; `"max"`: as many as there are. Default 32. */
  readonly depth?: number | "max";
  /** Most bytes of a tile in the read type, for tile functions; `"bestFit"` is 1 MiB. Default `"max"`. */
  readonly totalBytes?: number | "bestFit" | "max";
  /**
   * Asks for tiles that are one contiguous range of the file: whole frames, or a slab of rows of one frame. Depth does
   * not matter then. It counts only when all functions of a run ask for it; otherwise the other wishes decide.
   */
  readonly contiguous?: boolean;
  /** A tile function that wants tiles of whole frames, however large they are. */
  readonly wholeFrames?: boolean;
}

/** Everything a tiling scheme depends on. */
export interface NegotiationRequest {
  /** Shape of one frame. */
  readonly sigShape: Shape;
  /** Frames of the first (largest) partition. */
  readonly partitionFrames: number;
  /** Type of the samples in the file. */
  readonly dtype: DType;
  /** Type in which the functions get them; see `readDType`. */
  readonly readDType: DType;
  /** Whether tiles are copies: converted, decoded, gathered, corrected or picked by a region of interest. */
  readonly needsDecode: boolean;
  /** Most bytes that the data set reads at a time when tiles are copies. Default 1 MiB. */
  readonly ioMaxBytes?: number;
  /** Fewest pixels of a frame per read. Default 16 KiB of stored samples. */
  readonly minSigPixels?: number;
  /** Unit of a tile in signal dimensions, such as a chunk. Default: one row. */
  readonly baseShape?: Shape;
  /** The functions of the run. */
  readonly udfs: readonly TileWish[];
  /** Coordinates of excluded pixels: no tile border may touch one. */
  readonly excluded?: readonly (readonly number[])[];
  /** Lets the data set change a tile shape (depth, then signal dimensions) at the end. */
  readonly veto?: (tileShape: Shape) => Shape;
  /** Frames that the reader holds at one time, so that parts of all of them cost no more than one range. Default 1. */
  readonly stack?: number;
  /** Bytes of stored samples that a contiguous tile should have. Default 1 MiB. */
  readonly targetBytes?: number;
}

/**
 * How the partitions of a run are cut into tiles.
 * @category Runs
 */
export interface TilingScheme {
  /** Depth, then signal dimensions, of a full tile. */
  readonly tileShape: Shape;
  /** The signal part of the tiles, in row-major order unless `boxes`; they cover a frame exactly once. */
  readonly slices: readonly Box[];
  /** What one call of a function gets. */
  readonly intent: "tile" | "frame" | "partition";
  /** Frames in a full tile. */
  readonly depth: number;
  /** Whether tiles are boxes, for functions that accept any box; these see their results row by row. Default false. */
  readonly boxes?: boolean;
  /** One sentence per decision, with the number that decided. */
  readonly why: readonly string[];
  /** What the user should know. */
  readonly warnings: readonly string[];
}

/** A proposed tile, the bytes it may have, and the unit (signal dimensions) that it must be a multiple of. */
export interface Proposal {
  /** Depth, then signal dimensions. */
  readonly tile: Shape;
  /** Most bytes in the read type. */
  readonly limit: number;
  /** The unit of the signal dimensions. */
  readonly base: Shape;
}
