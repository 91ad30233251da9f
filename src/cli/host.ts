/**
 * The command line's outside on this machine: stdout, stderr, the terminal and Ctrl-C.
 *
 * @module
 */

import { writeSync } from "node:fs";
import process from "node:process";
import { coloursOf } from "./colours.ts";
import type { CliIo } from "./io.ts";
import { environment } from "./permissions.ts";

/** Exit code of a command that was interrupted. */
export const INTERRUPTED = 130;

/** Columns where nothing says how many there are. */
const COLUMNS = 80;

/** The streams of this process. The first interrupt fires `signal`, the second ends the process. */
export function hostIo(): CliIo {
  const controller = new AbortController();
  process.on("SIGINT", () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    controller.abort(new Error("interrupted"));
  });
  const outIsTerminal = Deno.stdout.isTerminal();
  return {
    out: (text) => writeAll(1, text),
    err: (text) => writeAll(2, text),
    outIsTerminal,
    errIsTerminal: Deno.stderr.isTerminal() && environment("TERM") !== "dumb",
    colour: coloursOf({ env: environment, isTerminal: outIsTerminal, system: Deno.build.os }),
    columns: columnsOf(outIsTerminal),
    signal: controller.signal,
  };
}

function columnsOf(isTerminal: boolean): number {
  try {
    return isTerminal ? Deno.consoleSize().columns || COLUMNS : COLUMNS;
  } catch {
    return COLUMNS; // a terminal that does not know
  }
}

/** Writes all of `text`; a reader that has gone away (`tilewise … | head`) ends the process quietly. */
function writeAll(fd: number, text: string | Uint8Array): void {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === "EPIPE") process.exit(0);
      if (code !== "EAGAIN") throw error;
    }
  }
}
