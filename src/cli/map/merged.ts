/**
 * Merges the parts of a run over views, or of a conversion, into a file.
 *
 * @module
 */

import { ConvertRun } from "../../cluster/kinds/convert_run.ts";
import { sinkFor } from "../../cluster/kinds/convert_manifest.ts";
import { ViewsRun } from "../../cluster/kinds/map_run.ts";
import type { ReadyRun } from "../../cluster/manifest/ready_run.ts";
import type { StoredRun } from "../../cluster/manifest/read.ts";
import { mergeInto, mustBeComplete } from "../../cluster/shards/merge.ts";
import type { PartStore } from "../../cluster/store/store.ts";
import type { Context } from "../../runner/face.ts";
import { showShape } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { prepareOutputs } from "../outputs/outputs.ts";
import { bytesOf } from "../outputs/to_sink.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outJson, printable } from "../shell/io.ts";
import { isNpy } from "./flags.ts";

/** Merges the parts of the run of a store into the file that `-o` names. */
export async function mergedViews(
  store: PartStore,
  stored: StoredRun,
  context: Context,
  args: Arguments,
  io: CliIo,
): Promise<number> {
  const out = args.text("output")?.replace(/[/\\]+$/, "");
  if (stored.manifest.kind === "map") mustBeNpy(out);
  if (out === undefined) throw new UsageError("merge needs -o OUT, a name as that of the conversion");
  const run = await (stored.manifest.kind === "map" ? ViewsRun : ConvertRun).open(
    store,
    stored,
    context,
    io.signal,
  );
  return await writeMerged(store, run, out, args, io);
}

/** Refuses names of other files for the parts of an image. */
export function mustBeNpy(out: string | undefined): string {
  if (out !== undefined && isNpy(out)) return out;
  const found = out === undefined ? "" : `, not ${out}`;
  throw new UsageError(
    `parts of an image are merged into a .npy${found}; tilewise convert makes other formats of it`,
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
  const isChunked = run instanceof ConvertRun;
  if (isChunked) sinkFor(out, run.file);
  await prepareOutputs([out], args, [], isChunked);
  await mustBeComplete(store, run);
  await mergeInto(store, run, out, { signal: io.signal });
  const [{ shape, dtype } = { shape: [], dtype: "" }] = run.manifest.results;
  const bytes = await bytesOf(out);
  if (args.has("json")) outJson(io, { store: store.url, file: out, shape, dtype, bytes });
  else io.out(`${printable(out)}  ${showShape(shape)} ${dtype}, ${formatBytes(bytes)}\n`);
  return 0;
}
