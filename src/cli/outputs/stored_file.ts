/**
 * Files that are made of parts in a store: of a conversion, or of filters.
 *
 * @module
 */

import {
  convertManifest,
  convertParts,
  type FileKind,
  fileKind,
  plannedFor,
} from "../../cluster/kinds/convert.ts";
import { mapManifest, MapParts } from "../../cluster/kinds/map.ts";
import { committed, type PartedRun } from "../../cluster/kinds/parted.ts";
import type { ViewOptions } from "../../cluster/kinds/views_manifest.ts";
import type { PartStore } from "../../cluster/store/store.ts";
import type { OpenOptions } from "../../formats/common/options.ts";
import type { Context } from "../../runner/context.ts";
import type { MapInput } from "../../views/array.ts";
import { mapPlan } from "../../views/map/plan.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import { layoutOfPlan } from "../../views/map/rows_file.ts";
import { isChunkPath, mustBeTarget } from "../../sinks/registry.ts";
import { refuseSinkFlags, sinkOptions } from "../flags/sink_flags.ts";
import { type Arguments, UsageError } from "../shell/args.ts";

/** What is computed, from what. */
interface StoredFile {
  /** Path or URL. */
  readonly source: string;
  /** How it was opened. */
  readonly open: OpenOptions;
  /** What was opened. */
  readonly input: MapInput;
  /** What is done to it. */
  readonly operation: ViewOperation;
  /** Borders, tiles. */
  readonly options: ViewOptions;
  /** Memory and workers. */
  readonly context: Context;
}

/** Whether parts of a file have its chunks: those of other files, or of an image without a name, have rows. */
export function isChunkedFile(out: string | undefined): out is string {
  return out !== undefined && isChunkPath(out);
}

/** The run that makes the file `out`; its manifest is put into the store. */
export async function storedFile(
  store: PartStore,
  { input, ...file }: StoredFile,
  out: string | undefined,
  args: Arguments,
): Promise<PartedRun> {
  const { operation, options, context } = file;
  const kind = partsFile(out, args);
  if (!kind) {
    const plan = await mapPlan("map", input, operation, { ...options, context, blocks: "tiles" });
    if (out !== undefined) await layoutOfPlan(mustBeTarget(out, "frames"), plan, ""); // refused before anything is computed
    return await committed(store, await mapManifest({ ...file, plan }), new MapParts(plan));
  }
  const plan = await plannedFor(input, operation, options, kind, context);
  return await committed(
    store,
    await convertManifest({ ...file, plan, file: kind }),
    convertParts(plan, kind),
  );
}

/** What parts of the file `out` have chunks of; absent: they have rows. {@link UsageError} for flags that do not apply. */
export function partsFile(out: string | undefined, args: Arguments): FileKind | undefined {
  if (!isChunkedFile(out)) {
    refuseSinkFlags(args, out ?? "parts of a .npy (-o OUT says what merge writes)", "tile");
    return;
  }
  if (args.has("resume")) {
    throw new UsageError("--resume does not go with parts; leave it out: with --store, a later call goes on");
  }
  return fileKind(out, sinkOptions(args));
}
