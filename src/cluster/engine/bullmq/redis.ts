/**
 * Engines on Redis.
 *
 * @module
 */

import { redisAddress } from "./address.ts";
import { connect, engineError, inspectServer } from "./connection.ts";
import { BullEngine, type EngineWaits, waitsOf } from "./engine.ts";
import { loadBullMq } from "./packages.ts";
import { RedisBoard } from "./redis_board.ts";

/** Before the keys of BullMQ. */
const PREFIX = "bull";

/** Connects to an engine on Redis. Errors: `invalid`, `io`, `permission`, `unsupported`. */
export async function redisEngine(url: string, options: EngineWaits = {}): Promise<BullEngine> {
  const address = redisAddress(url);
  const { bullmq, ioredis } = await loadBullMq();
  const warnings = await inspectServer(ioredis, address);
  const redis = connect(ioredis, address);
  const { queue, shown } = address;
  return new BullEngine({
    url: shown,
    warnings,
    waits: waitsOf({ ...address.waits, ...options }),
    bullmq,
    queue: new bullmq.Queue(queue, { connection: redis, prefix: PREFIX }),
    board: new RedisBoard(redis, queue),
    errorOf: (error) => engineError(error, shown),
    taker(waits) {
      const connection = connect(ioredis, address);
      const worker = new bullmq.Worker(queue, null, { ...waits, connection, prefix: PREFIX });
      return { worker, end: () => Promise.resolve(connection.disconnect()) };
    },
    end: () => Promise.resolve(redis.disconnect()),
  });
}
