/**
 * Parts of the names of files.
 *
 * @module
 */

/** Ending of a file name, lower case, without the dot; empty if there is none. */
export function extensionOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

/** File name without its last ending. */
export function stemOf(name: string): string {
  return name.replace(/\.[^./\\]*$/, "");
}
