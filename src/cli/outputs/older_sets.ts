/**
 * Sets of files: results, what lies beside them, and the manifest that names all of them. A set is replaced as a whole: no result
 * stays beside a manifest that does not know it, and no manifest or picture beside a result that it does not describe.
 *
 * @module
 */

import { lstatSync } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { cannot, type TilewiseError } from "../../errors.ts";

/** The files of a command. */
export interface NewSet {
  /** The results, and no files beside them. */
  readonly results: readonly string[];
  /** All that it writes: results, what lies beside them, the manifest. */
  readonly files: readonly string[];
}

/** A set that is there. */
interface OldSet {
  readonly manifest: string;
  readonly results: readonly string[];
  readonly beside: readonly string[];
}

/**
 * The files of older sets that the new one replaces, and does not write anew: they are to be removed with it. Errors: `conflict`
 * if another result of such a set would stay.
 */
export async function leftOver({ results, files }: NewSet): Promise<string[]> {
  const written = new Set(files.map(placeOf)), replaced = new Set(results.map(placeOf));
  const left = new Set<string>();
  for (const old of await setsAt(files)) {
    const all = [old.manifest, ...old.results, ...old.beside];
    const hit = all.find((file) => written.has(file));
    if (hit === undefined) continue;
    const stays = old.results.find((file) => !replaced.has(file));
    if (stays !== undefined) throw staysBehind(hit, old.manifest, stays);
    for (const file of all) if (!written.has(file)) left.add(file);
  }
  return [...left];
}

/** Refuses to write files that belong to a set, for commands that write no manifest; `conflict`. */
export async function mustBeOfNoSet(files: readonly string[]): Promise<void> {
  const written = new Set(files.map(placeOf));
  for (const { manifest, results, beside } of await setsAt(files)) {
    const hit = [manifest, ...results, ...beside].find((file) => written.has(file));
    if (hit !== undefined) {
      throw staysBehind(hit, manifest, hit === manifest ? results[0] ?? manifest : manifest);
    }
  }
}

/** One spelling of a path. */
function placeOf(path: string): string {
  return join(dirname(path), basename(path));
}

/** The sets with one of `files`; none where none of these is there yet. */
async function setsAt(files: readonly string[]): Promise<OldSet[]> {
  const written = new Set(files.map(placeOf));
  const there = await Promise.all(files.map((file) => lstat(file).then(() => [file], () => [])));
  const folders = new Set(there.flat().map((file) => dirname(file)));
  const sets: OldSet[] = [];
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names) {
      if (!/(^|\.)run\.json$/.test(name)) continue;
      const set = await setOf(join(folder, name), written);
      if (set) sets.push(set);
    }
  }
  return sets;
}

/** The set of a manifest, as far as it is there; nothing for other files, and where it has none of `written`. */
async function setOf(manifest: string, written: ReadonlySet<string>): Promise<OldSet | undefined> {
  const told = await filesOf(manifest);
  if (!told || ![manifest, ...told.flat()].some((file) => written.has(file))) return undefined;
  const here = async (paths: readonly string[]) => {
    const there = await Promise.all(
      [...new Set(paths)].map((path) => lstat(path).then(() => [path], () => [])),
    );
    return there.flat();
  };
  const results = await here(told.flatMap(([first]) => first === undefined ? [] : [first]));
  const beside = await here(told.flatMap(([, ...others]) => others));
  return { manifest, results, beside: beside.filter((file) => !results.includes(file)) };
}

/** What was read of manifests, and what these were then: a batch of thousands looks at all of them for each of its results. */
const read = new Map<string, { readonly stamp: string; readonly files: string[][] | undefined }>();

/** The files of each result of a manifest, which lie beside it, wherever it was moved; nothing for other files. */
async function filesOf(manifest: string): Promise<string[][] | undefined> {
  const { ino, size, mtimeMs } = lstatSync(manifest, { throwIfNoEntry: false }) ?? {};
  const stamp = `${ino} ${size} ${mtimeMs}`, known = read.get(manifest);
  if (known?.stamp === stamp) return known.files;
  const own = (name: string) => join(dirname(manifest), name.replace(/^.*[/\\]/, ""));
  const files = resultsIn(await readFile(manifest, "utf8").catch(() => ""))?.map((names) => names.map(own));
  read.set(manifest, { stamp, files });
  return files;
}

/** The files of each result of a manifest, the result itself first. */
function resultsIn(text: string): string[][] | undefined {
  try {
    const { manifest, results } = JSON.parse(text) as { manifest?: unknown; results?: unknown };
    if (typeof manifest !== "string" || !manifest.startsWith("tilewise-") || !Array.isArray(results)) return;
    return results.map(({ files }: { files?: unknown }) =>
      Array.isArray(files) ? files.filter((file) => typeof file === "string") : []
    );
  } catch {
    return undefined;
  }
}

function staysBehind(file: string, manifest: string, found: string): TilewiseError {
  const why = file === manifest
    ? `it is the manifest of ${found}, which this command does not write and which would be left without one`
    : `it belongs to the results of ${manifest}, and ${found} would be left with files that do not belong to it`;
  const text = `${why}; choose another name or folder, or remove these results first`;
  return cannot("write", file, "conflict", text, { found });
}
