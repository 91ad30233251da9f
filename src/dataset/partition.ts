/**
 * Partitions: the runs of frames that one task works on.
 *
 * They depend on the data alone, never on the number of workers. A partition has `leaf · 2^k` frames (the last
 * may be shorter), and `leaf` depends on the size of a frame only. Partial results are merged in a binary tree
 * over aligned ranges of frames, and every partition is a node of that one tree:
 *
 * ```
 * leaf         0   1   2   3   4   5   6
 * k = 0       [ ] [ ] [ ] [ ] [ ] [ ] [ ]
 * k = 1       [     ] [     ] [     ] [ ]
 * k = 2       [             ] [         ]
 * ```
 *
 * So a sum has the same bits for every number of partitions.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { formatBytes } from "../space/size.ts";
import { floorPowerOfTwo } from "./contiguous_tiling.ts";
import { type Roi, selectedBefore } from "./roi.ts";

const MiB = 2 ** 20;

/** Most bytes of a leaf, unless one frame is larger. */
const LEAF_BYTES = 16 * MiB;

/** Most frames of a leaf. */
const LEAF_FRAMES = 32;

/** Bytes between which a partition stays by default. */
const PARTITION_BYTES = { least: MiB, most: 32 * MiB } as const;

/** Partitions that data beyond the smallest sizes should have: enough to keep many workers busy. */
const WANTED_PARTITIONS = 64;

/** A run of frames that one task works on. */
export interface Partition {
  /** Its number, counted without regard to the region of interest. */
  readonly index: number;
  /** First position of the flattened scan. */
  readonly start: number;
  /** One past the last position. */
  readonly stop: number;
  /** Selected positions inside. */
  readonly selected: number;
  /** Selected positions before: where its results begin. */
  readonly compressedStart: number;
}

/** What partitioning depends on. */
export interface PartitionInput {
  /** Positions of the scan. */
  readonly frames: number;
  /** Bytes of the samples of one frame as they are stored. */
  readonly frameBytes: number;
}

/** What a caller may say about partitions. */
export interface PartitionOptions {
  /** At least this many partitions, where possible. */
  readonly count?: number;
  /** Positions that take part. Default: all. */
  readonly roi?: Roi;
}

/** How a scan is cut into partitions. */
export interface PartitionPlan {
  /** Frames in a leaf of the merge tree. */
  readonly leaf: number;
  /** Frames in a partition, except perhaps the last. */
  readonly framesEach: number;
  /** Number of partitions, with those that the region of interest leaves empty. */
  readonly count: number;
  /** The partitions that have something to do, in order; they keep their `index`. */
  readonly partitions: readonly Partition[];
  /** What the user should know. */
  readonly warnings: readonly string[];
}

/**
 * Frames in a leaf of the merge tree: a power of two from 1 to 32, with at most 16 MiB.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(leafFrames(256 * 256 * 2), 32);
 * assertEquals(leafFrames(3 * 2 ** 20), 4);
 * assertEquals(leafFrames(2 ** 30), 1);
 * ```
 */
export function leafFrames(frameBytes: number): number {
  return Math.min(floorPowerOfTwo(LEAF_BYTES / frameBytes), LEAF_FRAMES);
}

/** The partitions of a scan that have something to do, in order. See {@link planPartitions} for the rest. */
export function partitionsOf(input: PartitionInput, options: PartitionOptions = {}): readonly Partition[] {
  return planPartitions(input, options).partitions;
}

/**
 * How a scan is cut into partitions: of 32 MiB at most, and about 64 or more of them where the data has 64 MiB;
 * or as many as asked for.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const plan = planPartitions({ frames: 65536, frameBytes: 256 * 256 * 2 });
 * assertEquals([plan.framesEach, plan.count], [256, 256]);
 * ```
 */
export function planPartitions(input: PartitionInput, { count, roi }: PartitionOptions = {}): PartitionPlan {
  const { frames } = input;
  checkInput(input, count, roi);
  const leaf = leafFrames(input.frameBytes);
  const warnings: string[] = [];
  const leaves = count === undefined
    ? leavesBySize(input, leaf)
    : leavesByCount(frames, leaf, count, warnings);
  const framesEach = leaf * leaves;
  const total = Math.ceil(frames / framesEach);
  const all = Array.from({ length: total }, (_, index) => partitionAt(index, framesEach, frames, roi));
  const partitions = all.filter(({ selected }) => selected > 0);
  return { leaf, framesEach, count: total, partitions, warnings };
}

function partitionAt(index: number, framesEach: number, frames: number, roi: Roi | undefined): Partition {
  const start = index * framesEach;
  const stop = Math.min(frames, start + framesEach);
  const compressedStart = roi ? selectedBefore(roi, start) : start;
  const selected = (roi ? selectedBefore(roi, stop) : stop) - compressedStart;
  return { index, start, stop, selected, compressedStart };
}

/** Leaves in a partition, a power of two, from the bytes of everything. */
function leavesBySize({ frames, frameBytes }: PartitionInput, leaf: number): number {
  const share = frames * frameBytes / WANTED_PARTITIONS;
  const target = Math.min(Math.max(share, PARTITION_BYTES.least), PARTITION_BYTES.most);
  let leaves = floorPowerOfTwo(target / (leaf * frameBytes));
  while (leaves > 1 && leaf * leaves / 2 >= frames) leaves /= 2;
  return leaves;
}

/** The most leaves in a partition, a power of two, that still give `count` partitions. */
function leavesByCount(frames: number, leaf: number, count: number, warnings: string[]): number {
  let leaves = 1;
  while (leaf * leaves < frames && Math.ceil(frames / (leaf * leaves * 2)) >= count) leaves *= 2;
  const found = Math.ceil(frames / (leaf * leaves));
  if (found < count) {
    warnings.push(
      `${count} partitions were asked for; there are ${found}, as a partition has at least ${leaf} frames`,
    );
  }
  return leaves;
}

function checkInput({ frames, frameBytes }: PartitionInput, count?: number, roi?: Roi): void {
  if (!Number.isSafeInteger(frames) || frames < 0 || !(frameBytes > 0)) {
    throw new TilewiseError("invalid", `Cannot partition ${frames} frames of ${formatBytes(frameBytes)}`);
  }
  if (count !== undefined && !(Number.isSafeInteger(count) && count >= 1)) {
    throw new TilewiseError("invalid", `Cannot make ${count} partitions; ask for 1 or more`, {
      found: count,
    });
  }
  if (roi && roi.frames !== frames) {
    const text = `Cannot use a region of interest of ${roi.frames} positions for ${frames} frames`;
    throw new TilewiseError("invalid", text, { expected: frames, found: roi.frames });
  }
}
