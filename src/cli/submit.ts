/**
 * `tilewise submit`: prints the job script, or the manifest, that computes a command in shards.
 *
 * @module
 */

import { defined } from "../options.ts";
import { kubernetesManifest, slurmScript, type Submission } from "../cluster/submit/submission.ts";
import { openStore } from "../cluster/store/open.ts";
import { MOST_WORKERS } from "../executor/pool/pool.ts";
import { parseBytes } from "../space/size.ts";
import { CONVERT } from "./convert/convert.ts";
import { convertInParts } from "./convert/stored.ts";
import { LOOK_FLAGS } from "./flags/look.ts";
import { FORECAST_FLAGS, STORE_FLAGS } from "./flags/run_flags.ts";
import { mapInParts } from "./map/stored.ts";
import { MAP } from "./map/map.ts";
import { PREDICT } from "./radio/predict.ts";
import { predictInParts } from "./radio/predict_words.ts";
import { runInParts } from "./run/in_parts.ts";
import { RUN } from "./run/run.ts";
import { type Arguments, UsageError } from "./shell/args.ts";
import { HEADS } from "./shell/heads.ts";
import type { CliIo } from "./shell/io.ts";
import { parseArguments } from "./shell/parse_arguments.ts";
import { COMMON_FLAGS, type Flag, type Verb } from "./shell/verb.ts";
import { retyped } from "./shell/words.ts";
import type { InParts } from "./stores/units.ts";

/** A verb that is computed in parts, and the check of its words. */
interface Job {
  readonly name: Required<Submission>["verb"];
  readonly verb: Verb;
  readonly check: (args: Arguments) => InParts | Promise<InParts>;
}

/** The verbs. The first one need not be named: none of these names is that of a UDF. */
const JOBS: readonly [Job, ...Job[]] = [
  { name: "run", verb: RUN, check: runInParts },
  { name: "map", verb: MAP, check: mapInParts },
  { name: "convert", verb: CONVERT, check: convertInParts },
  { name: "predict", verb: PREDICT, check: predictInParts },
];

/** Flags of `submit` alone. */
const OWN_FLAGS: readonly Flag[] = [
  {
    name: "shards",
    value: "N",
    help: "tasks of the array; default 16. More than needed do no harm: empty ones succeed",
  },
  { name: "image", value: "IMAGE", help: "k8s: the container image, with tilewise on its path" },
  { name: "claim", value: "NAME", help: "k8s: the volume claim with data and store, mounted at /data" },
];

/** Flags of the verbs that say something else to a script. */
const SCRIPT_FLAGS: readonly Flag[] = [
  ...STORE_FLAGS.filter(({ name }) => name === "store"),
  {
    name: "output",
    short: "o",
    value: "OUT",
    help: "what merge writes, as of the command on one machine; convert has it as its last word",
  },
  { name: "workers", value: "N", help: "worker threads of a task, each on a core of its own; default 4" },
  { name: "memory", value: "SIZE", help: "most memory for buffers of a task, such as 2GiB; default 512MiB" },
];

const names = (flags: readonly Flag[]) => flags.map(({ name }) => name);

/** What a script decides by itself, and what is computed at once. */
const LEFT_OUT = [
  "dry-run",
  "each",
  "as",
  ...names([...STORE_FLAGS, ...FORECAST_FLAGS, ...SCRIPT_FLAGS, ...COMMON_FLAGS]),
];

/** The other flags of the verbs, which go on to them. */
const PASSED_FLAGS: readonly Flag[] = [
  ...new Map(
    JOBS.flatMap(({ verb }) => verb.flags).filter(({ name }) => !LEFT_OUT.includes(name))
      .map((flag) => [flag.name, flag]),
  ).values(),
];

const SCHEDULERS: Readonly<Record<string, (submission: Submission) => string>> = {
  slurm: slurmScript,
  k8s: kubernetesManifest,
};

