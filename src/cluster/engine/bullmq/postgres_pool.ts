/**
 * Connections to PostgreSQL on which all times are those of the server.
 *
 * BullMQ writes the time of the machine that calls into its tables: when a lock ends, when a job is due. With clocks that
 * differ, a worker that is behind would lose its jobs at once, and one that is ahead would keep them after its death. So times
 * in queries are moved to the clock of the server.
 *
 * @module
 */

import type { PgAnswer, PgPool } from "./types.ts";

/** Milliseconds after which the clock of the server is looked at again. */
const LOOK_AGAIN = 60_000;
/** Numbers beyond this are times in milliseconds since 1970, and no durations. */
const TIMES = 1e12;
/** What a server says when tables or functions are not there (any more). */
const GONE: readonly unknown[] = ["3F000", "42P01", "42883"];

/** A pool whose queries have the time of the server; `prepare` makes tables, also if they have vanished. */
export function serverTimed(pool: PgPool, prepare: () => Promise<void>): PgPool {
  const clock = new ServerClock(pool);
  const send = async (text: string, values: readonly unknown[] = []): Promise<PgAnswer> => {
    const now = await clock.now();
    const ours = Date.now();
    const timed = values.map((one) =>
      typeof one === "number" && one > TIMES ? Math.round(one - ours + now) : one
    );
    return await pool.query(text, timed);
  };
  const query = async (text: string, values?: readonly unknown[]): Promise<PgAnswer> => {
    try {
      return await send(text, values);
    } catch (error) {
      if (!GONE.includes((error as { code?: unknown }).code)) throw error;
      await prepare(); // somebody has emptied the data base
      return await send(text, values);
    }
  };
  return new Proxy(pool, {
    get: (target, name) => {
      const member: unknown = name === "query" ? query : Reflect.get(target, name, target);
      return typeof member === "function" && name !== "query" ? member.bind(target) : member;
    },
  });
}

/** The clock of a server; between two looks, that of this process, which does not follow changes of the date. */
class ServerClock {
  #server = 0;
  #seen = -Infinity;

  constructor(readonly pool: PgPool) {}

  async now(): Promise<number> {
    if (performance.now() - this.#seen > LOOK_AGAIN) await this.#look();
    return this.#server + performance.now() - this.#seen;
  }

  async #look(): Promise<void> {
    const { rows } = await this.pool.query("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now");
    this.#server = Number(rows[0]?.["now"]);
    this.#seen = performance.now();
  }
}
