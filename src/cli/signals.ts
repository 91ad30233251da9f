/**
 * The signals that end a command as Ctrl-C does: what it was writing is removed, what it has computed is kept.
 *
 * @module
 */

import { rmSync } from "node:fs";
import process from "node:process";
import { heldParts } from "../io/part_files.ts";

/** Exit codes of the signals: 128 and their number. */
const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Signals besides Ctrl-C that ask a process to end. */
const END_SIGNALS = ["SIGTERM", "SIGHUP"] as const;

/**
 * The first signal that asks this process to end aborts `controller`, the second ends the process.
 *
 * @returns stops listening: a signal then ends the process at once
 */
export function onEndSignals(controller: AbortController, exit: (code: number) => never): () => void {
  const ended = (name: keyof typeof CODES) => {
    if (controller.signal.aborted) exit(CODES[name]);
    controller.abort(Object.assign(new Error(`ended by ${name}`), { exitCode: CODES[name] }));
  };
  for (const name of END_SIGNALS) {
    try {
      process.on(name, ended);
    } catch {
      // a system without this signal
    }
  }
  globalThis.addEventListener("unload", removeParts); // also where the process ends in the middle
  return () => END_SIGNALS.forEach((name) => process.off(name, ended));
}

/** The exit code of a command that `signal` has ended. */
export function interruptCode({ reason }: AbortSignal): number {
  return (reason as { readonly exitCode?: number } | undefined)?.exitCode ?? CODES.SIGINT;
}

function removeParts(): void {
  for (const part of heldParts()) {
    try {
      rmSync(part, { force: true });
    } catch {
      // a later write to its folder removes it
    }
  }
}
