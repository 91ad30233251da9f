/**
 * Plans an operation over views: its tiles, its blocks, and all memory that it will hold.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { inOrder, packsOf } from "../../kernels/pack_names.ts";
import { hasKernel } from "../../kernels/exists.ts";
import { loadPacks, type Pack } from "../../kernels/wasm.ts";
import { checkOptionNames, type OptionNames, withOption } from "../../options.ts";
import { number, oneOf } from "../../options/rules.ts";
import { type Context, insideOf } from "../../runner/context.ts";
import { type Cut, cutEvenly } from "../../runner/parts.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { type BorderInput, borderRule } from "../../space/border.ts";
import { type DType, dtypeInfo, DTYPES } from "../../space/dtype.ts";
import { covers, type Halo, haloOf, isEven, type Radius, radiusRule, showHalo } from "../../space/halo.ts";
import { shapeFrom } from "../../space/rules.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { orderOf, type TraversalInput, traversalRule } from "../../space/traversal.ts";
import {
  type ArrayFacts,
  type ArraySpec,
  inputOf,
  type JoinedArray,
  type MapInput,
  packsOfArray,
  partNames,
} from "../array.ts";
import { staysHere } from "../extend.ts";
import { alongIn, type AxesInput, axesInputRule } from "../chain/dimensions.ts";
import { alongImages, entryOf, loadedSteps, prepared, spreadHalo } from "../chain/entry.ts";
import { axesMade, checkBorders, valuesMade } from "../chain/made.ts";
import { chainSteps, type LoadedStep, typeAt, unevenError } from "../chain/steps.ts";
import { alongAll, asOne, type ViewOperations } from "../operations/chain.ts";
import type { OperationEntry, ViewOperation } from "../operations/operation.ts";
import type { ViewLayout } from "../plan.ts";
import { type BlockKind, cutDimension } from "./blocks.ts";
import { choicesOf, type CutOptions } from "./cutting.ts";
import { type AnySink, explainMap, type MapPlan } from "./map_plan.ts";
import { runMap } from "./map_run.ts";
import { fitting } from "./memory.ts";
import { isChunkSink } from "./sink.ts";

/**
 * Options of {@link planMap}.
 * @category Views
 */
export interface MapPlanOptions {
  /**
   * Samples of halo of views: one number, one per dimension, or `{ front, back }`. Default: what the operation needs. An
   * operation without a radius of its own uses all of it.
   */
  readonly radius?: Radius;
  /** What is seen outside of the array; a list has one border per dimension. Default `edge`. */
  readonly border?: BorderInput | readonly BorderInput[];
  /** The constant of the border `constant`. Any number. Default 0. */
  readonly fill?: number;
  /**
   * Size of a tile. Default: about 256 × 2048 in the last two dimensions, in whole chunks of the file, 256 × 8192 where
   * samples lie row by row; fewer rows in a small budget; 1 in the other dimensions. The result does not depend on it.
   */
  readonly tile?: Shape;
  /**
   * The order in which tiles are computed. It is a name, a list of indices, or a function that makes them; every tile must come
   * once. Default `row-major`.
   */
  readonly traversal?: TraversalInput;
  /** The blocks in which the result is delivered. Default `bands`. */
  readonly blocks?: BlockKind;
  /**
   * The dimensions along which operations look, by name, number or kind; each image of the others is an array of its own. With
   * `all` they are one array, as SciPy sees it. Default: of data sets that say what their dimensions are, those of an image: space, or, of a
   * scan, those of its frames; otherwise all. Functions and kernels of users see all dimensions, and so do operations with
   * a list of parameters for all of them.
   */
  readonly axes?: AxesInput;
  /** The context in which to run, with its budget and workers. Default: the shared context. */
  readonly context?: Context;
}

/** The names of {@link MapPlanOptions}. */
// deno-fmt-ignore: written by `deno task build`
export const MAP_PLAN_OPTIONS: OptionNames<MapPlanOptions> = {
  radius: radiusRule, border: borderRule, fill: number, tile: shapeFrom(0, "[256, 2048]"),
  traversal: traversalRule, blocks: oneOf("bands", "tiles"), axes: axesInputRule, context: contextRule,
};

