/**
 * Connections to Redis: what is checked when one is first made, and what an engine does when it does not answer.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { reasonOf } from "../../../reason.ts";
import type { RedisAddress } from "./address.ts";
import { ANSWER, answered } from "./answered.ts";
import type { IoRedis, Redis } from "./types.ts";

/** The oldest Redis that BullMQ supports. */
const OLDEST = [6, 2] as const;

/**
 * Connects once and looks at the server, so that a wrong address or password is an error at once and not a wait.
 *
 * Returns warnings: settings under which jobs may vanish. Errors: `io` (unreachable), `permission` (password),
 * `unsupported` (too old).
 */
export async function inspectServer({ Redis }: IoRedis, { options, shown }: RedisAddress): Promise<string[]> {
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
