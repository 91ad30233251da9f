/**
 * Engines on Redis.
 *
 * @module
 */

import { type RedisAddress, redisAddress } from "./address.ts";
import { BullEngine, type EngineWaits, waitsOf } from "./engine.ts";
import { loadBullMq } from "./packages.ts";
import type { RunSight, WorkerSight } from "../engine.ts";
import { ANSWER, answered, type Board, linesOf, SEEN } from "./board.ts";
import type { IoRedis, Redis } from "./types.ts";
import { TilewiseError } from "../../../errors.ts";
import { reasonOf } from "../../../reason.ts";

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

/** A board on Redis. */
class RedisBoard implements Board {
  /** A board for a queue. */
  constructor(readonly redis: Redis, readonly queue: string) {}

  async putRun(sight: RunSight): Promise<void> {
    await this.redis.call("HSET", this.#key("runs"), sight.run, JSON.stringify(sight));
  }

  async runs(): Promise<RunSight[]> {
    return linesOf<RunSight>(await this.redis.call("HVALS", this.#key("runs")) as string[]);
  }

  async hasRun(run: string): Promise<boolean> {
    return await this.redis.call("HEXISTS", this.#key("runs"), run) === 1;
  }

  async setCancelled(run: string, cancelled: boolean): Promise<void> {
    await this.redis.call(cancelled ? "SADD" : "SREM", this.#key("cancelled"), run);
  }

  async cancelled(): Promise<ReadonlySet<string>> {
    return new Set(await this.redis.call("SMEMBERS", this.#key("cancelled")) as string[]);
  }

  async isCancelled(run: string): Promise<boolean> {
    return await this.redis.call("SISMEMBER", this.#key("cancelled"), run) === 1;
  }

  async putWorker(sight: WorkerSight): Promise<void> {
    await this.redis.call("SET", this.#key(`worker:${sight.worker}`), JSON.stringify(sight), "EX", SEEN);
  }

  async workers(): Promise<WorkerSight[]> {
    const keys = await this.#workerKeys();
    return keys.length > 0 ? linesOf(await this.redis.call("MGET", ...keys) as (string | null)[]) : [];
  }

  async hold(job: string, milliseconds: number): Promise<void> {
    await this.redis.call("SET", this.#key(`later:${job}`), 1, "PX", Math.ceil(milliseconds));
  }

  async released(jobs: readonly string[]): Promise<string[]> {
    const held = await this.redis.call("MGET", ...jobs.map((job) => this.#key(`later:${job}`))) as unknown[];
    return jobs.filter((_, i) => held[i] === null);
  }

  async #workerKeys(): Promise<string[]> {
    const found: string[] = [];
    let cursor = "0";
    do {
      const match = this.#key("worker:*");
      const page = await this.redis.call("SCAN", cursor, "MATCH", match, "COUNT", 1000) as [string, string[]];
      cursor = page[0];
      found.push(...page[1]);
    } while (cursor !== "0");
    return [...new Set(found)].sort();
  }

  #key(name: string): string {
    return `${this.queue}:${name}`;
  }
}

/** The oldest Redis that BullMQ supports. */
const OLDEST = [6, 2] as const;

/**
 * Connects once and looks at the server, so that a wrong address or password is an error at once and not a wait.
 *
 * Returns warnings: settings under which jobs may vanish. Errors: `io` (unreachable), `permission` (password),
 * `unsupported` (too old).
 */
async function inspectServer({ Redis }: IoRedis, { options, shown }: RedisAddress): Promise<string[]> {
  const redis = new Redis({
    ...options,
    lazyConnect: true,
    connectTimeout: ANSWER,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  const errorOf = (error: unknown) => engineError(error, shown);
  let seen: Error | undefined;
  redis.on("error", (error) => seen = error);
  try {
    await answered(redis.connect(), shown, errorOf);
    const version = /redis_version:(\d+)\.(\d+)/.exec(
      String(await answered(redis.call("INFO", "server"), shown, errorOf)),
    );
    if (version) checkVersion([Number(version[1]), Number(version[2])], shown);
    return await warnings(redis);
  } catch (error) {
    throw engineError(error instanceof TilewiseError && seen ? seen : error, shown);
  } finally {
    redis.disconnect();
  }
}

/** A connection that reconnects by itself, for as long as the program runs. */
export function connect({ Redis }: IoRedis, { options }: RedisAddress): Redis {
  const redis = new Redis({
    ...options,
    connectTimeout: ANSWER,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(2000, 100 * 2 ** Math.min(times, 5)),
  });
  redis.on("error", () => {}); // every call has its own limit and its own error
  return redis;
}

/** What went wrong with a server, as an error that says what to do. */
export function engineError(error: unknown, shown: string): TilewiseError {
  if (error instanceof TilewiseError) return error;
  const reason = reasonOf(error);
  const make = (code: "permission" | "not-found" | "io", text: string) =>
    new TilewiseError(code, `The engine ${shown} ${text}`, { engine: shown }, { cause: error });
  if (/WRONGPASS|NOAUTH|invalid (username|password)|no password is set/i.test(reason)) {
    return make(
      "permission",
      `refuses the password (${reason}). Write it into the address: redis://:PASSWORD@HOST`,
    );
  }
  if (/^NOPERM/.test(reason)) return make("permission", `does not allow this user to do that (${reason})`);
  if (/DB index is out of range/.test(reason)) {
    return make("not-found", `has no database of that number (${reason}). By default there are 0 to 15`);
  }
  if (/^OOM/.test(reason)) {
    return make(
      "io",
      `has reached its memory limit (${reason}). Raise maxmemory; parts that are stored are safe`,
    );
  }
  return make("io", `cannot be reached or refuses a command (${reason || "closed"}). Is the server running?`);
}

function checkVersion(found: readonly [number, number], shown: string): void {
  if (found[0] > OLDEST[0] || (found[0] === OLDEST[0] && found[1] >= OLDEST[1])) return;
  const text = `The engine ${shown} is Redis ${found.join(".")}; it must be at least ${OLDEST.join(".")}`;
  throw new TilewiseError("unsupported", text, { found: found.join("."), expected: OLDEST.join(".") });
}

async function warnings(redis: Redis): Promise<string[]> {
  const found: string[] = [];
  const setting = async (name: string) => {
    try {
      return String((await redis.call("CONFIG", "GET", name) as string[])[1] ?? "");
    } catch {
      return ""; // many hosts do not allow this command
    }
  };
  const policy = await setting("maxmemory-policy");
  if (policy && policy !== "noeviction") {
    found.push(
      `its maxmemory-policy is ${policy}: jobs may vanish, and are published again; set it to noeviction`,
    );
  }
  if (await setting("appendonly") === "no") {
    found.push("it keeps no append-only file: jobs are published again after a restart; set appendonly yes");
  }
  return found;
}
