/**
 * The packages behind engines on Redis and PostgreSQL. Only programs that use such an engine load them, and only from here.
 *
 * Deno takes a package with all of its optional parts for all systems. `msgpackr`, which BullMQ needs, has an optional part
 * `msgpackr-extract` whose latest version names files that registries do not have everywhere. Its version 3.0.4 is complete
 * and fits as well: named first, it is the one that is used (decision 0088).
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { remedyFor } from "../../../packages.ts";
import { reasonOf } from "../../../reason.ts";
import type { BullMq, IoRedis, Pg } from "./types.ts";

/** The packages, by the names that they have in Node. */
export const CLUSTER_PACKAGES = {
  "bullmq": "npm:bullmq@6.7.0",
  "ioredis": "npm:ioredis@6.0.0",
  "msgpackr-extract": "npm:msgpackr-extract@3.0.4",
  "pg": "npm:pg@8.23.1",
} as const;

/** Loads BullMQ and ioredis. Errors: `unsupported`, with the reason and a remedy. */
export async function loadBullMq(): Promise<{ bullmq: BullMq; ioredis: IoRedis }> {
  const [bullmq, ioredis] = await loaded("Redis", "ioredis");
  return { bullmq: bullmq as BullMq, ioredis: ioredis as IoRedis };
}

/** Loads BullMQ and pg. Errors: `unsupported`, with the reason and a remedy. */
export async function loadPostgres(): Promise<{ bullmq: BullMq; pg: Pg }> {
  const [bullmq, pg] = await loaded("PostgreSQL", "pg");
  return { bullmq: bullmq as BullMq, pg: (pg as { default: Pg }).default };
}

/** BullMQ and the package that speaks to a server. */
async function loaded(server: string, client: "ioredis" | "pg"): Promise<[unknown, unknown]> {
  const { "msgpackr-extract": extract, ...packages } = CLUSTER_PACKAGES;
  const inDeno = "Deno" in globalThis;
  try {
    if (inDeno) await import(`${extract}/package.json`, { with: { type: "json" } });
    // computed names: neither Deno nor bundlers take these packages into programs that do not use them
    const of = (name: keyof typeof packages): Promise<unknown> => import(inDeno ? packages[name] : name);
    return [await of("bullmq"), await of(client)];
  } catch (cause) {
    const [reason] = reasonOf(cause).split("\n", 1);
    const remedy = remedyFor(...inDeno ? [extract] : [], packages.bullmq, packages[client]);
    const text = `Cannot use an engine on ${server}: BullMQ cannot be loaded (${reason}). ${remedy}`;
    throw new TilewiseError("unsupported", text, {}, { cause });
  }
}
