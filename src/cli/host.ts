/**
 * The command line's outside on this machine: stdout, stderr, the terminal and Ctrl-C.
 *
 * @module
 */

import { writeSync } from "node:fs";
import process from "node:process";
import { forbidExits } from "../executor/exits.ts";
import { reasonOf } from "../reason.ts";
import { coloursOf } from "./colours.ts";
import { type CliIo, oneLine } from "./io.ts";
import { environment } from "./permissions.ts";
import { Watchdog } from "./watchdog.ts";

/** Exit code of a command that was interrupted. */
export const INTERRUPTED = 130;

/** Columns where nothing says how many there are. */
const COLUMNS = 80;

/** Ends the process. Code of users cannot: what it finds under this name throws an error. */
export const exitProcess: (code: number) => never = Deno.exit;

/** Milliseconds between two interrupts that are one. */
const SAME = 200;

/** Milliseconds after which a thread watches over this one: a command that is done sooner does without. */
const UNWATCHED = 1000;

/**
 * The streams of this process. The first interrupt fires `signal`, the second ends the process: once a thread watches over
 * this one, also while this one is in the middle of something.
 */
export function hostIo(): CliIo {
  const controller = new AbortController();
  let last = -Infinity;
  const interrupted = () => {
    const again = performance.now() - last;
    last = performance.now();
    if (again < SAME) return; // the watchdog has heard it as well
    if (controller.signal.aborted) exitProcess(INTERRUPTED);
    controller.abort(new Error("interrupted"));
  };
  process.on("SIGINT", interrupted);
  const isTerminal = Deno.stderr.isTerminal();
  const watchdog = once(() => {
    const started = new Watchdog(isTerminal, interrupted);
    started.ready.then((watches) => watches && process.off("SIGINT", interrupted));
    return started;
  });
  const outIsTerminal = Deno.stdout.isTerminal();
  setTimeout(watchdog, UNWATCHED);
  return {
    out: (text) => writeAll(1, text),
    err: (text) => writeAll(2, text),
    outIsTerminal,
    errIsTerminal: Deno.stderr.isTerminal() && environment("TERM") !== "dumb",
    colour: coloursOf({ env: environment, isTerminal: outIsTerminal, system: Deno.build.os }),
    columns: columnsOf(outIsTerminal),
    signal: controller.signal,
    watch: async (limit) => {
      forbidExits();
      for (const event of ["error", "unhandledrejection"]) globalThis.addEventListener(event, strayError);
      watchdog().limit(limit);
      await watchdog().ready;
    },
  };
}

function columnsOf(isTerminal: boolean): number {
  try {
    return isTerminal ? Deno.consoleSize().columns || COLUMNS : COLUMNS;
  } catch {
    return COLUMNS; // a terminal that does not know
  }
}

/** Code of users has thrown where nobody could catch it: in a timer, or in a promise that nobody waits for. */
function strayError(event: Event): void {
  event.preventDefault();
  const { reason, error, message } = event as Partial<PromiseRejectionEvent & ErrorEvent>;
  const text = reasonOf(reason ?? error ?? message);
  writeAll(
    2,
    `tilewise: [udf] code failed that nobody waits for, such as a timer of a UDF: ${oneLine(text)}\n`,
  );
  exitProcess(1);
}

/** `make`, called once. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Writes all of `text`; a reader that has gone away (`tilewise … | head`) ends the process quietly. */
function writeAll(fd: number, text: string | Uint8Array): void {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === "EPIPE") exitProcess(0);
      if (code !== "EAGAIN") throw error;
    }
  }
}
