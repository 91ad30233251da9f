/**
 * A board on Redis: a hash of runs, a set of cancelled ones, a key per worker and per waiting job that Redis lets expire.
 *
 * @module
 */

import type { RunSight, WorkerSight } from "../engine.ts";
import { type Board, linesOf, SEEN } from "./board.ts";
import type { Redis } from "./types.ts";

/** A board on Redis. */
export class RedisBoard implements Board {
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
