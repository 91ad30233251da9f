/**
 * Kernels of cubes that are functions: an export of a module, or the function itself.
 *
 * @module
 */

import { during } from "../../../activity.ts";
import { isTilewiseError, TilewiseError } from "../../../errors.ts";
import { withoutExits } from "../../../executor/exits.ts";
import { registerJobs } from "../../../executor/handler.ts";
import { wholeUrl } from "../../../executor/module_url.ts";
import type { JobHandler, WorkerContext } from "../../../executor/task.ts";
import { checkNames, checkOptionNames, type OptionNames } from "../../../options.ts";
import { each, text } from "../../../options/rules.ts";
import { reasonOf } from "../../../reason.ts";
import { functionAt } from "../../../runner/import_export.ts";
import { mustTravel } from "../../../runner/travel.ts";
import type { DType } from "../../../space/dtype.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import { dtypeName } from "../../../space/rules.ts";
import type { Extent } from "../../cube/cube.ts";
import type { TilePlan } from "../../plan/budget.ts";
import { viewOf } from "../../providers/provider.ts";
import type { CubeKernel, CubeTask } from "../kernel.ts";

/**
 * Types of arrays by their names.
 * @category Hypercubes
 */
export type ArrayDTypes = Readonly<Record<string, DType>>;

/**
 * The argument of a function that computes a tile.
 * @category Hypercubes
 */
export interface CubeTile<A extends ArrayDTypes = ArrayDTypes, P = Readonly<Record<string, unknown>>> {
  /** The number of the tile. */
  readonly tile: number;
  /** The ranges of the tiled dimensions in the whole problem. */
  readonly extents: Readonly<Record<string, Extent>>;
  /** The arrays: inputs, outputs and temporaries. Write to outputs; what is in them before is undefined. */
  readonly arrays: { readonly [N in keyof A]: NDArray<A[N]> };
  /** {@link CubeFunctionOptions.params}. */
  readonly params: P;
}

/**
 * A function that computes a tile. If it returns a promise, the tile is done when that has resolved.
 * @category Hypercubes
 */
export type CubeFunction<A extends ArrayDTypes = ArrayDTypes, P = Readonly<Record<string, unknown>>> = (
  tile: CubeTile<A, P>,
) => unknown;

/**
 * Options of {@link cubeFunction}.
 * @category Hypercubes
 */
export interface CubeFunctionOptions<
  A extends ArrayDTypes = ArrayDTypes,
  P = Readonly<Record<string, unknown>>,
> {
  /** The export of the module. Default `default`. */
  readonly export?: string;
  /** Types of the arrays that the function uses; a plan whose cube has others is refused. Default: all arrays, of any type. */
  readonly arrays?: A;
  /** Values that travel to workers with the function, which gets them as `tile.params`. */
  readonly params?: P;
}

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<CubeFunctionOptions> = {
  export: text, arrays: each("an object of types by the names of arrays", dtypeName),
  params: each("an object of parameters by name", () => {}),
};

/** A function of arrays that are not known here. */
type AnyFunction = (tile: CubeTile) => unknown;

/** What travels. */
interface FunctionShared {
  readonly module?: string;
  readonly export: string;
  readonly function?: AnyFunction;
  readonly params: Readonly<Record<string, unknown>>;
}

const KERNEL = { name: "tilewise:cube-function", module: import.meta.url, export: "functionJob" };
registerJobs({ [KERNEL.name]: () => Promise.resolve({ functionJob }) });

