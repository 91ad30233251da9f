/**
 * The files of a folder, and which paths stay inside of it. `formats` loads this module when it is needed.
 *
 * @module
 */

import { readdirSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { attempt } from "./error.ts";

/** A file in a folder. */
export interface Sibling {
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
 * `root`. Symbolic links are followed before this is checked. Errors: `invalid` (with the option `root` in its details) for
 * a file that lies elsewhere, `not-found`, `permission`.
 */
export function pathInside(path: string, name: string, root?: string): string {
  const folder = realFolder(dirname(path));
  const own = attempt(path, () => realpathSync(path));
  const roots = [folder, dirname(own), ...(root === undefined ? [] : [realOf(root)])];
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

/** The names of everything in a folder, in order. */
export function listFolder(folder: string): string[] {
  return attempt(folder, () => readdirSync(folder)).sort();
}
