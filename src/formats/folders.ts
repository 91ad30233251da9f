/**
 * The error for folders that no format reads as a whole.
 *
 * @module
 */

import { cannot, type TilewiseError } from "../errors.ts";
import { extensionOf } from "../io/file/names.ts";
import { MARKS } from "./common/store_input.ts";
import { FORMATS } from "./registry.ts";

/** Files of a folder that are named. */
const MOST_SHOWN = 5;

/** The error for a folder with entries of these `names`: what it is called like, and some files in it that can be opened. */
export function folderError(folder: string, names: readonly string[]): TilewiseError {
  const extensions = FORMATS.flatMap(({ extensions }) => extensions);
  const files = names.filter((name) => extensions.includes(extensionOf(name))).slice(0, MOST_SHOWN).join(
    ", ",
  );
  if (/\.(zarr|zspy)[/\\]?$/i.test(folder)) {
    const text = `it is called like a Zarr store, but has none of the files ${MARKS.join(", ")}`;
    return cannot("open", folder, "malformed", text, { expected: MARKS[0]!, found: names.length });
  }
  const what = names.length === 0
    ? "an empty folder"
    : `a folder with ${names.length === 1 ? "one entry" : `${names.length} entries`}`;
  const advice = files
    ? `open a file in it, such as ${files}`
    : "nothing in it is called like a file that is read";
  const text = `it is ${what}; ${names.length === 0 ? "open a file" : advice}`;
  return cannot("open", folder, "not-a-file", text, { expected: "a file", found: "a directory" });
}
