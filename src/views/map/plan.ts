/**
 * Plans an operation over views: its tiles, its blocks, and all memory that it will hold.
 *
 * @module
 */

import type { Dataset } from "../../dataset/face.ts";
import { TilewiseError } from "../../errors.ts";
import { hasKernel } from "../../kernels/registry.ts";
import { checkOptionNames, type OptionNames, withOption } from "../../options.ts";
import { number, oneOf, text } from "../../options/rules.ts";
import { type Context, insideOf } from "../../runner/face.ts";
import { context as contextRule } from "../../runner/rules.ts";
import type { Border } from "../../space/border.ts";
import { type DType, DTYPES } from "../../space/dtype.ts";
import { type Grid, gridOf } from "../../space/grid.ts";
import { shapeFrom } from "../../space/rules.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import { parseTraversal, type Traversal } from "../../space/traversal.ts";
import { type ArraySpec, specOf } from "../array.ts";
import { type BlockKind, type BlockLayout, blocksOf, mostOpen } from "./blocks.ts";
import { explainMap, type MapPlan } from "./facts.ts";
import { fitting, type MapChoice } from "./memory.ts";
import { checkWrap, entryOf, loadedSteps } from "../chain/entry.ts";
import { chainSteps, type LoadedStep, perDimension, typeAt } from "../chain/steps.ts";
import { asOne, type ViewOperations } from "../operations/chain.ts";
import type { OperationEntry, OperationFacts, Radius, ViewOperation } from "../operations/operation.ts";
import { radiusRule } from "../operations/rules.ts";
import { layoutOf, radiusOf, type ViewLayout } from "../plan.ts";

/**
 * Options of {@link planMap}.
 * @category Views
 */
export interface MapPlanOptions {
  /**
   * Samples of halo on both sides of views: one number, or one per dimension. Default: what the operation needs. An
   * operation without a radius of its own uses all of it.
   */
  readonly radius?: Radius;
  /** What is seen outside of the array. Default `edge`. */
  readonly border?: Border | string;
  /** The constant of the border `constant`. Default 0. */
  readonly fill?: number;
  /**
   * Size of a tile. Default: up to 256 × 2048 in the last two dimensions, fewer rows in a small budget, and 1 in the others. The
   * result does not depend on it.
   */
  readonly tile?: Shape;
  /** The order in which tiles are computed. Default `row-major`. */
  readonly traversal?: Traversal | string;
  /** The blocks in which the result is delivered. Default `bands`. */
  readonly blocks?: BlockKind;
  /** The context in which to run, with its budget and workers. Default: the shared context. */
  readonly context?: Context;
}

/** The names of {@link MapPlanOptions}. */
export const MAP_PLAN_OPTIONS: OptionNames<MapPlanOptions> = {
  radius: radiusRule,
  border: text,
  fill: number,
  tile: shapeFrom(0, "[256, 2048]"),
  traversal: text,
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
  operation: ViewOperations<D>,
  options: MapPlanOptions = {},
): Promise<MapPlan<D>> {
  checkOptionNames("planMap()", options, MAP_PLAN_OPTIONS);
  return await mapPlan("planMap()", array, operation, options);
}

/** The plan; errors name `call`. Options have been checked. */
export async function mapPlan<D extends DType>(
  call: string,
  input: ArraySpec | Dataset,
  operations: ViewOperations<D>,
  options: MapPlanOptions,
): Promise<MapPlan<D>> {
  const array = specOf(call, input);
  const operation: ViewOperation<D> = asOne<D>(call, operations);
  const { blocks = "bands" } = options;
  const context = insideOf(options.context);
  const traversal = withOption("traversal", () => parseTraversal(options.traversal ?? "row-major"));
  const loaded = await loadedSteps(operation);
  const entry = await entryOf(operation);
  checkSamples(loaded, array);
  const own = ownRadius(operation, entry, array.shape, options.radius);
  const factors = factorsOf(operation, entry, array.shape);
  const tiles = options.tile
    ? [checkTile(operation, options.tile, factors)]
    : defaultTiles(array.shape, factors);
  const choices = tiles.map((tile): Choice => {
    const radius = options.radius ?? own;
    const views = layoutOf(array, { border: "edge", ...options, radius, tile });
    return choiceOf(
      operation,
      entry,
      views,
      own,
      blocksOf(resultGrid(views.grid, factors), blocks),
      traversal,
    );
  });
  const { shape } = choices[0]!.blocks.grid;
  if (loaded.length > 1) {
    checkWrap(chainSteps(loaded, array.dtype, array.shape), array.shape, choices[0]!.views.border);
  }
  await entry.check?.(choices[0]!.facts);
  const { choice, memory } = fitting(operation.name, choices, { context, here: operation.here ?? false });
  const { views, facts, blocks: layout } = choice;
  const steps = loaded.length > 1 ? chainSteps(loaded, array.dtype, views.grid.tile) : [];
  // The entry of the table and the type of the operation agree: tests check each operation.
  const dtype = facts.result as D;
  const plan = {
    operation,
    facts,
    steps,
    views,
    shape,
    dtype,
    traversal,
    blocks: layout,
    memory,
    context,
  };
  return { ...plan, explain: () => explainMap(plan) };
}

