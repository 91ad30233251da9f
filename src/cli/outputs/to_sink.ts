/**
 * Writes a data set to a file or folder in chunks, as it is: Zarr and TIFF.
 *
 * @module
 */

import type { Dataset } from "../../dataset/dataset.ts";
import type { Context } from "../../runner/context.ts";
import type { TileProgress } from "../../runner/progress.ts";
import { mapViews } from "../../views/map/map_views.ts";
import { copySamples } from "../../views/operations/copy_samples.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import type { AnySink } from "../../views/map/map_plan.ts";
import type { Advance } from "../shell/progress.ts";
import { bytesOf } from "./size.ts";

/** Options of {@link writeToSink}. */
interface ToSinkOptions {
  /** What is done to the samples. Absent: nothing. */
  readonly operation?: ViewOperation;
  /** What takes them; see {@link withBeside}. */
  readonly sink: AnySink;
  /** The context in which to run. */
  readonly context: Context;
  /** Cancels it. */
  readonly signal: AbortSignal;
  /** Called repeatedly with the progress. */
  readonly onProgress: (progress: Advance) => void;
}

/** Writes all samples of `dataset` to `path`; returns the bytes of what was written. */
export async function writeToSink(
  dataset: Dataset,
  path: string,
  { operation = copySamples(), sink, context, signal, onProgress }: ToSinkOptions,
): Promise<number> {
  await mapViews(dataset, operation, {
    sink,
    context,
    signal,
    onProgress: (progress) => onProgress(tileAdvance(progress, dataset.byteLength, "chunks")),
  });
  return await bytesOf(path);
}

/** Tiles as the progress bar counts; all together, those of other levels as well, stand for the bytes of the source. */
export function tileAdvance(
  { tiles, tilesTotal, seconds, etaSeconds }: TileProgress,
  all: number,
  unit: string,
): Advance {
  const bytes = tilesTotal === 0 ? 0 : all * tiles / tilesTotal;
  return {
    frames: tiles,
    framesTotal: tilesTotal,
    bytes,
    seconds,
    bytesPerSecond: bytes / Math.max(seconds, 1e-9),
    etaSeconds,
    unit,
  };
}
