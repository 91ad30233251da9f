/**
 * Engines by their addresses: the only place that names them all.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { Engine } from "./engine/engine.ts";

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
