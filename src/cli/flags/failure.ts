/**
 * An error as the command line reports it: its code, and one line that names flags, not options of the library.
 *
 * @module
 */

import { type ErrorCode, isTilewiseError, type TilewiseError } from "../../errors.ts";
import { extensionOf } from "../../io/file/names.ts";
import { FORMATS } from "../../formats/registry.ts";
import { deniedError, isDenied } from "../../io/source/permission.ts";
import { oneLine } from "../shell/io.ts";
import { type Runtime, runtimeHere, tooOld } from "../shell/system.ts";
import { asFlags } from "./option_flags.ts";

/** The reported parts of an error. */
export interface ErrorReport {
  /** Its code; absent: it is not a `TilewiseError`. */
  readonly code?: ErrorCode;
  /** What happened, on one line. */
  readonly message: string;
}

/** The message with the reasons only of those formats that the name or the options of the file suggest. */
function shortened(
  { message, details: { file = "", reasons = {} } }: TilewiseError<"unknown-format">,
): string {
  const said = Object.entries(reasons);
  const isNear = (id: string) =>
    FORMATS.some((format) => format.id === id && format.extensions.includes(extensionOf(file)));
  const near = said.filter(([id, why]) => id === "raw" ? false : isNear(id) || /^could be/.test(why));
  const tell = (entries: typeof said) => entries.map(([id, why]) => `${id}: ${why}`).join("; ");
  const none = `It is none of ${said.map(([id]) => id).filter((id) => id !== "raw").join(", ")}`;
  return message.replace(tell(said), near.length > 0 ? `${none} (${tell(near)})` : none);
}

/** The report for any thrown value; it names a runtime that is too old, as that may be the reason. */
export function reportOf(error: unknown, runtime: Runtime = runtimeHere()): ErrorReport {
  const { message, ...code } = reported(error), old = tooOld(runtime);
  return { ...code, message: old === undefined ? message : `${message}; ${old}` };
}

function reported(error: unknown): ErrorReport {
  if (isTilewiseError(error)) {
    const { code, details: { file, option } } = error;
    const message = isTilewiseError(error, "unknown-format") && error.details.reasons
      ? shortened(error)
      : error.message;
    if (code === "udf") return { code, message: oneLine(message) }; // about code, whose options are not flags
    return { code, message: oneLine(asFlags(message, file, option ?? "")) };
  }
  if (isDenied(error)) return reported(deniedError("Cannot go on", error));
  return { message: oneLine(error instanceof Error ? error.message : String(error)) };
}
