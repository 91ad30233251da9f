/** Every engine does what the conformance suite says; Redis is skipped where it is not installed. */

import { assertEquals, assertRejects } from "@std/assert";
import { redisEngine } from "../../../src/cluster/engine/bullmq/redis.ts";
import { MemoryEngine } from "../memory/engine.ts";
import { openEngine } from "../../../src/cluster/open_engine.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { comesBack, DELAY, ENGINE_CASES, onServer, WAITS, type Waits } from "./conformance.ts";
import { hasRedis, RedisServer } from "./redis_server.ts";

/** Ends waits on a server: the keys that it would let expire. */
function waitsOn(server: RedisServer): Waits {
  const end = async (pattern: string) => {
    const keys = (await server.command("KEYS", pattern)).split("\n").filter(Boolean);
    const left = await Promise.all(keys.map((key) => server.command("PTTL", key)));
    if (keys.length > 0) await server.command("DEL", ...keys);
    return left.map(Number);
  };
  return { locks: () => end("*:lock"), pauses: () => end("*:later:*") };
}

for (const [what, check] of Object.entries(ENGINE_CASES)) {
  Deno.test(`the engine in memory ${what}`, async () => {
    let now = 0;
    const clock = { now: () => now, sleep: () => Promise.resolve() };
    const engine = new MemoryEngine({ clock });
    const pass = (milliseconds: number) => () => Promise.resolve(void (now += milliseconds));
    await check({ engine, silence: pass(30_000), delay: pass(DELAY), rest: pass(1000) });
  });
}

Deno.test({
  name: "the engine on Redis",
  ignore: !hasRedis(),
  sanitizeResources: false, // connections close when their servers are gone
  sanitizeOps: false,
  fn: async (t) => {
    await using server = await RedisServer.start();
    for (const [what, check] of Object.entries(ENGINE_CASES)) {
      await t.step(what, async () => {
        await server.command("FLUSHALL");
        await using engine = await redisEngine(server.url, WAITS);
        assertEquals(engine.warnings, []);
        await check(onServer(engine, waitsOn(server)));
      });
    }
    await t.step("names a wrong password, without showing one", async () => {
      const error = await assertRejects(
        () => openEngine(`redis://:nonsense@127.0.0.1:${server.port}`),
        TilewiseError,
        "password",
      );
      assertEquals([error.code, error.message.includes("nonsense")], ["permission", false]);
    });
    await t.step("names a memory limit, and goes on when it is raised", async () => {
      await using engine = await redisEngine(server.url);
      await server.command("CONFIG", "SET", "maxmemory", "1mb");
      const { jobOf } = await import("./conformance.ts");
      const error = await assertRejects(() => engine.publish([jobOf(0)]), TilewiseError, "memory limit");
      assertEquals(error.code, "io");
      await server.command("CONFIG", "SET", "maxmemory", "0");
      await engine.publish([jobOf(0)]);
    });
    await t.step("warns about settings under which jobs vanish", async () => {
      await server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
      await using engine = await redisEngine(server.url);
      assertEquals(engine.warnings.length, 1);
    });
    await t.step("says that a server is away, and comes back with it", async () => {
      await using engine = await redisEngine(server.url);
      await comesBack(engine, server);
    });
  },
});
