/**
 * Engines on PostgreSQL, by BullMQ's back end for it.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { reasonOf } from "../../../reason.ts";
import { ANSWER, answered, type Board, linesOf, SEEN } from "./board.ts";
import { BullEngine, type EngineWaits, waitsOf } from "./engine.ts";
import { loadPostgres } from "./packages.ts";
import type { BullMq, PgAnswer, PgClient, PgPool } from "./types.ts";
import { type QueueParameters, queueParameters } from "./address.ts";
import type { RunSight, WorkerSight } from "../engine.ts";

/** The schema in which BullMQ keeps its tables. */
const SCHEMA = "bullmq";
/** Connections of a process: one listens. */
const CONNECTIONS = 4;

/**
 * Connects to an engine on PostgreSQL, and makes its tables if they are not there.
 *
 * Errors: `invalid`, `io`, `permission`, `not-found` (the database), `unsupported`.
 */
export async function postgresEngine(url: string, options: EngineWaits = {}): Promise<BullEngine> {
  const { connectionString, queue, waits, shown } = postgresAddress(url);
  const { bullmq, pg } = await loadPostgres();
  const errorOf = (error: unknown) => postgresError(error, shown);
  const open = (): PgPool => {
    const pool = new pg.Pool({
      connectionString,
      options: `-c search_path=${SCHEMA}`,
      keepAlive: true,
      max: CONNECTIONS,
      connectionTimeoutMillis: ANSWER,
    });
    pool.on("error", ignore); // every call has its own error
    pool.on("connect", (client) => client.on("error", ignore)); // BullMQ does not listen to those that it holds
    return serverTimed(pool, () => prepare(pool, bullmq));
  };
  const pool = open();
  try {
    await answered(prepare(pool, bullmq), shown, errorOf);
  } catch (error) {
    void pool.end();
    throw error;
  }
  const backend = bullmq.createPostgresBackend;
  return new BullEngine({
    url: shown,
    warnings: [],
    waits: waitsOf({ ...waits, ...options }),
    bullmq,
    queue: new bullmq.Queue(queue, { connection: pool }, backend),
    board: new PostgresBoard(pool, queue),
    errorOf,
    taker(chosen) {
      const connection = open();
      return {
        worker: new bullmq.Worker(queue, null, { ...chosen, connection }, backend),
        end: () => connection.end(),
      };
    },
    end: () => pool.end(),
  });
}

function ignore(): void {}

/**
 * Makes the tables and functions of BullMQ, and the board; those who come at the same time wait for each other. Where that
 * fails, the connection is closed: the server then rolls back what was begun, and nobody else gets an open transaction.
 */
export async function prepare(pool: PgPool, { runMigrations }: Pick<BullMq, "runMigrations">): Promise<void> {
  const client = await pool.connect();
  let isDone = false;
  try {
    await runMigrations(client);
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock(hashtext('tilewise_board'))");
    await makeBoard(client);
    await client.query("COMMIT");
    isDone = true;
  } finally {
    client.release(!isDone);
  }
}

/** What went wrong with a server, as an error that says what to do. */
function postgresError(error: unknown, shown: string): TilewiseError {
  if (error instanceof TilewiseError) return error;
  const reason = reasonOf(error) || "closed";
  const { code = "", name = "" } = error as { code?: string; name?: string };
  const make = (kind: "permission" | "not-found" | "io" | "unsupported", text: string) =>
    new TilewiseError(kind, `The engine ${shown} ${text}`, { engine: shown }, { cause: error });
  if (code === "3D000") {
    return make("not-found", `has no such database (${reason}). CREATE DATABASE makes it`);
  }
  if (/^28/.test(code) || /password must be a string|SASL/.test(reason)) {
    return make("permission", `refuses the login (${reason}). Write postgres://USER:PASSWORD@HOST/DATABASE`);
  }
  if (code === "42501") {
    const advice = `GRANT CREATE ON DATABASE lets it make its schema "${SCHEMA}"`;
    return make("permission", `does not allow this user to do that (${reason}). ${advice}`);
  }
  if (/^(UnsupportedPostgresVersion|SchemaVersionMismatch)Error$/.test(name)) {
    return make("unsupported", `cannot be used (${reason})`);
  }
  if (/^53/.test(code)) return make("io", `has reached a limit (${reason}); parts that are stored are safe`);
  return make("io", `cannot be reached or refuses a command (${reason}). Is the server running?`);
}

/** Where an engine is. */
interface PostgresAddress extends QueueParameters {
  /** For pg. */
  readonly connectionString: string;
  /** The address without password, for messages. */
  readonly shown: string;
}

const FORM =
  "postgres://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE[?sslmode=verify-full&queue=NAME&lock=SECONDS&check=SECONDS]";
/** Parameters that pg understands. */
const OF_PG = ["sslmode", "sslrootcert", "sslcert", "sslkey", "host", "port"] as const;

/**
 * Reads the address of an engine on PostgreSQL. Errors: `invalid`; no message shows the password.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { connectionString, queue, shown } = postgresAddress("postgres://me:secret@lab/runs?queue=night&sslmode=verify-full");
 * assertEquals(connectionString, "postgres://me:secret@lab/runs?sslmode=verify-full");
 * assertEquals([queue, shown], ["night", "postgres://lab/runs?queue=night&sslmode=verify-full"]);
 * ```
 */
export function postgresAddress(text: string): PostgresAddress {
  const [, kind, login = "", host, database, query = ""] =
    /^(postgres|postgresql):\/\/([^@/]*@)?([^@/?]*)\/([^/?]+)(?:\?(.*))?$/.exec(text) ?? [];
  if (kind === undefined || database === undefined) throw refused(text, "it has another form");
  const parameters = new URLSearchParams(query);
  const { queue, waits } = queueParameters(parameters, OF_PG, (why) => refused(text, why));
  if (!host && !parameters.has("host")) throw refused(text, "it names no host");
  const shown = `${kind}://${host}/${database}${query && `?${query}`}`;
  for (const name of ["queue", "lock", "check"]) parameters.delete(name);
  const rest = parameters.size > 0 ? `?${parameters}` : "";
  return { connectionString: `${kind}://${login}${host}/${database}${rest}`, queue, waits, shown };
}

function refused(text: string, why: string): TilewiseError {
  const shown = text.replace(/\/\/[^/]*@/, "//…@");
  return new TilewiseError("invalid", `Cannot use the engine "${shown}": ${why}. Write ${FORM}`, {
    found: shown,
  });
}

type Kind = "run" | "cancelled" | "worker" | "later";

/** Makes the table. */
async function makeBoard(client: PgClient): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS tilewise_board (
    queue text, kind text, name text, line text, until timestamptz, PRIMARY KEY (queue, kind, name))`);
}

/** A board on PostgreSQL. */
class PostgresBoard implements Board {
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

// Connections to PostgreSQL on which all times are those of the server.
//
// BullMQ writes the time of the machine that calls into its tables: when a lock ends, when a job is due. With clocks that
// differ, a worker that is behind would lose its jobs at once, and one that is ahead would keep them after its death. So times
// in queries are moved to the clock of the server.

/** Milliseconds after which the clock of the server is looked at again. */
const LOOK_AGAIN = 60_000;
/** Numbers beyond this are times in milliseconds since 1970, and no durations. */
const TIMES = 1e12;
/** What a server says when tables or functions are not there (any more). */
const GONE: readonly unknown[] = ["3F000", "42P01", "42883"];

/** A pool whose queries have the time of the server; `prepare` makes tables, also if they have vanished. */
function serverTimed(pool: PgPool, prepare: () => Promise<void>): PgPool {
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
