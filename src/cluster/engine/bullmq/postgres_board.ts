/**
 * A board on PostgreSQL: one table, whose lines may end at a time of the server.
 *
 * @module
 */

import type { RunSight, WorkerSight } from "../engine.ts";
import { type Board, linesOf, SEEN } from "./board.ts";
import type { PgClient, PgPool } from "./types.ts";

type Kind = "run" | "cancelled" | "worker" | "later";

/** Makes the table. */
export async function makeBoard(client: PgClient): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS tilewise_board (
    queue text, kind text, name text, line text, until timestamptz, PRIMARY KEY (queue, kind, name))`);
}

/** A board on PostgreSQL. */
export class PostgresBoard implements Board {
  /** A board for a queue. */
  constructor(readonly pool: PgPool, readonly queue: string) {}

  async putRun(sight: RunSight): Promise<void> {
    await this.#put("run", sight.run, JSON.stringify(sight));
  }

  async runs(): Promise<RunSight[]> {
    return linesOf(await this.#lines("run"));
  }

  async hasRun(run: string): Promise<boolean> {
    return await this.#has("run", run);
  }

  async setCancelled(run: string, cancelled: boolean): Promise<void> {
    if (cancelled) return await this.#put("cancelled", run, run);
    const text = "DELETE FROM tilewise_board WHERE queue = $1 AND kind = 'cancelled' AND name = $2";
    await this.pool.query(text, [this.queue, run]);
  }

  async cancelled(): Promise<ReadonlySet<string>> {
    return new Set(await this.#lines("cancelled"));
  }

  async isCancelled(run: string): Promise<boolean> {
    return await this.#has("cancelled", run);
  }

  async putWorker(sight: WorkerSight): Promise<void> {
    await this.#put("worker", sight.worker, JSON.stringify(sight), SEEN);
    const text =
      "DELETE FROM tilewise_board WHERE queue = $1 AND until < clock_timestamp() - interval '1 hour'";
    await this.pool.query(text, [this.queue]);
  }

  async workers(): Promise<WorkerSight[]> {
    return linesOf(await this.#lines("worker"));
  }

  async hold(job: string, milliseconds: number): Promise<void> {
    await this.#put("later", job, job, milliseconds / 1000);
  }

  async released(jobs: readonly string[]): Promise<string[]> {
    const held = new Set(await this.#lines("later"));
    return jobs.filter((job) => !held.has(job));
  }

  async #put(kind: Kind, name: string, line: string, seconds?: number): Promise<void> {
    const until = "clock_timestamp() + make_interval(secs => $5::float8)"; // none, if there are no seconds
    const text = `INSERT INTO tilewise_board VALUES ($1, $2, $3, $4, ${until})
      ON CONFLICT (queue, kind, name) DO UPDATE SET line = EXCLUDED.line, until = EXCLUDED.until`;
    await this.pool.query(text, [this.queue, kind, name, line, seconds ?? null]);
  }

  async #has(kind: Kind, name: string): Promise<boolean> {
    const text = "SELECT 1 FROM tilewise_board WHERE queue = $1 AND kind = $2 AND name = $3";
    return (await this.pool.query(text, [this.queue, kind, name])).rows.length > 0;
  }

  async #lines(kind: Kind): Promise<string[]> {
    const text = `SELECT line FROM tilewise_board WHERE queue = $1 AND kind = $2
      AND (until IS NULL OR until > clock_timestamp()) ORDER BY name`;
    const { rows } = await this.pool.query(text, [this.queue, kind]);
    return rows.map(({ line }) => String(line));
  }
}
