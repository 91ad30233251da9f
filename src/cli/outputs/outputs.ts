/**
 * Where results go: one file, a folder, or files with a suffix; what may be written there is checked before any work.
 *
 * @module
 */

import { access, constants, mkdir, open, readdir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cannot, TilewiseError } from "../../errors.ts";
import { partPath } from "../../io/write/part_files.ts";
import { isDenied, mayDo } from "../../io/source/permission.ts";
import { endingAt, mustBeTarget, targetAt } from "../../sinks/registry.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import type { ResultName } from "./named_results.ts";
import { leftOver, mustBeOfNoSet, type NewSet } from "./older_sets.ts";
import { refuseInputs, refuseProtected, refuseTwice } from "./safe_outputs.ts";

/** The facts that decide the path of a result. */
type Named = Pick<ResultName, "label" | "suffix"> & Partial<Pick<ResultName, "isObject">>;

/**
 * The path of each result for `-o out`, by label.
 *
 * One result goes to `out`; several go to `out-SUFFIX.npy` where `out` names a file, else into the folder `out`.
 * A `.npz` or `.hspy` takes all arrays. Results of JSON values go to `.json` files in any case.
 */
export async function outputPaths(out: string, named: readonly Named[]): Promise<Map<string, string>> {
  const isFolder = /[/\\]$/.test(out) || await isDirectory(out);
  const isJson = named.some(({ isObject }) => isObject) && /\.json$/i.test(out);
  const ending = endingAt(out, "arrays") ?? (isJson ? ".json" : undefined);
  const extension = ending && out.slice(-ending.length);
  const paths = (path: (named: Named) => string) =>
    new Map(named.map((one) => [one.label, one.isObject ? asJson(path(one)) : path(one)]));
  if (isFolder) return paths(({ label }) => join(out, `${label}.npy`));
  const stem = out.slice(0, out.length - (extension?.length ?? 0));
  if (targetAt(out, "arrays")?.several) {
    return paths(({ suffix, isObject }) => isObject ? `${stem}-${suffix}.npy` : out);
  }
  if (extension) {
    const kind = isJson ? ".npy" : extension;
    return paths(({ suffix }) => named.length === 1 ? out : `${stem}-${suffix}${kind}`);
  }
  if (/\.\w+$/.test(out)) mustBeTarget(out, "arrays"); // a kind of file that we do not write: the error says which we do
  return paths(({ label }) => named.length === 1 ? `${out}.npy` : join(out, `${label}.npy`));
}

/** Refuses a place for results that can be none, whatever their names are. */
export async function mustBeSaved(out: string): Promise<void> {
  if (out === "-") throw new UsageError("run cannot write to stdout; name a file or a folder after -o");
  if (!/\.\w+$/.test(out) || /\.json$/i.test(out) || await isDirectory(out)) return;
  mustBeTarget(out, "arrays");
}

function asJson(path: string): string {
  return path.replace(/\.\w+$/, ".json");
}

/**
 * Makes the folders of `paths` and checks that they can be written to, and that nothing which the command reads is
 * among them, before any work is done. A dry run makes nothing: it looks at the folders that are there.
 *
 * @param paths what is written
 * @param args the command
 * @param beside what may be written too
 * @param folders whether the outputs are folders themselves
 */
export async function prepareOutputs(
  paths: readonly string[],
  args: Arguments,
  beside: readonly string[] = [],
  folders: boolean = false,
): Promise<void> {
  await checkOutputs(paths, args, beside, folders);
  await mustBeOfNoSet([...paths, ...beside]);
}

/**
 * The same for results that get a manifest: those of an older one may be replaced with all that belongs to it. Before files get
 * their names, {@link leftOver} says what of it is to be removed.
 */
export async function prepareSet(set: NewSet, args: Arguments, folders: boolean = false): Promise<void> {
  const beside = set.files.filter((file) => !set.results.includes(file));
  await checkOutputs(set.results, args, beside, folders);
  for (const file of beside) await mustBeNoFolder(file);
  await leftOver(set);
}

