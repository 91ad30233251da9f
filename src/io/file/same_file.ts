/**
 * Whether two paths lead to the same file, after hard and symbolic links, `.` and `..`, and any other rules of the file system
 * for names.
 *
 * @module
 */

import { cannot, type TilewiseError } from "../../errors.ts";
import type { SourceSpec } from "../source/source.ts";

/** Whether two paths lead to the same existing file. */
export async function isSameFile(a: string, b: string): Promise<boolean> {
  return (await sameFiles([a], [b])).length > 0;
}

/** Those of `outputs` that lead to the same existing file as one of `inputs`, each with that input. */
export async function sameFiles(
  outputs: Iterable<string>,
  inputs: Iterable<string>,
): Promise<(readonly [output: string, input: string])[]> {
  const existing: [output: string, key: string][] = [];
  for (const output of outputs) {
    const key = await keyOf(output);
    if (key !== undefined) existing.push([output, key]);
  }
  if (existing.length === 0) return []; // there may be thousands of inputs
  const known = new Map<string, string>();
  for (const input of inputs) {
    const key = await keyOf(input);
    if (key !== undefined) known.set(key, input);
  }
  return existing.flatMap(([output, key]) => known.has(key) ? [[output, known.get(key)!] as const] : []);
}

/**
 * The first folder at `path` or around it that has one of `inputs` as its document: a file of a name in `documents`, under which
 * folders are read as a whole. Hard links of an input are that input.
 */
export async function firstAround(
  path: string,
  documents: readonly string[],
  inputs: Iterable<string>,
): Promise<readonly [folder: string, input: string] | undefined> {
  const [{ realpath }, { basename, dirname, join }] = await nodeModules();
  const known = new Map<string, string>();
  for (const input of inputs) {
    const key = documents.includes(basename(input)) ? await keyOf(input) : undefined;
    if (key !== undefined) known.set(key, input);
  }
  if (known.size === 0) return undefined;
  for (let folder = path; dirname(folder) !== folder; folder = dirname(folder)) {
    folder = await realpath(folder).catch(() => folder);
    for (const name of documents) {
      const input = known.get(await keyOf(join(folder, name)) ?? "");
      if (input !== undefined) return [folder, input];
    }
  }
  return undefined;
}

/** The first of the existing files `paths` that lies in `folder` or below, if that is a folder; links are followed. */
async function firstInside(folder: string, paths: Iterable<string>): Promise<string | undefined> {
  const [{ realpath, stat }, { sep }] = await nodeModules();
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) return undefined;
  const place = await realpath(folder) + sep;
  for (const path of paths) {
    if ((await realpath(path).catch(() => "")).startsWith(place)) return path;
  }
  return undefined;
}

/** The first of `paths` at which a file would replace that of an earlier one, and the earlier one. */
export async function firstTwice(
  paths: Iterable<string>,
): Promise<readonly [path: string, earlier: string] | undefined> {
  const known = new Map<string, { readonly path: string; readonly place: FileIdentity }[]>();
  for (const path of paths) {
    const place = await placeOf(path);
    const alike = known.get(folded(place)) ?? [];
    for (const earlier of alike) if (await isSamePlace(place, earlier.place)) return [path, earlier.path];
    known.set(folded(place), [...alike, { path, place }]);
  }
  return undefined;
}

/** A key that identifies an existing file or folder; `undefined` if there is none. */
async function keyOf(path: string): Promise<string | undefined> {
  const [{ realpath, stat }] = await nodeModules();
  const facts = await stat(path, { bigint: true }).catch(() => undefined);
  if (!facts) return undefined;
  if (facts.ino !== 0n) return `${facts.dev}:${facts.ino}`;
  return await realpath(path).catch(() => undefined); // a system without numbers of files
}

/** The place where a file of that name is or would be. A link of that name would itself be replaced. */
async function placeOf(path: string): Promise<FileIdentity> {
  const [, { basename, dirname, normalize }] = await nodeModules();
  const folder = dirname(normalize(path));
  return { folder, key: await keyOf(folder) ?? folder, name: basename(path) };
}

interface FileIdentity {
  readonly folder: string;
  readonly key: string;
  readonly name: string;
}

/** Whether two names mean one place: some file systems ignore capital letters, or different encodings of an accent. */
function folded({ key, name }: FileIdentity): string {
  return `${key}/${name.normalize("NFC").toLowerCase()}`;
}

async function isSamePlace(a: FileIdentity, b: FileIdentity): Promise<boolean> {
  if (a.name === b.name) return true;
  const [fs, { join }] = await nodeModules();
  const random = crypto.randomUUID();
  const [probe, other] = ["tilewise", "TILEWISE"].map((word) => join(a.folder, `.${word}-${random}.tmp`));
  try {
    await (await fs.open(probe!, "wx")).close();
    return await isSameFile(probe!, other!);
  } catch {
    return false; // no folder yet, so no file either
  } finally {
    await fs.rm(probe!, { force: true }).catch(() => {});
  }
}

/** Loaded when first needed, so that browsers can import this file. */
function nodeModules() {
  return Promise.all([import("node:fs/promises"), import("node:path")]);
}

// Refuses to write over what is being read.

/** Refuses `paths` of which one is a file that is being read, or a folder with one; `invalid`, and names both. */
export async function mustNotBeRead(
  paths: readonly string[],
  sources: readonly (SourceSpec | string)[],
): Promise<void> {
  const files = sources.flatMap((source) =>
    typeof source === "string" ? [source] : source.kind === "file" ? [source.path] : []
  );
  const [[file, found] = []] = await sameFiles(paths, files);
  if (file !== undefined) {
    throw refused(
      file,
      found!,
      file === found ? "that file is being read" : `it is ${found}, which is being read`,
    );
  }
  for (const path of paths) {
    const inside = await firstInside(path, files);
    if (inside !== undefined) throw refused(path, inside, `${inside}, which is in it, is being read`);
  }
}

/** Why a file or folder is not written. */
export function refused(file: string, found: string, reason: string): TilewiseError {
  return cannot("write", file, "invalid", `${reason}; choose another name for the output`, { found });
}
