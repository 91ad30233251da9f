/**
 * `tilewise replay`: says a command again from its manifest, and whether every result has the same bits.
 *
 * @module
 */

import { CONTEXT_FLAGS } from "./flags/run_flags.ts";
import { cannot, type TilewiseError } from "../errors.ts";
import { parseBytes } from "../space/size.ts";
import { reportOf } from "./flags/option_flags.ts";
import { report, sayChanged, sayVersion, sayWhere } from "./manifests/compare.ts";
import { checkedManifest, type Kind, readManifestFile } from "./manifests/file.ts";
import { filesKind } from "./manifests/files.ts";
import { ALLOW_MODULES, allowModules } from "./manifests/modules.ts";
import { type Arguments, UsageError } from "./shell/args.ts";
import { HEADS } from "./shell/heads.ts";
import { type CliIo, outJson } from "./shell/io.ts";
import { changed, parseArguments } from "./shell/parse_arguments.ts";
import type { Verb } from "./shell/verb.ts";

/** The kinds of manifests: each is loaded when one of it is replayed. */
const KINDS: Readonly<Record<string, () => Promise<Kind>>> = {
  "tilewise-run-1": async () => (await import("./run/replay.ts")).RUN_KIND,
  "tilewise-map-1": async () => (await import("./map/replay.ts")).MAP_KIND,
  "tilewise-convert-1": async () => filesKind((await import("./convert/convert.ts")).CONVERT),
  "tilewise-pick-1": async () => filesKind((await import("./pick.ts")).PICK),
  "tilewise-predict-1": async () => filesKind((await import("./radio/predict.ts")).PREDICT),
  "tilewise-image-1": async () => filesKind((await import("./radio/image.ts")).IMAGE),
};

/** The verb. */
export const REPLAY: Verb = {
  ...HEADS.replay,
  least: 1,
  flags: [
    ...CONTEXT_FLAGS,
    ALLOW_MODULES,
  ],
  notes: [
    "Paths in the manifest are as they were typed: replay where the run was started.",
    "What run and map computed is computed without writing; other commands write into a hidden folder beside the manifest,",
    "which is removed then.",
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
    const { code, message } = reportOf(error);
    if (code === undefined || io.signal.aborted) throw error;
    if (args.has("json")) outJson(io, { manifest: path, error: { code, message } });
    else io.err(`tilewise: [${code}] ${message}\n`);
    return 1;
  }
}

function noCommand(file: string, cause: UsageError): TilewiseError {
  const text = `its command is none that tilewise understands: ${cause.message}`;
  return cannot("replay", file, "malformed", text, { field: "command.arguments" }, { cause });
}

async function replay(path: string, args: Arguments, io: CliIo): Promise<number> {
  const found = await readManifestFile(path, Object.keys(KINDS));
  const { verb, form, mustRepeat, modules, again } = await KINDS[found.manifest]!();
  mustRepeat?.(path, found);
  const recorded = checkedManifest(form, path, found), { command } = recorded;
  sayWhere(path, command, io);
  const typed = parseArguments(verb, command.arguments);
  if (typed.has("help")) throw new UsageError("it asks for help");
  if (typed.positionals.length < verb.least) throw new UsageError(`${path} does not name ${verb.usage}`);
  await allowModules(path, command, modules(typed), args, io);
  const given = ["workers", "memory"].filter((flag) =>
    args.has(flag) && verb.flags.some(({ name }) => name === flag)
  );
  const flags = [
    ...given.map((flag) => `--${flag}=${args.text(flag)}`),
    ...args.has("quiet") ? ["--quiet"] : [],
  ];
  const { kernels, digestOf } = await again(changed(verb, typed, { flags }), {
    path,
    recorded,
    io,
    tellInputs: (inputs) => sayChanged(recorded.inputs, inputs, io),
  });
  sayVersion(recorded, kernels, io);
  return report(recorded.results.map((result) => [result, digestOf(result)]), path, args, io);
}
