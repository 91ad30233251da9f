/**
 * One pass over an array with a progress bar.
 *
 * @module
 */

import type { MapRunOptions } from "../../views/map/map_plan.ts";
import { tileAdvance } from "../outputs/to_sink.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { type Advance, doneText, ProgressBar } from "../shell/progress.ts";

/** Calls `work` with the settings of its run: the signal of the command, and a progress bar called `label` for `bytes`. */
export async function pass<T>(
  label: string,
  bytes: number,
  { args, io }: { readonly args: Arguments; readonly io: CliIo },
  work: (settings: MapRunOptions) => Promise<T>,
): Promise<T> {
  const bar = new ProgressBar(io, label, args.has("quiet"));
  let last: Advance | undefined;
  const onProgress: MapRunOptions["onProgress"] = (progress) =>
    bar.update(last = tileAdvance(progress, bytes, "tiles"));
  const result = await work({ signal: io.signal, onProgress }).finally(() => bar.clear());
  if (label === "map" && last && !args.has("quiet")) io.err(`${doneText(last)}\n`);
  return result;
}
