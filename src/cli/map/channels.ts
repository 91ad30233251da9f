/**
 * `--measure`: a table of labels, measured in channels of the same source, beside them.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import type { OpenOptions } from "../../formats/common/options.ts";
import { open } from "../../formats/open.ts";
import type { Context } from "../../runner/context.ts";
import type { MapRunOptions, MapSink } from "../../views/map/map_plan.ts";
import { targetNamed } from "../../sinks/registry.ts";
import { rowsFile } from "../../views/map/rows_file.ts";
import { openAsked } from "../inputs/sources.ts";
import { channelTable } from "../reductions/labels.ts";
import type { Table } from "../reductions/reduction.ts";
import type { Arguments } from "../shell/args.ts";
import { type FilterRun, withScratch } from "./filtered.ts";
import { channelsAsked } from "./flags.ts";

/** The name of its result in manifests. */
export const MEASURED = "measure";

/** Those channels of the sources, opened as the sources are. */
export async function openChannels(
  sources: readonly string[],
  args: Arguments,
  options: OpenOptions,
): Promise<Record<string, StoredDataset>> {
  const channels: Record<string, StoredDataset> = {};
  for (const name of channelsAsked(args)) {
    const select = { ...options.select, channel: name };
    channels[name] = await openAsked(sources, args, { ...options, select });
  }
  return channels;
}

/** Channels, by name, and where they are measured. */
interface Channels {
  readonly channels: Readonly<Record<string, StoredDataset>>;
  readonly context: Context;
  readonly options: Pick<FilterRun["options"], "axes">;
}

/** The table of `labels`; nothing where no channel is asked for. */
export async function measured(
  { channels, context, options: { axes } }: Channels,
  labels: StoredDataset,
  { signal }: MapRunOptions,
): Promise<Table | undefined> {
  if (Object.keys(channels).length === 0) return undefined;
  const settings = { context, ...defined({ signal }) };
  return await channelTable(labels, channels, { settings, ...defined({ axes }) });
}

/** The same of labels that `store` computes again, into a file that is removed. */
export async function measuredAgain(
  asked: Channels,
  store: (sink: MapSink, settings: MapRunOptions) => Promise<unknown>,
  settings: MapRunOptions,
): Promise<Table | undefined> {
  return await withScratch(undefined, async (scratch) => {
    const path = await scratch("labels");
    await store(rowsFile(targetNamed("npy"), path), settings);
    return await measured(asked, await open(path, { format: "npy" }) as StoredDataset, settings);
  });
}
