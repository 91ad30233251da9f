/**
 * The signals that end a command as Ctrl-C does: unfinished files are removed, computed results are kept.
 *
 * @module
 */

import { heldParts } from "../../io/write/part_files.ts";
import { system } from "./system.ts";
import { END_SIGNALS, type EndSignal, EXIT_CODES } from "./watched.ts";

/** Signals within this number of milliseconds count as one, as the thread that takes over gets the same signal. */
const SAME = 200;

/** Handles the signals that ask this process to end. */
interface EndSignals {
  /** Handles one of them: the first fires the signal of the command, the second ends the process. */
  readonly heard: (name: EndSignal) => void;
  /** Stops listening, when another thread takes over. */
  readonly stop: () => void;
}

/** Listens for the signals that ask this process to end: the first one aborts `controller`, the second calls `exit`. */
export function endSignals(controller: AbortController, exit: (code: number) => never): EndSignals {
  let last = -Infinity;
  const heard = (name: EndSignal) => {
    const again = performance.now() - last;
    last = performance.now();
    if (again < SAME) return;
    if (controller.signal.aborted) exit(EXIT_CODES[name]);
    const text = name === "SIGINT" ? "interrupted" : `ended by ${name}`;
    controller.abort(Object.assign(new Error(text), { exitCode: EXIT_CODES[name] }));
  };
  const stops: (() => void)[] = [];
  for (const name of END_SIGNALS) {
    try {
      stops.push(system.onSignal(name, () => heard(name)));
    } catch {
      // a system without this signal
    }
  }
  system.atEnd(removeParts); // also if the process ends early
  return { heard, stop: () => stops.forEach((stop) => stop()) };
}

/** The exit code of a command that `signal` has ended. */
export function interruptCode({ reason }: AbortSignal): number {
  return (reason as { readonly exitCode?: number } | undefined)?.exitCode ?? EXIT_CODES.SIGINT;
}

function removeParts(): void {
  for (const part of heldParts()) {
    try {
      system.remove(part);
    } catch {
      // a later write to its folder removes it
    }
  }
}
