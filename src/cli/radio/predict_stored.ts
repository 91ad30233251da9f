/**
 * `tilewise predict SKY OBSERVATION -o OUT --store STORE`: predicts in parts, on any number of machines.
 *
 * @module
 */

import { commitCube } from "../../cluster/kinds/cube_manifest.ts";
import { openCube, type PredictedCube } from "../../cluster/kinds/cube_opened.ts";
import { CubeRun } from "../../cluster/kinds/cube_run.ts";
import type { Context } from "../../runner/face.ts";
import { writeMerged } from "../outputs/merged.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { computeUnits, shardOf, storeOf } from "../stores/units.ts";

/** What is predicted, and where the file goes. */
export interface StoredPrediction {
  /** What the manifest says. */
  readonly spec: Omit<PredictedCube, "from" | "asRows">;
  /** The file. */
  readonly out: string;
  /** Memory and workers. */
  readonly context: Context;
}

/** Computes into the store that `--store` names: one shard, or everything that is missing, and the file then. */
export async function storedPrediction(
  { spec, out, context }: StoredPrediction,
  args: Arguments,
  io: CliIo,
): Promise<number> {
  const store = await storeOf(args, { namesOutput: true });
  const shard = shardOf(args);
  const asRows = spec.column !== undefined || /\.npy$/i.test(out);
  const cube: PredictedCube = { ...spec, from: "observation", asRows };
  await using opened = await openCube(cube, context, io.signal);
  for (const note of opened.notes) io.err(`tilewise: ${note}\n`);
  const { run: stored, plan } = await commitCube(store, { spec: cube, opened }, context, io.signal);
  const run = CubeRun.planned(stored, plan, opened);
  await computeUnits(store, run, shard ?? { index: 1, count: 1 }, args, io);
  return shard ? 0 : await writeMerged(store, run, out, args, io);
}
