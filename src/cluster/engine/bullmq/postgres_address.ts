/**
 * Addresses of engines on PostgreSQL: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?queue=tilewise&sslmode=verify-full`.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { type QueueParameters, queueParameters } from "./parameters.ts";

/** Where an engine is. */
export interface PostgresAddress extends QueueParameters {
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
