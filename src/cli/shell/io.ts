/**
 * What a verb may touch of the outside: two streams of text, the facts of the terminal, and the wish to stop.
 *
 * @module
 */

import type { Colours } from "../../pictures/palette.ts";

/**
 * The outside of the command line; tests give one that remembers.
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
  /** The colours that stdout is to get: none where it is no terminal, or `NO_COLOR` is set. */
  readonly colour: Colours;
  /** Columns of the terminal. */
  readonly columns: number;
  /** Fires at the first interrupt. */
  readonly signal: AbortSignal;
  /**
   * Called before code of users is loaded: when it does not return for so many milliseconds, the process ends. Resolves when
   * somebody watches.
   */
  watch?(limit: number): Promise<void>;
  /** Asks a question on the terminal that yes or no answers; absent: nobody is there to answer. */
  ask?(question: string): Promise<boolean>;
  /** Called before a command writes files: it goes on when the reader of its words goes away. */
  goOn?(): void;
}

/** One JSON object as a line of stdout; big integers become strings, numbers that JSON has not as well. */
export function outJson(io: CliIo, value: unknown): void {
  io.out(escaped(JSON.stringify(value, jsonValue), jsonEscape) + "\n");
}

function jsonValue(_key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "bigint") return value;
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
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

/** Text on one line, whatever it came with. */
export function oneLine(text: string): string {
  return printable(text.split(/[\r\n]+/).map((line) => line.trim()).filter((line) => line !== "").join(" "));
}

/**
 * Characters that a terminal obeys instead of showing them, or that reverse what stands beside them; also halves of
 * characters.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Text of files, such as names and metadata, as it may be shown: control characters are written as in source code.
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

/** JSON escapes some of them itself; it reads this as the same character. */
function jsonEscape(char: string): string {
  return char.split("").map((unit) => `\\u${hex(unit, 4)}`).join("");
}

function hex(char: string, digits: number): string {
  return char.charCodeAt(0).toString(16).padStart(digits, "0");
}
