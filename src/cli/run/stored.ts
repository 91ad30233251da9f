/**
 * `tilewise run … --store STORE`: computes parts into a store, all of them or those of one shard; and the words of the command
 * that decide its results, with which shards on other machines are called.
 *
 * @module
 */

import { cwd } from "node:process";
import { committed } from "../../cluster/kinds/parted.ts";
import { udfManifest, udfParts } from "../../cluster/kinds/udf.ts";
import { firstPass } from "../../cluster/shards/first_pass.ts";
import { mergeRun } from "../../cluster/shards/merge.ts";
import type { Results } from "../../udf/interface/buffer_types.ts";
import { LOOK_FLAGS, parseLook } from "../flags/look.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { placeOf, storedRun } from "../stores/units.ts";
import { deliverAll, preparedPaths } from "./deliver_all.ts";
import { withPlan } from "./run_plan.ts";
import { RUN_FLAGS, STORE_FLAGS } from "../flags/run_flags.ts";
import { SOURCE_FLAGS } from "../flags/source_flags.ts";
import { COMMON_FLAGS } from "../shell/verb.ts";
import { retyped } from "../shell/words.ts";

/** Flags that say where, how fast and how loud a command runs: shards may differ in them. */
const ELSEWHERE = ["output", "workers", "memory", "stall-timeout", "map", "dry-run"];

/** The words of the command that decide its results, flags in their long form. */
function repeatable({ words }: Arguments): string[] {
  const flags = [...RUN_FLAGS, ...STORE_FLAGS, ...LOOK_FLAGS, ...SOURCE_FLAGS, ...COMMON_FLAGS];
  return retyped(words, flags, [...ELSEWHERE, ...[...STORE_FLAGS, ...COMMON_FLAGS].map(({ name }) => name)]);
}

/** Computes into the store that `--store` names. */
export async function storedUdfs(args: Arguments, io: CliIo): Promise<number> {
  const place = await placeOf(args), { store, shard } = place;
  parseLook(args); // refused before anything is computed
  return await withPlan(args, io, async ({ plan, from, names, finish }) => {
    const outputs = shard ? undefined : await preparedPaths(args.text("output"), plan, names, args);
    const command = { arguments: repeatable(args), folder: cwd() };
    const run = await committed(store, await udfManifest({ plan, ...from, command }), udfParts(plan));
    return await storedRun(place, run, args, io, async () => {
      const results = await finish(await mergeRun(store, run, { signal: io.signal }) as Results);
      await deliverAll({ plan, results, outputs, command: args }, args, io);
      return 0;
    });
  }, (plan, compute) => firstPass(store, plan, compute));
}
