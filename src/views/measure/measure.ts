/**
 * Measurements of labels: area, centroid, box, and of other samples at the same places their mean and extremes.
 *
 * Both arrays are read in row-major order, so that sums of floats are the same for any budget.
 *
 * @module
 */

import type { Dataset } from "../../dataset/dataset.ts";
import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { type Context, defaultContext, insideOf } from "../../runner/context.ts";
import {
  account,
  accountWith,
  fits,
  type Limits,
  type MemoryAccount,
  overBudget,
} from "../../memory/account.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { RUN_SETTINGS, type RunSettings } from "../../runner/runner.ts";
import { type DType, dtypeInfo, isComplex, type TypedArray, zeros } from "../../space/dtype.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { sameShape, type Shape, showShape, sizeOf, unravel } from "../../space/shape.ts";
import { type ArrayFacts, type ArraySpec, specOf } from "../array.ts";
import { planViews } from "../plan.ts";
import { type View, ViewReader } from "../view.ts";
import { LabelColumns, type StoredLabel } from "./columns.ts";

/**
 * Options of {@link measure}.
 * @category Views
 */
export interface MeasureOptions extends Pick<RunSettings<never>, "signal" | "wait" | "stallTimeout"> {
  /** The context that holds the samples. Default: the shared context. */
  readonly context?: Context;
}

/**
 * What is known of the labels that an array contains: the numbers of `labels[i]` are at `i`.
 * @category Views
 */
export interface LabelMeasures {
  /** Number of labels. */
  readonly count: number;
  /** The labels, from the least, in the type of the array. */
  readonly labels: TypedArray;
  /** Samples per label. */
  readonly area: Float64Array;
  /** Means of positions: labels × dimensions. */
  readonly centroid: NDArray<"float64">;
  /** First position of the box around each label: labels × dimensions. */
  readonly origin: NDArray<"float64">;
  /** Size of that box: labels × dimensions. */
  readonly size: NDArray<"float64">;
  /** Means of the samples of each label. */
  readonly mean?: Float64Array;
  /** Their least. */
  readonly min?: Float64Array;
  /** Their greatest. */
  readonly max?: Float64Array;
}

const { signal, wait, stallTimeout } = RUN_SETTINGS;
const MEASURE_OPTIONS: OptionNames<MeasureOptions> = { signal, stallTimeout, wait, context: contextRule };

/** Most samples that are read at a time. */
const MOST_SAMPLES = 2 ** 20;

/**
 * Measures the labels of an array, as `labelImage` makes them, or of a data set as one array; 0 is not a label. With other
 * samples of the same shape, their mean and extremes per label are measured as well.
 *
 * @param labels the number of each sample; 0 is none
 * @param samples what to measure besides the labels themselves
 * @param options the context
 * @returns a table with one entry per label
 * @throws {TilewiseError} `invalid` if shapes differ, or if labels are not whole numbers from 0; `over-budget`, with the sum, if there are
 *   more labels than the context has room for.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { labelImage, measure } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(9, 7, 0, 0, 8, 0, 0, 0, 6), shape: [3, 3] });
 * await using context = createContext({ workers: 0 });
 * const { labels } = await labelImage(image, { context });
 * const { count, area, centroid, mean } = await measure(await open(labels), image, { context });
 * assertEquals([count, [...area], [...mean!]], [2, [3, 1], [8, 6]]);
 * assertEquals([...centroid.data].map((c) => Math.round(10 * c)), [3, 7, 20, 20]);
 * ```
 * @category Views
 */
export async function measure(
  labels: ArraySpec | Dataset,
  samples?: ArraySpec | Dataset,
  options: MeasureOptions = {},
): Promise<LabelMeasures> {
  const call = "measure()";
  checkOptionNames(call, options, MEASURE_OPTIONS);
  const [numbers, values] = [specOf(call, labels), samples && specOf(call, samples)];
  checkMeasured(numbers, values);
  const { context = defaultContext(), ...settings } = options;
  const { shape } = numbers;
  const plans = [numbers, ...values ? [values] : []].map((array) =>
    planViews(array, { tile: tileOf(shape, insideOf(context).arenaBudget), context })
  );
  const views = account(plans.map(({ byteLength, readerBytes }) => {
    return { what: "a view and what reads it", each: byteLength + readerBytes, count: 1 };
  }));
  const columns = new LabelColumns(
    shape.length,
    values !== undefined,
    roomFor(numbers, views, insideOf(context)),
  );
  if (sizeOf(shape) > 0) {
    await using first = await ViewReader.open(plans[0]!, settings);
    await using second = values && await ViewReader.open(plans[1]!, settings);
    for await (const view of first) {
      using other = second && await second.read(view.geometry.index);
      addView(columns, view, other?.data);
    }
  }
  return tableOf(columns, numbers.dtype, values !== undefined);
}

