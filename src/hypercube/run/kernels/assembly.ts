/**
 * Kernels of cubes in AssemblyScript, compiled when a run is planned.
 *
 * @module
 */

import { registerJobs } from "../../../executor/handler.ts";
import { checkNames, checkOptionNames, type OptionNames } from "../../../options.ts";
import { each, list, number, oneOf, text } from "../../../options/rules.ts";
import { compileKernel } from "../../../user_kernels/compile.ts";
import { callOf, type Convention } from "../../../user_kernels/signature.ts";
import { checkSource, nameOf, sourceOf } from "../../../user_kernels/source.ts";
import type { TilePlan } from "../../plan/budget.ts";
import type { CubeKernel, PreparedKernel } from "../kernel.ts";
import type { AssemblyShared } from "./assembly_job.ts";

/**
 * How a kernel in AssemblyScript is called: with the sizes of a tile, or with sizes and positions.
 * @category Hypercubes
 */
export type CubeKernelCall = "tile" | "tileAt";

/**
 * Options of {@link cubeKernel}. The source exports one of these functions: an `i32` for each dimension, an address (`usize`)
 * for each array, and an `f64` for each parameter, in the order in which the cube and the options have them:
 *
 * ```
 * tile(…sizes: i32, …arrays: usize, …params: f64): void
 * tileAt(…sizes: i32, …positions: i32, …arrays: usize, …params: f64): void
 * ```
 *
 * Sizes are those of the tile, positions those of its first sample in the whole problem. Arrays are row-major without gaps.
 * @category Hypercubes
 */
export interface CubeKernelOptions {
  /** Its name in messages. Default: the name of the file. */
  readonly name?: string;
  /** The source. */
  readonly source?: string;
  /** A path or URL of the source. Give either `source` or `file`. */
  readonly file?: string | URL;
  /** The function to call. Default: the one that the source exports. */
  readonly export?: CubeKernelCall;
  /** The dimensions that it takes, in this order. Default: all of the cube. */
  readonly dimensions?: readonly string[];
  /** The arrays that it takes, in this order; temporaries are its scratch memory. Default: all of the cube. */
  readonly arrays?: readonly string[];
  /** Numbers that are the last arguments of the kernel. */
  readonly params?: Readonly<Record<string, number>>;
}

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<CubeKernelOptions> = {
  name: text, source: text, file: true, export: oneOf("tile", "tileAt"), dimensions: list, arrays: list,
  params: each("an object of numbers by name", number),
};

const JOB = {
  name: "tilewise:cube-kernel",
  module: import.meta.resolve("./assembly_job.ts"),
  export: "assemblyJob",
};
registerJobs({ [JOB.name]: () => import("./assembly_job.ts") });

/**
 * A kernel of a cube in AssemblyScript. It is compiled when a run with it begins, cached by its content, and runs in each
 * worker on the memory of the run.
 *
 * Errors, when a run begins: `udf` with file, line and column (the source does not compile), or with the expected and the
 * found signature. During the run: `udf` with kernel, tile and line (it traps), `timeout` (it never ends).
 *
 * @example Every sample times its position
 * ```ts
 * import { createContext, run } from "@tilewise/tilewise";
 * import { hypercube, planTiles, toMemory } from "@tilewise/tilewise/hypercube";
 * import { cubeKernel } from "@tilewise/tilewise/unstable/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { n: 4 },
 *   arrays: [{ name: "x", shape: ["n"], dtype: "float64" }, { name: "y", shape: ["n"], dtype: "float64", role: "output" }],
 * });
 * const kernel = cubeKernel({
 *   source: `
 *     export function tileAt(n: i32, first: i32, x: usize, y: usize, more: f64): void {
 *       for (let i = 0; i < n; i++) store<f64>(y + 8 * i, load<f64>(x + 8 * i) * <f64>(first + i) + more);
 *     }`,
 *   params: { more: 0.5 },
 * });
 * await using context = createContext({ workers: 0 });
 * const memory = toMemory("y");
 * await run(planTiles(cube, { context, tile: ["n"] }), { kernel, sources: { x: () => Float64Array.of(2, 3, 5, 7) }, sinks: [memory] });
 * assertEquals(memory.array("y", "float64").data, Float64Array.of(0.5, 3.5, 10.5, 21.5));
 * ```
 * @category Hypercubes
 */
export function cubeKernel(options: CubeKernelOptions): CubeKernel {
  checkOptionNames("cubeKernel()", options, OPTIONS);
  const name = nameOf(options);
  checkSource(`Cannot make a kernel of "${name}" for cubes`, name, options, options.params);
  return { ...JOB, prepare: (plan) => prepared(name, options, plan) };
}

async function prepared(
  name: string,
  options: CubeKernelOptions,
  { cube }: TilePlan,
): Promise<PreparedKernel> {
  const { dimensions = [...cube.dimensions.keys()], arrays = [...cube.arrays.keys()], params = {} } = options;
  const known = (what: string, names: readonly string[], all: Iterable<string>) =>
    checkNames(`Kernel "${name}" takes ${what}, which the cube does not have:`, asObject(names), [...all]);
  known("a dimension", dimensions, cube.dimensions.keys());
  known("an array", arrays, cube.arrays.keys());
  const convention: Convention<CubeKernelCall> = {
    calls: {
      tile: dimensions.map((one) => `${one}: i32`),
      tileAt: [...dimensions.map((one) => `${one}: i32`), ...dimensions.map((one) => `${one}_from: i32`)],
    },
    addresses: arrays,
    numbers: Object.keys(params),
  };
  const kernel = await compileKernel(await sourceOf(options));
  const call = callOf(kernel, name, convention, options.export);
  const windows = dimensions.map((one): AssemblyShared["windows"][number] => {
    const { lower, upper } = cube.dimension(one);
    return [one, lower, upper];
  });
  const shared = { name, kernel, call, windows, arrays, params: Object.values(params) };
  return {
    scratch: kernel.statics,
    at: (places) => ({ ...JOB, shared: { ...shared, places } satisfies AssemblyShared }),
  };
}

function asObject(names: readonly string[]): Readonly<Record<string, true>> {
  return Object.fromEntries(names.map((name) => [name, true]));
}
