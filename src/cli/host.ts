/**
 * The command line's outside on this machine: stdout, stderr, the terminal and Ctrl-C.
 *
 * @module
 */

import process from "node:process";
import { coloursOf } from "./colours.ts";
import type { CliIo } from "./io.ts";
import { environment } from "./permissions.ts";
import { onEndSignals } from "./signals.ts";
import { Streams, systemStreams } from "./streams.ts";

/** Exit code of a command that was interrupted. */
export const INTERRUPTED = 130;

/** Columns where nothing says how many there are. */
const COLUMNS = 80;

/** Ends the process. */
export const exitProcess: (code: number) => never = Deno.exit;

/** The streams of this process. The first interrupt fires `signal`, the second ends the process. */
export function hostIo(): CliIo {
  const controller = new AbortController();
  process.on("SIGINT", () => {
    if (controller.signal.aborted) exitProcess(INTERRUPTED);
    controller.abort(new Error("interrupted"));
  });
  onEndSignals(controller, exitProcess);
  const streams = new Streams({ ...systemStreams, exit: exitProcess });
  const outIsTerminal = Deno.stdout.isTerminal();
  return {
    out: (text) => streams.out(text),
    err: (text) => streams.err(text),
    goOn: () => streams.goOn(),
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
