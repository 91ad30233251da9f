/**
 * Refuses what is not an array with a shape, and says what it may be instead.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { inWords, isNamed, isThenable } from "../options.ts";
import { isArray } from "./rules.ts";

/** Refuses what is not an array: most often the promise of one, or the results of a UDF as a whole. */
export function checkArray(call: string, array: unknown, name = "its array"): void {
  if (isArray(array)) return;
  const found = inWords(array);
  const text = `${call}: ${name} is ${found}, not an array with data, shape, stride and dtype${
    hintFor(array)
  }`;
  throw new TilewiseError("invalid", text, { found });
}

/** What to do with a value that is not an array, where that is known. */
function hintFor(value: unknown): string {
  if (isThenable(value)) return "; await it";
  if (ArrayBuffer.isView(value)) return "; ndarray(data, shape, dtype) makes one of it";
  const inside = arraysIn(value);
  if (inside.length > 0) return `; it has the arrays ${inside.join(", ")}: take one of them`;
  const deeper = isNamed(value)
    ? Object.entries(value).flatMap(([own, inner]) => arraysIn(inner).map((name) => `${own}.${name}`))
    : [];
  return deeper.length > 0 ? `; take one of its arrays, such as ${deeper[0]}` : "";
}

function arraysIn(value: unknown): string[] {
  return isNamed(value)
    ? Object.entries(value).filter(([, inner]) => isArray(inner)).map(([name]) => name)
    : [];
}
