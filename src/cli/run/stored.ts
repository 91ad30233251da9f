/**
 * `tilewise run … --store STORE`: computes parts into a store, all of them or those of one shard.
 *
 * @module
 */

import { cwd } from "node:process";
import { committed } from "../../cluster/kinds/parted.ts";
import { udfManifest, udfParts } from "../../cluster/kinds/udf.ts";
import { firstPass } from "../../cluster/shards/first_pass.ts";
import { mergeRun } from "../../cluster/shards/merge.ts";
import type { Results } from "../../udf/interface/buffer_types.ts";
import { parseLook } from "../flags/look.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { placeOf, storedRun } from "../stores/units.ts";
import { deliverAll, preparedPaths } from "./deliver_all.ts";
import { repeatable } from "./repeatable.ts";
import { withPlan } from "./run_plan.ts";

/** Computes into the store that `--store` names. */
export async function storedUdfs(args: Arguments, io: CliIo): Promise<number> {
  const place = await placeOf(args), { store, shard } = place;
  const look = parseLook(args);
  return await withPlan(args, io, async ({ plan, from, names, finish }) => {
    const outputs = shard ? undefined : await preparedPaths(args.text("output"), names, args);
    const command = { arguments: repeatable(args), folder: cwd() };
    const run = await committed(store, await udfManifest({ plan, ...from, command }), udfParts(plan));
    return await storedRun(place, run, args, io, async () => {
      const results = await finish(await mergeRun(store, run, { signal: io.signal }) as Results);
      await deliverAll({ plan, results, outputs, look, command: args }, args, io);
      return 0;
    });
  }, (plan, compute) => firstPass(store, plan, compute));
}
