/**
 * The files of a folder, and which paths stay inside of it. `formats` loads this module when it is needed.
 *
 * @module
 */

import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { attempt } from "./error.ts";

/** A file in a folder. */
interface Sibling {
  /** Its name. */
  readonly name: string;
  /** Its path, made from the path of the file beside it. */
  readonly path: string;
}

/** The files in the folder of `path`, including itself, by name; the targets of links are not checked. */
export function listSiblings(path: string): Sibling[] {
  const folder = dirname(path);
  const entries = attempt(folder, () => readdirSync(folder, { withFileTypes: true }));
  const names = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name).sort();
  return names.map((name) => ({ name, path: join(folder, name) }));
}

/**
 * The path of the file `name`, which the file at `path` refers to, if it lies in the folder of that file or below, or below
 * one of `more` folders. Symbolic links are followed before this is checked. Errors: `invalid` (with the option `root` in its details) for
 * a file that lies elsewhere, `not-found`, `permission`.
 */
export function pathInside(path: string, name: string, ...more: readonly (string | undefined)[]): string {
  const folder = realFolder(dirname(path));
  const own = attempt(path, () => realpathSync(path));
  const roots = [folder, dirname(own), ...more.flatMap((root) => root === undefined ? [] : [realOf(root)])];
  const isBelow = (place: string) =>
    roots.some((one) => place.startsWith(one.endsWith(sep) ? one : `${one}${sep}`));
  const wanted = resolve(folder, name);
  if (!isBelow(wanted)) throw outside(path, name, wanted); // without telling whether it exists
  const real = realOf(wanted);
  if (!isBelow(real)) throw outside(path, name, real);
  return isAbsolute(name) ? name : path.replace(/[^/\\]*$/, "") + name;
}

function realOf(path: string): string {
  return attempt(path, () => realpathSync(path));
}

/** A folder without symbolic links in its path; as it is called where only files in it may be read. */
function realFolder(folder: string): string {
  try {
    return realOf(folder);
  } catch (error) {
    if (!isTilewiseError(error, "permission")) throw error;
    return resolve(folder);
  }
}

function outside(path: string, name: string, found: string): TilewiseError {
  const text = `Cannot open ${name}, which ${path} names: it must be a path inside its folder, ` +
    "or below the folder that the option root names";
  return new TilewiseError("invalid", text, { file: name, found, option: "root" });
}

/**
 * The path of the entry `key` of a folder where links are in between, if it lies in the folder or below `root`. Errors:
 * `invalid` (with the option `root` in its details) for an entry that lies elsewhere, `permission`.
 */
export function linkInside(folder: string, key: string, root?: string): string {
  const path = `${folder}/${key}`;
  const roots = [realFolder(folder), ...(root === undefined ? [] : [realOf(root)])];
  let real: string;
  try {
    real = realOf(path);
  } catch (error) {
    if (isTilewiseError(error, "not-found")) return path; // a link to nowhere: there is no such entry
    throw error;
  }
  if (roots.some((one) => real.startsWith(one.endsWith(sep) ? one : `${one}${sep}`))) return path;
  throw outside(`${folder}`, key, real);
}

/** Everything in a folder, in order. */
export function listEntries(folder: string): { readonly name: string; readonly isFolder: boolean }[] {
  const entries = attempt(folder, () => readdirSync(folder, { withFileTypes: true }));
  return entries.map((entry) => ({ name: entry.name, isFolder: !entry.isFile() && isFolder(folder, entry) }))
    .sort((a, b) => a.name < b.name ? -1 : 1);
}

function isFolder(folder: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(join(folder, entry.name)).isDirectory();
  } catch {
    return false; // a link to nowhere
  }
}

/** The names of everything in a folder, in order. */
export function listFolder(folder: string): string[] {
  return attempt(folder, () => readdirSync(folder)).sort();
}
