/**
 * Messages of the library name its options; on the command line they are flags.
 *
 * ```
 * allowTruncated reads those                     --allow-truncated reads those
 * { dtype: "uint16", sig: [256, 256] }           --dtype uint16 --sig 256x256
 * needs the options dtype and sig                needs --dtype and --sig
 * (workers: 0)                                   (--workers 0)
 * ```
 *
 * Names that are also words of English, such as `level`, are translated only where a message calls them an option, quotes
 * them or gives them a value.
 *
 * @module
 */

import { LOOK_FLAGS } from "./look.ts";
import { BEHIND_FLAG, COLUMN_FLAG, OBSERVATION_FLAGS } from "./observation_flags.ts";
import { RUN_FLAGS, STORE_FLAGS } from "./run_flags.ts";
import { SINK_FLAGS } from "./sink_flags.ts";
import { SOURCE_FLAGS } from "./source_flags.ts";
import { type ErrorCode, isTilewiseError, type TilewiseError } from "../../errors.ts";
import { extensionOf } from "../../io/file/names.ts";
import { FORMATS } from "../../formats/registry.ts";
import { deniedError, isDenied } from "../../io/source/permission.ts";
import { oneLine } from "../shell/io.ts";
import type { Flag } from "../shell/verb.ts";
import { type Runtime, runtimeHere, system, tooOld } from "../shell/system.ts";

/** The flag of each option. Of two flags for options of one name, the later one counts: `format` is that of sources. */
const FLAGS = flagsOf(
  ...SINK_FLAGS,
  ...SOURCE_FLAGS,
  ...RUN_FLAGS,
  ...STORE_FLAGS,
  ...LOOK_FLAGS,
  ...OBSERVATION_FLAGS,
  COLUMN_FLAG,
  BEHIND_FLAG,
);

/** The same in messages of what writes files, where `format` is that of Zarr. They begin with the name of its function. */
const FLAGS_OF_SINKS = new Map([...FLAGS, ...flagsOf(...SINK_FLAGS)]);
const OF_SINK = /^fileSink\(\)(?:: (.)| for )/;
/** The options that a file has. */
const OTHERS = /(?<=has no option "\w+"; there are )(?:\w+(?:, |$))+/;

/** Those of some options that have flags, as flags. */
function inFlags(names: string): string {
  return names.split(", ").flatMap((name) => FLAGS_OF_SINKS.get(name) ?? []).join(", ");
}

function flagsOf(...flags: readonly Flag[]): ReadonlyMap<string, string> {
  return new Map(flags.flatMap(({ name, option }) => option === undefined ? [] : [[option, `--${name}`]]));
}

/** The names of all options that have a flag. */
export const OPTIONS: readonly string[] = [...FLAGS.keys()];

const ANY = OPTIONS.join("|");
/** Names that cannot be words of English. */
const OWN = OPTIONS.filter((name) => /[A-Z]/.test(name)).join("|");
/** Names that could be something else, but not in a message about that option. */
const SHORT: readonly string[] = ["nav", "sig", "dtype", "roi"];

const VALUE = String.raw`"[^"]*"|\[[^\]]*\]|-?\d+(?:\.\d+)?|true|false`;
const BEFORE = String.raw`(?<![\w./\\-])`;
const AFTER = String.raw`(?![\w/\\-]|\.\w)`;
const QUOTED = `["\`]?(?:${ANY})["\`]?`;

const PAIR = new RegExp(`${BEFORE}["\`]?(${ANY})["\`]?: (${VALUE})\`?`, "g");
const OBJECT = new RegExp(String.raw`\{ ((?:(?:${ANY}): (?:${VALUE})(?:, )?)+) \}`, "g");
const CALLED = new RegExp(
  `(?:\\b[Tt]he )?\\boptions? (${QUOTED}(?:(?:, | and | or )${QUOTED})*)${AFTER}`,
  "g",
);
const NAME = new RegExp(`["\`]?(${ANY})["\`]?(?!\\w)`, "g");
const CAMEL = new RegExp(`${BEFORE}["\`]?(${OWN})["\`]?${AFTER}`, "g");

/**
 * A message with the flags of the command line in place of options.
 *
 * @param protect what is to stay as it is, such as the name of a file
 * @param option an option that the message is about, by the details of its error
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = 'say what they are, as in { dtype: "uint16", sig: [256, 256] }; or give the option level';
 * assertEquals(asFlags(text), "say what they are, as in --dtype uint16 --sig 256x256; or give --level");
 * ```
 */
export function asFlags(message: string, protect: string = "", option: string = ""): string {
  const flags = OF_SINK.test(message) ? FLAGS_OF_SINKS : FLAGS;
  const text = message.replace(OF_SINK, (_, first = "") => first.toUpperCase()).replace(OTHERS, inFlags);
  if (protect === "") return translated(text, flags, option);
  return text.split(protect).map((part) => translated(part, flags, option)).join(protect);
}

function translated(message: string, flags: ReadonlyMap<string, string>, option: string): string {
  const flag = (_: string, name: string) => flags.get(name)!;
  const pair = (_: string, name: string, value: string) => withValue(flags.get(name)!, value);
  const text = message
    .replace(OBJECT, (_, pairs: string) => pairs.match(PAIR)!.join(" "))
    .replace(PAIR, pair)
    .replace(CALLED, (_, names: string) => names.replace(NAME, flag))
    .replace(CAMEL, flag);
  if (!flags.has(option)) return text;
  const mention = SHORT.includes(option) ? `["\`]?${option}["\`]?` : `["\`]${option}["\`]`;
  return text.replace(new RegExp(BEFORE + mention + AFTER, "g"), flags.get(option)!);
}

/** `--sig 256x256`; a truth value is in the flag itself. */
function withValue(flag: string, value: string): string {
  if (value === "true" || value === "false") return flag;
  if (value.startsWith("[")) return `${flag} ${value.slice(1, -1).split(/,\s*/).join("x")}`;
  return `${flag} ${value.replaceAll('"', "")}`;
}

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

/** What may be wrong with the spelling of a path that is not there. */
function pathHint(path: string | undefined): string {
  if (path === undefined || /^\w+:\/\//.test(path)) return "";
  if (path !== path.trim()) return "; its name begins or ends with a space";
  if (!path.includes("\\") || system.platform === "windows") return "";
  return `; on this system a path has / in place of \\, as in ${
    path.replace(/^[a-z]:/i, "").replaceAll("\\", "/")
  }`;
}

function reported(error: unknown): ErrorReport {
  if (isTilewiseError(error)) {
    const { code, details: { file, option } } = error;
    const message = isTilewiseError(error, "unknown-format") && error.details.reasons
      ? shortened(error)
      : error.message;
    if (code === "udf") return { code, message: oneLine(message) }; // about code, whose options are not flags
    const hint = code === "not-found" ? pathHint(file) : "";
    return { code, message: oneLine(asFlags(message, file, option ?? "") + hint) };
  }
  if (isDenied(error)) return reported(deniedError("Cannot go on", error));
  return { message: oneLine(error instanceof Error ? error.message : String(error)) };
}
