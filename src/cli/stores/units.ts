/**
 * Runs of all verbs whose parts go to a store: what `--store` and `--shard` say, the parts, the progress.
 *
 * @module
 */

import { autoShard, parseShard, type Shard, unitsOfShard } from "../../cluster/shards/share.ts";
import { computeInto } from "../../cluster/shards/compute.ts";
import type { ReadyRun } from "../../cluster/manifest/ready_run.ts";
import { workOf } from "../../cluster/manifest/work.ts";
import { nodeName, type TreeNode } from "../../cluster/store/node.ts";
import { openStore } from "../../cluster/store/open.ts";
import type { PartStore } from "../../cluster/store/store.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outJson, outTable } from "../shell/io.ts";
import { advances, withBar } from "../shell/progress.ts";
import { system } from "../shell/system.ts";

/** A command whose words have been checked, as far as that is possible before its source is opened. */
export interface InParts {
  /** Where the merge writes. */
  readonly output: string;
  /** Whether `output` is a flag that shards are given as well: it decides what parts are. */
  readonly tellsShards: boolean;
  /** The modules of users that it names, as they were typed: the merge imports them as well. */
  readonly modules: readonly string[];
}

/** Where parts go. */
interface StoreAndShard {
  /** The store that `--store` names. */
  readonly store: PartStore;
  /** The shard that `--shard` names; absent: everything. */
  readonly shard: Shard | undefined;
}

/** Where parts go. With `namesOutput` shards are told what the file is that merge writes. */
export async function placeOf(
  args: Arguments,
  { namesOutput = false }: { readonly namesOutput?: boolean } = {},
): Promise<StoreAndShard> {
  const url = args.text("store");
  if (url === undefined) {
    throw new UsageError(
      `--${args.has("engine") ? "engine" : "shard"} needs a store: add --store dir:FOLDER`,
    );
  }
  if (args.has("shard") && args.has("engine")) {
    throw new UsageError("--shard and --engine are two ways to share work; leave one of them out");
  }
  if (args.has("dry-run")) throw new UsageError("--dry-run computes nothing; leave --store out");
  if (args.has("shard") && args.has("output") && !namesOutput) {
    throw new UsageError("a shard has no results of its own; leave -o out, and give it to tilewise merge");
  }
  return { store: await openStore(url), shard: args.value("shard", shardIn) };
}

function shardIn(text: string): Shard {
  return text.startsWith("auto") ? autoShard(text, (name) => system.environment(name)) : parseShard(text);
}

/** Computes what is missing of a run: of one shard, or of everything, which is then merged. */
export async function storedRun(
  { store, shard }: StoreAndShard,
  run: ReadyRun,
  args: Arguments,
  io: CliIo,
  merged: () => Promise<number>,
): Promise<number> {
  await computeUnits(store, run, shard ?? { index: 1, count: 1 }, args, io);
  return shard ? 0 : await merged();
}

/** Computes what is missing of the units of a shard; with `--engine`, its workers do. */
async function computeUnits(
  store: PartStore,
  run: ReadyRun,
  shard: Shard,
  args: Arguments,
  io: CliIo,
): Promise<void> {
  const work = workOf(run.manifest), units = unitsOfShard(work, shard);
  const framesIn = (some: readonly TreeNode[]) => some.reduce((sum, unit) => sum + work.framesOf(unit), 0);
  const frames = framesIn(units), each = run.manifest.work.bytes / Math.max(1, framesIn(work.units));
  const engine = args.text("engine");
  if (engine !== undefined) {
    return await (await import("./on_engine.ts")).computeOnEngine(
      engine,
      store,
      run,
      { frames, each },
      args,
      io,
    );
  }
  const advance = advances(frames, each);
  let made = 0, before = 0;
  await withBar("shard", { args, io }, async (bar) => {
    const show = (done: number) => bar.update(advance(Math.min(frames, done)));
    show(0);
    for (const unit of units) {
      const onProgress = (done: number) => show(before + done);
      const outcome = await computeInto(store, run, unit, { signal: io.signal, onProgress });
      if (outcome !== "there") made++;
      if (args.has("json")) outJson(io, { store: store.url, part: nodeName(unit), outcome });
      show(before += work.framesOf(unit));
    }
  });
  if (args.has("json")) return;
  const all = work.units.length;
  outTable(io, [[
    `shard ${shard.index}/${shard.count}`,
    `${units.length} of ${all} parts, ${made} of them new`,
  ]]);
}
