/**
 * Names the UDF in whatever its functions throw, and in what they must not return.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../errors.ts";
import { isThenable } from "../options.ts";

/** What `work` gives; what it throws becomes a `udf` error that says `where` it happened. A promise is refused. */
export function guarded<T>(udf: string, where: string, work: () => T): T {
  try {
    return settled(udf, where, work());
  } catch (error) {
    if (isTilewiseError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new TilewiseError("udf", `UDF "${udf}" failed in ${where}: ${reason}`, { udf }, { cause: error });
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

/** Whether `value` is a promise, which is then nobody's: what it is rejected with is of no interest any more. */
export function isPromise(value: unknown): boolean {
  if (!isThenable(value)) return false;
  Promise.resolve(value).catch(() => {});
  return true;
}
