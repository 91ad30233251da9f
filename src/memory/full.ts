/**
 * The platform has no room for more memory.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

/** What platforms say: V8, SpiderMonkey, JavaScriptCore. */
const SAYINGS = /allocation failed|out of memory/i;

/** The error for `cause`, if that says that there is no room for an array; `undefined` if it says something else. */
export function fullError(problem: string, cause: unknown): TilewiseError | undefined {
  if (!(cause instanceof Error) || cause instanceof TilewiseError || !SAYINGS.test(cause.message)) {
    return undefined;
  }
  const text =
    `${problem}: the machine has no room for it (${cause.message}); close other programs or pages, ` +
    "compute less at once, or give the context less memory or fewer workers";
  return new TilewiseError("over-budget", text, { found: cause.message }, { cause });
}
