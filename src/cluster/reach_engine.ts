/**
 * Waits for an engine whose server is not there yet.
 *
 * @module
 */

import { type Clock, REAL_CLOCK } from "../clock.ts";
import { abortedError, isTilewiseError } from "../errors.ts";
import type { Engine } from "./engine/engine.ts";
import { openEngine } from "./open_engine.ts";

/** How long somebody waits for a server. */
export interface Reaching {
  /** Ends it with `aborted`. */
  readonly signal: AbortSignal;
  /** Milliseconds after which the last error is thrown. */
  readonly unreachableTimeout: number;
  /** Called with the first error: from now on it waits. */
  readonly waits: (message: string) => void;
  /** Time. Default: that of this machine. */
  readonly clock?: Clock;
  /** Connects. Default: {@link openEngine}. */
  readonly open?: (url: string) => Promise<Engine>;
}

/** Milliseconds between two attempts: the first, and most. */
const FIRST = 250, MOST = 2000;

/**
 * Connects to an engine, and tries again while its server cannot be reached. Errors: `aborted`; `io` after `unreachableTimeout`; those
 * that time does not mend at once: `invalid`, `permission`, `unsupported`.
 */
export async function reachEngine(url: string, reaching: Reaching): Promise<Engine> {
  const { signal, unreachableTimeout, waits, clock = REAL_CLOCK, open = openEngine } = reaching;
  const begun = clock.now();
  let told = false;
  for (let pause = FIRST;; pause = Math.min(MOST, 1.5 * pause)) {
    if (signal.aborted) throw abortedError(signal);
    try {
      return await open(url);
    } catch (error) {
      if (!isTilewiseError(error, "io") || clock.now() - begun >= unreachableTimeout) throw error;
      if (!told) waits(error.message);
      told = true;
    }
    await clock.sleep(pause, signal);
  }
}
