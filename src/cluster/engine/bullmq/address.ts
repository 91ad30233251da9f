/**
 * Addresses of engines on Redis: `redis://host:6379/0?queue=tilewise&lock=20&check=10`, `rediss://` with TLS,
 * `redis+sentinel://host:26379,host:26379/group`.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { RedisOptions } from "./types.ts";

/** Where an engine is. */
export interface RedisAddress extends QueueParameters {
  /** For ioredis. */
  readonly options: RedisOptions;
  /** The address without password, for messages. */
  readonly shown: string;
}

const FORMS =
  "redis://[USER:PASSWORD@]HOST[:PORT][/NUMBER][?queue=NAME&lock=SECONDS&check=SECONDS], rediss://… (TLS), " +
  "redis+sentinel://[:PASSWORD@]HOST:PORT,HOST:PORT/GROUP[/NUMBER]";

/**
 * Reads the address of an engine on Redis. Errors: `invalid`; no message shows the password.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { options, shown } = redisAddress("redis://:secret@lab:7000/2");
 * assertEquals(options, { host: "lab", port: 7000, password: "secret", db: 2 });
 * assertEquals(shown, "redis://lab:7000/2");
 * ```
 */
export function redisAddress(text: string): RedisAddress {
  const [, kind, login, hosts, path = "", query = ""] =
    /^(redis|rediss|redis\+sentinel):\/\/(?:([^@/]*)@)?([^@/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(text) ?? [];
  if (kind === undefined || hosts === undefined) throw refused(text, "it has another form");
  const parameters = queueParameters(new URLSearchParams(query), [], (why) => refused(text, why));
  const [group, number] = kind === "redis+sentinel" ? path.split("/") : [undefined, path];
  const shown = `${kind}://${hosts}${path ? `/${path}` : ""}${query ? `?${query}` : ""}`;
  const where = kind === "redis+sentinel" ? sentinels(text, hosts, group, login) : host(text, hosts);
  return {
    options: {
      ...where,
      ...credentials(login),
      db: numberOf(text, number),
      ...(kind === "rediss" && { tls: {} }),
    },
    ...parameters,
    shown,
  };
}

function host(text: string, hosts: string): RedisOptions {
  const [name, port, ...more] = splitHost(hosts);
  if (!name || more.length > 0) throw refused(text, `"${hosts}" is not a host`);
  return { host: name, port: portOf(text, port, 6379) };
}

function sentinels(text: string, hosts: string, name: string | undefined, login = ""): RedisOptions {
  if (!name) throw refused(text, "it does not name the group that the sentinels watch");
  const list = hosts.split(",").map((one) => host(text, one)).map(({ host = "", port = 26379 }) => ({
    host,
    port,
  }));
  const { password } = credentials(login);
  return { sentinels: list, name, ...(password !== undefined && { sentinelPassword: password }) };
}

/** Host and port; hosts of IPv6 stand in brackets. */
function splitHost(text: string): string[] {
  const [, inBrackets, port] = /^\[([^\]]+)\](?::(.*))?$/.exec(text) ?? [];
  if (inBrackets !== undefined) return port === undefined ? [inBrackets] : [inBrackets, port];
  return text.split(":");
}

function credentials(login = ""): RedisOptions {
  const at = login.indexOf(":");
  const user = decodeURIComponent(at < 0 ? login : login.slice(0, at));
  const password = at < 0 ? "" : decodeURIComponent(login.slice(at + 1));
  return { ...(user && { username: user }), ...(password && { password }) };
}

function portOf(text: string, port: string | undefined, usual: number): number {
  const number = port === undefined ? usual : Number(port);
  if (Number.isInteger(number) && number > 0 && number < 65536) return number;
  throw refused(text, `"${port}" is not a port`);
}

function numberOf(text: string, number = ""): number {
  if (/^\d{0,4}$/.test(number)) return Number(number);
  throw refused(text, `"${number}" is not a number of a data base`);
}

function refused(text: string, why: string): TilewiseError {
  const shown = text.replace(/\/\/[^/]*@/, "//…@");
  return new TilewiseError("invalid", `Cannot use the engine "${shown}": ${why}. Write ${FORMS}`, {
    found: shown,
  });
}

/** What stands behind the question mark. */
export interface QueueParameters {
  /** Name of the queue, and of all that is stored beside it. */
  readonly queue: string;
  /** Milliseconds that a worker may be silent, and between two searches for silent workers, where they are given. */
  readonly waits: { readonly lock?: number; readonly stalledCheck?: number };
}

/** Reads the parameters of an address, which may have `others` as well. Errors: those of `refused`, which is told why. */
export function queueParameters(
  parameters: URLSearchParams,
  others: readonly string[],
  refused: (why: string) => TilewiseError,
): QueueParameters {
  const queue = parameters.get("queue") ?? "tilewise";
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(queue)) throw refused(`the name of its queue is "${queue}"`);
  const known = ["queue", "lock", "check", ...others];
  const unknown = [...parameters.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw refused(`it has a parameter "${unknown}"`);
  const [lock, stalledCheck] = [wait("lock", parameters, refused), wait("check", parameters, refused)];
  return { queue, waits: { ...(lock && { lock }), ...(stalledCheck && { stalledCheck }) } };
}

/** A wait in seconds, as milliseconds: all who use a queue take it from the same address. */
function wait(
  name: string,
  parameters: URLSearchParams,
  refused: (why: string) => TilewiseError,
): number | undefined {
  const given = parameters.get(name);
  if (given === null) return undefined;
  const seconds = Number(given);
  if (!(seconds >= 0.2 && seconds <= 86_400)) throw refused(`"${name}=${given}" is not a number of seconds`);
  return seconds * 1000;
}
