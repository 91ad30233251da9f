/**
 * The worker side of a UDF run: reads the tiles of one partition, corrects them, gives them to the UDFs.
 *
 * @module
 */

import type { KernelFiles } from "../../channels/files/kernel_files.ts";
import { filesOfWorker, type HostAccess, noAccess } from "../../channels/launch/access.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import type { JobHandler, WorkerContext } from "../../executor/task.ts";
import { unlessChanged } from "../../io/unchanged.ts";
import { instantiateKernels, type Kernels } from "../../kernels/bind.ts";
import { Slab } from "../../memory/slab.ts";
import type { Box } from "../../space/box.ts";
import { ravel, type Shape, sizeOf } from "../../space/shape.ts";
import { openSet } from "../buffers/buffers.ts";
import { depthBlocks, positionsIn, rankOf } from "../buffers/positions.ts";
import type { Udf } from "../interface/udf.ts";
import type { converter } from "./convert.ts";
import { formNeed, formSizes, oursFirst, ownTiles } from "./form_needs.ts";
import type { PartitionResult, PartitionTask, RunShared, TaskUpdate, UdfJob } from "./job_data.ts";
import { loadUdf } from "./load.ts";
import type { SparseForms } from "./sparse_forms.ts";
import { TileForms, type TileFormsInit } from "./tile_forms.ts";
import type { TileGuard } from "./tile_guard.ts";
import { TileReader, type TileReading } from "./tile_reader.ts";
import { UdfRun } from "./udf_run.ts";

// The UDFs of one worker, with the parameters of the run or with newer ones.

/** The UDFs of one worker, and the version of their parameters. */
export class Instances {
  #version: number | undefined;
  #changed: readonly string[] = [];

  /** The UDFs of `jobs`, which have been loaded as `first`. */
  constructor(private readonly jobs: readonly UdfJob[], private readonly first: readonly Udf[]) {}

