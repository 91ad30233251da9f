/**
 * An error as the command line tells it: its code, and one line that names flags, not options of the library.
 *
 * @module
 */

import { type ErrorCode, isTilewiseError } from "../errors.ts";
import { deniedError, isDenied } from "../io/permission.ts";
import { oneLine } from "./io.ts";
import { asFlags } from "./option_flags.ts";

/** What is told of an error. */
export interface Told {
  /** Its code; absent: it is not one of ours. */
  readonly code?: ErrorCode;
  /** What happened, on one line. */
  readonly message: string;
}

/** What is told of anything that was thrown. */
export function asTold(error: unknown): Told {
  if (isTilewiseError(error)) {
    const { code, message, details: { file, option } } = error;
    return { code, message: oneLine(asFlags(message, file, typeof option === "string" ? option : "")) };
  }
  if (isDenied(error)) return asTold(deniedError("Cannot go on", error));
  return { message: oneLine(error instanceof Error ? error.message : String(error)) };
}
