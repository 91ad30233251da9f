/**
 * What is submitted to a scheduler: the shards of a run, and their merge.
 *
 * @module
 */

/**
 * A run in shards, for a scheduler.
 * @category Cluster
 */
export interface Submission {
  /** What follows `tilewise run`: UDFs, source, flags, without those of store and shard. */
  readonly run: readonly string[];
  /** The store. */
  readonly store: string;
  /** Where the results go. */
  readonly output: string;
  /** Tasks of the array. */
  readonly shards: number;
  /** Worker threads of a task, each on a core of its own. */
  readonly workers: number;
  /** Bytes of buffers of a task. */
  readonly memory: number;
  /** The modules of users that the run names: the merge imports them as well, and must be allowed to. */
  readonly modules?: readonly string[];
  /** What containers run, for Kubernetes. */
  readonly image?: string;
  /** The volume claim with data and store, mounted at `/data`, for Kubernetes. */
  readonly claim?: string;
}

const MiB = 2 ** 20;

/** Bytes that a process takes beside its buffers: runtime, code, results. */
const BESIDE = 256 * MiB;

/** The memory that a task asks for, in MiB. */
export function mebibytes({ memory, workers }: Submission): number {
  return Math.ceil((memory + BESIDE + workers * 32 * MiB) / MiB);
}

/** The command of a shard; `shard` is what follows `--shard`. */
export function shardWords({ run, store, workers, memory }: Submission, shard: string): string[] {
  const flags = ["--workers", String(workers), "--memory", `${Math.floor(memory / MiB)}MiB`, "--quiet"];
  return ["tilewise", "run", ...run, "--store", store, "--shard", shard, ...flags];
}

/** The command of the merge. */
export function mergeWords(
  { store, output, modules = [] }: Submission,
  ...more: readonly string[]
): string[] {
  const allowed = modules.map((module) => `--allow-modules=${module}`);
  return ["tilewise", "merge", store, "-o", output, ...allowed, ...more, "--quiet"];
}
