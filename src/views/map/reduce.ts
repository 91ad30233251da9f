/**
 * Reductions: results that are not arrays, merged from a partial result of every tile.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, inWords, type OptionNames } from "../../options.ts";
import { RUN_SETTINGS } from "../../runner/runner.ts";
import type { DType } from "../../space/dtype.ts";
import { tileBox } from "../../space/box.ts";
import type { MapInput } from "../array.ts";
import { asOne } from "../operations/chain.ts";
import type { TileResult, ViewOperation, ViewReduction } from "../operations/operation.ts";
import type { MapPlan, MapRunOptions } from "./map_plan.ts";
import { MAP_PLAN_OPTIONS, mapPlan, type MapPlanOptions } from "./plan.ts";
import { mapBlocks } from "./run.ts";

/**
 * Options of {@link reduceViews}.
 * @category Views
 */
export interface ReduceViewsOptions extends Omit<MapPlanOptions, "blocks">, MapRunOptions {}

const { blocks: _, ...PLAN_OPTIONS } = MAP_PLAN_OPTIONS;
const REDUCE_VIEWS_OPTIONS: OptionNames<ReduceViewsOptions> = { ...PLAN_OPTIONS, ...RUN_SETTINGS };

/**
 * Reduces an array, or a data set as one array, to a result that is not an array. Operations before it in a list are computed in
 * the same pass. Only one partial result per tile is held in memory.
 *
 * Errors: those of {@link mapViews}.
 *
 * @example The range of a mean
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { reduceViews, sampleRange } from "@tilewise/tilewise/unstable/views";
 * import { boxMean } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 6, 9, 12), shape: [1, 4] });
 * await using context = createContext({ workers: 0 });
 * assertEquals(await reduceViews(image, sampleRange(), { context }), { min: 3, max: 12 });
 * const means = [boxMean({ radius: [0, 1] }), sampleRange()] as const;
 * assertEquals(await reduceViews(image, means, { context }), { min: 4, max: 11 });
 * ```
 * @category Views
 */
export async function reduceViews<R, D extends DType>(
  array: MapInput,
  reduction: ViewReduction<R, D> | readonly [...ViewOperation[], ViewReduction<R, D>],
  options: ReduceViewsOptions = {},
): Promise<R> {
  const call = "reduceViews()";
  checkOptionNames(call, options, REDUCE_VIEWS_OPTIONS);
  const { operation, merge } = reductionOf(call, reduction);
  const plan = await mapPlan(call, array, operation, options);
  const { views: { array: { dtype }, grid } } = plan;
  return await merge(partialResults(plan, options), { dtype, grid });
}

function reductionOf<R, D extends DType>(
  call: string,
  given: ViewReduction<R, D> | readonly [...ViewOperation[], ViewReduction<R, D>],
): ViewReduction<R, D> {
  const isList = (value: typeof given): value is readonly [...ViewOperation[], ViewReduction<R, D>] =>
    Array.isArray(value);
  const last = isList(given) ? given.at(-1) as ViewReduction<R, D> | undefined : given;
  if (typeof last?.merge !== "function") {
    const found = inWords(last);
    const text =
      `${call} takes a reduction, such as sampleRange(), at the end of a list as well; it was given ${found}`;
    throw new TilewiseError("invalid", text, { option: "reduction", found });
  }
  if (!isList(given)) return last;
  const before = given.slice(0, -1) as ViewOperation[];
  return { operation: asOne(call, [...before, last.operation]), merge: last.merge };
}

async function* partialResults<D extends DType>(
  plan: MapPlan<D>,
  options: MapRunOptions,
): AsyncGenerator<TileResult<D>, void> {
  const { grid } = plan.views;
  for await (const { data, origin } of mapBlocks(plan, options)) {
    yield { data, tile: tileBox(grid, origin.slice(0, -1)) };
  }
}
