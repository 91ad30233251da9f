/**
 * `tilewise replay`: repeats a run from its manifest and says whether every result has the same bits.
 *
 * @module
 */

import { partsIn } from "../shell/several.ts";
import { RUN_SOURCES } from "./in_parts.ts";
import { HEADS } from "../shell/heads.ts";
import { runManifest } from "../../udf/results/manifest.ts";
import { TilewiseError } from "../../errors.ts";
import { parseBytes } from "../../space/size.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outJson } from "../shell/io.ts";
import { asTold } from "../flags/failure.ts";
import { inputsOf, report, sayChanged, sayVersion, sayWhere } from "../manifests/compare.ts";
import { readManifestFile } from "../manifests/file.ts";
import { MAP_MANIFEST } from "../map/manifest.ts";
import { replayMap } from "../map/replay.ts";
import { namedModules, type Replayable, RUN_MANIFEST, runManifestIn } from "./manifest.ts";
import { compute } from "./compute.ts";
import { parseArguments } from "../shell/parse_arguments.ts";
import { ALLOW_MODULES, allowModules } from "../manifests/modules.ts";
import { RUN } from "./run.ts";
import { withPlan } from "./run_plan.ts";
import type { Verb } from "../shell/verb.ts";

/** The verb. */
export const REPLAY: Verb = {
  ...HEADS.replay,
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
  const text = `Cannot replay ${file}: its command is none that tilewise understands: ${cause.message}`;
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
  const found = await readManifestFile(path, [RUN_MANIFEST, MAP_MANIFEST]);
  const given = ["workers", "memory"].flatMap((flag) =>
    args.has(flag) ? [`--${flag}`, args.text(flag)!] : []
  );
  const flags = [...given, ...(args.has("quiet") ? ["--quiet"] : [])];
  return found.manifest === MAP_MANIFEST
    ? await replayMap(path, found, flags, args, io)
    : await replayRun(path, runManifestIn(path, found), flags, args, io);
}

async function replayRun(
  path: string,
  recorded: Replayable,
  flags: readonly string[],
  args: Arguments,
  io: CliIo,
): Promise<number> {
  sayWhere(path, recorded.command, io);
  const again = parsedCommand(recorded, path, flags);
  await allowModules(path, recorded.command, namedModules(partsIn(again, RUN_SOURCES).words), args, io);
  return await withPlan(again, io, async ({ plan, finish }) => {
    sayChanged(recorded.inputs, await inputsOf(plan.dataset), io);
    const { results } = await compute(plan, again, io);
    const { results: found, kernels } = await runManifest(plan, await finish(results));
    sayVersion(recorded, kernels, io);
    const compared = recorded.results.map(({ udf, result, sha256: expected }) => {
      const now = found.find((other) => other.udf === udf && other.result === result);
      return { names: { udf, result }, expected, found: now?.sha256 };
    });
    return report(compared, path, args, io);
  });
}
