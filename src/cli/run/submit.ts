/**
 * `tilewise submit`: prints the job script, or the manifest, that computes a run in shards.
 *
 * @module
 */

import { kubernetesManifest } from "../../cluster/submit/kubernetes.ts";
import { slurmScript } from "../../cluster/submit/slurm.ts";
import type { Submission } from "../../cluster/submit/submission.ts";
import { MOST_WORKERS } from "../../executor/pool/pool.ts";
import { parseBytes } from "../../space/size.ts";
import { modulesIn, parseUdfs } from "../analyses/udf_args.ts";
import { LOOK_FLAGS } from "../flags/look.ts";
import { RUN_FLAGS, STORE_FLAGS } from "../flags/run_flags.ts";
import { SOURCE_FLAGS } from "../flags/source_flags.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { HEADS } from "../shell/heads.ts";
import type { CliIo } from "../shell/io.ts";
import type { Flag, Verb } from "../shell/verb.ts";
import { repeatable } from "./repeatable.ts";

const OWN_FLAGS: readonly Flag[] = [
  {
    name: "shards",
    value: "N",
    help: "tasks of the array; default 16. More than needed do no harm: empty ones succeed",
  },
  { name: "image", value: "IMAGE", help: "k8s: the container image, with tilewise on its path" },
  { name: "claim", value: "NAME", help: "k8s: the volume claim with data and store, mounted at /data" },
];

const SCHEDULERS: Readonly<Record<string, (submission: Submission) => string>> = {
  slurm: slurmScript,
  k8s: kubernetesManifest,
};

/** The verb. */
export const SUBMIT: Verb = {
  ...HEADS.submit,
  least: 3,
  flags: [
    ...OWN_FLAGS,
    ...STORE_FLAGS.filter(({ name }) => name === "store"),
    ...RUN_FLAGS,
    ...LOOK_FLAGS,
    ...SOURCE_FLAGS,
  ],
  notes: [
    "Nothing is submitted: the script goes to stdout, to be read, changed and started. For PBS, LSF, SGE and AWS Batch,",
    "start an array from 1 to N whose tasks call tilewise run … --store STORE --shard auto (PBS: auto/N), then tilewise merge.",
  ],
  examples: [[
    "tilewise submit slurm com scan.mib --store dir:/scratch/run7 --shards 64 --workers 8 -o com.npy",
    "64 tasks of 8 cores, then the merge.",
  ]],
  run: (args, io) => Promise.resolve(submitVerb(args, io)),
};

function submitVerb(args: Arguments, io: CliIo): number {
  const [scheduler = "", ...words] = args.positionals;
  const script = Object.hasOwn(SCHEDULERS, scheduler) ? SCHEDULERS[scheduler] : undefined;
  if (!script) {
    throw new UsageError(
      `"${scheduler}" is no scheduler that submit knows; write ${Object.keys(SCHEDULERS).join(" or ")}`,
    );
  }
  const udfs = parseUdfs(words.slice(0, -1)); // refused here, not on the cluster
  io.out(script(submissionOf(scheduler, args, [...new Set(udfs.flatMap(modulesIn))])));
  return 0;
}

function submissionOf(scheduler: string, args: Arguments, modules: readonly string[]): Submission {
  const [store, output] = [args.text("store"), args.text("output")];
  if (store === undefined) {
    throw new UsageError("submit needs a store that all tasks share: add --store dir:FOLDER");
  }
  if (output === undefined) throw new UsageError("submit needs a place for the results: add -o OUT");
  const [image, claim] = [args.text("image"), args.text("claim")];
  const run = repeatable(args, OWN_FLAGS);
  run.splice(run.indexOf(scheduler), 1);
  return {
    run,
    store,
    output,
    modules,
    shards: args.count("shards", 1, 1e6) ?? 16,
    workers: args.count("workers", 1, MOST_WORKERS) ?? 4,
    memory: args.value("memory", parseBytes) ?? 512 * 2 ** 20,
    ...(image === undefined ? {} : { image }),
    ...(claim === undefined ? {} : { claim }),
  };
}
