/**
 * The manifest that `run` leaves beside its results, and `replay` reads.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cwd } from "node:process";
import { TilewiseError } from "../../errors.ts";
import { fileError } from "../../io/file/error.ts";
import { noteOpened } from "../../io/file/opened.ts";
import type { PendingFile } from "../../io/write/write.ts";
import type { Results } from "../../udf/interface/buffer_types.ts";
import { type RunManifest, runManifest } from "../../udf/results/manifest.ts";
import type { Plan } from "../../udf/plan/plan_facts.ts";
import type { Arguments } from "../shell/args.ts";
import { checkManifest } from "./manifest_check.ts";
import type { ResultName } from "../outputs/named_results.ts";
import type { PartialRun } from "../../udf/results/manifest.ts";
import { moduleDigests, namedModules } from "./replay_modules.ts";
import { reducedIn, type ResultFiles } from "../outputs/saving.ts";

/** The manifest of a run, as a file beside its results. */
export async function manifestFile(
  path: string,
  plan: Plan,
  results: Results,
  named: readonly ResultName[],
  saved: ResultFiles,
  args: Arguments,
  partial?: PartialRun,
): Promise<PendingFile> {
  const files = Object.fromEntries(named.map(({ udf, result, label }) => {
    const paths = (saved.get(label) ?? []).map(({ path }) => path);
    return [`${udf}.${result}`, paths];
  }));
  const reduced = Object.fromEntries(named.flatMap(({ udf, result, label }) => {
    const { reduced } = reducedIn(saved.get(label) ?? []);
    return reduced === undefined ? [] : [[`${udf}.${result}`, reduced]];
  }));
  const modules = await moduleDigests(namedModules(args.positionals.slice(0, -1)));
  const command = {
    arguments: args.words,
    folder: cwd(),
    ...(Object.keys(modules).length > 0 ? { modules } : {}),
  };
  const manifest = await runManifest(plan, results, { command, files, reduced });
  const all: RunManifest = partial ? { ...manifest, partial } : manifest;
  return { path, content: () => new TextEncoder().encode(JSON.stringify(all, null, 2) + "\n") };
}

/** `com.npy` has its manifest in `com.run.json`; results in a folder, of which `first` is one, in `run.json` there. */
export function manifestPath(out: string, first: string | undefined): string {
  const extension = /\.\w+$/.exec(out)?.[0];
  if (extension && first && dirname(first) === dirname(out)) {
    return `${out.slice(0, -extension.length)}.run.json`;
  }
  return first ? join(dirname(first), "run.json") : `${out}.run.json`;
}

/** A manifest that has a command. */
export type Replayable = RunManifest & Required<Pick<RunManifest, "command">>;

/** Reads a manifest that `run` wrote, with every field checked; `malformed` if it is not a manifest. */
export async function readManifest(path: string): Promise<Replayable> {
  const manifest = await parsed(path);
  if (manifest?.manifest !== "tilewise-run-1" || !Array.isArray(manifest.results)) {
    const text = `Cannot replay ${path}: it is no run manifest; give the .run.json beside a saved result`;
    throw new TilewiseError("malformed", text, { file: path, expected: "tilewise-run-1" });
  }
  if (manifest.dataset?.format === "memory") throw ofMemory(path, manifest.dataset.source);
  const { command, partial } = manifest;
  if (command === undefined) {
    const text = `Cannot replay ${path}: it has no command, as it was not made by tilewise run`;
    throw new TilewiseError("unsupported", text, { file: path });
  }
  checkManifest(path, manifest);
  if (partial) throw ofPart(path, partial);
  return { ...manifest, command };
}

function ofMemory(file: string, found: string): TilewiseError {
  const text =
    `Cannot replay ${file}: the run read an array in memory, which has no path to read it from again; ` +
    `save it (save, exportDataset) and run over the file`;
  return new TilewiseError("unsupported", text, { file, found });
}

function ofPart(file: string, { frames, framesTotal }: PartialRun): TilewiseError {
  const text = `Cannot replay ${file}: the run was interrupted after ${frames} of ` +
    `${framesTotal} frames, so that another one would not give the same; replay the manifest of a whole run`;
  return new TilewiseError("unsupported", text, { file, expected: framesTotal, found: frames });
}

async function parsed(path: string): Promise<Partial<RunManifest> | null> {
  let text: string;
  noteOpened(path);
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    throw fileError(path, cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `Cannot replay ${path}: it is not JSON; give the .run.json beside a saved result`;
    throw new TilewiseError("malformed", message, { file: path, expected: "JSON" }, { cause });
  }
}
