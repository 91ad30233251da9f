/**
 * A compiled kernel as a UDF: this code runs in workers, which do not load the compiler.
 *
 * @module
 */

import { IMPORT_MODULE } from "../../channels/files/import_table.ts";
import { importsFor } from "../../channels/launch/access.ts";
import { TilewiseError } from "../../errors.ts";
import { dtypeInfo, type TypedArray } from "../../space/dtype.ts";
import type { Buffers, DTypeWish } from "../interface/buffer_types.ts";
import type { RawSamples, Tile } from "../interface/tile.ts";
import type { Udf, UdfContext, UdfMeta } from "../interface/udf.ts";
import type { CompiledKernel } from "../../user_kernels/compile.ts";
import { readImports } from "../../user_kernels/imports.ts";
import { instantiate, type KernelFunction, placeOf, shiftOf } from "../../user_kernels/instance.ts";
import type { KernelBuffer, KernelCall, KernelScratch } from "./options.ts";

/** A kernel with everything that a worker needs; plain data. */
export interface KernelSpec {
  /** Its name in messages. */
  readonly name: string;
  /** The module. */
  readonly kernel: CompiledKernel;
  /** Whether it is called per frame or per tile. */
  readonly call: KernelCall;
  /** Type of its samples. */
  readonly input: DTypeWish;
  /** Its buffers, each with its rule of merging. */
  readonly buffers: Readonly<Record<string, KernelBuffer>>;
  /** Its constant arrays. */
  readonly arrays: Readonly<Record<string, TypedArray>>;
  /** Its scratch arrays. */
  readonly scratch: Readonly<Record<string, KernelScratch>>;
  /** Its parameters, in their order. */
  readonly params: readonly number[];
}

/** The name of the scratch array for static data; it is not an identifier, so no user array has this name. */
const STATICS = "static data";

/** The UDF behind a kernel in AssemblyScript. */
export function kernel(spec: KernelSpec): Udf {
  const calls = new Calls(spec);
  const base: Udf = {
    name: spec.name,
    buffers: spec.buffers,
    inputDType: spec.input,
    constants: () => spec.arrays,
    scratch: (meta) => scratchOf(spec, meta),
  };
  return spec.call === "frame"
    ? { ...base, processFrame: (frame, buffers, context) => calls.frame(frame, buffers, context) }
    : {
      ...base,
      tiling: { contiguous: true },
      processTile: (tile, buffers, context) => calls.tile(tile, buffers, context),
    };
}

function scratchOf({ scratch, kernel }: KernelSpec, { pixels }: UdfMeta) {
  const own = Object.entries(scratch).map(([name, { dtype, length = 0, perPixel = 0 }]) =>
    [name, { dtype, length: length + perPixel * pixels }] as const
  );
  return { ...Object.fromEntries(own), [STATICS]: { dtype: "uint8" as const, length: kernel.statics } };
}

/** Calls the kernel with addresses. */
class Calls {
  #run: KernelFunction | undefined;
  #positions: ArrayLike<number> = [];

  constructor(private readonly spec: KernelSpec) {}

  frame(frame: Tile, buffers: Buffers, context: UdfContext): void {
    const { pointer } = samplesOf(frame, context);
    const rest = this.#rest(buffers, context);
    this.#call(context, frame, [pointer, frame.rows, frame.rowLength, ...rest]);
  }

  tile(tile: Tile, buffers: Buffers, context: UdfContext): void {
    const { pointer, frameStride } = samplesOf(tile, context);
    const { frames, rows, rowLength } = tile;
    this.#call(context, tile, [
      pointer,
      frames,
      frameStride,
      rows,
      rowLength,
      ...this.#rest(buffers, context),
    ]);
  }

  #rest(buffers: Buffers, { constants, scratch }: UdfContext): number[] {
    const { spec } = this;
    return [
      ...Object.keys(spec.buffers).map((name) => buffers[name]!.byteOffset),
      ...Object.keys(spec.arrays).map((name) => constants[name]!.byteOffset),
      ...Object.keys(spec.scratch).map((name) => scratch[name]!.byteOffset),
      ...spec.params,
    ];
  }

  #call(context: UdfContext, tile: Tile, args: readonly number[]): void {
    const { name, kernel, call } = this.spec;
    const { memory } = context.kernels;
    this.#positions = tile.positions;
    const statics = context.scratch[STATICS]!.byteOffset;
    this.#run ??= instantiate(kernel, call, memory, { name, statics, calls: this.#calls(context) });
    try {
      this.#run(...args);
    } catch (error) {
      throw this.#trapped(error, tile, context);
    }
  }

  /** What the kernel imports beside its memory: the calls of the host of the run. */
  #calls({ files }: UdfContext): WebAssembly.Imports {
    const calls = readImports(this.spec.kernel.wasm).some(({ kind }) => kind === "function");
    if (!calls) return {};
    const frame_position = (frame: number) => this.#positions[frame] ?? -1;
    return { [IMPORT_MODULE]: { ...importsFor(files), frame_position } };
  }

  #trapped(error: unknown, tile: Tile, { partition, kernels }: UdfContext): TilewiseError {
    const { name, kernel } = this.spec;
    const place = placeOf(error, kernel, shiftOf(kernel, kernels.memory));
    const [first, last] = [tile.positions[0]!, tile.positions[tile.frames - 1]!];
    const where = first === last ? `at frame ${first}` : `in frames ${first} to ${last}`;
    const source = place ? ` (${place.file}:${place.line}:${place.column})` : "";
    const reason = error instanceof Error ? error.message : String(error);
    const text = `Kernel "${name}" failed in partition ${partition.index} ${where}: ${reason}${source}`;
    const details = { kernel: name, udf: name, partition: partition.index, frame: first, ...place };
    return new TilewiseError("udf", text, details, { cause: error });
  }
}

/** The samples in the form that the kernel takes: in place if they already have its type, else converted. */
function samplesOf(tile: Tile, { meta }: UdfContext): Pick<RawSamples, "pointer" | "frameStride"> {
  const { raw, pixels } = tile;
  const { itemSize, unitSize } = dtypeInfo(meta.inputDType);
  if (raw.dtype === meta.inputDType && (raw.byteOrder === "little" || unitSize === 1)) return raw;
  return { pointer: tile.data.byteOffset, frameStride: pixels * itemSize };
}
