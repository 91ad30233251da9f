/**
 * `tilewise map … --store STORE`: computes parts of the result into a store.
 *
 * @module
 */

import { mapManifest } from "../../cluster/kinds/map_manifest.ts";
import { ViewsRun } from "../../cluster/kinds/map_run.ts";
import { commitManifest } from "../../cluster/manifest/read.ts";
import { mapPlan } from "../../views/map/plan.ts";
import { openOptions } from "../flags/source_flags.ts";
import { mustBeNpy, writeMerged } from "../outputs/merged.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { computeUnits, shardOf, storeOf } from "../stores/units.ts";
import { inputOf } from "./filtered.ts";
import { withMap } from "./asked.ts";

/** Computes into the store that `--store` names: one shard, or everything that is missing, and the file then. */
export async function storedMap(args: Arguments, io: CliIo): Promise<number> {
  const store = await storeOf(args);
  const shard = shardOf(args);
  const out = args.text("output");
  if (!shard) mustBeNpy(out);
  if (args.has("box")) throw new UsageError("map: --box computes its part at once; leave --store out");
  return await withMap(args, io, undefined, async (asked) => {
    if (asked.words.reduction) {
      throw new UsageError(
        `map: ${asked.words.reduction.row.name} cannot be computed in parts; leave --store out`,
      );
    }
    const { operation, options, context, source } = asked;
    const plan = await mapPlan("map", inputOf(asked), operation, { ...options, context, blocks: "tiles" });
    const { manifest, data } = await mapManifest({ plan, source, open: openOptions(args), options });
    const run = await ViewsRun.planned(await commitManifest(store, manifest, data), plan);
    await computeUnits(store, run, shard ?? { index: 1, count: 1 }, args, io);
    return shard || out === undefined ? 0 : await writeMerged(store, run, out, args, io);
  });
}
