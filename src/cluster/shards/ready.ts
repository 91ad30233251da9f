/**
 * Makes a run of a store ready on this machine: its code and its inputs are those of the manifest, or it is refused.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Context } from "../../runner/face.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { signal as signalRule } from "../../options/rules.ts";
import { context as contextRule } from "../../runner/rules.ts";
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

type Open = (
  store: PartStore,
  run: StoredRun,
  context: Context | undefined,
  signal: AbortSignal | undefined,
) => Promise<ReadyRun>;

/** How runs of each kind are opened; their code is loaded then. */
const KINDS: Readonly<Record<RunKind, () => Promise<Open>>> = {
  cube: async () => (await import("../kinds/cube_run.ts")).CubeRun.open,
  convert: async () => (await import("../kinds/convert_run.ts")).ConvertRun.open,
  map: async () => (await import("../kinds/map_run.ts")).ViewsRun.open,
  udf: async () => (await import("../kinds/udf_run.ts")).UdfRun.open,
};

/**
 * The run of a store, ready to be computed. Everything is compared with the manifest before: versions, kernels, modules,
 * inputs, units.
 *
 * Errors: `unsupported` and `changed` for what differs, by its name; those of reading the manifest and of opening.
 * @category Cluster
 */
export async function readyRun(store: PartStore, options: ReadyOptions = {}): Promise<ReadyRun> {
  checkOptionNames("readyRun()", options, READY_OPTIONS);
  const { context, signal } = options;
  const run = await readManifest(store);
  await checkHere(run.manifest);
  const open = await (KINDS as Partial<typeof KINDS>)[run.manifest.kind]?.();
  if (open) return await open(store, run, context, signal);
  const text =
    `The run in ${store.url} is of the kind "${run.manifest.kind}", which this Tilewise cannot compute`;
  throw new TilewiseError("unsupported", text, { file: store.url, found: run.manifest.kind });
}
