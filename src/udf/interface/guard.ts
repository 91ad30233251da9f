/**
 * Adds the name of the UDF to errors thrown by its functions, and refuses what they must not return.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { withoutExits } from "../../executor/exits.ts";
import { isPromise } from "../../options.ts";
import { reasonOf } from "../../reason.ts";
import type { Buffers } from "./buffer_types.ts";
import type { HintFacts } from "./hints.ts";
import type { BufferSpec, Udf } from "./udf.ts";
import type { UdfRef } from "./udf_ref.ts";

// What is looked for in UDFs of users only; those that come with Tilewise are right. Its code is loaded with the first of them.

/** The checks and hints. */
interface UserRules {
  /** Refuses an invalid buffer, and a buffer that could be neither filled nor merged. */
  checkBuffer(udf: Udf, name: string, spec: BufferSpec): void;
  /** The text to add to the message of `error`; empty if no hint applies. */
  hintFor(error: unknown, facts: HintFacts): string;
  /** Refuses that the function `where` has given its results with `return`, and not written them to its buffers. */
  mustWrite(udf: Udf, where: string, given: unknown, buffers: Buffers, ref?: UdfRef): void;
}

let found: UserRules | undefined;

/** From now on, this thread follows `rules`. */
export function followRules(rules: UserRules): void {
  found = rules;
}

/** The checks and hints, if this thread has loaded a UDF of a user. */
export function userRules(): UserRules | undefined {
  return found;
}

/**
 * Returns what `work` returns. If it throws, the error becomes a `udf` error that names the UDF and the function
 * `where` it happened, with hints from what is known of the UDF. A promise is refused.
 */
export function guarded<T>(udf: string, where: string, work: () => T, facts?: HintFacts): T {
  try {
    return settled(udf, where, withoutExits(work));
  } catch (error) {
    if (isTilewiseError(error)) throw error;
    const hint = facts && userRules()?.hintFor(error, facts);
    const text = `UDF "${udf}" failed in ${where}: ${reasonOf(error)}${hint ?? ""}`;
    throw new TilewiseError("udf", text, { udf }, { cause: error });
  }
}

/** Returns `value`, which the function `where` of a UDF has returned, unless it is a promise: promises are not awaited. */
export function settled<T>(udf: string, where: string, value: T): T {
  if (!isPromise(value)) return value;
  throw waited(udf, where, "returned a promise, as async functions do, which is not awaited", "a promise");
}

/** The error for a function `where` of a UDF that is not synchronous. */
export function waited(udf: string, where: string, what: string, found: string): TilewiseError {
  const text =
    `UDF "${udf}": ${where} ${what}, so that its work would be lost. Make it an ordinary function, and ` +
    "await what it needs before the run: the function of a module that makes the UDF may be async";
  return new TilewiseError("udf", text, { udf, method: where.replace(/\(.*$/, ""), found });
}

/**
 * Returns what `work` returns; `work` is the function `where` of a UDF that writes to `buffers`. If it replaces a
 * buffer by another value it is refused, because that value would be ignored.
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
    ? `UDF "${udf}": ${where} put another value in the place of the buffer "${name}", which is ignored; ` +
      `write to the buffer, as in ${name}[0] = value or ${name}.set(values)`
    : `UDF "${udf}": ${where} added "${name}" to its buffers, which is ignored; declare it among the buffers`;
  return new TilewiseError("udf", text, { udf, method: where.replace(/\(.*$/, ""), found: name });
}
