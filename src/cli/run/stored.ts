/**
 * `tilewise run … --store STORE`: computes parts into a store, all of them or those of one shard.
 *
 * @module
 */

import { cwd } from "node:process";
import { firstPass } from "../../cluster/shards/first_pass.ts";
import { mergeRun } from "../../cluster/shards/merge.ts";
import { UdfRun } from "../../cluster/kinds/udf_run.ts";
import { udfManifest } from "../../cluster/kinds/udf_manifest.ts";
import { commitManifest } from "../../cluster/manifest/read.ts";
import type { PartStore } from "../../cluster/store/store.ts";
import type { Results } from "../../udf/interface/buffer_types.ts";
import { parseLook } from "../flags/look.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { computeUnits, shardOf, storeOf } from "../stores/units.ts";
import { repeatable } from "./repeatable.ts";
import { deliverAll, preparedPaths } from "./deliver_all.ts";
import { type Planned, withPlan } from "./run_plan.ts";

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

/** Puts the manifest into the store, or finds it there. */
async function readyHere(store: PartStore, { plan, from }: Planned, args: Arguments): Promise<UdfRun> {
  const command = { arguments: repeatable(args), folder: cwd() };
  const { manifest, data } = await udfManifest({ plan, ...from, command });
  return await UdfRun.planned(await commitManifest(store, manifest, data), plan);
}
