/**
 * Input and output of a negotiation: the wishes of the functions of a run, and the tiling scheme.
 *
 * @module
 */

import type { Box } from "../../space/box.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { checkedProduct, type Shape, showShape } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";

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
  /** Whether tiles should have all frames of a partition, and little of each, as the file has them. Default false. */
  readonly deep?: boolean;
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

// Tiles that are one contiguous range of the file: for functions that accept any order of pixels and frames.
//
// Such a tile needs one system call and no gathering. Small frames come several at a time (a power of two, so that no
// tile crosses a border between leaves of the merge tree), large frames in slabs of whole rows, all of about the same
// height. Excluded pixels need whole frames, as slabs may cut their neighbourhood; functions that work on whole frames
// need them too.

/** The contiguous tile for a request in which every function has asked for one. */
export function contiguousTile(request: NegotiationRequest, why: string[]): Proposal {
  const { sigShape, partitionFrames, dtype, readDType, targetBytes = BEST_FIT_BYTES } = request;
  const frame = checkedProduct([...sigShape, dtypeInfo(dtype).itemSize], "a frame");
  const stored = `${formatBytes(frame)} of ${dtype}`;
  const tile = frame <= targetBytes
    ? [Math.min(floorPowerOfTwo(targetBytes / frame), partitionFrames), ...sigShape]
    : stackOf(request, targetBytes);
  why.push(
    tile.slice(1).every((n, d) => n === sigShape[d])
      ? `Whole frames, ${tile[0]} at a time: one has ${stored}, a read should have ${
        formatBytes(targetBytes)
      }`
      : `Slabs of ${showShape(tile.slice(1))}: a frame has ${stored}, a read should have ${
        formatBytes(targetBytes)
      }`,
  );
  const limit = checkedProduct([...tile, dtypeInfo(readDType).itemSize], "a tile");
  return { tile, limit, base: request.baseShape ?? sigShape.map(() => 1) };
}

/** Whether a function needs tiles of whole frames. */
export function needsFrames({ method, wholeFrames }: TileWish): boolean {
  return method !== "tile" || !!wholeFrames;
}

/** A slab of one frame; or thinner slabs of several frames, if the reader holds these frames anyway. */
function stackOf(request: NegotiationRequest, targetBytes: number): Shape {
  const { stack = 1, partitionFrames, excluded = [], udfs } = request;
  const cuts = excluded.length === 0 && !udfs.some(needsFrames);
  const depth = cuts ? floorPowerOfTwo(Math.min(stack, partitionFrames)) : 1;
  return [depth, ...slabShape(request, targetBytes / depth)];
}

/** The signal part of slabs of at most `target` bytes, or of one block where that is more. */
function slabShape(request: NegotiationRequest, target: number): Shape {
  const { sigShape, dtype, baseShape, excluded = [], udfs } = request;
  if (excluded.length > 0 || udfs.some(needsFrames)) return sigShape;
  let bytes = dtypeInfo(dtype).itemSize;
  let cut = sigShape.length - 1;
  while (cut > 0 && bytes * sigShape[cut]! <= target) bytes *= sigShape[cut--]!;
  if (bytes * sigShape[cut]! <= target) return sigShape;
  // Rows are not cut while a slab has several rows: a kernel may need to know where its row begins.
  if (cut === sigShape.length - 1 && cut > 0) bytes *= sigShape[cut--]!;
  const full = sigShape[cut]!;
  const unit = baseShape?.[cut] ?? 1;
  const slabs = Math.ceil(full / Math.max(1, Math.floor(target / bytes)));
  const size = Math.min(full, Math.ceil(full / slabs / unit) * unit);
  return sigShape.map((n, d) => d < cut ? baseShape?.[d] ?? 1 : d === cut ? size : n);
}

/** The largest power of two that is not above `n`; 1 for smaller `n`. */
export function floorPowerOfTwo(n: number): number {
  return n < 1 ? 1 : 2 ** Math.floor(Math.log2(n));
}
