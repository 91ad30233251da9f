/**
 * Mistakes in words of analyses and filters, as mistakes in the command line.
 *
 * @module
 */

import { WordError } from "../../analyses/word_error.ts";
import { UsageError } from "../shell/args.ts";
import { asFlags } from "./option_flags.ts";

/** Calls `body`; a {@link WordError} of it becomes a {@link UsageError} that names flags, not options. */
export function asUsage<T>(body: () => T): T {
  try {
    const result = body();
    return result instanceof Promise ? result.catch(rethrow) as T : result;
  } catch (error) {
    return rethrow(error);
  }
}

function rethrow(error: unknown): never {
  throw error instanceof WordError ? new UsageError(asFlags(error.message)) : error;
}
