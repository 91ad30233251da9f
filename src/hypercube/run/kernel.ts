/**
 * Kernels of cubes: the code that computes a tile.
 *
 * @module
 */

import type { OptionNames } from "../../options.ts";
import { isOwnModule } from "../../place.ts";
import { callable, list, needed, text, truth } from "../../options/rules.ts";
import type { Extent } from "../cube/cube.ts";
import type { TilePlan } from "../plan/budget.ts";
import type { CubeArray } from "../providers/provider.ts";

/** A tile as the handler of the kernel gets it: plain data. */
export interface CubeTask {
  /** The number of the tile. */
  readonly tile: number;
  /** The windows of the tiled dimensions, and of those that follow them. */
  readonly extents: Readonly<Record<string, Extent>>;
  /** All arrays of the cube by name: inputs filled, outputs and temporaries with undefined contents. */
  readonly arrays: Readonly<Record<string, CubeArray>>;
}

/**
 * The code that computes a tile: an export of a module that makes a handler of {@link CubeTask}. {@link cubeFunction},
 * {@link cubeKernel} and {@link cubeExpression} make kernels of simpler code.
 * @category Hypercubes
 */
export interface CubeKernel {
  /** URL of the module, as `import.meta.resolve` gives it. */
  readonly module: string;
  /** Its name on threads, if it comes with Tilewise. */
  readonly name?: string;
  /** The export, a `JobFactory`. */
  readonly export: string;
  /** Data that every worker gets once; structured-cloneable. */
  readonly shared?: unknown;
  /** URLs of further modules of users that it imports. */
  readonly modules?: readonly string[];
  /** Whether it contains a function that cannot travel, so that it runs on the calling thread. */
  readonly here?: boolean;
  /** Work to do when a run is planned, such as compiling; the run uses the kernel that it gives. */
  readonly prepare?: (plan: TilePlan) => Promise<PreparedKernel>;
}

/**
 * A kernel that was prepared for a plan.
 * @category Hypercubes
 */
export interface PreparedKernel {
  /** Bytes of memory that it needs in each worker, beside the arrays. */
  readonly scratch: number;
  /** The kernel, when the addresses of this memory are known: one for each worker, by its number. */
  at(places: readonly number[]): CubeKernel;
}

/** Their rules. */
// deno-fmt-ignore: written by `deno task build`
export const KERNEL_NAMES: OptionNames<CubeKernel> = {
  module: needed(text), name: text, export: needed(text), shared: true, modules: list, here: truth,
  prepare: callable,
};

/** Whether a kernel is user code: then its heap has a limit. */
export function isOfUsers({ name, module, modules = [] }: CubeKernel): boolean {
  return modules.length > 0 || (name === undefined && !isOwnModule(module));
}

/** The modules of users that workers import for a kernel. */
export function userModules({ module, modules = [] }: CubeKernel): readonly string[] {
  return isOwnModule(module) ? modules : [module, ...modules];
}