/**
 * Plans an operation over `array`, over a data set as one array, scan dimensions first, or over joined arrays. If the budget is too small,
 * tiles get fewer rows (unless their size was given), then fewer blocks are in progress, then there are fewer workers;
 * `over-budget`, with the sum, if one of each does not fit.
 *
 * @param array what to read: a data set, or several joined ones
 * @param operation one operation, or a chain
 * @param options the border, tiles, the context
 * @returns the plan, which explains itself and is run by `run`
 *
 * @example
 * ```ts
 * import { createContext, open, run } from "@tilewise/tilewise";
 * import { boxMean, planMap } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open(Uint8Array.of(3, 6, 9, 12), { format: "raw", dtype: "uint8", nav: [], sig: [2, 2] });
 * await using context = createContext({ workers: 0 });
 * const plan = await planMap(image, boxMean({ radius: 1 }), { border: "wrap", context });
 * assertEquals([plan.shape, plan.dtype, plan.views.radius], [[2, 2], "float32", [1, 1]]);
 * console.log(plan.explain());
 * for await (const { origin, data } of run(plan)) console.log(origin, data);
 * ```
 * @category Views
 */
export async function planMap<D extends DType>(
  array: MapInput,
  operation: ViewOperations<D>,
  options: MapPlanOptions = {},
): Promise<MapPlan<D>> {
  checkOptionNames("planMap()", options, MAP_PLAN_OPTIONS);
  return await mapPlan("planMap()", array, operation, options);
}

/** The plan; errors name `call`. Options have been checked. */
export async function mapPlan<D extends DType>(
  call: string,
  input: MapInput,
  operations: ViewOperations<D>,
  options: MapPlanOptions & Pick<CutOptions, "tilesOf">,
): Promise<MapPlan<D>> {
  const array = inputOf(call, input);
  const along = alongIn(call, array, options.axes);
  const whole: ViewOperation<D> = asOne<D>(call, operations);
  const given = await alongImages(along ? alongAll(whole, along) : whole, array.shape.length);
  const named = await loadedSteps(given);
  checkSamples(named, array);
  const operation = await prepared(given, array.dtype);
  const context = insideOf(options.context);
  const traversal = withOption("traversal", () => orderOf(options.traversal ?? "row-major"));
  const loaded = await loadedSteps(operation);
  checkArrays(loaded, array);
  const entry = await entryOf(operation);
  const halo = ownHalo(operation, entry, array.shape, options.radius);
  const choices = choicesOf({ array, operation, entry, halo, traversal }, options);
  const [{ views: first, facts: usual }] = choices;
  const steps = (tile: Shape) =>
    loaded.length > 1 ? chainSteps(loaded, array.dtype, tile, partNames(array)) : [];
  checkBorders(steps(array.shape), first);
  await entry.check?.(usual);
  const packs = inOrder([...packsOfArray(array), ...loaded.flatMap(packsOfStep)]);
  await loadPacks(packs);
  const { choice, memory } = fitting(operation.name, choices, { context, here: runsHere(operation, first) });
  const { views, facts, blocks } = choice;
  const axes = axesMade(loaded, array.axes?.length === array.shape.length ? array.axes : undefined);
  const plan = {
    operation,
    facts,
    steps: steps(views.grid.tile),
    views,
    shape: blocks.grid.shape,
    ...(axes ? { axes } : {}),
    values: valuesMade(loaded, array.dtype, array.values),
    dtype: facts.result as D, // the entry of the table and the type of the operation agree: tests check each operation
    traversal: choice.order,
    blocks,
    packs,
    memory,
    context,
  };
  const run = runMap as MapPlan<D>["run"];
  const parts = () => Promise.resolve(rowCut(plan).units.length);
  return { ...plan, run, parts, explain: () => explainMap(plan) };
}

/**
 * The plan for a result that `sink` takes, which decides the blocks, and the tiles where it stores these; without a sink,
 * for one in memory; `sees`: for a run whose samples are seen in their order. It is the only plan of an operation with this sink: who needs the tiles before the run takes them from it.
 */
export async function planInto<D extends DType>(
  call: string,
  input: MapInput,
  operations: ViewOperations<D>,
  { sees = false, ...options }: Omit<MapPlanOptions, "blocks"> & { readonly sees?: boolean },
  sink: AnySink<D> | undefined,
): Promise<MapPlan<D>> {
  const blocks = typeof sink === "object" ? sink.takes : "bands";
  if (!isChunkSink(sink)) return await mapPlan(call, input, operations, { ...options, blocks });
  const room = insideOf(options.context), tilesOf = (array: ArrayFacts) => sink.tiles(array, room);
  const plan = await mapPlan(call, input, operations, { ...options, tilesOf, blocks });
  const { memory } = sink.planned(plan, sees), held = { ...plan, memory };
  return { ...held, explain: () => explainMap(held) };
}

