/**
 * Sources that run in workers: exports of modules, declared safe to be called by several workers at the same time.
 *
 * @module
 */

import { wholeUrl } from "../../executor/module_url.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { each, text } from "../../options/rules.ts";
import { mustTravel } from "../../runner/travel.ts";
import type { DType, TypedArray } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { Shape } from "../../space/shape.ts";
import type { ArraySchema, Extent } from "../cube/cube.ts";
import type { Dimension } from "../cube/dimension.ts";

/**
 * Options of {@link workerSource}.
 * @category Hypercubes
 */
export interface WorkerSourceOptions {
  /** The export of the module. Default `default`. */
  readonly export?: string;
  /** Values that travel with it: the function gets them as `context.params`. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * A source that runs in workers.
 * @category Hypercubes
 */
export interface WorkerSource {
  /** URL of the module. */
  readonly module: string;
  /** The export: a function of a {@link WorkerSourceContext}. */
  readonly export: string;
  /** What it gets as `context.params`. */
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * The argument of a source that runs in workers: plain data.
 * @category Hypercubes
 */
export interface WorkerSourceContext {
  /** The name of the array. */
  readonly name: string;
  /** Its schema, without its default. */
  readonly schema: Omit<ArraySchema, "default">;
  /** Type of its samples. */
  readonly dtype: DType;
  /** Its sizes in this tile. */
  readonly shape: Shape;
  /** Its ranges in the whole problem, axis by axis. */
  readonly extents: readonly Extent[];
  /** The dimensions of the cube, with their windows on this tile. */
  readonly dimensions: Readonly<Record<string, WorkerDimension>>;
  /** The number of the tile, from 0; -1 for inputs that are requested once. */
  readonly tile: number;
  /** {@link WorkerSourceOptions.params}. */
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * A dimension as workers see it.
 * @category Hypercubes
 */
export type WorkerDimension = Pick<Dimension, "size" | "lower" | "upper">;

/**
 * The function that {@link workerSource} refers to.
 * @category Hypercubes
 */
export type WorkerSourceFunction = (
  context: WorkerSourceContext,
) => TypedArray | NDArray | Promise<TypedArray | NDArray>;

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<WorkerSourceOptions> = {
  export: text, params: each("an object of parameters by name", () => {}),
};

/**
 * Declares that a source may run in workers: several of them call it at the same time, each in its own copy of the
 * module, so that it must not depend on what earlier calls have left behind. Inputs that are requested once are requested
 * from it on the calling thread.
 *
 * @example
 * ```ts
 * import { workerSource } from "@tilewise/tilewise/unstable/hypercube";
 * import { assertEquals } from "@std/assert";
 * const ramp = workerSource(new URL("file:///sources.ts"), { export: "ramp", params: { step: 2 } });
 * assertEquals([ramp.module, ramp.export], ["file:///sources.ts", "ramp"]);
 * ```
 * @category Hypercubes
 */
export function workerSource(module: string | URL, options: WorkerSourceOptions = {}): WorkerSource {
  checkOptionNames("workerSource()", options, OPTIONS);
  const { export: name = "default", params = {} } = options;
  mustTravel(`Source "${name}"`, params);
  return { module: wholeUrl(module, "use the source"), export: name, params };
}

/** Whether a value is what {@link workerSource} makes. */
export function isWorkerSource(value: unknown): value is WorkerSource {
  const { module, export: name } = (value ?? {}) as Partial<WorkerSource>;
  return typeof value === "object" && typeof module === "string" && typeof name === "string";
}