/** The verb. */
export const SUBMIT: Verb = {
  ...HEADS.submit,
  least: 3,
  flags: [...OWN_FLAGS, ...SCRIPT_FLAGS],
  passed: PASSED_FLAGS,
  words: Object.fromEntries([
    ...Object.keys(SCHEDULERS).map((name) => [name, "a job script"]),
    ...JOBS.map(({ name, verb }) => [name, verb.summary]),
  ]),
  notes: [
    "VERB is run, map, convert or predict; without it, it is run. The words behind it are those of that command, and all of its",
    "flags may be given: see tilewise VERB --help. They are checked, as far as that is possible without the source.",
    "",
    "Nothing is submitted: the script goes to stdout, to be read, changed and started. For PBS, LSF, SGE and AWS Batch,",
    "start an array from 1 to N whose tasks call tilewise run … --store STORE --shard auto (PBS: auto/N), then tilewise merge.",
  ],
  examples: [
    [
      "tilewise submit slurm com scan.mib --store dir:/scratch/run7 --shards 64 --workers 8 -o com.npy",
      "64 tasks of 8 cores, then the merge.",
    ],
    [
      "tilewise submit slurm map gaussian:sigma=2 image.tif --store dir:/scratch/m1 -o smooth.ome.zarr",
      "A filter; each task compresses its chunks of the result.",
    ],
    [
      "tilewise submit slurm convert scan.mib scan.ome.zarr --nav 256x256 --store dir:/scratch/c1",
      "A conversion in 16 tasks.",
    ],
    [
      "tilewise submit k8s predict sky.txt day.ms --store dir:/data/p1 -o model.zarr --image lab/tilewise --claim data",
      "A prediction, as two Jobs of Kubernetes.",
    ],
  ],
  run: submit,
};

async function submit(args: Arguments, io: CliIo): Promise<number> {
  const [scheduler = "", word] = args.positionals;
  const script = Object.hasOwn(SCHEDULERS, scheduler) ? SCHEDULERS[scheduler] : undefined;
  if (!script) {
    throw new UsageError(
      `"${scheduler}" is not a scheduler that submit knows; write ${Object.keys(SCHEDULERS).join(" or ")}`,
    );
  }
  const named = JOBS.find(({ name }) => name === word);
  const typed = wordsBehind(args, named ? 2 : 1);
  io.out(script(await submissionOf(named ?? JOBS[0], typed, args)));
  return 0;
}

/** The words of the verb: all but the first `count` arguments and the flags of `submit`. */
function wordsBehind(args: Arguments, count: number): string[] {
  const strange = args.positionals.find((word) => word.startsWith("-"));
  if (strange !== undefined) {
    throw new UsageError(`submit: "${strange}" would be a flag in the script; write ./${strange}`);
  }
  const typed = retyped(args.words, [...SUBMIT.flags, ...PASSED_FLAGS, ...COMMON_FLAGS], names(OWN_FLAGS));
  for (const word of args.positionals.slice(0, count)) typed.splice(typed.indexOf(word), 1);
  return typed;
}

async function submissionOf(job: Job, typed: readonly string[], args: Arguments): Promise<Submission> {
  const { flags, several } = job.verb;
  const isNamed = several?.out !== "argument" && flags.some(({ name }) => name === "output");
  const asked = parseArguments(job.verb, typed);
  const store = await storeOf(args);
  const isPlaced = args.has("output") || asked.has("column"); // of the set that is read
  if (isNamed && !isPlaced) {
    throw new UsageError("submit needs a place for the results: add -o OUT");
  }
  if (!isNamed && args.has("output")) {
    throw new UsageError(`submit ${job.name} has the result as its last word: leave out -o`);
  }
  const { output, tellsShards, modules } = await job.check(asked);
  const told = tellsShards ? [`--output=${output}`] : [];
  const [image, claim] = [args.text("image"), args.text("claim")];
  return {
    verb: job.name,
    run: [...retyped(typed, [...flags, ...COMMON_FLAGS], LEFT_OUT), ...told],
    merge: job.name === "run" ? lookOf(typed, flags) : [],
    store,
    output,
    modules,
    shards: args.count("shards", 1, 1e6) ?? 16,
    workers: args.count("workers", 1, MOST_WORKERS) ?? 4,
    memory: args.value("memory", parseBytes) ?? 512 * 2 ** 20,
    ...defined({ image, claim }),
  };
}

/** The flags that say how pictures look: merge draws them. */
function lookOf(typed: readonly string[], flags: readonly Flag[]): string[] {
  const look = names(LOOK_FLAGS);
  const others = names([...flags, ...COMMON_FLAGS]).filter((name) => !look.includes(name));
  return retyped(typed, [...flags, ...COMMON_FLAGS], others).filter((word) => word.startsWith("--"));
}

/** The store; that of an object store is not opened, as its keys are those of the tasks. */
async function storeOf(args: Arguments): Promise<string> {
  const store = args.text("store");
  if (store === undefined) {
    throw new UsageError("submit needs a store that all tasks share: add --store dir:FOLDER");
  }
  if (!store.startsWith("s3:")) await openStore(store);
  return store;
}
