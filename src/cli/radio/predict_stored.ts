/**
 * `tilewise predict SKY OBSERVATION -o OUT --store STORE`: predicts in parts, on any number of machines.
 *
 * @module
 */

import { isKind } from "../../sinks/registry.ts";
import { commitCube, cubeParts } from "../../cluster/kinds/cube.ts";
import { openCube, type PredictedCube } from "../../cluster/kinds/cube_opened.ts";
import { PartedRun } from "../../cluster/kinds/parted.ts";
import type { Context } from "../../runner/context.ts";
import { writeMerged } from "../outputs/merged.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { placeOf, storedRun } from "../stores/units.ts";

/** What is predicted, and where the file goes. */
interface StoredPrediction {
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
  const place = await placeOf(args, { namesOutput: true }), { store } = place;
  const asRows = spec.column !== undefined || isKind(out, "npy");
  const cube: PredictedCube = { ...spec, from: "observation", asRows };
  await using opened = await openCube(cube, context, io.signal);
  for (const note of opened.notes) io.err(`tilewise: ${note}\n`);
  const { run: stored, plan } = await commitCube(store, { spec: cube, opened }, context, io.signal);
  const run = new PartedRun(stored, cubeParts(plan, opened));
  return await storedRun(place, run, args, io, () => writeMerged(store, run, out, args, io));
}
