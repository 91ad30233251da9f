/**
 * Engines on PostgreSQL, by BullMQ's back end for it.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { reasonOf } from "../../../reason.ts";
import { ANSWER, answered } from "./answered.ts";
import { BullEngine, type EngineWaits, waitsOf } from "./engine.ts";
import { loadPostgres } from "./packages.ts";
import { postgresAddress } from "./postgres_address.ts";
import { makeBoard, PostgresBoard } from "./postgres_board.ts";
import { serverTimed } from "./postgres_pool.ts";
import type { BullMq, PgPool } from "./types.ts";

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
export function postgresError(error: unknown, shown: string): TilewiseError {
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
