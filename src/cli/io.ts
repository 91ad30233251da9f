/**
 * What a verb may touch of the outside: two streams of text, the facts of the terminal, and the wish to stop.
 *
 * @module
 */

import type { Colours } from "../pictures/palette.ts";

/** The outside of the command line; tests give one that remembers. */
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
}

/** One JSON object as a line of stdout; big integers become strings, numbers that JSON has not as well. */
export function outJson(io: CliIo, value: unknown): void {
  io.out(JSON.stringify(value, jsonValue) + "\n");
}

function jsonValue(_key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "bigint") return value;
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
}

/** Names and values as two columns. */
export function outTable(io: CliIo, rows: readonly (readonly [name: string, value: string])[]): void {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  for (const [name, value] of rows) io.out(`  ${name.padEnd(width)}  ${value}\n`);
}

/** Text on one line, whatever it came with. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ").trim();
}
