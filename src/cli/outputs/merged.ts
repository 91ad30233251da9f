/**
 * Merges the parts of a run over views, of a conversion, or of a cube, into a file.
 *
 * @module
 */

import type { PartedRun } from "../../cluster/kinds/parted.ts";
import type { StoredRun } from "../../cluster/manifest/read.ts";
import { opened } from "../../cluster/shards/ready.ts";
import { mergeInto, mustBeComplete } from "../../cluster/shards/merge.ts";
import type { PartStore } from "../../cluster/store/store.ts";
import type { Context } from "../../runner/context.ts";
import { endingsFor, isChunkPath, targetAt } from "../../sinks/registry.ts";
import { showShape } from "../../space/shape.ts";
import { toldOf } from "../../space/meaning/values.ts";
import { formatBytes } from "../../space/size.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outJson, outTable, printable } from "../shell/io.ts";
import { lossesStored, lossRows } from "./losses.ts";
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
  await using run = await opened(store, stored, { context, signal: io.signal });
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
  run: PartedRun,
  out: string,
  args: Arguments,
  io: CliIo,
): Promise<number> {
  const { of: { result: known, column }, manifest: { kind, results } } = run;
  const files = run.of.files?.(out) ?? [out];
  if (column === undefined) await prepareOutputs(files, args, [], isChunkPath(out));
  await mustBeComplete(store, run);
  await mergeInto(store, run, out, { signal: io.signal });
  if (column !== undefined) {
    if (args.has("json")) outJson(io, { store: store.url, source: out, column });
    else io.out(`${printable(out)}  ${printable(column)}\n`);
    return 0;
  }
  const [result] = kind === "cube" ? [] : results;
  const told = kind === "map" && known ? toldOf(known) : {};
  const facts = result ? { shape: result.shape, dtype: result.dtype, ...told } : {};
  const bytes = await bytesOf(out), losses = known ? await lossesStored(out, known) : {};
  if (args.has("json")) outJson(io, { store: store.url, file: out, ...facts, bytes, ...losses });
  else {
    const what = result ? `${showShape(result.shape)} ${result.dtype}, ` : "";
    io.out(`${printable(out)}  ${what}${formatBytes(bytes)}\n`);
    outTable(io, lossRows(losses));
  }
  return 0;
}
