/**
 * Units of a run, computed into a store: what `--store` and `--shard` say, and the progress.
 *
 * @module
 */

import { autoShard } from "../../cluster/shards/auto.ts";
import { computeInto } from "../../cluster/shards/compute.ts";
import { parseShard, type Shard, unitsOfShard } from "../../cluster/shards/share.ts";
import type { ReadyRun } from "../../cluster/manifest/ready_run.ts";
import { workOf } from "../../cluster/manifest/work.ts";
import { nodeName } from "../../cluster/store/node.ts";
import { openStore } from "../../cluster/store/open.ts";
import type { PartStore } from "../../cluster/store/store.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outJson, outTable } from "../shell/io.ts";
import { system } from "../shell/system.ts";
import { UnitProgress } from "./unit_progress.ts";

/** The store that `--store` names. With `namesOutput` shards are told what the file is that merge writes. */
export async function storeOf(
  args: Arguments,
  { namesOutput = false }: { readonly namesOutput?: boolean } = {},
): Promise<PartStore> {
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
  return await openStore(url);
}

/** The shard that `--shard` names; absent: everything. */
export function shardOf(args: Arguments): Shard | undefined {
  return args.value(
    "shard",
    (text) =>
      text.startsWith("auto") ? autoShard(text, (name) => system.environment(name)) : parseShard(text),
  );
}

/** Computes what is missing of the units of a shard; with `--engine`, its workers do. */
export async function computeUnits(
  store: PartStore,
  run: ReadyRun,
  shard: Shard,
  args: Arguments,
  io: CliIo,
): Promise<void> {
  const engine = args.text("engine");
  if (engine !== undefined) {
    return await (await import("./on_engine.ts")).computeOnEngine(engine, store, run, args, io);
  }
  const work = workOf(run.manifest);
  const units = unitsOfShard(work, shard);
  const progress = new UnitProgress(run.manifest, units, args.has("quiet"), io);
  let made = 0;
  try {
    for (const unit of units) {
      const onProgress = (done: number) => progress.show(done);
      const outcome = await computeInto(store, run, unit, { signal: io.signal, onProgress });
      if (outcome !== "there") made++;
      if (args.has("json")) outJson(io, { store: store.url, part: nodeName(unit), outcome });
      progress.add(work.framesOf(unit));
    }
  } finally {
    progress.clear();
  }
  if (args.has("json")) return;
  const all = work.units.length;
  outTable(io, [[
    `shard ${shard.index}/${shard.count}`,
    `${units.length} of ${all} parts, ${made} of them new`,
  ]]);
}
