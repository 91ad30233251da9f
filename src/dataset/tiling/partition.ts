/**
 * Partitions: the runs of frames that one task works on.
 *
 * They depend on the data and the size of the results, never on the number of workers. A partition has
 * `leaf · 2^k` frames (the last may be shorter), and `leaf` depends on the size of a frame only. Partial results are
 * merged in a binary tree over aligned ranges of frames, and every partition is a node of that one tree:
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
 * Under a region of interest partitions differ in length, so that each has about the same number of selected
 * frames: starting from the root, every node with too many of them is cut in two, down to single leaves, and nodes
 * without any are dropped. What is left are nodes of the same tree: the bits stay.
 *
 * ```
 * selected     1   .   .   .   5   6   .   2      at most 6 each: [0..3] [4] [5] [6..7]
 * ```
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { formatBytes } from "../../space/size.ts";
import { floorPowerOfTwo } from "./tiling_scheme.ts";
import { type Roi, selectedBefore } from "../roi/selected.ts";

const MiB = 2 ** 20;

/** Most bytes of a leaf, unless one frame is larger. */
const LEAF_BYTES = 16 * MiB;

/** Most frames of a leaf. */
const LEAF_FRAMES = 32;

/** Bytes between which a partition stays by default. */
const PARTITION_BYTES = { least: MiB, most: 32 * MiB } as const;

/** Partitions that all but small data should have: enough to keep many workers busy. */
const WANTED_PARTITIONS = 64;

/** Bytes of samples per byte of results that a partition should have, as results are cleared and merged per partition. */
const PER_RESULT = 32;

/** Fewest partitions when results are large. */
const LEAST_FOR_RESULTS = 4;

/** Fewest partitions when they grow to whole bands, unless their layout allows fewer. */
const LEAST_PARTITIONS = 8;

/** Bands of a partition from which one may be cut, unless the layout says another number. */
const ENOUGH_BANDS = 8;

/**
 * Most partitions of a run, give or take a factor of two: they are listed before it starts. Beyond, they grow; the bits of
 * sums do not depend on them.
 */
export const MOST_PARTITIONS: number = 2 ** 16;

/**
 * A run of frames that one task works on.
 * @category Runs
 */
export interface Partition {
  /** Its number among those that have something to do. */
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
  /** Frames in a band: a border inside of one means that its chunks are decoded twice. Default 1. */
  readonly band?: number;
  /** Fewest partitions when they grow to whole bands; 0: as few as they take. Default 8. */
  readonly least?: number;
  /** Bands of a partition from which one may be cut. Default 8: then an eighth of the chunks is decoded twice. */
  readonly enough?: number;
  /** Bytes of results per partition, independent of its number of frames. Default 0. */
  readonly resultBytes?: number;
}

/** What a caller may say about partitions. */
interface PartitionOptions {
  /** At least this many partitions, where possible. */
  readonly count?: number;
  /** Positions that take part. Default: all. */
  readonly roi?: Roi;
}

