/**
 * Operations over views in one call, and runs of planned operations.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../options.ts";
import type { DType } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { MapInput } from "../array.ts";
import type { MapRunOptions, WithSink } from "./map_plan.ts";
import { PlannedMapRun } from "./map_run.ts";
import { MAP_PLAN_OPTIONS, type MapPlanOptions, planInto } from "./plan.ts";
import { MAP_RUN_OPTIONS, mapInto } from "./run.ts";
import type { ViewOperations } from "../operations/chain.ts";

/**
 * Options of {@link mapViews}: those of the plan and those of the run. The sink decides the kind of blocks.
 * @category Views
 */
export interface MapViewsOptions extends Omit<MapPlanOptions, "blocks">, MapRunOptions {}

const { blocks: _, ...PLAN_OPTIONS } = MAP_PLAN_OPTIONS;
// deno-fmt-ignore: written by `deno task build`
const MAP_VIEWS_OPTIONS: OptionNames<MapViewsOptions & Partial<WithSink<never>>> = {
  ...PLAN_OPTIONS, ...MAP_RUN_OPTIONS,
};

/**
 * Runs an operation over all tiles of an array, or of a data set as one array, each with the halo that the operation
 * needs: plans it and runs it. The result has the same bits for any tile size, traversal, number of workers and budget.
 *
 * Without a sink the result is an array in memory; `over-budget` if the context has no room for it. With a sink, array
 * and result may be larger than memory: a function is called with bands of whole rows from the first to the last,
 * `fileSink(path)` writes a file.
 *
 * @param array what to read: a data set, or several joined ones
 * @param operation one operation, or a chain
 * @param options the border, tiles, the context, and with `sink` where the result goes
 * @returns the result; nothing, if a sink takes it
 * @throws {TilewiseError} those of {@link planMap}; `aborted`; `udf` if a user function throws; those of sources and sinks; `worker` or
 *   `timeout` if workers die or hang repeatedly.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { boxMean, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open(Uint8Array.of(3, 6, 9, 12), { format: "raw", dtype: "uint8", nav: [], sig: [2, 2] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, boxMean(), { radius: [0, 1], border: "reflect", context });
 * assertEquals(data, Float32Array.of(5, 4, 11, 10));
 * const rows: number[] = [];
 * await mapViews(image, boxMean(), { sink: ({ origin, shape }) => void rows.push(...origin, ...shape), context });
 * assertEquals(rows, [0, 0, 2, 2]);
 * ```
 * @category Views
 */
export function mapViews<D extends DType>(
  array: MapInput,
  operation: ViewOperations<D>,
  options: MapViewsOptions & WithSink<D>,
): Promise<void>;
/**
 * The result as an array in memory.
 * @category Views
 */
export function mapViews<D extends DType>(
  array: MapInput,
  operation: ViewOperations<D>,
  options?: MapViewsOptions,
): Promise<NDArray<D>>;
export async function mapViews<D extends DType>(
  array: MapInput,
  operation: ViewOperations<D>,
  options: MapViewsOptions & Partial<WithSink<D>> = {},
): Promise<NDArray<D> | void> {
  const call = "mapViews()";
  checkOptionNames(call, options, MAP_VIEWS_OPTIONS);
  const { sink } = options;
  const plan = await planInto(call, array, operation, options, sink);
  return await (sink ? mapInto(plan, options, sink) : new PlannedMapRun(plan, options));
}
