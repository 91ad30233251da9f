/**
 * Engines by their addresses: the only place that names them all.
 *
 * @module
 */

import { abortedError, isTilewiseError, TilewiseError } from "../errors.ts";
import type { Engine } from "./engine/engine.ts";
import { type Clock, REAL_CLOCK } from "../clock.ts";

/** Engines by the scheme of their addresses; each is loaded when it is first used. */
const ENGINES: Readonly<Record<string, (url: string) => Promise<Engine>>> = {
  "redis:": async (url) => await (await import("./engine/bullmq/redis.ts")).redisEngine(url),
  "rediss:": async (url) => await (await import("./engine/bullmq/redis.ts")).redisEngine(url),
  "postgres:": async (url) => await (await import("./engine/bullmq/postgres.ts")).postgresEngine(url),
  "postgresql:": async (url) => await (await import("./engine/bullmq/postgres.ts")).postgresEngine(url),
  "redis+sentinel:": async (url) => await (await import("./engine/bullmq/redis.ts")).redisEngine(url),
};

/**
 * Connects to an engine.
 *
 * Errors: `invalid` (address), `io` (unreachable), `permission` (password), `not-found` (the database),
 * `unsupported` (too old, not installed).
 * @category Cluster
 */
export async function openEngine(url: string): Promise<Engine> {
  const scheme = /^[a-z0-9+]+:/.exec(url)?.[0] ?? "";
  const open = ENGINES[scheme];
  if (open) return await open(url);
  const shown = url.replace(/\/\/[^/]*@/, "//…@");
  const text =
    `Cannot use the engine "${shown}": addresses of engines begin with redis://, rediss://, redis+sentinel:// or postgres://`;
  throw new TilewiseError("unsupported", text, { found: scheme });
}

/** How long somebody waits for a server. */
interface Reaching {
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
