/**
 * A script that submits an array job to Slurm, and the merge behind it.
 *
 * The merge depends on the array by `afterany`: with `afterok` one killed task keeps it waiting for ever, as Slurm does not
 * requeue a task whose process was killed. The merge knows what is missing, and says so.
 *
 * @module
 */

import { mebibytes, mergeWords, shardWords, type Submission } from "./submission.ts";

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
