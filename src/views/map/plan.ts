/**
 * Plans an operation over views: its tiles, its blocks, and all memory that it will hold.
 *
 * @module
 */

import type { Dataset } from "../../dataset/face.ts";
import { TilewiseError } from "../../errors.ts";
import { hasKernel } from "../../kernels/registry.ts";
import { checkOptionNames, inWords, type OptionNames, withOption } from "../../options.ts";
import { number, oneOf } from "../../options/rules.ts";
import { type Context, insideOf } from "../../runner/face.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { type BorderInput, borderRule } from "../../space/border.ts";
import { type DType, DTYPES } from "../../space/dtype.ts";
import { covers, type Halo, haloOf, isEven, type Radius, radiusRule, showHalo } from "../../space/halo.ts";
import { shapeFrom } from "../../space/rules.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import {
  onceEach,
  orderOf,
  type TileOrder,
  type TraversalInput,
  traversalRule,
} from "../../space/traversal.ts";
import { type ArraySpec, specOf } from "../array.ts";
import { staysHere } from "../border_function.ts";
import { type BlockKind, type BlockLayout, blocksOf, mostOpen } from "./blocks.ts";
import { explainMap, type MapPlan } from "./facts.ts";
import { fitting, type MapChoice } from "./memory.ts";
import {
  isOperation,
  type OperationEntry,
  type OperationFacts,
  type ViewOperation,
} from "../operations/operation.ts";
import { operationNamed } from "../operations/registry.ts";
import { layoutOf, type ViewLayout } from "../plan.ts";

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
  /** What is seen outside of the array: one border, or a list with one per dimension. Default `edge`. */
  readonly border?: BorderInput | readonly BorderInput[];
  /** The constant of the border `constant`. Default 0. */
  readonly fill?: number;
  /**
   * Size of a tile. Default: up to 256 × 2048 in the last two dimensions, fewer rows in a small budget, and 1 in the others. The
   * result does not depend on it.
   */
  readonly tile?: Shape;
  /**
   * The order in which tiles are computed: a name, a list of indices, or a function that makes them; every tile must come
   * once. Default `row-major`.
   */
  readonly traversal?: TraversalInput;
  /** The blocks in which the result is delivered. Default `bands`. */
  readonly blocks?: BlockKind;
  /** The context in which to run, with its budget and workers. Default: the shared context. */
  readonly context?: Context;
}

/** The names of {@link MapPlanOptions}. */
export const MAP_PLAN_OPTIONS: OptionNames<MapPlanOptions> = {
  radius: radiusRule,
  border: borderRule,
  fill: number,
  tile: shapeFrom(0, "[256, 2048]"),
  traversal: traversalRule,
  blocks: oneOf("bands", "tiles"),
  context: contextRule,
};

/** Rows of tiles to try, and their columns: the rows of a file are read one by one, so long rows are better. */
const TILE_ROWS = [256, 128, 64, 32];
const TILE_COLUMNS = 2048;

/**
 * Plans an operation over `array`, or over a data set as one array, scan dimensions first. If the budget is too small,
 * tiles get fewer rows (unless their size was given), then fewer blocks are in progress, then there are fewer workers;
 * `over-budget`, with the sum, if one of each does not fit.
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
  array: ArraySpec | Dataset,
  operation: ViewOperation<D>,
  options: MapPlanOptions = {},
): Promise<MapPlan<D>> {
  checkOptionNames("planMap()", options, MAP_PLAN_OPTIONS);
  return await mapPlan("planMap()", array, operation, options);
}

/** The plan; errors name `call`. Options have been checked. */
export async function mapPlan<D extends DType>(
  call: string,
  input: ArraySpec | Dataset,
  operation: ViewOperation<D>,
  options: MapPlanOptions,
): Promise<MapPlan<D>> {
  const array = specOf(call, input);
  checkOperation(call, operation);
  const { blocks = "bands" } = options;
  const context = insideOf(options.context);
  const traversal = withOption("traversal", () => orderOf(options.traversal ?? "row-major"));
  const entry = await operationNamed(operation.operation);
  checkSamples(operation.name, entry, array);
  const own = ownHalo(operation, entry, array.shape, options.radius);
  const tiles = options.tile ? [options.tile] : defaultTiles(array.shape);
  const choices = tiles.map((tile): Choice => {
    const radius = options.radius ?? own;
    const views = layoutOf(array, { border: "edge", ...options, radius, tile });
    return choiceOf(operation, entry, views, own, blocksOf(views.grid, blocks), traversal);
  });
  await entry.check?.(choices[0]!.facts);
  const { choice, memory } = fitting(operation.name, choices, {
    context,
    here: runsHere(operation, choices[0]!.views),
  });
  const { views, facts, order, blocks: layout } = choice;
  // The entry of the table and the type of the operation agree: tests check each operation.
  const dtype = facts.result as D;
  const plan = {
    operation,
    facts,
    views,
    shape: array.shape,
    dtype,
    traversal: order,
    blocks: layout,
    memory,
    context,
  };
  return { ...plan, explain: () => explainMap(plan) };
}

