/**
 * `tilewise convert SOURCE OUT --store STORE`: converts in parts, on any number of machines.
 *
 * @module
 */

import { convertManifest, fileKind, plannedFor } from "../cluster/kinds/convert_manifest.ts";
import { ConvertRun } from "../cluster/kinds/convert_run.ts";
import { mapManifest } from "../cluster/kinds/map_manifest.ts";
import { ViewsRun } from "../cluster/kinds/map_run.ts";
import type { ReadyRun } from "../cluster/manifest/ready_run.ts";
import { commitManifest } from "../cluster/manifest/read.ts";
import type { PartStore } from "../cluster/store/store.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { OpenOptions } from "../formats/common/options.ts";
import { open } from "../formats/open.ts";
import type { Context } from "../runner/face.ts";
import { parseBytes } from "../space/size.ts";
import { mapPlan } from "../views/map/plan.ts";
import { copySamples } from "../views/operations/copy_samples.ts";
import { isSinkPath, SINK_ENDINGS } from "../views/sinks/registry.ts";
import { sinkOptions } from "./flags/sink_flags.ts";
import { openOptions } from "./flags/source_flags.ts";
import { channelsFirst } from "./inputs/channels_first.ts";
import { showWarnings } from "./inputs/sources.ts";
import { isNpy } from "./map/flags.ts";
import { writeMerged } from "./outputs/merged.ts";
import { type Arguments, UsageError } from "./shell/args.ts";
import type { CliIo } from "./shell/io.ts";
import { contextForViews, workersAsked } from "./shell/threads.ts";
import { computeUnits, shardOf, storeOf } from "./stores/units.ts";

/** Flags that conversions in parts do not take, and what to do. */
const WHOLE: Readonly<Record<string, string>> = {
  roi: "convert the region on one machine, without --store",
  dark: "convert on one machine, without --store",
  gain: "convert on one machine, without --store",
  exclude: "convert on one machine, without --store",
  resume: "leave it out: with --store, a later call makes what is missing",
};

/** Converts into the store that `--store` names: one shard, or everything that is missing, and the file then. */
export async function storedConvert(args: Arguments, io: CliIo): Promise<number> {
  const [source, given] = args.positionals as [string, string];
  const out = given.replace(/[/\\]+$/, "");
  checkParts(out, args);
  const store = await storeOf(args);
  const shard = shardOf(args);
  args.value("memory", parseBytes);
  workersAsked(args); // refused before anything is opened
  const asked = openOptions(args, io.signal);
  const isOme = /\.ome\.zarr(\.zip)?$/i.test(out);
  const asStored = await open(source, asked) as Dataset;
  const { dataset, options } = isOme
    ? await channelsFirst(asStored, asked)
    : { dataset: asStored, options: asked };
  showWarnings(dataset, args, io);
  await using context = contextForViews(args, io, dataset.byteLength);
  const run = await conversion(store, { source, dataset, options, out, context }, args);
  await computeUnits(store, run, shard ?? { index: 1, count: 1 }, args, io);
  return shard ? 0 : await writeMerged(store, run, out, args, io);
}

/** What is converted. */
interface Conversion {
  readonly source: string;
  readonly dataset: Dataset;
  readonly options: OpenOptions;
  readonly out: string;
  readonly context: Context;
}

/** The run, whose manifest is put into the store. A `.npy` is merged from rows, other files from chunks. */
async function conversion(
  store: PartStore,
  { source, dataset, options: opened, out, context }: Conversion,
  args: Arguments,
): Promise<ReadyRun> {
  const common = { source, open: opened, options: {} };
  if (isNpy(out)) {
    const plan = await mapPlan("convert", dataset, copySamples(), { context, blocks: "tiles" });
    const { manifest, data } = await mapManifest({ ...common, plan });
    return await ViewsRun.planned(await commitManifest(store, manifest, data), plan);
  }
  const file = fileKind(out, sinkOptions(args));
  const plan = await plannedFor(dataset, copySamples(), {}, file, context);
  const { manifest, data } = await convertManifest({ ...common, plan, file });
  return await ConvertRun.planned(await commitManifest(store, manifest, data), plan, file);
}

function checkParts(out: string, args: Arguments): void {
  const flag = Object.keys(WHOLE).find((name) => args.has(name));
  if (flag !== undefined) throw new UsageError(`convert: --${flag} does not go with parts; ${WHOLE[flag]}`);
  if (isSinkPath(out)) return;
  const text = `convert: ${out} cannot be written from parts: the name must end with ${
    SINK_ENDINGS.join(", ")
  }; convert to .npy in parts, and that on one machine`;
  throw new UsageError(text);
}
