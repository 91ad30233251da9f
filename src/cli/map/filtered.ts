/**
 * What reductions work on: the source, or the result of the filters before them, in a file that is removed afterwards.
 *
 * @module
 */

import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dataset } from "../../dataset/dataset.ts";
import { isTilewiseError } from "../../errors.ts";
import { open } from "../../formats/open.ts";
import { holdPart, partPath, releasePart } from "../../io/write/part_files.ts";
import { mapViews, type MapViewsOptions } from "../../views/map/map_views.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import type { MapInput } from "../../views/array.ts";
import { joinArrays } from "../../views/joined_array.ts";
import { npyFile } from "../../views/map/npy_file.ts";
import type { MapRunOptions } from "../../views/map/sink.ts";
import type { Words } from "./words.ts";
import type { Context } from "../../runner/face.ts";
import type { ReductionInput } from "../reductions/reduction.ts";

/** The filters, what they work on, and where they run. */
export interface FilterRun {
  /** What was opened. */
  readonly dataset: Dataset;
  /** Arrays that filters take beside it, by name. */
  readonly others: Readonly<Record<string, Dataset>>;
  /** The samples of the source, if the data set is what filters have made of them. */
  readonly samples?: Dataset;
  /** The words. */
  readonly words: Words;
  /** Where it runs. */
  readonly context: Context;
  /** Borders, tiles, order. */
  readonly options: Pick<MapViewsOptions, "border" | "fill" | "traversal" | "tile">;
}

/** What filters work on: the data set, joined with the others. */
export function inputOf({ dataset, others }: Pick<FilterRun, "dataset" | "others">): MapInput {
  return Object.keys(others).length > 0 ? joinArrays({ x: dataset, ...others }) : dataset;
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
  const files: string[] = [];
  const scratch = async (name: string) => {
    const path = await partPath(out === undefined ? join(tmpdir(), `tilewise-${name}`) : `${out}.${name}`);
    files.push(path);
    holdPart(path);
    return path;
  };
  try {
    let filtered = dataset;
    if (filters && !isDone) {
      const run = { ...options, ...settings, context };
      const input = inputOf({ dataset, others });
      filtered = out === undefined ? await inMemory(input, filters, run) ?? dataset : dataset;
      if (filtered === dataset) filtered = await inFile(input, filters, run, await scratch("filtered"));
    }
    const run = { context, ...(signal ? { signal } : {}) };
    return await body({ source: samples, filtered, values: reduction?.values ?? {}, settings: run, scratch });
  } finally {
    for (const path of files) {
      await rm(path, { force: true });
      releasePart(path);
    }
  }
}

/** What filters make, if it fits into memory. */
async function inMemory(
  input: MapInput,
  filters: ViewOperation,
  options: MapViewsOptions,
): Promise<Dataset | undefined> {
  try {
    return await open(await mapViews(input, filters, options)) as Dataset;
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
): Promise<Dataset> {
  await mapViews(input, filters, { ...options, sink: npyFile(path) });
  return await open(path, {
    format: "npy",
    ...(options.signal ? { signal: options.signal } : {}),
  }) as Dataset;
}
