/**
 * What reductions work on: the source, or the result of the filters before them, in a file that is removed afterwards.
 *
 * @module
 */

import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dataset } from "../../dataset/dataset.ts";
import { open } from "../../formats/open.ts";
import { holdPart, partPath, releasePart } from "../../io/write/part_files.ts";
import { mapViews, type MapViewsOptions } from "../../views/map/map_views.ts";
import { npyFile } from "../../views/map/npy_file.ts";
import type { MapRunOptions } from "../../views/map/sink.ts";
import type { Words } from "./words.ts";
import type { Context } from "../../runner/face.ts";
import type { ReductionInput } from "../reductions/reduction.ts";

/** The filters, what they work on, and where they run. */
export interface FilterRun {
  /** What was opened. */
  readonly dataset: Dataset;
  /** The words. */
  readonly words: Words;
  /** Where it runs. */
  readonly context: Context;
  /** Borders, tiles, order. */
  readonly options: Pick<MapViewsOptions, "border" | "fill" | "traversal" | "tile">;
}

/** Calls `body` with the input of the reduction; files for it lie beside `out`, or in the folder for temporary files. */
export async function withInput<T>(
  { dataset, words: { filters, reduction }, context, options }: FilterRun,
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
    if (filters) {
      const path = await scratch("filtered");
      await mapViews(dataset, filters, { ...options, ...settings, context, sink: npyFile(path) });
      filtered = await open(path, { format: "npy", ...(signal ? { signal } : {}) }) as Dataset;
    }
    const run = { context, ...(signal ? { signal } : {}) };
    return await body({ source: dataset, filtered, values: reduction?.values ?? {}, settings: run, scratch });
  } finally {
    for (const path of files) {
      await rm(path, { force: true });
      releasePart(path);
    }
  }
}
