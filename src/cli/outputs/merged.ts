/**
 * Merges the parts of a run over views, of a conversion, or of a cube, into a file.
 *
 * @module
 */

import { CubeRun } from "../../cluster/kinds/cube_run.ts";
import { ConvertRun } from "../../cluster/kinds/convert_run.ts";
import { sinkFor } from "../../cluster/kinds/convert_manifest.ts";
import { ViewsRun } from "../../cluster/kinds/map_run.ts";
import type { ReadyRun } from "../../cluster/manifest/ready_run.ts";
import type { StoredRun } from "../../cluster/manifest/read.ts";
import { mergeInto, mustBeComplete } from "../../cluster/shards/merge.ts";
import type { PartStore } from "../../cluster/store/store.ts";
import type { Context } from "../../runner/face.ts";
import { endingsFor, isChunkPath, targetAt } from "../../sinks/registry.ts";
import { rowTargetOf } from "../../sinks/rows/registry.ts";
import { filesOfRows } from "../../sinks/rows/stream.ts";
import { showShape } from "../../space/shape.ts";
import { toldOf } from "../../space/meaning/values.ts";
import { arrayOfPlan } from "../../views/map/facts.ts";
import { formatBytes } from "../../space/size.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outJson, outTable, printable } from "../shell/io.ts";
import { type Losses, lossRows } from "./losses.ts";
import { lossesStored } from "./losses_at.ts";
import { prepareOutputs } from "./outputs.ts";
import { bytesOf } from "./size.ts";

/** Merges the parts of the run of a store into the file that `-o` names. */
export async function mergedFile(
  store: PartStore,
  stored: StoredRun,
  context: Context,
  args: Arguments,
  io: CliIo,
): Promise<number> {
  const { kind } = stored.manifest;
  const out = args.text("output")?.replace(/[/\\]+$/, "");
  if (kind === "map") mustBeRows(out);
  if (out === undefined) throw new UsageError("merge needs -o OUT, a name with the ending of the run");
  const runs = { map: ViewsRun, convert: ConvertRun, cube: CubeRun } as const;
  const open = kind === "udf" ? undefined : runs[kind].open;
  if (!open) throw new UsageError(`merge: parts of the kind "${kind}" are merged into arrays`);
  await using run = await open(store, stored, context, io.signal);
  return await writeMerged(store, run, out, args, io);
}

/** Refuses names of other files for parts that have rows. */
export function mustBeRows(out: string | undefined): string {
  if (targetAt(out ?? "", "frames")) return out!;
  const found = out === undefined ? "" : `, not ${out}`;
  throw new UsageError(
    `parts with rows of an image are merged into ${
      endingsFor("frames").join(", ")
    }${found}; tilewise convert makes ` +
      "other formats of it",
  );
}

/** Writes the result of a run whose parts are there. */
export async function writeMerged(
  store: PartStore,
  run: ReadyRun,
  out: string,
  args: Arguments,
  io: CliIo,
): Promise<number> {
  if (run instanceof ConvertRun) sinkFor(out, run.file);
  const column = run instanceof CubeRun ? run.column : undefined;
  const files = run instanceof ViewsRun ? filesOfRows(rowTargetOf(out), out) : [out];
  if (column === undefined) await prepareOutputs(files, args, [], isChunkPath(out));
  await mustBeComplete(store, run);
  await mergeInto(store, run, out, { signal: io.signal });
  if (column !== undefined) {
    if (args.has("json")) outJson(io, { store: store.url, source: out, column });
    else io.out(`${printable(out)}  ${printable(column)}\n`);
    return 0;
  }
  const [result] = run instanceof CubeRun ? [] : run.manifest.results;
  const facts = result
    ? {
      shape: result.shape,
      dtype: result.dtype,
      ...(run instanceof ViewsRun ? toldOf(run.plan) : {}),
    }
    : {};
  const bytes = await bytesOf(out), losses = lossesOfRun(run, out);
  if (args.has("json")) outJson(io, { store: store.url, file: out, ...facts, bytes, ...losses });
  else {
    const what = result ? `${showShape(result.shape)} ${result.dtype}, ` : "";
    io.out(`${printable(out)}  ${what}${formatBytes(bytes)}\n`);
    outTable(io, lossRows(losses));
  }
  return 0;
}

/** What the file does not hold of the result; a Measurement Set in a Zarr says all of it. */
function lossesOfRun(run: ReadyRun, out: string): Losses {
  if (run instanceof ConvertRun || run instanceof ViewsRun) {
    return lossesStored(out, arrayOfPlan(run.plan, ""));
  }
  const isCube = run instanceof CubeRun && run.result !== undefined && /\.npy$/i.test(out);
  return isCube ? lossesStored(out, run.result!) : {};
}
