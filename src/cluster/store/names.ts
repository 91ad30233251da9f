/**
 * Names in a store, and the error for a name that is taken.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";

const NAME = /^[a-z0-9]+(\/[a-z0-9]+)*$/;

/** Refuses names that could leave the store. */
export function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new TilewiseError("invalid", `"${name}" is not a name in a store`, { found: name });
}

/** The error for a name under which other bytes are stored. */
export function notEqual(url: string, name: string, expected: string, found: string): TilewiseError {
  const text =
    `${url}: ${name} was written before, with other bytes: the computation is not deterministic, or ` +
    `differs between machines. Nothing was replaced; find out which is right before you delete it`;
  return new TilewiseError("conflict", text, { file: `${url}/${name}`, expected, found });
}