  /** Makes `runs` compute with `update`, or with the first parameters. */
  async use(update: TaskUpdate | undefined, runs: readonly UdfRun[]): Promise<void> {
    if (update?.version === this.#version) return;
    for (const u of new Set([...this.#changed, ...Object.keys(update?.udfs ?? {})].map(Number))) {
      const newer = update?.udfs[u];
      runs[u]!.use(newer ? await loadUdf(newer.ref) : this.first[u]!, newer ?? this.jobs[u]!);
    }
    this.#changed = Object.keys(update?.udfs ?? {});
    this.#version = update?.version;
  }
}

/** Makes the handler of a run on one worker; the executor calls this entry. */
export async function partitionJob(
  shared: RunShared,
  worker: WorkerContext,
): Promise<JobHandler<PartitionTask, PartitionResult>> {
  const kernels = instantiateKernels(worker.memory, shared.code);
  const slab = slabOf(shared, worker);
  const opening = TileReader.open(readingOf(shared), kernels, slab, worker.signal, shared, worker.index);
  const [reader, ...udfs] = await Promise.all([opening, ...shared.udfs.map(({ ref }) => loadUdf(ref))]);
  const access = await accessOf(shared, worker);
  const guardFor = shared.checkWrites ? await guards() : undefined;
  const forms = { Sparse: await sparseForms(shared), converter: await conversion(shared, udfs) };
  return new PartitionRunner(shared, worker, udfs, { kernels, slab, reader, access, guardFor, forms });
}

/** The way to the host of the run; its code is loaded if there is one. */
async function accessOf({ channels }: RunShared, { memory }: WorkerContext): Promise<HostAccess | undefined> {
  if (!channels) return undefined;
  const { accessTo } = await import("../../channels/launch/routes.ts");
  return await accessTo(channels, memory);
}

/** Makes the guard of a UDF; its code is loaded if there is one. */
async function guards(): Promise<(udf: string) => TileGuard> {
  const { TileGuard } = await import("./tile_guard.ts");
  return (udf) => new TileGuard(udf);
}

/** Makes sparse tiles; its code is loaded if there are any. */
async function sparseForms({ source, udfs }: RunShared): Promise<typeof SparseForms | undefined> {
  if (source === "dense" && udfs.every(({ meta }) => meta.backend === "dense")) return undefined;
  return (await import("./sparse_forms.ts")).SparseForms;
}

/** Gives samples another type; its code is loaded unless all UDFs take them as they are stored. */
async function conversion(shared: RunShared, udfs: readonly Udf[]): Promise<typeof converter | undefined> {
  const needs = udfs.map((udf, u) => formNeed(udf, shared.udfs[u]!.meta));
  if (needs.every(({ raw, backend }) => raw && backend === "dense")) return undefined;
  return (await import("./convert.ts")).converter;
}

/** The tools of a runner. */
interface RunnerTools {
  readonly kernels: Kernels;
  readonly slab: Slab;
  readonly reader: TileReader;
  readonly access: HostAccess | undefined;
  readonly guardFor: ((udf: string) => TileGuard) | undefined;
  readonly forms: Pick<TileFormsInit, "Sparse" | "converter">;
}

class PartitionRunner implements JobHandler<PartitionTask, PartitionResult> {
  readonly #shared: RunShared;
  readonly #worker: WorkerContext;
  readonly #reader: TileReader;
  readonly #forms: TileForms;
  readonly #runs: UdfRun[];
  readonly #inOrder: readonly UdfRun[];
  readonly #instances: Instances;
  readonly #bases: number[];
  readonly #slab: Slab;
  readonly #access: HostAccess | undefined;

  constructor(
    shared: RunShared,
    worker: WorkerContext,
    udfs: readonly Udf[],
    { kernels, slab, reader, access, guardFor, forms }: RunnerTools,
  ) {
    this.#shared = shared;
    this.#worker = worker;
    this.#slab = slab;
    this.#access = access;
    this.#reader = reader;
    const sizes = formSizes(readingOf(shared), shared.corrections?.dtype);
    const own = ownTiles(udfs.map((udf, u) => ({ ...shared.udfs[u]!, udf })));
    const needs = udfs.map((udf, u) => ({ ...formNeed(udf, shared.udfs[u]!.meta), own: own[u]! }));
    this.#forms = new TileForms({ kernels, slab, sizes, needs, ...forms });
    this.#bases = sliceBases(shared.slices, shared.layout.sigShape);
    this.#instances = new Instances(shared.udfs, udfs);
    this.#runs = udfs.map((udf, u) => {
      const guard = guardFor ? { guard: guardFor(udf.name) } : {};
      return new UdfRun(udf, u, shared, kernels, slab, this.#forms, this.#filesOf(udf), {
        own: own[u]!,
        ...guard,
      });
    });
    this.#inOrder = oursFirst(shared.udfs).map((u) => this.#runs[u]!);
  }

