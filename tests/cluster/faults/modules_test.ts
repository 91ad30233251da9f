/** Code of users with and without imports, computed by `tilewise worker` on real servers. */

import "../../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { runOnEngine } from "../../../src/cluster/engine/run.ts";
import { openEngine } from "../../../src/cluster/open_engine.ts";
import { createContext } from "../../../src/runner/context.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { hasPostgres, PostgresServer } from "../engine/postgres_server.ts";
import { hasRedis, RedisServer } from "../engine/redis_server.ts";
import { subjects } from "../modules/subjects.ts";
import { onEveryWay, type Workers } from "../modules/ways.ts";

const SERVERS = [
  { name: "Redis", there: hasRedis(), start: () => RedisServer.start() },
  { name: "PostgreSQL", there: hasPostgres(), start: () => PostgresServer.start() },
];

for (const { name, there, start } of SERVERS) {
  Deno.test({
    name: `code of users gives the same on every way, with workers on ${name}`,
    ignore: !there,
    sanitizeOps: false,
    sanitizeResources: false, // connections close when their servers are gone
    fn: async (t) => {
      await using server = await start();
      await using context = createContext({ workers: 0 });
      for (const { name, write } of subjects()) {
        await t.step(name, async () => {
          await withFolder(async (folder) => {
            await onEveryWay({
              subject: await write(folder),
              folder,
              context,
              workers: workersOn(server.url),
            });
          });
        });
      }
    },
  });
}

/** A worker as a command, which ends when the run is done. */
function workersOn(url: string): Workers {
  return async (store, run, allow) => {
    const done = new AbortController();
    const flags = allow.flatMap((place) => ["--allow-modules", place]);
    const worker = cli(["worker", url, "--workers", "0", "--quiet", ...flags], { signal: done.signal });
    try {
      await using engine = await openEngine(url);
      await runOnEngine(store, run, engine, { interval: 100 });
    } finally {
      done.abort();
    }
    const { code, err } = await worker;
    assertEquals(code, 0, err);
  };
}
