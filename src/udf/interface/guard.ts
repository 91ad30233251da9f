/**
 * Names the UDF in whatever its functions throw, and in what they must not return.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { withoutExits } from "../../executor/exits.ts";
import { isThenable } from "../../options.ts";
import { reasonOf } from "../../reason.ts";
import type { Buffers } from "./buffer_types.ts";
import { type HintFacts, hintFor } from "./hints.ts";

/**
 * What `work` gives; what it throws becomes a `udf` error that says `where` it happened, with hints from what is known of
 * the UDF. A promise is refused.
 */
export function guarded<T>(udf: string, where: string, work: () => T, facts?: HintFacts): T {
  try {
    return settled(udf, where, withoutExits(work));
  } catch (error) {
    if (isTilewiseError(error)) throw error;
    const text = `UDF "${udf}" failed in ${where}: ${reasonOf(error)}${facts ? hintFor(error, facts) : ""}`;
    throw new TilewiseError("udf", text, { udf }, { cause: error });
  }
}

/** What the function `where` of a UDF has returned, unless that is a promise: nobody would wait for it. */
export function settled<T>(udf: string, where: string, value: T): T {
  if (!isPromise(value)) return value;
  throw waited(udf, where, "returned a promise, as async functions do: nobody waits for it", "a promise");
}

/** The error for a function `where` of a UDF that would have to be waited for. */
export function waited(udf: string, where: string, what: string, found: string): TilewiseError {
  const text =
    `UDF "${udf}": ${where} ${what}, so that its work would be lost. Make it an ordinary function, and ` +
    "await what it needs before the run: the function of a module that makes the UDF may be async";
  return new TilewiseError("udf", text, { udf, method: where.replace(/\(.*$/, ""), found });
}

/**
 * What `work` gives, a function `where` of a UDF that writes to `buffers`; one that puts another value in the place of a
 * buffer is refused: nobody would see it.
 */
export function unchanged<T>(udf: string, where: string, buffers: Buffers, work: () => T): T {
  const before = { ...buffers };
  const given = work();
  for (const [name, buffer] of Object.entries(buffers)) {
    if (buffer !== before[name]) throw replaced(udf, where, name, Object.hasOwn(before, name));
  }
  return given;
}

function replaced(udf: string, where: string, name: string, known: boolean): TilewiseError {
  const text = known
    ? `UDF "${udf}": ${where} put another value in the place of the buffer "${name}", where nobody looks at it; ` +
      `write to the buffer, as in ${name}[0] = value or ${name}.set(values)`
    : `UDF "${udf}": ${where} added "${name}" to its buffers, where nobody looks at it; declare it among the buffers`;
  return new TilewiseError("udf", text, { udf, method: where.replace(/\(.*$/, ""), found: name });
}

/** Whether `value` is a promise, which is then nobody's: what it is rejected with is of no interest any more. */
export function isPromise(value: unknown): boolean {
  if (!isThenable(value)) return false;
  Promise.resolve(value).catch(() => {});
  return true;
}