/** Whether the run uses functions that cannot travel, so that it runs on the calling thread. */
function runsHere({ here = false }: ViewOperation, { borders }: ViewLayout): boolean {
  return here || staysHere(borders);
}

/** A way to cut the array, with the facts of the operation. */
interface Choice extends MapChoice {
  readonly facts: OperationFacts<object>;
  readonly order: TileOrder;
}

function choiceOf(
  { params }: ViewOperation,
  entry: OperationEntry,
  views: ViewLayout,
  halo: Halo,
  blocks: BlockLayout,
  traversal: TileOrder,
): Choice {
  const { array: { dtype }, grid: { tile } } = views;
  const result = entry.result(dtype, params);
  const facts = { params, dtype, result, radius: halo.front, halo, tile };
  const scratch = Object.values<number>(entry.scratch(facts));
  const order = withOption("traversal", () => onceEach(traversal, views.grid.counts));
  return { views, facts, blocks, order, open: mostOpen(blocks, order), scratch, dtype: result };
}

/** The halo that the operation uses: its own, else that of the views, else its default. */
function ownHalo(
  { name, params }: ViewOperation,
  entry: OperationEntry,
  shape: Shape,
  ofViews: Radius | undefined,
): Halo {
  const own = haloOf(entry.radius(params) ?? ofViews ?? entry.usualRadius, shape);
  if (!entry.uneven && !isEven(own)) throw unevenError(name, own);
  if (ofViews === undefined) return own;
  const views = haloOf(ofViews, shape);
  if (covers(views, own)) return own;
  const [expected, found] = [own, views].map((halo) => isEven(halo) ? halo.front.join(", ") : showHalo(halo));
  const text = `${name} looks at ${expected} samples around a tile; views with radius ${found} have fewer`;
  throw new TilewiseError("invalid", text, { option: "radius", expected: expected!, found: found! });
}

function unevenError(name: string, { front, back }: Halo): TilewiseError {
  const would = front.map((n, d) => Math.max(n, back[d]!)).join(", ");
  const found = showHalo({ front, back });
  const text =
    `${name} looks at as many samples before a tile as behind it, not at ${found}; give it a radius ` +
    `of its own, or views with radius [${would}]`;
  return new TilewiseError("unsupported", text, { option: "radius", expected: would, found });
}

function defaultTiles(shape: Shape): Shape[] {
  const size = (most: number, n: number) => Math.max(1, Math.min(most, n));
  const outer = shape.slice(0, -2).map(() => 1);
  const columns = size(TILE_COLUMNS, shape.at(-1) ?? 1);
  if (shape.length < 2) return [[columns]];
  return TILE_ROWS.map((rows) => [...outer, size(rows, shape.at(-2)!), columns]);
}

function checkOperation(call: string, operation: ViewOperation): void {
  if (isOperation(operation)) return;
  const found = inWords(operation);
  const hint = typeof operation === "function" ? "; make one of it with viewFunction()" : "";
  const text = `${call} takes an operation over views, such as boxMean(); it was given ${found}${hint}`;
  throw new TilewiseError("invalid", text, { option: "operation", found });
}

function checkSamples(name: string, { kernels }: OperationEntry, { shape, dtype }: ArraySpec): void {
  if (shape.length === 0) {
    const text = `Cannot run ${name} over a single sample: an array with one dimension or more would do`;
    throw new TilewiseError("unsupported", text, { expected: 1, found: 0 });
  }
  const takes = (dtype: DType) => kernels.every((family) => hasKernel(family, dtype));
  if (takes(dtype)) return;
  const expected = DTYPES.filter(takes).join(", ");
  const text =
    `Cannot run ${name} over ${showShape(shape)} samples of ${dtype}: there is no kernel for them; it ` +
    `takes ${expected}`;
  throw new TilewiseError("unsupported", text, { expected, found: dtype });
}
