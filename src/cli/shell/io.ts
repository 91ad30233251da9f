/**
 * What a verb uses of its environment: two streams of text, facts about the terminal, and the signal to stop.
 *
 * @module
 */

import type { Colours } from "../../pictures/colours/palette.ts";
import type { Arguments } from "./args.ts";

/**
 * The environment of the command line; tests use one that records.
 * @category Command line
 */
export interface CliIo {
  /** Writes to stdout: results, and nothing else. */
  out(text: string | Uint8Array): void;
  /** Writes to stderr: progress and messages. */
  err(text: string): void;
  /** Whether stdout is a terminal. */
  readonly outIsTerminal: boolean;
  /** Whether stderr is a terminal. */
  readonly errIsTerminal: boolean;
  /** The colours for stdout: none if it is not a terminal, or if `NO_COLOR` is set. */
  readonly colour: Colours;
  /** Columns of the terminal. */
  readonly columns: number;
  /** Fires at the first interrupt. */
  readonly signal: AbortSignal;
  /** Time for lines of progress, which appear now and then. Default: that of this machine. */
  readonly clock?: {
    /** Milliseconds since some moment. */
    now(): number;
  };
  /**
   * Called before code of users is loaded: if that code does not return for this many milliseconds, the process ends. Resolves when
   * a thread watches.
   */
  watch?(limit: number): Promise<void>;
  /** Asks a yes-or-no question on the terminal; absent: there is no terminal. */
  ask?(question: string): Promise<boolean>;
  /** Called before a command writes files: from then on it continues when the reader of its output goes away. */
  goOn?(): void;
}

/** One JSON object as a line of stdout; big integers, and numbers that JSON does not have, become strings. */
export function outJson(io: CliIo, value: unknown): void {
  io.out(escaped(JSON.stringify(value, jsonValue), jsonEscape) + "\n");
}

function jsonValue(_key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "bigint") return value;
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
}

/** What a plan does: with --json its facts and text, else what `shown` is; always 0. */
export function outPlan(
  { args, io }: { readonly args: Arguments; readonly io: CliIo },
  facts: object,
  explain: string,
  shown: string = explain,
): number {
  if (args.has("json")) outJson(io, { ...facts, explain });
  else io.out(shown.split("\n").map((line) => `${printable(line)}\n`).join(""));
  return 0;
}

/** Names and values as two columns. */
export function outTable(io: CliIo, rows: readonly (readonly [name: string, value: string])[]): void {
  const width = Math.max(0, ...rows.map(([name]) => printable(name).length));
  for (const [name, value] of rows) {
    io.out(`  ${printable(name).padEnd(width)}  ${printable(value)}\n`);
  }
}

/** A line with the name of a source, and of the array in it. */
export function headingOf(source: string, array: string): string {
  return `${printable(source)}${array ? ` [${printable(array)}]` : ""}\n`;
}

/** A number for messages: up to six digits. */
export function short(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}

/** Text on one line, without its line breaks. */
export function oneLine(text: string): string {
  return printable(text.split(/[\r\n]+/).map((line) => line.trim()).filter((line) => line !== "").join(" "));
}

/**
 * Control characters of a terminal, and characters that reverse the text beside them; also halves of
 * characters.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Text from files, such as names and metadata, made safe to show: control characters are escaped as in source code.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(printable("scan\x1b[2J\r\n"), "scan\\x1b[2J\\r\\n");
 * assertEquals(printable("Ångström µm 像"), "Ångström µm 像");
 * ```
 */
export function printable(text: string): string {
  return escaped(text, (char) => NAMED[char] ?? (char > "\xff" ? jsonEscape(char) : `\\x${hex(char, 2)}`));
}

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(text: string, escape: (char: string) => string): string {
  return text.replace(UNSEEN, escape);
}

/** JSON escapes some of them itself; this escape is read as the same character. */
function jsonEscape(char: string): string {
  return char.split("").map((unit) => `\\u${hex(unit, 4)}`).join("");
}

function hex(char: string, digits: number): string {
  return char.charCodeAt(0).toString(16).padStart(digits, "0");
}
