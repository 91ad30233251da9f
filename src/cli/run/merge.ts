/**
 * `tilewise merge`: the results of a run whose parts are in a store.
 *
 * @module
 */

import { CONTEXT_FLAGS } from "../flags/run_flags.ts";
import { partsIn } from "../shell/several.ts";
import { RUN_SOURCES } from "./in_parts.ts";
import { REAL_CLOCK } from "../../clock.ts";
import { isTilewiseError, throwIfAborted, TilewiseError } from "../../errors.ts";
import { PartedRun } from "../../cluster/kinds/parted.ts";
import { openUdfs } from "../../cluster/kinds/udf.ts";
import { checkHere, ofUsers } from "../../cluster/manifest/check.ts";
import { readManifest, type StoredRun } from "../../cluster/manifest/read.ts";
import { firstPass } from "../../cluster/shards/first_pass.ts";
import { mergeRun } from "../../cluster/shards/merge.ts";
import { openStore } from "../../cluster/store/open.ts";
import type { PartStore } from "../../cluster/store/store.ts";
import type { Results, UdfResult } from "../../udf/interface/buffer_types.ts";
import type { PlanOptions } from "../../udf/plan/plan.ts";
import type { UdfPlan } from "../../udf/plan/plan_facts.ts";
import { makeUdfs, parseUdfs } from "../analyses/udf_args.ts";
import { outDtype } from "../flags/out_dtype.ts";
import { LOOK_FLAGS, parseLook } from "../flags/look.ts";
import { ALLOW_MODULES, allowedWithImports, allowModules } from "../manifests/modules.ts";
import { mergedFile } from "../outputs/merged.ts";
import type { Arguments } from "../shell/args.ts";
import { HEADS } from "../shell/heads.ts";
import { type CliIo, outJson } from "../shell/io.ts";
import { parseArguments } from "../shell/parse_arguments.ts";
import { contextOf } from "../shell/threads.ts";
import type { Verb } from "../shell/verb.ts";
import { deliverAll, preparedPaths } from "./deliver_all.ts";
import { RUN } from "./run.ts";
import { factsFor, finished, namesOf } from "./run_plan.ts";

/** Milliseconds between two looks at the store with `--wait`. */
const LOOK_AGAIN = 2000;

/** The verb. */
export const MERGE: Verb = {
  ...HEADS.merge,
  least: 1,
  most: 1,
  flags: [
    {
      name: "output",
      short: "o",
      value: "OUT",
      help: "a file or a folder for the results, as of the command that was cut into parts",
    },
    { name: "wait", help: "wait for parts that are missing" },
    ...CONTEXT_FLAGS,
    ALLOW_MODULES,
    ...LOOK_FLAGS,
  ],
  notes: [
    "Parts are merged in the order of the merge tree, sixteen at a time, and the results have the bits of a run on one",
    "machine. If parts are missing, they are named (exit code 1); what could be merged is kept, and a later merge goes on",
    "from there.",
  ],
  examples: [
    ["tilewise merge dir:/scratch/run7 -o com.npy", "The results of all shards."],
    [
      "tilewise merge dir:/scratch/c1 -o scan.ome.zarr --wait",
      "The file of a conversion, as soon as all parts are there.",
    ],
  ],
  source: ({ positionals }) => positionals[0],
  writes: (args) => args.has("output"),
  run: mergeVerb,
};

async function mergeVerb(args: Arguments, io: CliIo): Promise<number> {
  const store = await openStore(args.positionals[0] ?? "");
  const stored = await planned(store, args, io);
  if (stored.manifest.kind === "udf") return await mergeUdfs(store, stored, args, io);
  await allowModules(store.url, NO_COMMAND, await foreignModules(stored, args), args, io);
  await checkHere(stored.manifest);
  await using context = contextOf(args);
  return await waiting(() => mergedFile(store, stored, context, args, io), store, args, io);
}

const NO_COMMAND = { arguments: [], folder: "" };

/** The modules of users that a run imports, without those that the user has allowed, and what they import. */
async function foreignModules({ manifest }: StoredRun, args: Arguments): Promise<string[]> {
  const modules = ofUsers(manifest.modules).map(({ url }) => url);
  const allowed = await allowedWithImports(modules, args);
  return modules.filter((url) => !allowed.has(url));
}

async function mergeUdfs(store: PartStore, stored: StoredRun, args: Arguments, io: CliIo): Promise<number> {
  parseLook(args); // refused before anything is computed
  const command = commandOf(store, stored);
  await allowModules(store.url, NO_COMMAND, await foreignModules(stored, args), args, io);
  await checkHere(stored.manifest);
  await using context = contextOf(args);
  const run = await PartedRun.open(openUdfs, stored, { store, context, signal: io.signal });
  const { plan } = run.of;
  const keep = (plan: UdfPlan, compute: () => Promise<UdfResult>) => firstPass(store, plan, compute);
  const facts = factsFor(plan.dataset, { ...selectionOf(plan), context }, command, quiet(io), keep);
  const made = await makeUdfs(parseUdfs(partsIn(command, RUN_SOURCES).words), facts);
  const outputs = await preparedPaths(args.text("output"), plan, namesOf(plan, made), args);
  const merged = () => mergeRun(store, run, { signal: io.signal });
  const results = await finished(await waiting(merged, store, args, io) as Results, made, outDtype(command));
  await deliverAll({ plan, results, outputs, command }, args, io);
  return 0;
}

/** The frames and corrections of the run, for first passes. */
function selectionOf({ roi, corrections, supplied }: UdfPlan): PlanOptions {
  const own = supplied ? {} : { corrections: corrections ?? "none" as const };
  return { ...own, ...(roi.mask ? { roi: roi.mask } : {}) };
}

/** Warnings already printed. */
function quiet(io: CliIo): CliIo {
  return { ...io, out: () => {}, err: () => {} };
}

/** The run of a store; with `--wait`, as soon as a shard has planned it. */
async function planned(store: PartStore, args: Arguments, io: CliIo): Promise<StoredRun> {
  for (;;) {
    try {
      return await readManifest(store);
    } catch (error) {
      if (!args.has("wait") || !isTilewiseError(error, "not-found")) throw error;
      await pause(io.signal);
    }
  }
}

/** The command that planned the run. */
function commandOf({ url }: PartStore, { manifest: { command, kind } }: StoredRun): Arguments {
  if (command && kind === "udf") return parseArguments(RUN, command.arguments);
  const text = `The run in ${url} was not planned by tilewise run; merge it where it was planned`;
  throw new TilewiseError("unsupported", text, { file: url, found: kind });
}

/** What `merge` gives; with `--wait`, as soon as all parts are there. */
async function waiting<T>(merge: () => Promise<T>, store: PartStore, args: Arguments, io: CliIo): Promise<T> {
  for (;;) {
    try {
      return await merge();
    } catch (error) {
      const missing = isTilewiseError(error, "not-found") && error.details.missing;
      if (!missing) throw error;
      if (args.has("json")) outJson(io, { store: store.url, missing });
      if (!args.has("wait")) throw error;
      await pause(io.signal);
    }
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await REAL_CLOCK.sleep(LOOK_AGAIN, signal);
  throwIfAborted(signal);
}