/**
 * A kernel that is a function in TypeScript: an export of a module, which runs on workers, or the function itself, which
 * runs on the calling thread. `arrays` gives the types of its arrays.
 *
 * @param source the address of a module, or the function itself
 * @param options types of the arrays, parameters, the name of the export
 * @returns the kernel, for plans of cubes
 * @throws {TilewiseError} `udf`, with the tile, if it throws; when a run begins, `invalid` if the cube has other arrays
 *
 * @example The sum of every row, with a weight
 * ```ts
 * import { createContext, run } from "@tilewise/tilewise";
 * import { cubeFunction, hypercube, planTiles, toMemory } from "@tilewise/tilewise/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { row: 2, col: 3 },
 *   arrays: [
 *     { name: "image", shape: ["row", "col"], dtype: "float32", default: 1 },
 *     { name: "sums", shape: ["row"], dtype: "float64", role: "output" },
 *   ],
 * });
 * const sums = cubeFunction(({ arrays: { image, sums }, params }) => {
 *   const [rows = 0, cols = 0] = image.shape;
 *   for (let r = 0; r < rows; r++) {
 *     sums.data[r] = 0;
 *     for (let c = 0; c < cols; c++) sums.data[r]! += params.weight * image.data[r * cols + c]!;
 *   }
 * }, { arrays: { image: "float32", sums: "float64" }, params: { weight: 0.5 } });
 * await using context = createContext({ workers: 0 });
 * const memory = toMemory("sums");
 * await run(planTiles(cube, { context, tile: ["row"] }), { kernel: sums, sources: {}, sinks: [memory] });
 * assertEquals(memory.array("sums", "float64").data, Float64Array.of(1.5, 1.5));
 * ```
 * @category Hypercubes
 */
export function cubeFunction<
  const A extends ArrayDTypes = ArrayDTypes,
  P extends Readonly<Record<string, unknown>> = Readonly<Record<string, unknown>>,
>(
  source: string | URL | CubeFunction<NoInfer<A>, NoInfer<P>>,
  options: CubeFunctionOptions<A, P> = {},
): CubeKernel {
  checkOptionNames("cubeFunction()", options, OPTIONS as OptionNames<CubeFunctionOptions<A, P>>);
  const { export: name = "default", arrays = {}, params = {} } = options;
  const isHere = typeof source === "function";
  const shown = isHere ? source.name || "a function" : name;
  const given: { readonly function?: AnyFunction; readonly module?: string } = isHere
    ? { function: source as AnyFunction }
    : { module: wholeUrl(source, "use the function") };
  if (!isHere) mustTravel(`Function "${name}" of a cube`, params);
  const shared: FunctionShared = { export: shown, params, ...given };
  const kernel: CubeKernel = {
    ...KERNEL,
    shared,
    ...(given.module === undefined ? { here: true } : { modules: [given.module] }),
  };
  const prepare = (plan: TilePlan) => {
    checkTypes(plan, shown, arrays);
    return Promise.resolve({ scratch: 0, at: () => kernel });
  };
  return { ...kernel, prepare };
}

function checkTypes({ cube }: TilePlan, name: string, arrays: ArrayDTypes): void {
  checkNames(`The function "${name}" takes an array that the cube does not have:`, arrays, [
    ...cube.arrays.keys(),
  ]);
  for (const [array, dtype] of Object.entries(arrays)) {
    const { dtype: found } = cube.array(array);
    if (found === dtype) continue;
    const words = `The function "${name}" takes ${array} as ${dtype}, but in the cube it is ${found}`;
    throw new TilewiseError("invalid", words, { array, option: `arrays.${array}`, expected: dtype, found });
  }
}

/** Makes the handler that calls the function. */
export async function functionJob(
  shared: FunctionShared,
  { memory }: WorkerContext,
): Promise<JobHandler<CubeTask, void>> {
  const call = await functionAt(shared, "function of a cube", "for a cube");
  const doing = { text: `the function "${shared.export}" of a cube`, details: { kernel: shared.export } };
  return {
    async run({ tile, extents, arrays }) {
      const views = Object.entries(arrays).map(([name, array]) => [name, viewOf(memory, array)]);
      const given: CubeTile = { tile, extents, arrays: Object.fromEntries(views), params: shared.params };
      try {
        await during(doing, () => withoutExits(() => call(given)));
      } catch (error) {
        throw failure(shared.export, tile, error);
      }
    },
  };
}

function failure(name: string, tile: number, error: unknown): TilewiseError {
  if (isTilewiseError(error)) return error;
  const words = `Function "${name}" failed for tile ${tile}: ${reasonOf(error)}`;
  return new TilewiseError("udf", words, { kernel: name, tile }, { cause: error });
}