/** How a scan is cut into partitions. */
interface PartitionPlan {
  /** Frames in a leaf of the merge tree. */
  readonly leaf: number;
  /** Positions that the longest partition covers; without a region of interest all but the last cover as many. */
  readonly framesEach: number;
  /** The partitions with selected frames, in order; they keep their `index`. */
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

/**
 * How a scan is cut into partitions: of at most 32 MiB each, and about 64 or more of them where the data has 64 MiB;
 * or as many as requested. If results are large, partitions are larger and fewer. Only selected frames count.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const plan = planPartitions({ frames: 65536, frameBytes: 256 * 256 * 2 });
 * assertEquals([plan.framesEach, plan.partitions.length], [256, 256]);
 * ```
 */
export function planPartitions(input: PartitionInput, { count, roi }: PartitionOptions = {}): PartitionPlan {
  checkInput(input, count, roi);
  const leaf = leafFrames(input.frameBytes);
  const wanted = count === undefined ? undefined : Math.min(count, MOST_PARTITIONS);
  const each = wanted === undefined
    ? listable(input.frames, wholeBands(input, leaf * leavesBySize(input, leaf)))
    : leaf * leavesByCount(input.frames, leaf, wanted);
  const borders = roi?.indices ? balanced(input, leaf, roi, wanted) : equal(input.frames, each);
  const longest = () => borders.reduce((most, [start, stop]) => Math.max(most, stop - start), 0);
  const framesEach = roi?.indices ? longest() : each;
  const partitions = borders.map(([start, stop], index) => partitionOf(index, start, stop, roi));
  const warnings: string[] = [];
  if (count !== undefined && partitions.length < Math.min(count, roi?.count ?? count)) {
    const text = `${count} partitions were asked for; there are ${partitions.length}`;
    const why = partitions.length < MOST_PARTITIONS
      ? `a partition has at least ${leaf} frames`
      : `${MOST_PARTITIONS} are enough for any run`;
    warnings.push(`${text}, as ${why}`);
  }
  return { leaf, framesEach, partitions, warnings };
}

/** Frames of a partition, doubled until all partitions can be listed. */
function listable(frames: number, each: number): number {
  while (frames > each * MOST_PARTITIONS) each *= 2;
  return each;
}

type Range = readonly [start: number, stop: number];

function partitionOf(index: number, start: number, stop: number, roi: Roi | undefined): Partition {
  const compressedStart = roi ? selectedBefore(roi, start) : start;
  const selected = (roi ? selectedBefore(roi, stop) : stop) - compressedStart;
  return { index, start, stop, selected, compressedStart };
}

/** Ranges of equal length: the whole scan takes part. */
function equal(frames: number, each: number): Range[] {
  const range = (_: unknown, i: number): Range => [i * each, Math.min(frames, (i + 1) * each)];
  return Array.from({ length: Math.ceil(frames / each) }, range);
}

/** Ranges with about the same number of selected frames each: as few as there may be, or `count` or more. */
function balanced(input: PartitionInput, leaf: number, roi: Roi, count: number | undefined): Range[] {
  if (count === undefined) {
    const most = targetBytes(roi.count * input.frameBytes, input.resultBytes) / input.frameBytes;
    const band = Math.min(input.band ?? 1, roi.count / (input.least ?? LEAST_PARTITIONS));
    const least = roi.count / MOST_PARTITIONS;
    return nodesOf(leaf, roi, Math.max(1, Math.floor(Math.max(most, band)), Math.ceil(least)));
  }
  let [low, high] = [1, Math.max(1, roi.count)]; // the largest limit that gives enough partitions
  while (low < high) {
    const most = Math.ceil((low + high) / 2);
    if (nodesOf(leaf, roi, most, count).length >= count) low = most;
    else high = most - 1;
  }
  return nodesOf(leaf, roi, low);
}

/** The largest nodes of the merge tree with at most `most` selected frames each, or of one leaf; the first `enough`. */
function nodesOf(leaf: number, roi: Roi, most: number, enough = Infinity): Range[] {
  const found: Range[] = [];
  const visit = (start: number, span: number) => {
    if (found.length >= enough) return;
    const stop = Math.min(roi.frames, start + span);
    const selected = selectedBefore(roi, stop) - selectedBefore(roi, start);
    if (selected === 0) return;
    if (selected <= most || span === leaf) return void found.push([start, stop]);
    visit(start, span / 2);
    visit(start + span / 2, span / 2);
  };
  let root = leaf;
  while (root < roi.frames) root *= 2;
  visit(0, root);
  return found;
}

/**
 * Bytes that a partition should have, from the bytes of all samples and of its results. With `p` partitions, the time of many
 * workers grows with `total / p` and that of the merging thread with `p · results`: the sum is least near the square root.
 */
function targetBytes(total: number, results = 0): number {
  const usual = Math.min(Math.max(total / WANTED_PARTITIONS, PARTITION_BYTES.least), PARTITION_BYTES.most);
  const most = Math.min(PER_RESULT * results, 2 * Math.sqrt(total * results), total / LEAST_FOR_RESULTS);
  return Math.max(usual, most);
}

/**
 * Frames of a partition, doubled until borders lie between bands, or until a partition has so many bands that few of them
 * are cut; but only while there are enough partitions for all workers.
 */
function wholeBands(
  { frames, band = 1, least = LEAST_PARTITIONS, enough = ENOUGH_BANDS }: PartitionInput,
  each: number,
): number {
  for (let more = each; more <= frames / least; more *= 2) {
    if (more % band === 0 || more >= enough * band) return more;
  }
  return each;
}

/** Leaves in a partition, a power of two, from the bytes of everything. */
function leavesBySize({ frames, frameBytes, resultBytes }: PartitionInput, leaf: number): number {
  let leaves = floorPowerOfTwo(targetBytes(frames * frameBytes, resultBytes) / (leaf * frameBytes));
  while (leaves > 1 && leaf * leaves / 2 >= frames) leaves /= 2;
  return leaves;
}

/** The most leaves in a partition, a power of two, that still give `count` partitions. */
function leavesByCount(frames: number, leaf: number, count: number): number {
  let leaves = 1;
  while (leaf * leaves < frames && Math.ceil(frames / (leaf * leaves * 2)) >= count) leaves *= 2;
  return leaves;
}

function checkInput({ frames, frameBytes }: PartitionInput, count?: number, roi?: Roi): void {
  if (!Number.isSafeInteger(frames) || frames < 0 || !(frameBytes > 0)) {
    throw new TilewiseError("invalid", `Cannot partition ${frames} frames of ${formatBytes(frameBytes)}`);
  }
  if (count !== undefined && !(Number.isSafeInteger(count) && count >= 1)) {
    throw new TilewiseError("invalid", `Cannot make ${count} partitions; ask for 1 or more`, {
      option: "partitions",
      found: count,
    });
  }
  if (roi && roi.frames !== frames) {
    const text = `Cannot use a region of interest of ${roi.frames} positions for ${frames} frames`;
    throw new TilewiseError("invalid", text, { expected: frames, found: roi.frames });
  }
}
