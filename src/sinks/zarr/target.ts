/**
 * How arrays and pyramids of Zarr lie in files.
 *
 * @module
 */

import type { AxisFacts } from "../../space/axes.ts";
import type { OptionNames } from "../../options.ts";
import { either, must } from "../../options/rules.ts";
import { bytes, shapeFrom } from "../../space/rules.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { frameOf } from "../../space/meaning/kinds.ts";
import { scanDimensions } from "../array.ts";
import {
  type ChosenCodec,
  CHUNK_SINK_OPTIONS,
  type ChunkSinkOptions,
  pyramidOf,
} from "../chunks/chunk_options.ts";
import type { ArrayToStore } from "../chunks/file.ts";
import type { ChunkTarget } from "../chunks/target.ts";
import { asSignal } from "./hyperspy.ts";
import { documentsOf, stepsOf } from "./metadata.ts";
import { omeOf } from "./ome.ts";
import { chunksPerShard, shardIndex, type ZarrKeys, zarrPlaces } from "./shards.ts";
import { entryHeader, zipAround, zipPlaces } from "./zip.ts";

/**
 * Options of {@link fileSink} for Zarr.
 * @category Views
 */
export interface ZarrOptions extends ChunkSinkOptions {
  /** Samples per chunk. Default: up to 512 × 512 of the last two dimensions, and as many of the others as fit into 1 MiB. */
  readonly chunk?: Shape;
  /**
   * Samples per shard, a multiple of the chunk, or the bytes of a shard before compression, such as `256MiB`: chunks are
   * combined in files of that size. Default: each chunk is a file.
   */
  readonly shard?: Shape | number | string;
  /** Version of Zarr. Default 3; OME-Zarr of version 3 is 0.5, of version 2 it is 0.4. */
  readonly format?: 2 | 3;
}

/** Their rules. */
// deno-fmt-ignore: written by `deno task build`
export const ZARR_OPTIONS: OptionNames<ZarrOptions> = {
  ...CHUNK_SINK_OPTIONS, chunk: shapeFrom(1, "[1, 512, 512]"),
  shard: either("a list of samples, or a count of bytes such as 256MiB", shapeFrom(1, "[4096, 4096]"), bytes),
  format: must("2 or 3", (value) => value === 2 || value === 3),
};

/** How it is stored. */
export interface ZarrWay {
  /** What chunks are packed with. */
  readonly codec: ChosenCodec;
  /** Whether levels are arrays of a group, as OME-Zarr has them. */
  readonly isGroup: boolean;
  /** Whether it is a signal of HyperSpy. */
  readonly isSignal?: boolean;
  /** Whether all files are entries of one archive. */
  readonly isArchive: boolean;
}

/** The files of a result. */
export function zarrTarget(
  array: ArrayToStore,
  options: ZarrOptions,
  way: ZarrWay,
): ChunkTarget {
  const { dtype, chunk } = array;
  const { codec, isGroup } = way, { format = 3, levels: count = "auto" } = options;
  const { levels, values, axes, reduction } = pyramidOf(array, options, isGroup ? count : 1);
  const perShard = options.shard === undefined
    ? undefined
    : chunksPerShard(options.shard, { chunk, counts: levels[0]!.counts, dtype });
  const keys: ZarrKeys = {
    format,
    isGroup,
    ...(perShard ? { perShard } : {}),
    ...(array.isScalar ? { isScalar: true } : {}),
  };
  const ome = isGroup
    ? omeOf(array.stem, levels, { axes, values }, { reduction, source: array.source ?? dtype })
    : undefined;
  const names = ome?.multiscales.axes ?? axes;
  const stored = (shape: Shape) => array.isScalar ? [] : shape;
  const facts = {
    dtype,
    chunk: stored(chunk),
    codec,
    ...(perShard ? { shard: stored(chunk.map((n, d) => n * perShard[d]!)) } : {}),
    ...(!array.isScalar && names?.every(({ name }) => name) ? { names: names.map(({ name }) => name!) } : {}),
  };
  const nav = unsaidScan(array, axes);
  const target: ChunkTarget = {
    kind: "folder",
    chunk,
    levels,
    reduction,
    steps: stepsOf(codec, dtype),
    sparse: true,
    ...(perShard ? { perFile: perShard } : {}),
    head: 0,
    facts: { keys, ome, names: facts.names, values, axes, nav },
    places: () => zarrPlaces({ levels }, keys),
    around: (_file, filled) => perShard ? shardIndex(sizeOf(perShard), filled) : [],
    documents: () =>
      documentsOf(
        format,
        levels.map(({ shape }) => ({ ...facts, shape: stored(shape) })),
        array.isScalar ? { values } : { values, axes, nav },
        ome,
      ),
  };
  if (way.isSignal) return asSignal(target, array, axes);
  return way.isArchive ? archived(target) : target;
}

/** How many dimensions are the scan, if neither kinds of axes, in whose order frames are last, nor their number says it. */
function unsaidScan({ shape, nav }: ArrayToStore, axes: readonly AxisFacts[] = []): number | undefined {
  const isLast = frameOf(axes)?.every((d, i, { length }) => d === shape.length - length + i) ?? true;
  return isLast && nav === scanDimensions({ shape, axes }) ? undefined : nav;
}

/** The same files as entries of one archive. */
function archived(target: ChunkTarget): ChunkTarget {
  const { places, documents } = target;
  return {
    ...target,
    kind: "file",
    facts: { zip: target.facts },
    places: () => zipPlaces(places()),
    before: ({ entry = "" }, size, checksum) => entryHeader({ name: entry, size, checksum }),
    around: (_file, filled) => zipAround(places(), documents(), filled),
    documents: () => [],
  };
}
