/**
 * The command line's outside on this machine: stdout, stderr, the terminal and Ctrl-C.
 *
 * @module
 */

import { writeSync } from "node:fs";
import process from "node:process";
import type { CliIo } from "./io.ts";

/** Exit code of a command that was interrupted. */
export const INTERRUPTED = 130;

/** The streams of this process. The first interrupt fires `signal`, the second ends the process. */
export function hostIo(): CliIo {
  const controller = new AbortController();
  process.on("SIGINT", () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    controller.abort(new Error("interrupted"));
  });
  return {
    out: (text) => writeAll(1, text),
    err: (text) => writeAll(2, text),
    outIsTerminal: process.stdout.isTTY === true,
    errIsTerminal: process.stderr.isTTY === true,
    colour: showsColour(),
    columns: process.stdout.columns || 80,
    signal: controller.signal,
  };
}

/** Whether stdout is to get colours: on a terminal unless `NO_COLOR` is set, elsewhere if `FORCE_COLOR` is. */
function showsColour(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  return Boolean(FORCE_COLOR) || (process.stdout.isTTY === true && TERM !== "dumb");
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
