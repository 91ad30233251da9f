/**
 * Names the UDF in whatever its functions throw.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../errors.ts";
import { reasonOf } from "../reason.ts";
import { withoutExits } from "../executor/exits.ts";

/** What `work` gives; what it throws becomes a `udf` error that says `where` it happened. */
export function guarded<T>(udf: string, where: string, work: () => T): T {
  try {
    return withoutExits(work);
  } catch (error) {
    if (isTilewiseError(error)) throw error;
    const text = `UDF "${udf}" failed in ${where}: ${reasonOf(error)}`;
    throw new TilewiseError("udf", text, { udf }, { cause: error });
  }
}
