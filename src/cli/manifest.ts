/**
 * The manifest that `run` leaves beside its results, and `replay` reads.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cwd } from "node:process";
import { TilewiseError } from "../errors.ts";
import { fileError } from "../io/file_error.ts";
import { writeFileAtomic } from "../io/write.ts";
import { type RunManifest, runManifest } from "../udf/manifest.ts";
import type { Plan } from "../udf/plan.ts";
import type { Results } from "../udf/results.ts";
import type { Arguments } from "./args.ts";
import type { ResultName } from "./named_results.ts";

/** The manifest of a run before its results are saved: inputs that have changed by now are an error. */
export function makeManifest(plan: Plan, results: Results, args: Arguments): Promise<RunManifest> {
  return runManifest(plan, results, { command: { arguments: args.words, folder: cwd() } });
}

/** Writes the manifest of a run beside its results; its path. */
export async function writeManifest(
  made: RunManifest,
  named: readonly ResultName[],
  paths: ReadonlyMap<string, readonly string[]>,
  args: Arguments,
): Promise<string> {
  const files = Object.fromEntries(
    named.map(({ udf, result, label }) => [`${udf}.${result}`, paths.get(label) ?? []]),
  );
  const path = manifestPath(args.text("output")!, files);
  const results = made.results.map((one) => ({ ...one, files: files[`${one.udf}.${one.result}`] ?? [] }));
  const text = JSON.stringify({ ...made, results }, null, 2) + "\n";
  await writeFileAtomic(path, new TextEncoder().encode(text));
  return path;
}

/** `com.npy` has its manifest in `com.run.json`; results in a folder in `run.json` there. */
function manifestPath(out: string, files: Readonly<Record<string, readonly string[]>>): string {
  const extension = /\.\w+$/.exec(out)?.[0];
  const first = Object.values(files)[0]?.[0];
  if (extension && first && dirname(first) === dirname(out)) {
    return `${out.slice(0, -extension.length)}.run.json`;
  }
  return first ? join(dirname(first), "run.json") : `${out}.run.json`;
}

/** Reads a manifest that `run` wrote; `corrupt` where it is none. */
export async function readManifest(
  path: string,
): Promise<RunManifest & Required<Pick<RunManifest, "command">>> {
  const manifest = await parsed(path);
  if (manifest?.manifest !== "tilewise-run-1" || !Array.isArray(manifest.results)) {
    const text = `Cannot replay ${path}: it is no run manifest; give the .run.json beside a saved result`;
    throw new TilewiseError("corrupt", text, { file: path, expected: "tilewise-run-1" });
  }
  const { command, dataset } = manifest;
  if (dataset?.format === "memory") {
    const text =
      `Cannot replay ${path}: the run read an array in memory, which has no path to read it from again; ` +
      `save it (save, exportDataset) and run over the file`;
    throw new TilewiseError("unsupported", text, { file: path, found: dataset.source });
  }
  if (command && Array.isArray(command.arguments)) return { ...manifest, command } as never;
  const text = `Cannot replay ${path}: it has no command, as it was not made by tilewise run`;
  throw new TilewiseError("unsupported", text, { file: path });
}

async function parsed(path: string): Promise<Partial<RunManifest> | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    throw fileError(path, cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TilewiseError("corrupt", `Cannot replay ${path}: it is not JSON`, { file: path }, { cause });
  }
}
