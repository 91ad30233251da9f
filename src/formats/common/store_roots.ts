/**
 * Which stores of Zarr there are among files of a list or of a folder.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { MARKS, STORE_NAMES } from "./store_input.ts";

/** Most stores that a message names; the details of the error have all of them. */
const MOST_NAMES = 5;

/** Whether a path is that of a file that makes its folder a store. */
export function isMark(path: string): boolean {
  return MARKS.includes(path.replace(/^.*\//, ""));
}

/** Whether `path` is that of a file in `folder`, or in a folder in it; all paths are in the folder `""`. */
export function isBelow(path: string, folder: string): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}

/**
 * The folders of `paths` that are stores, without those in another store, by their names. What lies in a folder that is called
 * like a store belongs to it, even if that folder has no document of its own.
 */
export function storeRoots(paths: Iterable<string>): string[] {
  const folders = [...paths].filter(isMark).map((path) => rootOf(path.replace(/\/?[^/]*$/, "")));
  const all = [...new Set(folders)].sort();
  return all.filter((one) => !all.some((other) => other !== one && isBelow(one, other)));
}

function rootOf(folder: string): string {
  const names = folder.split("/");
  const first = names.findIndex((name) => STORE_NAMES.test(name));
  return first < 0 ? folder : names.slice(0, first + 1).join("/");
}

/** The error for files or a folder, called `name`, with more than one store in it. */
export function severalStores(name: string, stores: readonly string[]): TilewiseError {
  const more = stores.length > MOST_NAMES ? ` and ${stores.length - MOST_NAMES} more` : "";
  const some = stores.slice(0, MOST_NAMES).join(", ");
  return new TilewiseError(
    "not-a-file",
    `Cannot open ${name}: it holds ${stores.length} Zarr stores, ${some}${more}; open one of them`,
    { file: name, expected: "one store", found: stores.length, stores },
  );
}
