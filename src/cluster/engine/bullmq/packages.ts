/**
 * The packages behind engines on Redis. Only programs that use such an engine load them, and only from here.
 *
 * Deno takes a package with all of its optional parts for all systems. `msgpackr`, which BullMQ needs, has an optional part
 * `msgpackr-extract` whose latest version names files that registries do not have everywhere. Its version 3.0.4 is complete
 * and fits as well: named first, it is the one that is used (decision 0088).
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { reasonOf } from "../../../reason.ts";
import type { BullMq, IoRedis } from "./types.ts";

/** The packages, by the names that they have in Node. */
export const CLUSTER_PACKAGES = {
  "bullmq": "npm:bullmq@6.7.0",
  "ioredis": "npm:ioredis@6.0.0",
  "msgpackr-extract": "npm:msgpackr-extract@3.0.4",
} as const;

/** Loads BullMQ and ioredis. Errors: `unsupported`, with the reason and a remedy. */
export async function loadBullMq(): Promise<{ bullmq: BullMq; ioredis: IoRedis }> {
  try {
    const inDeno = "Deno" in globalThis;
    if (inDeno) {
      const facts = `${CLUSTER_PACKAGES["msgpackr-extract"]}/package.json`;
      await import(facts, { with: { type: "json" } });
    }
    // computed names: neither Deno nor bundlers take these packages into programs that do not use them
    const of = (name: "bullmq" | "ioredis"): Promise<unknown> =>
      import(inDeno ? CLUSTER_PACKAGES[name] : name);
    return { bullmq: await of("bullmq") as BullMq, ioredis: await of("ioredis") as IoRedis };
  } catch (cause) {
    const [reason] = reasonOf(cause).split("\n", 1);
    const names = Object.values(CLUSTER_PACKAGES).toReversed().join(" ");
    const text = `Cannot use an engine on Redis: BullMQ cannot be loaded (${reason}). ` +
      `It is fetched once, when it is needed or ahead of time by "deno cache ${names}"`;
    throw new TilewiseError("unsupported", text, {}, { cause });
  }
}
