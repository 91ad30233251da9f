/**
 * What is submitted to a scheduler: the shards of a command, and their merge.
 *
 * @module
 */

/**
 * A command in shards, for a scheduler.
 * @category Cluster
 */
export interface Submission {
  /** The verb that is computed in shards. Default: `run`. */
  readonly verb?: "run" | "map" | "convert" | "predict";
  /** What follows the verb: UDFs, source, flags, without those of store and shard. */
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
  /** The modules of users that the command names: the merge imports them as well, and must be allowed to. */
  readonly modules?: readonly string[];
  /** More flags of the merge: how pictures look. */
  readonly merge?: readonly string[];
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
export function shardWords(submission: Submission, shard: string): string[] {
  const { verb = "run", run, store, workers } = submission;
  const words = ["tilewise", verb, ...run, "--store", store, "--shard", shard];
  return [...words, ...sizeWords(submission, workers), "--quiet"];
}

/** The command of the merge, which has one core. */
export function mergeWords(submission: Submission, ...more: readonly string[]): string[] {
  const { store, output, modules = [], merge = [] } = submission;
  const allowed = modules.map((module) => `--allow-modules=${module}`);
  const words = ["tilewise", "merge", store, "-o", output, ...sizeWords(submission, 1)];
  return [...words, ...merge, ...allowed, ...more, "--quiet"];
}

/** What keeps a command within what its task asks for. */
function sizeWords({ memory }: Submission, workers: number): string[] {
  return ["--workers", String(workers), "--memory", `${Math.floor(memory / MiB)}MiB`];
}
