/**
 * The worker side of a UDF run: reads the tiles of one partition, corrects them, gives them to the UDFs.
 *
 * @module
 */

import { chunkFilter } from "../codecs/filters/registry.ts";
import { frameDecoder } from "../codecs/registry.ts";
import type { FrameLayout } from "../dataset/layout.ts";
import { FrameReader, type RawFrames } from "../dataset/reader.ts";
import { TilewiseError } from "../errors.ts";
import type { JobHandler, WorkerContext } from "../executor/task.ts";
import { instantiateKernels, type Kernels } from "../kernels/wasm.ts";
import { Slab } from "../memory/slab.ts";
import type { Box } from "../space/box.ts";
import { type DType, dtypeInfo } from "../space/dtype.ts";
import { ravel, type Shape, sizeOf } from "../space/shape.ts";
import type { PlacedAux } from "./aux.ts";
import { openSet, type SetPlan } from "./buffers.ts";
import { converter } from "./convert.ts";
import { Corrector, type PlacedCorrections } from "./corrector.ts";
import { Instances } from "./instances.ts";
import type { JsonValue } from "./objects.ts";
import { depthBlocks, positionsIn, rankOf, type Selection } from "./positions.ts";
import type { Convert, RawSamples } from "./tile.ts";
import type { Method, Udf, UdfMeta } from "./udf.ts";
import { loadUdf, type UdfRef } from "./udf_ref.ts";
import { UdfRun } from "./udf_run.ts";

/** A constant array in shared memory. */
export interface PlacedArray {
  /** Its address. */
  readonly pointer: number;
  /** Its type. */
  readonly dtype: DType;
  /** Number of its entries. */
  readonly length: number;
}

/** What changes of a UDF when its parameters do, as plain data. */
export interface UdfInstance {
  /** Where it comes from, with its parameters. */
  readonly ref: UdfRef;
  /** Its constants. */
  readonly constants: Readonly<Record<string, PlacedArray>>;
  /** Its auxiliary data. */
  readonly aux: Readonly<Record<string, PlacedAux>>;
}

/** One UDF of a run, as plain data. */
export interface UdfJob extends UdfInstance {
  /** What it knows of the data. */
  readonly meta: UdfMeta;
  /** Which of its methods runs. */
  readonly method: Method;
  /** Whether its buffers are merged in a tree within partitions. */
  readonly tree: boolean;
}

/** What all partitions of a run share. */
export interface RunShared {
  /** Where the frames lie. */
  readonly layout: FrameLayout;
  /** The compiled kernels. */
  readonly module: WebAssembly.Module;
  /** The UDFs. */
  readonly udfs: readonly UdfJob[];
  /** Their buffers. */
  readonly set: SetPlan;
  /** Which positions are processed. */
  readonly selection: Selection;
  /** Shape of the scan. */
  readonly navShape: Shape;
  /** Frames a tile. */
  readonly depth: number;
  /** Parts of a frame, in order. */
  readonly slices: readonly Box[];
  /** Whether a depth block is read as whole frames and then cut, rather than part by part. */
  readonly readWhole: boolean;
  /** Frames of one leaf of the merge tree. */
  readonly leaf: number;
  /** Sets of buffers that the leaves of a partition need at one time, at most. */
  readonly leafSets: number;
  /** Most frames of a partition. */
  readonly partitionFrames: number;
  /** Dark, gain, dead pixels. */
  readonly corrections?: PlacedCorrections;
  /** The memory of each worker. */
  readonly slabs: readonly { readonly offset: number; readonly byteLength: number }[];
}

/** Newer parameters than those the run has begun with. */
export interface TaskUpdate {
  /** Tells it from others. */
  readonly version: number;
  /** The UDFs that have other parameters, by their number. */
  readonly udfs: Readonly<Record<number, UdfInstance>>;
}

/** One partition to compute. */
export interface PartitionTask {
  /** Parameters to compute it with. Default: those of the run. */
  readonly update?: TaskUpdate;
  /** Number of the partition. */
  readonly partition: number;
  /** First scan position. */
  readonly start: number;
  /** One past the last scan position. */
  readonly stop: number;
  /** Address of the buffer set for its results. */
  readonly set: number;
}

/** What comes back from a partition; its numbers are in the buffer set. */
export interface PartitionResult {
  /** Frames processed. */
  readonly frames: number;
  /** Per UDF: the values of its object buffers; absent when no UDF has any. */
  readonly objects?: readonly (Readonly<Record<string, JsonValue[]>> | undefined)[];
}

/** Makes the handler of a run on one worker: the entry that the executor calls. */
export async function partitionJob(
  shared: RunShared,
  worker: WorkerContext,
): Promise<JobHandler<PartitionTask, PartitionResult>> {
  const udfs = await Promise.all(shared.udfs.map(({ ref }) => loadUdf(ref)));
  return new PartitionRunner(shared, worker, udfs);
}

