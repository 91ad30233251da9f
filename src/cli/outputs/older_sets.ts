/**
 * Sets of files: results, what lies beside them, and the manifest that names all of them. A set is replaced as a whole: no result
 * stays beside a manifest that does not know it, and no manifest or picture beside a result that it does not describe.
 *
 * @module
 */

import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { TilewiseError } from "../../errors.ts";

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

/** The sets in the folders of `files`; none where none of these is there yet. */
async function setsAt(files: readonly string[]): Promise<OldSet[]> {
  const there = await Promise.all(files.map((file) => lstat(file).then(() => [file], () => [])));
  const folders = new Set(there.flat().map((file) => dirname(file)));
  const sets: OldSet[] = [];
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names) {
      if (!/(^|\.)run\.json$/.test(name)) continue;
      const set = await setOf(join(folder, name));
      if (set) sets.push(set);
    }
  }
  return sets;
}

/** The set of a manifest, as far as it is there; nothing for other files. Its files lie beside it, wherever it was moved. */
async function setOf(manifest: string): Promise<OldSet | undefined> {
  const rows = resultsIn(await readFile(manifest, "utf8").catch(() => ""));
  if (!rows) return undefined;
  const here = async (names: readonly string[]) => {
    const paths = [...new Set(names.map((name) => join(dirname(manifest), name.replace(/^.*[/\\]/, ""))))];
    const there = await Promise.all(paths.map((path) => lstat(path).then(() => [path], () => [])));
    return there.flat();
  };
  const results = await here(rows.flatMap(([first]) => first === undefined ? [] : [first]));
  const beside = await here(rows.flatMap(([, ...others]) => others));
  return { manifest, results, beside: beside.filter((file) => !results.includes(file)) };
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
  const text = `Cannot write ${file}: ${why}; choose another name or folder, or remove these results first`;
  return new TilewiseError("conflict", text, { file, found });
}
