/**
 * `tilewise map … --store STORE`: computes parts of the result into a store; and their merge, into a file.
 *
 * @module
 */

import { mapManifest } from "../../cluster/kinds/map_manifest.ts";
import { ViewsRun } from "../../cluster/kinds/map_run.ts";
import { commitManifest, type StoredRun } from "../../cluster/manifest/read.ts";
import { readPart } from "../../cluster/shards/compute.ts";
import { mustBeComplete } from "../../cluster/shards/merge.ts";
import type { PartStore } from "../../cluster/store/store.ts";
import type { Context } from "../../runner/face.ts";
import { showShape } from "../../space/shape.ts";
import { npyFile } from "../../views/map/npy_file.ts";
import { mapPlan } from "../../views/map/plan.ts";
import { openOptions } from "../flags/source_flags.ts";
import { prepareOutputs } from "../outputs/outputs.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outJson, printable } from "../shell/io.ts";
import { computeUnits, shardOf, storeOf } from "../stores/units.ts";
import { inputOf } from "./filtered.ts";
import { withMap } from "./asked.ts";
import { isNpy } from "./flags.ts";

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

/** Merges the parts of a run over views into a `.npy`. */
export async function mergedMap(
  store: PartStore,
  stored: StoredRun,
  context: Context,
  args: Arguments,
  io: CliIo,
): Promise<number> {
  const out = mustBeNpy(args.text("output"));
  const run = await ViewsRun.open(store, stored, context, io.signal);
  return await writeMerged(store, run, out, args, io);
}

function mustBeNpy(out: string | undefined): string {
  if (out !== undefined && isNpy(out)) return out;
  const found = out === undefined ? "" : `, not ${out}`;
  throw new UsageError(
    `parts of an image are merged into a .npy${found}; tilewise convert makes other formats of it`,
  );
}

async function writeMerged(
  store: PartStore,
  run: ViewsRun,
  out: string,
  args: Arguments,
  io: CliIo,
): Promise<number> {
  await prepareOutputs([out], args);
  await mustBeComplete(store, run);
  const { shape, dtype } = run.plan;
  await run.into(npyFile(out), (node) => readPart(store, run.digest, node), { signal: io.signal });
  if (args.has("json")) outJson(io, { store: store.url, file: out, shape, dtype });
  else io.out(`${printable(out)}  ${showShape(shape)} ${dtype}\n`);
  return 0;
}
