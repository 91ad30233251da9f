/**
 * Puts runs into stores, to be computed in parts.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../options.ts";
import { signal as signalRule, text } from "../../options/rules.ts";
import { open as openSource } from "../../formats/open.ts";
import type { OpenOptions } from "../../formats/common/options.ts";
import type { Context } from "../../runner/face.ts";
import { context as contextRule } from "../../runner/rules.ts";
import type { ViewOperations } from "../../views/operations/chain.ts";
import { copySamples } from "../../views/operations/copy_samples.ts";
import type { FileSinkOptions } from "../../views/sinks/registry.ts";
import { convertManifest, fileKind, plannedFor } from "../kinds/convert_manifest.ts";
import { commitManifest, type StoredRun } from "../manifest/read.ts";
import type { PartStore } from "../store/store.ts";

/**
 * How a conversion is planned.
 * @category Cluster
 */
export interface ConversionOptions {
  /** How the source is opened. */
  readonly open?: OpenOptions;
  /** How the files are written: chunks, shards, codec, levels. */
  readonly file?: Omit<FileSinkOptions, "resume">;
  /** An operation over views, or several, whose result is written. Default: the samples as they are. */
  readonly operation?: ViewOperations;
  /** Where it is planned: memory and workers. Default: the default context. */
  readonly context?: Context;
  /** Stops it. */
  readonly signal?: AbortSignal;
}

const OPTIONS: OptionNames<ConversionOptions> = {
  open: true,
  file: true,
  operation: true,
  context: contextRule,
  signal: signalRule,
};

/**
 * Puts a conversion into a store, from which any number of machines make its parts: `readyRun` and `computeInto`, or an
 * engine. Then `mergeInto` writes the files. `path` says by its ending what they are: Zarr or TIFF, as for `fileSink`.
 *
 * Errors: those of opening and planning; `unsupported` for other files, for samples in memory and for functions of this
 * program; `conflict` if the store has another run.
 *
 * @example
 * ```ts
 * import { openStore, storeConversion } from "@tilewise/tilewise/cluster";
 * import { assertEquals } from "@std/assert";
 * const folder = await Deno.makeTempDir();
 * await Deno.writeFile(`${folder}/image.raw`, new Uint8Array(4000));
 * const store = await openStore(`dir:${folder}/parts`);
 * const { manifest } = await storeConversion(store, `${folder}/image.raw`, "image.ome.zarr", {
 *   open: { format: "raw", dtype: "uint8", nav: [], sig: [40, 100] },
 *   file: { chunk: [32, 32] },
 * });
 * assertEquals([manifest.kind, manifest.work.units.length], ["convert", 8]); // chunks of 32 × 32
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Cluster
 */
export async function storeConversion(
  store: PartStore,
  source: string,
  path: string,
  options: ConversionOptions = {},
): Promise<StoredRun> {
  const call = "storeConversion()";
  checkOptionNames(call, options, OPTIONS);
  text(call, "source", source);
  text(call, "path", path);
  const { open = {}, file: asked = {}, operation = copySamples(), context, signal } = options;
  const file = fileKind(path, asked);
  const dataset = await openSource(source, { ...open, ...(signal ? { signal } : {}) });
  const plan = await plannedFor(dataset, operation, {}, file, context);
  const { manifest, data } = await convertManifest({ plan, source, open, options: {}, file });
  return await commitManifest(store, manifest, data);
}
