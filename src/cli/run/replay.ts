/**
 * `tilewise replay`: repeats a run from its manifest and says whether every result has the same bits.
 *
 * @module
 */

import { cwd } from "node:process";
import { type Glance, glance } from "../../udf/results/digest.ts";
import { type ManifestResult, type RunManifest, runManifest } from "../../udf/results/manifest.ts";
import type { Plan } from "../../udf/plan/plan_facts.ts";
import { VERSION } from "../../version.ts";
import { TilewiseError } from "../../errors.ts";
import { parseBytes } from "../../space/size.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, oneLine, outJson, outTable, printable } from "../shell/io.ts";
import { asTold } from "../flags/failure.ts";
import { readManifest, type Replayable } from "./manifest.ts";
import { compute } from "./compute.ts";
import { parseArguments } from "../shell/parse_arguments.ts";
import { ALLOW_MODULES, allowModules } from "./replay_modules.ts";
import { RUN } from "./run.ts";
import { withPlan } from "./run_plan.ts";
import type { Verb } from "../shell/verb.ts";

/** The verb. */
export const REPLAY: Verb = {
  name: "replay",
  summary: "repeats a run from its manifest and compares the results",
  usage: "MANIFEST…",
  least: 1,
  flags: [
    { name: "workers", value: "N", help: "worker threads; results do not depend on them" },
    { name: "memory", value: "SIZE", help: "most memory for buffers, such as 256MiB" },
    ALLOW_MODULES,
  ],
  notes: [
    "Paths in the manifest are as they were typed: replay where the run was started.",
    "A module that a manifest names is code: it is imported only if you say so, here or when you are asked.",
  ],
  examples: [[
    "tilewise replay com.run.json",
    "Computes again what is in com.npy, and compares bit for bit.",
  ], [
    "tilewise replay mine.run.json --allow-modules=./mine.ts",
    "The same for a UDF of a module that you have read.",
  ]],
  run: async (args, io) => {
    args.count("workers"); // errors of this command must not be reported as errors of a manifest
    args.value("memory", parseBytes);
    let worst = 0;
    for (const path of args.positionals) worst = Math.max(worst, await attempt(path, args, io));
    return worst;
  },
};

/** Replays one manifest; a failure is reported, and the others continue. */
async function attempt(path: string, args: Arguments, io: CliIo): Promise<number> {
  try {
    return await replay(path, args, io);
  } catch (thrown) {
    const error = thrown instanceof UsageError ? noCommand(path, thrown) : thrown;
    const { code, message } = asTold(error);
    if (code === undefined || io.signal.aborted) throw error;
    if (args.has("json")) outJson(io, { manifest: path, error: { code, message } });
    else io.err(`tilewise: [${code}] ${message}\n`);
    return 1;
  }
}

function noCommand(file: string, cause: UsageError): TilewiseError {
  const text = `Cannot replay ${file}: its command is none that tilewise run understands: ${cause.message}`;
  return new TilewiseError("malformed", text, { file, field: "command.arguments" }, { cause });
}

/** The recorded command, with flags of this one; `malformed` if it is not a command of `run`. */
function parsedCommand({ command }: Replayable, path: string, flags: readonly string[]): Arguments {
  const again = parseArguments(RUN, [...command.arguments, ...flags]);
  if (again.has("help")) throw new UsageError("it asks for help");
  if (again.positionals.length >= RUN.least) return again;
  throw new UsageError(`${path} names no UDF and source`);
}

async function replay(path: string, args: Arguments, io: CliIo): Promise<number> {
  const recorded = await readManifest(path);
  sayWhere(recorded, path, io);
  const flags = ["workers", "memory"].flatMap((flag) =>
    args.has(flag) ? [`--${flag}`, args.text(flag)!] : []
  );
  const again = parsedCommand(recorded, path, [...flags, ...(args.has("quiet") ? ["--quiet"] : [])]);
  await allowModules(path, recorded, again, args, io);
  return await withPlan(again, io, async ({ plan, finish }) => {
    const changed = await changedInputs(recorded, plan);
    for (const name of changed) {
      io.err(`tilewise: warning: ${printable(name)} is not the file that the run read\n`);
    }
    const { results } = await compute(plan, again, io);
    const { results: found, kernels } = await runManifest(plan, await finish(results));
    if (recorded.version !== VERSION || recorded.kernels !== kernels) {
      io.err(
        `tilewise: the run was made by version ${printable(String(recorded.version))}, this is ${VERSION}\n`,
      );
    }
    return report(recorded.results, found, path, args, io);
  });
}

function sayWhere({ command }: Pick<RunManifest, "command">, path: string, io: CliIo): void {
  if (!command || command.folder === cwd()) return;
  const text = `${path} was made in ${command.folder}; relative paths are looked up in ${cwd()}`;
  io.err(`tilewise: ${oneLine(text)}\n`);
}

/** Names of inputs whose size or ends are not as recorded. */
async function changedInputs({ inputs }: RunManifest, { dataset }: Plan): Promise<string[]> {
  const now: Glance[] = await Array.fromAsync(dataset.layout.files, ({ source }) => glance(source));
  return now.filter(({ bytes, ends }, i) => inputs[i]?.bytes !== bytes || inputs[i]?.ends !== ends)
    .map(({ name }) => name);
}

/** Reports for each result whether its bits are the same; returns the exit code. */
function report(
  expected: readonly ManifestResult[],
  found: readonly ManifestResult[],
  manifest: string,
  args: Arguments,
  io: CliIo,
): number {
  let differing = 0;
  for (const { udf, result, sha256 } of expected) {
    const now = found.find((other) => other.udf === udf && other.result === result);
    const same = now?.sha256 === sha256;
    if (!same) differing++;
    if (args.has("json")) {
      outJson(io, { manifest, udf, result, same, expected: sha256, found: now?.sha256 ?? null });
    } else outTable(io, [[`${udf}.${result}`, same ? "same bits" : now ? "differs" : "is missing"]]);
  }
  return differing > 0 ? 1 : 0;
}
