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
import type { RunSettings } from "../../runner/runner.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { type Advance, doneText, withBar } from "../shell/progress.ts";
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

/** Calls `work` with the settings of its run: the signal of the command, and a progress bar called `label` for `bytes`. */
export async function pass<T>(
  label: string,
  bytes: number,
  told: { readonly args: Arguments; readonly io: CliIo },
  work: (settings: Required<Pick<RunSettings<TileProgress>, "signal" | "onProgress">>) => Promise<T>,
): Promise<T> {
  const { args, io } = told;
  let last: Advance | undefined;
  const result = await withBar(label, told, (bar) => {
    const onProgress = (progress: TileProgress) => bar.update(last = tileAdvance(progress, bytes, "tiles"));
    return work({ signal: io.signal, onProgress });
  });
  if (label === "map" && last && !args.has("quiet")) io.err(`${doneText(last)}\n`);
  return result;
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
