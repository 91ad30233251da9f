/**
 * Runs beyond one machine: a store of parts, the manifest of a run, shards on any scheduler, and their merge.
 *
 * ```sh
 * tilewise run com scan.mib --store dir:/scratch/run7 --shard 3/16     # on 16 machines, in any order
 * tilewise merge dir:/scratch/run7 -o com.npy                          # the bits of one run on one machine
 * ```
 *
 * @module
 */

export * from "./store/store.ts";
export type { TreeNode } from "./store/node.ts";
export type { Part } from "./store/part.ts";
export { openStore } from "./store/open.ts";
export type { Json } from "./manifest/json.ts";
export type {
  InputIdentity,
  ModuleIdentity,
  ResultLayout,
  RunKind,
  RunManifest,
  Unit,
} from "./manifest/manifest.ts";
export { readManifest, type StoredRun } from "./manifest/read.ts";
export type { PartControl, ReadyRun } from "./manifest/ready_run.ts";
export { type Join, type Work, workOf } from "./manifest/work.ts";
export { type ReadyOptions, readyRun } from "./shards/ready.ts";
export { computeInto, joinInto, type Outcome } from "./shards/compute.ts";
export { missingUnits } from "./shards/missing.ts";
export { joinWhatIsThere, mergeRun } from "./shards/merge.ts";
export { autoShard, type Environment } from "./shards/auto.ts";
export { kubernetesManifest } from "./submit/kubernetes.ts";
export { slurmScript } from "./submit/slurm.ts";
export type { Submission } from "./submit/submission.ts";
export { parseShard, type Shard, unitsOfShard } from "./shards/share.ts";
