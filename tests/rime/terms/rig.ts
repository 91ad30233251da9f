/** Runs terms over one tile in a memory of its own: places arrays, starts terms, and gives the Jones matrices. */

import { kernel } from "../../../src/kernels/registry.ts";
import { instantiateKernels, loadKernels } from "../../../src/kernels/wasm.ts";
import type { CubeArray } from "../../../src/hypercube/providers/provider.ts";
import type { ArraySchema } from "../../../src/hypercube/cube/cube.ts";
import { dtypeInfo, typedArray } from "../../../src/space/dtype.ts";
import { sizeOf } from "../../../src/space/shape.ts";
import { complexOf, type JonesTerm, type Precision } from "../../../src/rime/terms/term.ts";
import { prepareTerms, startTerms, termArrays } from "../../../src/rime/terms/terms.ts";

await loadKernels();

/** Sizes of dimensions by name. */
export type Sizes = Readonly<Record<string, number>>;

/** Numbers of arrays by name; complex ones as pairs. */
export type Numbers = Readonly<Record<string, ArrayLike<number>>>;

/** A memory with arrays in it. */
export class Rig {
  readonly memory: WebAssembly.Memory = new WebAssembly.Memory({ initial: 64, maximum: 64, shared: true });
  readonly kernels = instantiateKernels(this.memory);
  readonly arrays: Record<string, CubeArray> = {};
  private end = 1024;

  constructor(private readonly sizes: Sizes) {}

  /** Places an array; temporary ones have contents that mean nothing. */
  place({ name, shape: axes, dtype }: ArraySchema, data?: ArrayLike<number>): CubeArray {
    const shape = axes.map((axis) => typeof axis === "number" ? axis : this.sizes[axis]!);
    const pointer = this.end;
    const samples = typedArray(dtype, this.memory.buffer, pointer, sizeOf(shape));
    if (data === undefined) new Uint8Array(this.memory.buffer, pointer, samples.byteLength).fill(0x7b);
    else if (data.length !== samples.length) throw new Error(`${name}: ${data.length} numbers for ${shape}`);
    else Array.from(data, (value, i) => samples[i] = value);
    this.end += Math.ceil(sizeOf(shape) * dtypeInfo(dtype).itemSize / 64) * 64 + 64;
    return this.arrays[name] = { pointer, shape, dtype };
  }

  /** The numbers of an array. */
  read(name: string): Float64Array {
    const { pointer, shape, dtype } = this.arrays[name]!;
    return Float64Array.from(typedArray(dtype, this.memory.buffer, pointer, sizeOf(shape)), Number);
  }

  /** The kernel of a family. */
  kernel: <F extends Parameters<typeof kernel>[1]>(
    family: F,
    dtype: "float32" | "float64",
  ) => ReturnType<typeof kernel<F>> = (
    family,
    dtype,
  ) => kernel(this.kernels, family, dtype);
}

/** The Jones matrices of all sources, in batches of `batch` of them, as pairs: (nsrc, ntime, na, nchan, 4). */
export async function jonesOf(
  terms: readonly JonesTerm[],
  sizes: Sizes,
  inputs: Numbers,
  precision: Precision = "f64",
  batch: number = sizes["nsrc"]!,
): Promise<Float64Array> {
  const rig = new Rig(sizes);
  await placeTerms(rig, terms, inputs, precision, batch);
  return rig.read("jones");
}

/** Places all that terms need in a rig, and multiplies them into its array `jones`. */
export async function placeTerms(
  rig: Rig,
  given: readonly JonesTerm[],
  inputs: Numbers,
  precision: Precision,
  batch: number,
): Promise<void> {
  const prepared = await prepareTerms(given, undefined);
  const terms = prepared.map((term) => term.here ? term : structuredClone(term)); // as on workers
  for (const array of termArrays(terms, precision)) {
    rig.place(array, array.role === "temporary" ? undefined : inputs[array.name]);
  }
  const lm = rig.place({ name: "lm", shape: ["nsrc", 2], dtype: "float64" }, inputs["lm"]);
  const dtype = complexOf(precision);
  const jones = rig.place({ name: "jones", shape: ["nsrc", "ntime", "na", "nchan", 4], dtype });
  const [sources, times, antennas, channels] = jones.shape as [number, number, number, number];
  const start = await startTerms(terms, { kernels: rig.kernels, precision });
  const multiply = start({ times, antennas, channels, arrays: rig.arrays });
  const bytes = times * antennas * channels * 4 * dtypeInfo(dtype).itemSize;
  for (let first = 0; first < sources; first += batch) {
    const count = Math.min(batch, sources - first);
    multiply({ jones: jones.pointer + first * bytes, lm: lm.pointer + 16 * first, sources: count, first });
  }
}
