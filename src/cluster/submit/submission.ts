/**
 * What is submitted to a scheduler: the shards of a command, and their merge. For Slurm it is an array job, for Kubernetes an
 * Indexed Job with one shard per index and a Job that merges.
 *
 * In Slurm the merge depends on the array by `afterany`: with `afterok` one killed task keeps it waiting for ever, as Slurm does
 * not requeue a task whose process was killed. The merge knows what is missing, and says so.
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
function mebibytes({ memory, workers }: Submission): number {
  return Math.ceil((memory + BESIDE + workers * 32 * MiB) / MiB);
}

/** The command of a shard; `shard` is what follows `--shard`. */
function shardWords(submission: Submission, shard: string): string[] {
  const { verb = "run", run, store, workers } = submission;
  const words = ["tilewise", verb, ...run, "--store", store, "--shard", shard];
  return [...words, ...sizeWords(submission, workers), "--quiet"];
}

/** The command of the merge, which has one core. */
function mergeWords(submission: Submission, ...more: readonly string[]): string[] {
  const { store, output, modules = [], merge = [] } = submission;
  const allowed = modules.map((module) => `--allow-modules=${module}`);
  const words = ["tilewise", "merge", store, "-o", output, ...sizeWords(submission, 1)];
  return [...words, ...merge, ...allowed, ...more, "--quiet"];
}

/** What keeps a command within what its task asks for. */
function sizeWords({ memory }: Submission, workers: number): string[] {
  return ["--workers", String(workers), "--memory", `${Math.floor(memory / MiB)}MiB`];
}

/**
 * The script for `sh`, on a machine with `sbatch`.
 * @category Cluster
 */
export function slurmScript(submission: Submission): string {
  const { shards, workers } = submission;
  const memory = `--mem=${mebibytes(submission)}M`;
  return `#!/bin/sh
# ${shards} shards of a run, then their merge. Start it with sh on a machine that has sbatch.
# If shards were killed or have failed, start it again: only what is missing is computed.
set -eu

shards=$(sbatch --parsable --job-name=tilewise --array=1-${shards} --cpus-per-task=${workers} ${memory} --requeue <<'END'
#!/bin/sh
exec ${commandLine(shardWords(submission, "auto"))}
END
)

# afterany, not afterok: a killed task would keep the merge waiting for ever. It names what is missing.
sbatch --parsable --job-name=tilewise-merge --dependency="afterany:\${shards%%;*}" --cpus-per-task=1 ${memory} <<'END'
#!/bin/sh
exec ${commandLine(mergeWords(submission))}
END
`;
}

/**
 * A command line of these words; what is special to a shell stands in quotes.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(commandLine(["run", "expr:sum(x)", "it's"]), `run 'expr:sum(x)' 'it'\\''s'`);
 * ```
 */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
    .join(" ");
}

/** Tries of one index, beside those of others. */
const RETRIES = 5;

/**
 * The two jobs as YAML for `kubectl apply -f -`.
 * @category Cluster
 */
export function kubernetesManifest(submission: Submission): string {
  const { shards, workers } = submission;
  return `# ${shards} shards of a run, and their merge: kubectl apply -f FILE
# Data and store are on the volume claim, which all pods mount at /data. An index that fails is tried ${RETRIES} times more,
# beside the others (backoffLimitPerIndex: Kubernetes 1.29 or later). The merge waits for all parts.
apiVersion: batch/v1
kind: Job
metadata:
  name: tilewise-shards
spec:
  completionMode: Indexed
  completions: ${shards}
  parallelism: ${shards}
  backoffLimitPerIndex: ${RETRIES}
  template:
${podOf(submission, shardWords(submission, `auto/${shards}`), workers)}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: tilewise-merge
spec:
  backoffLimit: ${RETRIES}
  template:
${podOf(submission, mergeWords(submission, "--wait"), 1)}
`;
}

/** The pod of a job; lists are JSON, which YAML understands. */
function podOf(submission: Submission, words: readonly string[], cores: number): string {
  const { image = "IMAGE", claim = "CLAIM" } = submission;
  return `    spec:
      restartPolicy: Never
      containers:
        - name: tilewise
          image: ${JSON.stringify(image)}
          workingDir: /data
          command: ${JSON.stringify(words)}
          resources:
            requests: { cpu: "${cores}", memory: "${mebibytes(submission)}Mi" }
            limits: { memory: "${mebibytes(submission)}Mi" }
          volumeMounts:
            - { name: data, mountPath: /data }
      volumes:
        - name: data
          persistentVolumeClaim: { claimName: ${JSON.stringify(claim)} }`;
}
