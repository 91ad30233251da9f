/**
 * `tilewise run … --store STORE`: computes parts into a store, all of them or those of one shard.
 *
 * @module
 */

import { cwd } from "node:process";
import { autoShard } from "../../cluster/shards/auto.ts";
import { computeInto } from "../../cluster/shards/compute.ts";
import { firstPass } from "../../cluster/shards/first_pass.ts";
import { mergeRun } from "../../cluster/shards/merge.ts";
import { parseShard, type Shard, unitsOfShard } from "../../cluster/shards/share.ts";
import { UdfRun } from "../../cluster/kinds/udf_run.ts";
import { udfManifest } from "../../cluster/kinds/udf_manifest.ts";
import type { ReadyRun } from "../../cluster/manifest/ready_run.ts";
import { commitManifest } from "../../cluster/manifest/read.ts";
import { workOf } from "../../cluster/manifest/work.ts";
import { nodeName } from "../../cluster/store/node.ts";
import { openStore } from "../../cluster/store/open.ts";
import type { PartStore } from "../../cluster/store/store.ts";
import type { Results } from "../../udf/interface/buffer_types.ts";
import { LOOK_FLAGS, parseLook } from "../flags/look.ts";
import { RUN_FLAGS, STORE_FLAGS } from "../flags/run_flags.ts";
import { SOURCE_FLAGS } from "../flags/source_flags.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outJson, outTable } from "../shell/io.ts";
import { UnitProgress } from "./unit_progress.ts";
import { system } from "../shell/system.ts";
import { COMMON_FLAGS } from "../shell/verb.ts";
import { wordsIn } from "../shell/words.ts";
import { deliverAll, preparedPaths } from "./deliver_all.ts";
import { type Planned, withPlan } from "./run_plan.ts";

/** Flags that say where, how fast and how loud a command runs: shards may differ in them. */
const ELSEWHERE = ["output", "workers", "memory", "stall-timeout", "dry-run"];

/** Computes into the store that `--store` names. */
export async function storedRun(args: Arguments, io: CliIo): Promise<number> {
  const store = await storeOf(args);
  const shard = shardOf(args);
  const look = parseLook(args);
  return await withPlan(args, io, async (planned) => {
    const { plan, names, finish } = planned;
    const outputs = shard ? undefined : await preparedPaths(args.text("output"), names, args);
    const run = await readyHere(store, planned, args);
    await computeUnits(store, run, shard ?? { index: 1, count: 1 }, args, io);
    if (shard) return 0;
    const results = await finish(await mergeRun(store, run, { signal: io.signal }) as Results);
    await deliverAll({ plan, results, outputs, look, command: args }, args, io);
    return 0;
  }, (plan, compute) => firstPass(store, plan, compute));
}

async function storeOf(args: Arguments): Promise<PartStore> {
  const url = args.text("store");
  if (url === undefined) throw new UsageError("--shard needs a store: add --store dir:FOLDER");
  if (args.has("dry-run")) throw new UsageError("--dry-run computes nothing; leave --store out");
  if (args.has("shard") && args.has("output")) {
    throw new UsageError("a shard has no results of its own; leave -o out, and give it to tilewise merge");
  }
  return await openStore(url);
}

function shardOf(args: Arguments): Shard | undefined {
  return args.value(
    "shard",
    (text) =>
      text.startsWith("auto") ? autoShard(text, (name) => system.environment(name)) : parseShard(text),
  );
}

/** Puts the manifest into the store, or finds it there. */
async function readyHere(store: PartStore, { plan, from }: Planned, args: Arguments): Promise<UdfRun> {
  const command = { arguments: repeatable(args), folder: cwd() };
  const { manifest, data } = await udfManifest({ plan, ...from, command });
  return await UdfRun.planned(await commitManifest(store, manifest, data), plan);
}

/** The words of the command that decide its results, flags in their long form. */
function repeatable({ words }: Arguments): string[] {
  const flags = [...RUN_FLAGS, ...STORE_FLAGS, ...LOOK_FLAGS, ...SOURCE_FLAGS, ...COMMON_FLAGS];
  const dropped = [...ELSEWHERE, ...[...STORE_FLAGS, ...COMMON_FLAGS].map(({ name }) => name)];
  return [...wordsIn(words, flags)].flatMap((word) => {
    if (word.kind === "positional") return [word.value];
    if (dropped.includes(word.name)) return [];
    return [word.value === undefined ? `--${word.name}` : `--${word.name}=${word.value}`];
  });
}

async function computeUnits(
  store: PartStore,
  run: ReadyRun,
  shard: Shard,
  args: Arguments,
  io: CliIo,
): Promise<void> {
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