/** Why nothing can be written to a folder, by the code of the error. */
const WHY_NOT: Readonly<Record<string, string>> = {
  EACCES: "its folder may not be written to",
  EPERM: "its folder may not be written to",
  EROFS: "its folder is on a disk that can only be read",
  ENOSPC: "its disk is full",
  ENOTDIR: "a part of its path is a file, not a folder",
  EEXIST: "a part of its path is a file, not a folder",
};

async function checkOutputs(
  paths: readonly string[],
  args: Arguments,
  beside: readonly string[],
  folders: boolean,
): Promise<void> {
  for (const path of paths) mustBePath(path);
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    mustWriteTo(folder, paths.find((path) => dirname(path) === folder)!);
  }
  await refuseInputs([...paths, ...beside], args);
  await refuseTwice(paths);
  await refuseProtected([...paths, ...beside]);
  for (const path of paths) {
    const folder = dirname(path);
    try {
      if (args.has("dry-run")) await mayBeMade(folder);
      else {
        await mkdir(folder, { recursive: true });
        await probe(folder);
      }
    } catch (cause) {
      const found = codeOf(cause), why = WHY_NOT[found] ?? "its folder cannot be made";
      throw cannot("write", path, "permission", `${why}; choose another folder`, { found }, { cause });
    }
    if (!folders) await mustBeNoFolder(path);
  }
}

/** Refuses a URL, which would become a folder named `file:`. */
function mustBePath(path: string): void {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]+):[/\\]+(.*)$/is.exec(path) ?? [];
  if (scheme === undefined) return;
  const hint = scheme.toLowerCase() === "file" ? `write the path, /${rest}` : "name a file on this machine";
  throw new UsageError(`${path} is a URL, and results go to files: ${hint}`);
}

/** Refuses a file that has the name of a folder. */
async function mustBeNoFolder(path: string): Promise<void> {
  if (!await isDirectory(path)) return;
  throw cannot("write", path, "not-a-file", "a folder has this name; choose another");
}

/** Files get their names when they are complete, and a file may only be renamed by who may read and write it. */
function mustWriteTo(folder: string, path: string): void {
  if (["read", "write"].every((name) => mayDo({ name, path: folder }))) return;
  const flags = `--allow-read=${folder} --allow-write=${folder}`;
  const text = `Deno may not read and write its folder; add ${flags}`;
  throw cannot("write", path, "permission", text, { expected: flags });
}

/** Refuses a folder that could not be made, from the nearest one above it that is there, and that may be looked at. */
async function mayBeMade(folder: string): Promise<void> {
  const found = await stat(folder).catch((error) => {
    if (isDenied(error)) return "unknown";
    if (codeOf(error) === "ENOENT" && dirname(folder) !== folder) return undefined;
    throw error;
  });
  if (found === "unknown") return;
  if (found === undefined) return await mayBeMade(dirname(folder));
  if (!found.isDirectory()) throw Object.assign(new Error("a file has its name"), { code: "ENOTDIR" });
  await access(folder, constants.W_OK);
}

/** Makes a file in `folder` and removes it: what the file system permits is not known before. */
async function probe(folder: string): Promise<void> {
  const path = await partPath(join(folder, "probe"));
  await (await open(path, "wx")).close();
  await unlink(path);
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

function codeOf(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? "error";
}

/** Refuses a folder with files that a demo would replace, by their names, unless they are those of an earlier demo. */
export async function mustBeOwn(
  folder: string,
  own: (name: string) => boolean,
  isDemo: () => Promise<boolean>,
): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const [taken] = names.filter(own).sort();
  if (taken === undefined || await isDemo()) return;
  const text =
    `Cannot write the demo to ${folder}: there is ${taken}, which is not of a demo, and nothing of ` +
    "others is replaced; choose another folder with -o";
  throw new TilewiseError("invalid", text, { file: join(folder, taken) });
}