/** Adds all samples of a view: its lines are cut into runs of one label. */
function addView(
  columns: LabelColumns,
  { data, shape, geometry }: View,
  values: TypedArray | undefined,
): void {
  const { tile, central } = geometry;
  const [length, width] = [tile.shape.at(-1)!, shape.at(-1)!];
  const outer = tile.shape.slice(0, -1);
  for (let flat = 0, all = sizeOf(outer); flat < all; flat++) {
    const position = unravel(flat, outer);
    const at = position.reduce((sum, i, d) => sum * shape[d]! + i + central.origin[d]!, 0) * width;
    const line = position.map((i, d) => i + tile.origin[d]!);
    addLine(columns, line, data, at, length, tile.origin.at(-1)!, values);
  }
}

function addLine(
  columns: LabelColumns,
  line: Shape,
  data: TypedArray,
  at: number,
  length: number,
  first: number,
  values: TypedArray | undefined,
): void {
  for (let x = 0; x < length;) {
    const stored = data[at + x]!;
    const start = x++;
    while (x < length && data[at + x] === stored) x++;
    if (!stored) continue;
    if (stored < 0) throw noLabel(stored, [...line, first + start]);
    const row = columns.rowOf(stored);
    columns.add(row, line, first + start, first + x);
    if (values) columns.addValues(row, values, at + start, at + x);
  }
}

function tableOf(columns: LabelColumns, dtype: DType, withValues: boolean): LabelMeasures {
  const { count, rank } = columns;
  const { labels: met, rows } = columns.order();
  const labels = zeros(dtype, count);
  met.forEach((label, i) => labels[i] = label);
  const perDimension = (data: Float64Array) => ndarray(data, [count, rank], "float64");
  return {
    count,
    labels,
    area: columns.area(rows),
    centroid: perDimension(columns.centroids(rows)),
    origin: perDimension(columns.origins(rows)),
    size: perDimension(columns.sizes(rows)),
    ...(withValues ? columns.values(rows) : {}),
  };
}

/** Tiles that are one run of the array each, of up to a million samples, and of little of the budget. */
function tileOf(shape: Shape, budget: number): Shape {
  let left = Math.max(1, Math.min(MOST_SAMPLES, Math.floor(budget / 64)));
  const tile = shape.map(() => 1);
  for (let d = shape.length - 1; d >= 0; d--) {
    tile[d] = Math.max(1, Math.min(shape[d]!, Math.floor(left)));
    left /= tile[d]!;
    if (tile[d]! < shape[d]!) break;
  }
  return tile;
}

/** Refuses what cannot be measured; the arrays need not be there yet. */
export function checkMeasured(labels: ArrayFacts, samples?: ArrayFacts): void {
  mustBeWhole(labels);
  if (samples) mustSuit(labels, samples);
}

function mustBeWhole({ dtype }: ArrayFacts): void {
  if ("ui".includes(dtypeInfo(dtype).kind) || dtype === "bool") return;
  const text = `Cannot measure labels of ${dtype}: labels are whole numbers, as labelImage() makes them`;
  throw new TilewiseError("invalid", text, { expected: "uint32", found: dtype });
}

function mustSuit(labels: ArrayFacts, samples: ArrayFacts): void {
  if (isComplex(samples.dtype)) {
    const text = `Cannot measure complex samples, as ${samples.dtype}: none of them is greater than another`;
    throw new TilewiseError("unsupported", text, { expected: "real samples", found: samples.dtype });
  }
  if (sameShape(labels.shape, samples.shape)) return;
  const [expected, found] = [labels, samples].map(({ shape }) => showShape(shape));
  const text = `Cannot measure samples of ${found} with labels of ${expected}: both must have one shape`;
  throw new TilewiseError("invalid", text, { expected: expected!, found: found! });
}

function roomFor({ shape }: ArraySpec, views: MemoryAccount, limits: Limits): (labels: number) => void {
  return (count) => {
    const held = accountWith(views, {
      what: "labels",
      each: LabelColumns.bytes(shape.length),
      count,
      onHeap: true,
    });
    if (!fits(held, limits)) throw overBudget(`Cannot measure ${count} labels, or more,`, held, limits);
  };
}

function noLabel(found: StoredLabel, at: Shape): TilewiseError {
  const text = `Cannot measure the label ${found} at (${at.join(", ")}): labels are whole numbers from 0`;
  return new TilewiseError("invalid", text, { expected: 0, found: String(found) });
}
