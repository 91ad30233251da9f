/**
 * What reductions work on: the source, or the result of the filters before them, in a file that is removed afterwards.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoredDataset } from "../../dataset/dataset.ts";
import { isTilewiseError } from "../../errors.ts";
import { open } from "../../formats/open.ts";
import { holdPart, partPath, releasePart } from "../../io/write/part_files.ts";
import { mapViews, type MapViewsOptions } from "../../views/map/map_views.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import type { MapInput } from "../../views/array.ts";
import { joinArrays } from "../../views/joined_array.ts";
import { planInto } from "../../views/map/plan.ts";
import { mapInto } from "../../views/map/run.ts";
import { targetNamed } from "../../sinks/registry.ts";
import { rowsFile } from "../../views/map/rows_file.ts";
import type { MapRunOptions } from "../../views/map/map_plan.ts";
import type { Words } from "./words.ts";
import type { Context } from "../../runner/context.ts";
import type { ReductionInput } from "../reductions/reduction.ts";

/** The filters, what they work on, and where they run. */
export interface FilterRun {
  /** What was opened. */
  readonly dataset: StoredDataset;
  /** Arrays that filters take beside it, by name. */
  readonly others: Readonly<Record<string, StoredDataset>>;
  /** The samples of the source, if the data set is what filters have made of them. */
  readonly samples?: StoredDataset;
  /** The words. */
  readonly words: Words;
  /** Where it runs. */
  readonly context: Context;
  /** Borders, tiles, order, dimensions of an image. */
  readonly options: Pick<MapViewsOptions, "border" | "fill" | "traversal" | "tile" | "axes">;
}

/** What filters work on: the data set, joined with the others. */
export function inputOf({ dataset, others }: Pick<FilterRun, "dataset" | "others">): MapInput {
  return Object.keys(others).length > 0 ? joinArrays({ x: dataset, ...others }) : dataset;
}

/** Calls `body` with what names files beside `out`, or in the folder for temporary files; they are removed afterwards. */
export async function withScratch<T>(
  out: string | undefined,
  body: (scratch: ReductionInput["scratch"]) => Promise<T>,
): Promise<T> {
  const files: string[] = [];
  try {
    return await body(async (name) => {
      const path = await partPath(out === undefined ? join(tmpdir(), `tilewise-${name}`) : `${out}.${name}`);
      files.push(path);
      holdPart(path);
      return path;
    });
  } finally {
    for (const path of files) {
      await rm(path, { force: true });
      releasePart(path);
    }
  }
}

/**
 * Calls `body` with the input of the reduction. Files for it lie beside `out`; without it the input is in memory, or, if it is too
 * large, in the folder for temporary files.
 */
export async function withInput<T>(
  { dataset, others, samples = dataset, words: { filters, isDone, reduction }, context, options }: FilterRun,
  out: string | undefined,
  settings: MapRunOptions,
  body: (input: ReductionInput) => Promise<T>,
): Promise<T> {
  const { signal } = settings;
  return await withScratch(out, async (scratch) => {
    let filtered = dataset;
    if (filters && !isDone) {
      const run = { ...options, ...settings, context };
      const input = inputOf({ dataset, others });
      filtered = out === undefined ? await inMemory(input, filters, run) ?? dataset : dataset;
      if (filtered === dataset) filtered = await inFile(input, filters, run, await scratch("filtered"));
    }
    const run = { context, ...defined({ signal }) };
    const axes = defined({ axes: options.axes });
    const values = reduction?.values ?? {};
    return await body({ source: samples, filtered, values, ...axes, settings: run, scratch });
  });
}

/** What filters make, if it fits into memory. */
async function inMemory(
  input: MapInput,
  filters: ViewOperation,
  options: MapViewsOptions,
): Promise<StoredDataset | undefined> {
  try {
    return await open(await mapViews(input, filters, options)) as StoredDataset;
  } catch (error) {
    if (isTilewiseError(error, "over-budget")) return undefined;
    throw error;
  }
}

async function inFile(
  input: MapInput,
  filters: ViewOperation,
  options: MapViewsOptions,
  path: string,
): Promise<StoredDataset> {
  const sink = rowsFile(targetNamed("npy"), path);
  const plan = await planInto("map", input, filters, options, sink);
  await mapInto(plan, options, sink);
  const signal = defined({ signal: options.signal });
  const made = await open(path, { format: "npy", ...signal }) as StoredDataset;
  return new StoredDataset({ ...made, ...defined({ axes: plan.axes }), values: plan.values });
}
