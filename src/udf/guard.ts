/**
 * Names the UDF in whatever its functions throw.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../errors.ts";

/** What `work` gives; what it throws becomes a `udf` error that says `where` it happened. */
export function guarded<T>(udf: string, where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isTilewiseError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new TilewiseError("udf", `UDF "${udf}" failed in ${where}: ${reason}`, { udf }, { cause: error });
  }
}
