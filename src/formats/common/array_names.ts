/**
 * Names of arrays that a source does not have: loaded with formats that hold several arrays, not with every page.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { nearest } from "../../options.ts";

/** Names of arrays that an error tells. */
const MOST_NAMES = 20;

/** The error for an array that a source does not have: the nearest name, by all of it or by its last part, and the others. */
export function noSuchArray(file: string, asked: string, names: readonly string[]): TilewiseError {
  const last = (path: string) => path.replace(/^.*\//, "");
  const like = nearest(last(asked), names.map(last));
  const near = last(asked).length < 3
    ? undefined
    : nearest(asked, names) ?? (like && names.find((name) => last(name) === like));
  const listed = names.slice(0, MOST_NAMES).map((name) => `"${name}"`).join(", ") || "none";
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  const has = names.length === 1 && names[0] === "" ? "it has one without a name" : `it has ${listed}${more}`;
  const hint = near ? `did you mean "${near}"? ${has[0]!.toUpperCase()}${has.slice(1)}` : has;
  const text = `There is no array "${asked}" in ${file}; ${hint}`;
  return new TilewiseError("not-found", text, { file, option: "array", found: asked });
}
