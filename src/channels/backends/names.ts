/**
 * Names of files in stores that have folders of their own: texts with `/` between folders, from the root of the store.
 *
 * @module
 */

import { fileError } from "./errors.ts";

/**
 * The parts of a name, without empty ones and `.`; none for the root. A leading `/` is the root as well.
 *
 * Errors: `permission` for a name with `..`, which would lead out of the folder it stands in.
 *
 * @example
 * ```ts
 * import { assertEquals, assertThrows } from "@std/assert";
 * assertEquals(partsOf("/scans//./a.raw", "the memory of the host"), ["scans", "a.raw"]);
 * assertThrows(() => partsOf("../a.raw", "the memory of the host"), Error, '".." is not followed');
 * ```
 */
export function partsOf(name: string, root: string): string[] {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  if (!parts.includes("..")) return parts;
  const text = `Cannot use the name "${name}": ".." is not followed, as it could lead out of ${root}`;
  throw fileError("EACCES", text, { file: name, root });
}

/** The folder of a file, and its own name. Errors: `not-a-file` for the root. */
export function folderAndName(parts: readonly string[], root: string): [string[], string] {
  const own = parts.at(-1);
  if (own === undefined) throw fileError("EISDIR", `Cannot use ${root} as a file: it is a directory`);
  return [parts.slice(0, -1), own];
}
