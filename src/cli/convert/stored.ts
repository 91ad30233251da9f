/**
 * `tilewise convert SOURCE OUT --store STORE`: converts in parts, on any number of machines.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { open } from "../../formats/open.ts";
import { copySamples } from "../../views/operations/copy_samples.ts";
import { endingsFor, isChunkPath, isKind, targetAt } from "../../sinks/registry.ts";
import { castAfter } from "../flags/cast_after.ts";
import { outDtype } from "../flags/out_dtype.ts";
import { openOptions } from "../flags/source_flags.ts";
import { channelsFirst } from "../inputs/channels_first.ts";
import { blankFrames, showWarnings, tellBlank } from "../inputs/sources.ts";
import { writeMerged } from "../outputs/merged.ts";
import { partsFile, storedFile } from "../outputs/stored_file.ts";
import { refuseSinkFlags } from "../flags/sink_flags.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { checkThreads, contextForViews } from "../shell/threads.ts";
import { type InParts, placeOf, storedRun } from "../stores/units.ts";

/** Flags that conversions in parts do not take, and what to do. */
const WHOLE: Readonly<Record<string, string>> = {
  roi: "convert the region on one machine, without --store",
  dark: "convert on one machine, without --store",
  gain: "convert on one machine, without --store",
  exclude: "convert on one machine, without --store",
};

/** Converts into the store that `--store` names: one shard, or everything that is missing, and the file then. */
export async function storedConvert(args: Arguments, io: CliIo): Promise<number> {
  const [source] = args.positionals as [string, string];
  const { output: out } = convertInParts(args); // refused before anything is opened
  const place = await placeOf(args);
  const asked = openOptions(args, io.signal);
  const isOme = isKind(out, "ome-zarr");
  const asStored = await open(source, asked) as StoredDataset;
  const { dataset, options } = isOme
    ? await channelsFirst(asStored, asked)
    : { dataset: asStored, options: asked };
  showWarnings(dataset, args, io);
  tellBlank(blankFrames(dataset), io);
  await using context = contextForViews(args, io, dataset.byteLength);
  const operation = castAfter(undefined, args) ?? copySamples();
  const file = { source, open: options, input: dataset, operation, options: {}, context };
  const run = await storedFile(place.store, file, out, args);
  return await storedRun(place, run, args, io, () => writeMerged(place.store, run, out, args, io));
}

/** A conversion in parts, checked as far as that is possible without its source. */
export function convertInParts(args: Arguments): InParts {
  const output = args.positionals[1]!.replace(/[/\\]+$/, "");
  checkParts(output, args);
  checkThreads(args);
  openOptions(args);
  outDtype(args);
  partsFile(output, args);
  return { output, tellsShards: false, modules: [] };
}

function checkParts(out: string, args: Arguments): void {
  const flag = Object.keys(WHOLE).find((name) => args.has(name));
  if (flag !== undefined) throw new UsageError(`convert: --${flag} does not go with parts; ${WHOLE[flag]}`);
  if (isChunkPath(out)) return;
  refuseSinkFlags(args, out);
  if (targetAt(out, "frames")) return;
  const endings = endingsFor("frames", "results").join(", ");
  throw new UsageError(`convert: Cannot write ${out}: the name must end with one of ${endings}`);
}
