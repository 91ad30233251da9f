/**
 * Runs beyond one machine: a store of parts, the manifest of a run, shards on any scheduler, and their merge.
 *
 * ```sh
 * tilewise run com scan.mib --store dir:/scratch/run7 --shard 3/16     # on 16 machines, in any order
 * tilewise merge dir:/scratch/run7 -o com.npy                          # the bits of one run on one machine
 * ```
 *
 * @example Which parts of a run are missing
 * ```ts
 * import { missingUnits, openStore, readManifest } from "@tilewise/tilewise/unstable/cluster";
 * import { assertRejects } from "@std/assert";
 * const store = await openStore("dir:/nowhere/run7");
 * const missing = async () => await missingUnits(store, await readManifest(store));
 * await assertRejects(missing, Error, "There is no run in dir:/nowhere/run7");
 * ```
 *
 * @module
 */

export { openStore } from "./store/open.ts";
export type { Committed, PartStore } from "./store/store.ts";
export type { TreeNode } from "./store/node.ts";
export type { Part } from "./store/part.ts";
export type { Json } from "./manifest/json.ts";
export type {
  ClusterManifest,
  InputIdentity,
  ModuleIdentity,
  ResultLayout,
  RunKind,
} from "./manifest/manifest.ts";
export type { Unit } from "../runner/parts.ts";
export { readManifest, type StoredRun } from "./manifest/read.ts";
export type { CubeSinks, PartControl, ReadPart, ReadyRun } from "./manifest/ready_run.ts";
export { type Join, type Work, workOf } from "./manifest/work.ts";
export { type ReadyOptions, readyRun } from "./shards/ready.ts";
export { computeInto, missingUnits, type Outcome } from "./shards/compute.ts";
export {
  type ConversionOptions,
  storeConversion,
  storeCube,
  type StoreCubeOptions,
} from "./shards/create.ts";
export { mergeCube, mergeInto, mergeRun } from "./shards/merge.ts";
export type {
  Claim,
  Doing,
  Engine,
  EngineStatus,
  Failure,
  JobSight,
  Refusal,
  Renewal,
  RunSight,
  WorkerSight,
} from "./engine/engine.ts";
export type { ClusterProgress } from "./engine/coordinator.ts";
export { type EngineRunOptions, runOnEngine } from "./engine/run.ts";
export type { EngineJob } from "./engine/job.ts";
export { openEngine } from "./open_engine.ts";
export { serve, type ServeOptions } from "./engine/serve.ts";
export type { WorkerEvent } from "./engine/worker.ts";