  async run(given: PartitionTask): Promise<PartitionResult> {
    const task = { ...given, set: this.#shared.ownSet ?? given.set };
    try {
      const result = await this.#compute(task);
      this.#reader.recheck(); // the samples are valid only if the file has not changed since it was opened
      return result;
    } catch (error) {
      throw located(unlessChanged(error, () => this.#reader.recheck()), task);
    }
  }

  async #compute(task: PartitionTask): Promise<PartitionResult> {
    const { selection, set } = this.#shared;
    await this.#instances.use(task.update, this.#runs);
    const positions = positionsIn(selection, task.start, task.stop);
    // Eight bytes at a time: in shared memory, `fill` stores one number after another.
    new Float64Array(this.#worker.memory.buffer, task.set, set.bytes / 8).fill(0);
    const buffers = openSet(set, this.#worker.memory, task.set, positions.length);
    const row = rankOf(selection, positions[0] ?? task.start);
    for (const run of this.#runs) run.begin(task, buffers[run.number]!, row, positions.length);
    for (const [from, to] of this.#blocks(positions)) {
      await this.#process(positions.subarray(from, to), from, row + from);
      this.#worker.advance(to - from);
    }
    const objects = this.#runs.map((run) => run.end());
    this.#checkFences(task.set);
    const frames = positions.length;
    return objects.some((values) => values) ? { frames, objects } : { frames };
  }

  #filesOf({ name }: Udf): KernelFiles {
    const access = this.#access ?? noAccess(`UDF "${name}"`, "give run() a host, { channels: host }");
    return filesOfWorker(access, this.#worker.index, () => this.#worker.cancelled());
  }

  async close(): Promise<void> {
    this.#access?.close();
    await this.#reader[Symbol.asyncDispose]();
  }

  /**
   * Processes a block of frames: all UDFs on every part of it. `frame`: number of the first frame in the partition,
   * `row` among all frames.
   */
  async #process(positions: Uint32Array, frame: number, row: number): Promise<void> {
    const { selection, slices, navShape } = this.#shared;
    const images = Array.from(positions, (position) => position + selection.syncOffset);
    const { raw } = this.#forms;
    let index = 0;
    for await (const source of this.#reader.parts(images)) {
      if (this.#worker.cancelled()) throw new TilewiseError("aborted", "Cancelled by the caller");
      const box = slices[index]!;
      const pixels = sizeOf(box.shape);
      this.#forms.begin(source, positions.length, pixels);
      const window = { frame, frames: positions.length, pixel: this.#bases[index]!, pixels };
      const tile = { raw, positions, box, navShape, index, row };
      for (const run of this.#inOrder) {
        for (let first = 0; first < positions.length;) {
          first = run.process(tile, window, { first, isDue: this.#isDue });
          if (this.#worker.due) await this.#rest();
        }
      }
      index++;
    }
  }

  /** In tests with fences: checks that nothing was written outside of tiles, scratch arrays and buffers. */
  #checkFences(set: number): void {
    this.#slab.fenced?.check();
    this.#slab.fenced?.fences.check(set, set + this.#shared.set.bytes);
  }

  readonly #isDue = () => this.#worker.due;

  async #rest(): Promise<void> {
    await this.#worker.rest();
    if (this.#worker.cancelled()) throw new TilewiseError("aborted", "Cancelled by the caller");
  }

  #blocks(positions: Uint32Array): Iterable<[number, number]> {
    const { depth, leaf, udfs } = this.#shared;
    return depthBlocks(positions, depth, udfs.some(({ tree }) => tree) ? leaf : undefined);
  }
}

/** Adds the partition to the error for a source that has changed. */
function located(error: unknown, { partition }: PartitionTask): unknown {
  if (!isTilewiseError(error, "changed")) return error;
  const { message, details, cause } = error;
  return new TilewiseError("changed", message, { ...details, partition }, { cause });
}

/** The memory of a worker. */
function slabOf({ slabs }: RunShared, { index, memory }: WorkerContext): Slab {
  const lease = slabs[index];
  if (lease) return new Slab(memory, lease.offset, lease.byteLength);
  throw new TilewiseError("corrupt", `Worker ${index} has no memory: the run has ${slabs.length} slabs`);
}

function readingOf(shared: RunShared): TileReading {
  const { layout, source, depth, partitionFrames, entries, slices, readWhole, lean } = shared;
  return { layout, source, frames: Math.min(depth, partitionFrames), entries, slices, readWhole, lean };
}

/**
 * Where the pixels of each slice start in a sig buffer: slices follow each other, starting with the first row that is
 * read.
 */
function sliceBases(slices: readonly Box[], sigShape: Shape): number[] {
  let base = ravel(slices[0]!.origin, sigShape);
  return slices.map(({ shape }) => (base += sizeOf(shape)) - sizeOf(shape));
}
