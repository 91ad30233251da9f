/**
 * Words of analyses and filters: values in the order of the parameters, and mistakes in words: an unknown name, a parameter
 * that does not exist, a value that cannot be.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

/** Where a mistake in a word is. */
export interface WordPlace {
  /** The parameter that it is about. */
  readonly parameter?: string;
}

/** A mistake in how an analysis or a filter was asked for: `invalid`. Its `details.parameter` names the field, if there is one. */
export class WordError extends TilewiseError {
  /** The mistake and what would work. */
  constructor(message: string, place: WordPlace = {}) {
    super("invalid", message, { ...place });
  }
}

/**
 * A word whose first values have no names, with the names of `parameters` in their order.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(withNames("bf:60,64,r=22", ["cy", "cx", "r"]), "bf:cy=60,cx=64,r=22");
 * assertEquals(withNames("bf:cy=60,r=22", ["cy", "cx", "r"]), "bf:cy=60,r=22");
 * ```
 */
export function withNames(word: string, parameters: readonly string[]): string {
  const [, name, first, rest = ""] = /^(\w+):(?!\w+=)(.*?)(,\s*[A-Za-z_]\w*=.*)?$/s.exec(word) ?? [];
  if (first === undefined || first === "") return word;
  const values = first.split(",");
  if (values.length <= parameters.length) {
    return `${name}:${values.map((value, i) => `${parameters[i]}=${value.trim()}`).join(",")}${rest}`;
  }
  const takes = parameters.length === 0 ? "takes no values" : `takes ${parameters.join(", ")}`;
  throw new WordError(`${name} ${takes}, but "${first}" was given; write name:key=value,key=value`);
}