/** A way to cut the array, with the facts of the operation. */
interface Choice extends MapChoice {
  readonly facts: OperationFacts<object>;
}

function choiceOf(
  { params }: ViewOperation,
  entry: OperationEntry,
  views: ViewLayout,
  radius: Shape,
  blocks: BlockLayout,
  traversal: Traversal,
): Choice {
  const { array: { dtype }, grid: { tile } } = views;
  const result = entry.result(dtype, params);
  const facts = { params, dtype, result, radius, tile };
  const scratch = Object.values<number>(entry.scratch(facts));
  return { views, facts, blocks, open: mostOpen(blocks, traversal), scratch, dtype: result };
}

/** The radius that the operation uses: its own, else that of the views, else its default. */
function ownRadius(
  { name, params }: ViewOperation,
  entry: OperationEntry,
  shape: Shape,
  ofViews: Radius | undefined,
): Shape {
  const own = radiusOf(entry.radius(params) ?? ofViews ?? entry.usualRadius, shape);
  if (ofViews === undefined) return own;
  const views = radiusOf(ofViews, shape);
  if (own.every((r, d) => r <= views[d]!)) return own;
  const [expected, found] = [own.join(", "), views.join(", ")];
  const text = `${name} looks at ${expected} samples around a tile; views with radius ${found} have fewer`;
  throw new TilewiseError("invalid", text, { option: "radius", expected, found });
}

/** Samples of the array per sample of the result, per dimension. */
function factorsOf({ name, params }: ViewOperation, entry: OperationEntry, { length }: Shape): Shape {
  const factors = entry.factors?.(params) ?? 1;
  if (typeof factors === "number" || factors.length === length) return perDimension(factors, length);
  const text = `Cannot run ${name} with factors ${
    factors.join(", ")
  }: an array of ${length} dimensions takes ${length}`;
  throw new TilewiseError("invalid", text, { option: "operation", expected: length, found: factors.length });
}

/** The result in tiles: those of the array, with fewer samples where an operation makes fewer. */
function resultGrid({ shape, tile }: Grid, factors: Shape): Grid {
  return gridOf(shape.map((n, d) => Math.ceil(n / factors[d]!)), tile.map((n, d) => n / factors[d]!));
}

function checkTile({ name }: ViewOperation, tile: Shape, factors: Shape): Shape {
  if (tile.length !== factors.length || tile.every((n, d) => n % factors[d]! === 0)) return tile;
  const expected = upTo(tile, factors);
  const text =
    `Cannot run ${name} with tiles of ${showShape(tile)}: it makes one sample of ${showShape(factors)}; ` +
    `tiles of ${showShape(expected)} would do`;
  throw new TilewiseError("invalid", text, {
    option: "tile",
    expected: showShape(expected),
    found: showShape(tile),
  });
}

/** The next multiples. */
function upTo(tile: Shape, factors: Shape): Shape {
  return tile.map((n, d) => Math.ceil(n / factors[d]!) * factors[d]!);
}

function defaultTiles(shape: Shape, factors: Shape): Shape[] {
  const size = (most: number, n: number) => Math.max(1, Math.min(most, n));
  const outer = shape.slice(0, -2).map(() => 1);
  const columns = size(TILE_COLUMNS, shape.at(-1) ?? 1);
  const tiles = shape.length < 2
    ? [[columns]]
    : TILE_ROWS.map((rows) => [...outer, size(rows, shape.at(-2)!), columns]);
  return tiles.map((tile) => upTo(tile, factors));
}

function checkSamples(steps: readonly LoadedStep[], { shape, dtype }: ArraySpec): void {
  for (const [k, { name, entry: { kernels } }] of steps.entries()) {
    if (shape.length === 0) {
      const text = `Cannot run ${name} over a single sample: an array with one dimension or more would do`;
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
