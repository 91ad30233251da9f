/**
 * One UDF on one worker: its buffers, its view of each tile, its errors.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../errors.ts";
import type { Kernels } from "../kernels/wasm.ts";
import { blockBytes, type Slab } from "../memory/slab.ts";
import { type Box, box, isContiguous } from "../space/box.ts";
import { type DType, type TypedArray, typedArray } from "../space/dtype.ts";
import { ravel, type Shape, sizeOf } from "../space/shape.ts";
import { viewBuffers, type Window } from "./buffers.ts";
import type { PartitionTask, PlacedArray, RunShared, UdfJob } from "./job.ts";
import { LeafTree } from "./leaf_tree.ts";
import { type Convert, Tile, type TileInit } from "./tile.ts";
import type { Buffers, ScratchSpec, Udf, UdfContext, UdfMeta } from "./udf.ts";

/** One UDF on one worker. */
export class UdfRun {
  readonly #job: UdfJob;
  readonly #constants: Readonly<Record<string, TypedArray>>;
  readonly #scratch: Readonly<Record<string, TypedArray>>;
  readonly #convert: Convert;
  readonly #tree: LeafTree | undefined;
  #buffers: Buffers = {};
  #context!: UdfContext;

  constructor(
    private readonly udf: Udf,
    readonly number: number,
    private readonly shared: RunShared,
    private readonly kernels: Kernels,
    slab: Slab,
    convertTo: (dtype: DType) => Convert,
  ) {
    this.#job = shared.udfs[number]!;
    this.#constants = openArrays(this.#job.constants, kernels.memory);
    this.#scratch = cutScratch(udf.scratch?.(this.#job.meta) ?? {}, slab);
    this.#convert = udf.raw ? failRaw(udf) : convertTo(this.#job.meta.inputDType);
    if (this.#job.tree) {
      const merge = (into: Buffers, from: Buffers) =>
        udf.merge!(into, from, { meta: this.#job.meta, kernels });
      this.#tree = new LeafTree(shared.set.udfs[number]!, shared.set.pixels, shared.leafSets, slab, merge);
    }
  }

  begin(task: PartitionTask, buffers: Buffers, row: number, frames: number): void {
    this.#buffers = buffers;
    const { sigShape } = this.#job.meta;
    const slice = box([row, ...sigShape.map(() => 0)], [frames, ...sigShape]);
    const partition = { index: task.partition, start: task.start, stop: task.stop, slice };
    const base: Omit<UdfContext, "taskData"> = {
      meta: this.#job.meta,
      kernels: this.kernels,
      constants: this.#constants,
      scratch: this.#scratch,
      partition,
      tiling: { depth: this.shared.depth, slices: this.shared.slices },
      device: "cpu",
    };
    this.#guard(() => {
      this.#context = { ...base, taskData: undefined };
      this.#context = { ...base, taskData: this.udf.taskData?.(this.#context) };
      this.#tree?.begin(buffers, (fresh) => this.udf.preprocess?.(fresh, this.#context));
      if (!this.#tree) this.udf.preprocess?.(buffers, this.#context);
    });
  }

  process(
    init: Omit<TileInit, "convert"> & { readonly positions: Uint32Array },
    window: Window,
  ): void {
    const tile = new Tile({ ...init, convert: this.#convert });
    const plans = this.shared.set.udfs[this.number]!;
    this.#guard(() => {
      const buffers = this.#tree?.at(Math.floor(init.positions[0]! / this.shared.leaf)) ?? this.#buffers;
      if (this.#job.method === "tile") {
        this.udf.processTile!(tile, viewBuffers(plans, buffers, window), this.#context);
      } else if (this.#job.method === "frame") {
        for (let f = 0; f < tile.frames; f++) {
          const views = viewBuffers(plans, buffers, { ...window, frame: window.frame + f, frames: 1 });
          this.udf.processFrame!(tile.frame(f), views, this.#context);
        }
      } else this.udf.processPartition!(tile, viewBuffers(plans, buffers, window), this.#context);
    });
  }

  end(): void {
    this.#guard(() => {
      this.#tree?.end();
      toRowMajor(this.shared, this.number, this.#buffers);
      this.udf.postprocess?.(this.#buffers, this.#context);
      this.udf.cleanup?.(this.#context);
    });
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (isTilewiseError(error)) throw error;
      const { index } = this.#context.partition;
      const reason = error instanceof Error ? error.message : String(error);
      const text = `UDF "${this.udf.name}" failed in partition ${index}: ${reason}`;
      throw new TilewiseError("udf", text, { partition: index, udf: this.udf.name }, { cause: error });
    }
  }
}

function failRaw(udf: Udf): Convert {
  return () => {
    throw new TilewiseError("udf", `UDF "${udf.name}" is declared raw: it has tile.raw, but no tile.data`);
  };
}

function cutScratch(specs: Readonly<Record<string, ScratchSpec>>, slab: Slab): Record<string, TypedArray> {
  const cut = ([name, { dtype, length }]: [string, ScratchSpec]) => {
    const pointer = slab.take(blockBytes(dtype, length), "scratch");
    return [name, typedArray(dtype, slab.memory.buffer, pointer, length)] as const;
  };
  return Object.fromEntries(Object.entries(specs).map(cut));
}

/** Bytes that the scratch arrays of `udf` take on one worker. */
export function scratchBytes(udf: Udf, meta: UdfMeta): number {
  const specs = Object.values(udf.scratch?.(meta) ?? {});
  return specs.reduce((sum, { dtype, length }) => sum + blockBytes(dtype, length), 0);
}

function openArrays(placed: Readonly<Record<string, PlacedArray>>, memory: WebAssembly.Memory) {
  const open = ([name, { pointer, dtype, length }]: [string, PlacedArray]) =>
    [name, typedArray(dtype, memory.buffer, pointer, length)] as const;
  return Object.fromEntries(Object.entries(placed).map(open));
}

/** Puts sig buffers, which are filled slice by slice, into row-major order where slices are not rows. */
function toRowMajor({ set, slices, layout }: RunShared, number: number, buffers: Buffers): void {
  const { sigShape } = layout;
  if (slices.every((box) => isContiguous(box, sigShape))) return;
  for (const { name, kind } of set.udfs[number]!) {
    const buffer = buffers[name];
    if (kind !== "sig" || !buffer) continue;
    const entry = buffer.length / sizeOf(sigShape);
    const copy = buffer.slice();
    let from = 0;
    for (const box of slices) {
      for (const pixel of pixelsOf(box, sigShape)) {
        buffer.set(copy.subarray(from, from + entry) as never, pixel * entry);
        from += entry;
      }
    }
  }
}

function* pixelsOf(box: Box, sigShape: Shape): Generator<number> {
  const { origin, shape } = box;
  const rows = sizeOf(shape.slice(0, -1));
  for (let row = 0; row < rows; row++) {
    const position = [...origin];
    let rest = row;
    for (let d = shape.length - 2; d >= 0; d--) {
      position[d]! += rest % shape[d]!;
      rest = Math.floor(rest / shape[d]!);
    }
    const first = ravel(position, sigShape);
    for (let i = 0; i < shape.at(-1)!; i++) yield first + i;
  }
}
