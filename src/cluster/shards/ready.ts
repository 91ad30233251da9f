/**
 * Makes a run of a store ready on this machine: its code and its inputs are those of the manifest, or it is refused.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Context } from "../../runner/context.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { signal as signalRule } from "../../options/rules.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { type Open, PartedRun } from "../kinds/parted.ts";
import { checkHere } from "../manifest/check.ts";
import type { RunKind } from "../manifest/manifest.ts";
import type { ReadyRun } from "../manifest/ready_run.ts";
import { readManifest, type StoredRun } from "../manifest/read.ts";
import type { PartStore } from "../store/store.ts";

/**
 * How a run is made ready.
 * @category Cluster
 */
export interface ReadyOptions {
  /** Where it runs: memory and workers, or an executor. Default: the default context. */
  readonly context?: Context;
  /** Stops it. */
  readonly signal?: AbortSignal;
}

const READY_OPTIONS: OptionNames<ReadyOptions> = { context: contextRule, signal: signalRule };

/** How runs of each kind are opened; their code is loaded then. */
const KINDS: Readonly<Record<RunKind, () => Promise<Open>>> = {
  cube: async () => (await import("../kinds/cube.ts")).openTiles,
  convert: async () => (await import("../kinds/convert.ts")).openConversion,
  map: async () => (await import("../kinds/map.ts")).openMap,
  udf: async () => (await import("../kinds/udf.ts")).openUdfs,
};

/** The run of a manifest that fits this machine: what differs of it otherwise is found when it is opened. */
export async function opened(
  store: PartStore,
  run: StoredRun,
  options: ReadyOptions,
): Promise<PartedRun> {
  const { kind } = run.manifest;
  const open = await (KINDS as Partial<typeof KINDS>)[kind]?.();
  if (open) return await PartedRun.open(open, run, { store, ...options });
  const text = `The run in ${store.url} is of the kind "${kind}", which this Tilewise cannot compute`;
  throw new TilewiseError("unsupported", text, { file: store.url, found: kind });
}

/**
 * The run of a store, ready to be computed. Everything is compared with the manifest before: versions, kernels, modules,
 * inputs, units.
 *
 * Errors: `unsupported` and `changed` for what differs, by its name; those of reading the manifest and of opening.
 * @category Cluster
 */
export async function readyRun(store: PartStore, options: ReadyOptions = {}): Promise<ReadyRun> {
  checkOptionNames("readyRun()", options, READY_OPTIONS);
  const run = await readManifest(store);
  await checkHere(run.manifest);
  return await opened(store, run, options);
}
