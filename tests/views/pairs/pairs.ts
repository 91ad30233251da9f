/** Two operations as a chain, and one after the other. */

import { assert, assertEquals } from "@std/assert";
import { isTilewiseError } from "../../../src/errors.ts";
import type { Context } from "../../../src/runner/context.ts";
import type { NDArray } from "../../../src/space/ndarray.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { reduceViews } from "../../../src/views/map/reduce.ts";
import type { ViewOperation, ViewReduction } from "../../../src/views/operations/operation.ts";
import { memoryArray } from "../data.ts";
import { OPERATION_ROWS, REDUCTION_ROWS } from "../operations/table.ts";
import { type Case, Draw, drawCase, type DrawnName, drawOperation } from "./drawn.ts";

/** Operations that can be the first of a pair, and those that can be the second: the whole table. */
export const FIRST = Object.keys(OPERATION_ROWS) as DrawnName[];
export const SECOND: readonly string[] = [...FIRST, ...Object.keys(REDUCTION_ROWS)];

/** Whether a pair gave the same both ways, or was refused both ways, or only as a chain, with the reason. */
export type Outcome = "same" | "refused" | "refused as a chain";

/** What chains refuse, and runs one after the other do not. */
const ONLY_CHAINS = [/^Cannot wrap around the result of/, /^Cannot fill samples of/];

/** One pair with everything drawn by `seed`; throws if the results differ. */
export async function comparePair(
  [first, second]: readonly [DrawnName, string],
  seed: number,
  context: Context,
): Promise<Outcome> {
  const draw = new Draw(seed);
  const one = drawCase(draw);
  const { shape: { length: rank }, dtype } = one;
  const before = drawOperation(first, rank, dtype, draw);
  const last = Object.hasOwn(REDUCTION_ROWS, second)
    ? REDUCTION_ROWS[second as keyof typeof REDUCTION_ROWS].reduction()
    : drawOperation(second as DrawnName, rank, dtype, draw);
  const chained = await outcomeOf(() => chainOf(one, before, last, context));
  const apart = await outcomeOf(() => apartOf(one, before, last, context));
  const what = describe([first, second], one, before, last, seed);
  if (chained instanceof Error && !(apart instanceof Error)) {
    assert(ONLY_CHAINS.some((text) => text.test(chained.message)), `${chained.message}: ${what}`);
    return "refused as a chain";
  }
  if (chained instanceof Error) return "refused";
  assertEquals(chained, apart, what);
  return "same";
}

type Last = ViewOperation | ViewReduction<unknown>;

const isReduction = (last: Last): last is ViewReduction<unknown> => "merge" in last;

function optionsOf({ border, fill, tile }: Case, factors: readonly number[]) {
  return { border, fill, tile: tile.map((n, d) => Math.ceil(n / factors[d]!) * factors[d]!) };
}

/** Samples that become one, per dimension. */
function factorsOf(operation: Last): number[] | undefined {
  const { params } = isReduction(operation) ? operation.operation : operation;
  return (params as { factor?: number[] }).factor;
}

async function chainOf(one: Case, before: ViewOperation, last: Last, context: Context): Promise<unknown> {
  const array = memoryArray(one.shape, one.dtype, one.sample, one.order);
  const factors = one.shape.map((_, d) => (factorsOf(before)?.[d] ?? 1) * (factorsOf(last)?.[d] ?? 1));
  const options = { ...optionsOf(one, factors), context };
  if (isReduction(last)) return await reduceViews(array, [before, last], options);
  return plain(await mapViews(array, [before, last], options));
}

async function apartOf(one: Case, before: ViewOperation, last: Last, context: Context): Promise<unknown> {
  const array = memoryArray(one.shape, one.dtype, one.sample, one.order);
  const { border, fill } = one;
  const options = { border, fill, context };
  const between = await mapViews(array, before, options);
  const next = memoryArray(between.shape, between.dtype, (i) => Number(between.data[i]!));
  if (isReduction(last)) return await reduceViews(next, last, options);
  return plain(await mapViews(next, last, options));
}

const plain = ({ shape, dtype, data }: NDArray) => ({ shape, dtype, data: Array.from(data, Number) });

/** The result, or the error of a refusal. */
async function outcomeOf(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (isTilewiseError(error) && ["unsupported", "invalid"].includes(error.code)) return error;
    throw error;
  }
}

function describe(
  names: readonly [string, string],
  { shape, dtype, order, tile, border, fill }: Case,
  before: ViewOperation,
  last: Last,
  seed: number,
): string {
  const { params } = isReduction(last) ? last.operation : last;
  const shown = JSON.stringify([before.params, params]);
  return `${
    names.join(" → ")
  } ${shape} ${dtype} ${order} tile ${tile} ${border} ${fill} ${shown} seed ${seed}`;
}