/**
 * The plan with other parameters of the same operation, which change neither its tiles nor its memory: those that a first pass
 * over the tiles of this plan has found.
 */
export function withParams<D extends DType>(plan: MapPlan<D>, params: object): MapPlan<D> {
  return { ...plan, operation: { ...plan.operation, params }, facts: { ...plan.facts, params } };
}

/** The packs of the kernels that a step calls. */
function packsOfStep({ entry: { kernels, calls = [] } }: LoadedStep): Pack[] {
  return packsOf([...kernels, ...calls]);
}

/** Whether the run uses functions that cannot travel, so that it runs on the calling thread. */
function runsHere({ here = false }: ViewOperation, { borders }: ViewLayout): boolean {
  return here || staysHere(borders);
}

/** The halo that the operation uses: its own, else that of the views, else its default. */
function ownHalo(
  { name, params, along }: ViewOperation,
  entry: OperationEntry,
  shape: Shape,
  ofViews: Radius | undefined,
): Halo {
  const own = haloOf(entry.radius(params) ?? spreadHalo(ofViews, along) ?? entry.usualRadius, shape);
  if (!entry.uneven && !isEven(own)) throw unevenError(name, own);
  if (ofViews === undefined) return own;
  const views = haloOf(ofViews, shape);
  if (covers(views, own)) return own;
  const [expected, found] = [own, views].map((halo) => isEven(halo) ? halo.front.join(", ") : showHalo(halo));
  const text = `${name} looks at ${expected} samples around a tile; views with radius ${found} have fewer`;
  throw new TilewiseError("invalid", text, { option: "radius", expected: expected!, found: found! });
}

/** Refuses operations that take other arrays than those they would get. */
function checkArrays(steps: readonly LoadedStep[], array: ArraySpec | JoinedArray): void {
  for (const [k, { name, params, entry }] of steps.entries()) {
    const takes = entry.arrays?.(params);
    const found = k === 0 ? partNames(array) : undefined;
    if (takes?.toSorted().join() === found?.toSorted().join()) continue;
    const text =
      `Cannot run ${name} over ${found ? `the arrays ${found.join(", ")}` : "one array"}: it takes ` +
      (takes
        ? `the arrays ${takes.join(", ")}, as joinArrays({ ${takes.join(", ")} }) makes them`
        : "one array") +
      (takes && k > 0 ? "; in a chain, it must be the first" : "");
    const words = { expected: takes?.join(", ") ?? "one array", found: found?.join(", ") ?? "one array" };
    throw new TilewiseError("invalid", text, { option: "array", ...words });
  }
}

function checkSamples(steps: readonly LoadedStep[], { shape, dtype }: ArrayFacts): void {
  for (const [k, { name, entry: { kernels } }] of steps.entries()) {
    if (shape.length === 0) {
      const text = `Cannot run ${name} over a single sample: it needs at least one dimension`;
      throw new TilewiseError("unsupported", text, { expected: 1, found: 0 });
    }
    const given = typeAt(steps, dtype, k);
    const takes = (dtype: DType) => kernels.every((family) => hasKernel(family, dtype));
    if (takes(given)) continue;
    const expected = DTYPES.filter(takes).join(", ");
    const before = k > 0 ? `the result of ${steps[k - 1]!.name}, ` : "";
    const text =
      `Cannot run ${name} over ${before}${showShape(shape)} samples of ${given}: there is no kernel for ` +
      `them; it takes ${expected}`;
    throw new TilewiseError("unsupported", text, { expected, found: given });
  }
}

/** Rows of an image in a unit are a multiple of this: tiles have as many by default. */
const ROWS = 256;

/** The cut of a result; it depends on its shape and type only. */
export function rowCut({ shape, dtype, views: { array } }: Pick<MapPlan, "shape" | "dtype" | "views">): Cut {
  const d = cutDimension(shape);
  const row = sizeOf(shape.slice(d + 1)) * dtypeInfo(dtype).itemSize;
  const rows = sizeOf(shape) === 0 ? 0 : shape[d] ?? 1;
  const multiple = d === shape.length - 2 ? ROWS : 1;
  return cutEvenly(rows, row, multiple, sizeOf(array.shape) * dtypeInfo(array.dtype).itemSize);
}