class PartitionRunner implements JobHandler<PartitionTask, PartitionResult> {
  readonly #shared: RunShared;
  readonly #worker: WorkerContext;
  readonly #kernels: Kernels;
  readonly #reader: FrameReader;
  readonly #corrector: Corrector | undefined;
  readonly #runs: UdfRun[];
  readonly #instances: Instances;
  readonly #bases: number[];

  constructor(shared: RunShared, worker: WorkerContext, udfs: readonly Udf[]) {
    this.#shared = shared;
    this.#worker = worker;
    this.#kernels = instantiateKernels(worker.memory, shared.module);
    const lease = shared.slabs[worker.index];
    if (!lease) {
      throw new TilewiseError(
        "corrupt",
        `Worker ${worker.index} has no memory: the run has ${shared.slabs.length} slabs`,
      );
    }
    const { offset, byteLength } = lease;
    const slab = new Slab(worker.memory, offset, byteLength);
    const frames = Math.min(shared.depth, shared.partitionFrames);
    this.#reader = new FrameReader(shared.layout, {
      kernels: this.#kernels,
      slab,
      maxFrames: frames,
      decoderOf: frameDecoder,
      filterOf: chunkFilter,
      ...(shared.readWhole ? {} : { box: shared.slices[0]! }),
    });
    const pixels = Math.max(...shared.slices.map(({ shape }) => sizeOf(shape)));
    if (shared.corrections) {
      this.#corrector = new Corrector(shared.corrections, this.#kernels, slab, frames * pixels);
    }
    const converters = new Map<DType, Convert>();
    const convertTo = (dtype: DType) => {
      const bytes = frames * pixels * dtypeInfo(dtype).itemSize;
      if (!converters.has(dtype)) {
        converters.set(dtype, converter(this.#kernels, dtype, slab.take(bytes, "tiles")));
      }
      return converters.get(dtype)!;
    };
    this.#bases = sliceBases(shared.slices, shared.layout.sigShape);
    this.#instances = new Instances(shared.udfs, udfs);
    this.#runs = udfs.map((udf, u) => new UdfRun(udf, u, shared, this.#kernels, slab, convertTo));
  }

  async run(task: PartitionTask): Promise<PartitionResult> {
    const { selection, set, navShape } = this.#shared;
    await this.#instances.use(task.update, this.#runs);
    const positions = positionsIn(selection, task.start, task.stop);
    new Uint8Array(this.#worker.memory.buffer, task.set, set.bytes).fill(0);
    const buffers = openSet(set, this.#worker.memory, task.set, positions.length);
    const row = rankOf(selection, positions[0] ?? task.start);
    for (const run of this.#runs) run.begin(task, buffers[run.number]!, row, positions.length);
    for (const [from, to] of this.#blocks(positions)) {
      const images = Array.from(positions.subarray(from, to), (position) => position + selection.syncOffset);
      const whole = this.#shared.readWhole ? await this.#load(images) : undefined;
      for (let s = 0; s < this.#shared.slices.length; s++) {
        if (this.#worker.cancelled()) throw new TilewiseError("aborted", "Cancelled by the caller");
        const box = this.#shared.slices[s]!;
        const raw = whole
          ? cut(whole, box, this.#shared.layout.sigShape)
          : samples(await this.#load(images, box));
        const corrected = this.#corrector?.apply(raw, to - from, s) ?? raw;
        const part = positions.subarray(from, to);
        const window = { frame: from, frames: to - from, pixel: this.#bases[s]!, pixels: sizeOf(box.shape) };
        const init = { raw: corrected, positions: part, box, navShape, index: s, row: row + from };
        for (const run of this.#runs) run.process(init, window);
      }
      this.#worker.advance(to - from);
    }
    const objects = this.#runs.map((run) => run.end());
    const frames = positions.length;
    return objects.some((values) => values) ? { frames, objects } : { frames };
  }

  async close(): Promise<void> {
    await this.#reader[Symbol.asyncDispose]();
  }

  #blocks(positions: Uint32Array): Iterable<[number, number]> {
    const { depth, leaf, udfs } = this.#shared;
    return depthBlocks(positions, depth, udfs.some(({ tree }) => tree) ? leaf : undefined);
  }

  #load(images: readonly number[], box?: Box): RawFrames | Promise<RawFrames> {
    return this.#reader.load(images, box, this.#worker.signal);
  }
}

function samples({ pointer, frameStride, dtype, byteOrder }: RawFrames): RawSamples {
  return { pointer, frameStride, dtype, byteOrder };
}

/** The part `box` of whole frames; only called for parts that are contiguous in a frame. */
function cut(whole: RawFrames, box: Box, sigShape: Shape): RawSamples {
  const first = ravel(box.origin, sigShape) * dtypeInfo(whole.dtype).itemSize;
  return { ...samples(whole), pointer: whole.pointer + first };
}

/** Where the pixels of each slice start in a sig buffer: slices follow each other, from the first row that is read. */
function sliceBases(slices: readonly Box[], sigShape: Shape): number[] {
  let base = ravel(slices[0]!.origin, sigShape);
  return slices.map(({ shape }) => (base += sizeOf(shape)) - sizeOf(shape));
}
