/** The engine on PostgreSQL does what the conformance suite says; skipped where PostgreSQL is not installed. */

import { assertEquals, assertRejects } from "@std/assert";
import { postgresEngine } from "../../../src/cluster/engine/bullmq/postgres.ts";
import { openEngine } from "../../../src/cluster/open_engine.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { comesBack, ENGINE_CASES, jobOf, onServer, WAITS, type Waits } from "./conformance.ts";
import { hasPostgres, PostgresServer } from "./postgres_server.ts";

/** Ends waits on a server: the times that it compares with its own. */
function waitsOn(server: PostgresServer): Waits {
  const now = "(extract(epoch FROM clock_timestamp()) * 1000)";
  const numbers = async (text: string) =>
    (await server.command(text)).split("\n").filter(Boolean).map(Number);
  return {
    locks: () =>
      numbers(
        `WITH held AS (SELECT queue, id, locked_until_ms AS until FROM bullmq.job WHERE state = 'active')
        UPDATE bullmq.job SET locked_until_ms = 1 FROM held WHERE job.queue = held.queue AND job.id = held.id
        RETURNING held.until - ${now}`,
      ),
    pauses: () =>
      numbers(`WITH held AS (SELECT queue, name, until FROM bullmq.tilewise_board WHERE kind = 'later')
        DELETE FROM bullmq.tilewise_board AS board USING held
        WHERE board.kind = 'later' AND board.queue = held.queue AND board.name = held.name
        RETURNING extract(epoch FROM held.until) * 1000 - ${now}`),
  };
}

Deno.test({
  name: "the engine on PostgreSQL",
  ignore: !hasPostgres(),
  sanitizeResources: false, // connections close when their servers are gone
  sanitizeOps: false,
  fn: async (t) => {
    await using server = await PostgresServer.start();
    for (const [what, check] of Object.entries(ENGINE_CASES)) {
      await t.step(what, async () => {
        await server.command("TRUNCATE bullmq.job, bullmq.meta, bullmq.tilewise_board CASCADE");
        await using engine = await postgresEngine(server.url, WAITS);
        await check(onServer(engine, waitsOn(server)));
      });
    }
    await t.step(
      "makes its tables once, however many start together, and again when they vanish",
      async () => {
        await server.command("DROP SCHEMA bullmq CASCADE");
        const engines = await Promise.all([1, 2, 3].map(() => postgresEngine(server.url, WAITS)));
        await server.command("DROP SCHEMA bullmq CASCADE");
        await engines[0]!.publish([jobOf(0)]);
        assertEquals((await engines[1]!.claim("w"))?.id, jobOf(0).id);
        await Promise.all(engines.map((engine) => engine[Symbol.asyncDispose]()));
      },
    );
    await t.step("names a wrong password, without showing one", async () => {
      const url = `postgres://lab:nonsense@127.0.0.1:${server.port}/postgres`;
      const error = await assertRejects(() => openEngine(url), TilewiseError, "refuses the login");
      assertEquals([error.code, error.message.includes("nonsense")], ["permission", false]);
    });
    await t.step("says that there is no such database", async () => {
      const url = new URL("/lab", server.url).href;
      const error = await assertRejects(() => openEngine(url), TilewiseError, "CREATE DATABASE");
      assertEquals(error.code, "not-found");
    });
    await t.step("names what a user may not do", async () => {
      await server.command("CREATE DATABASE other");
      await server.command("CREATE USER guest PASSWORD 'g'");
      const url = `postgres://guest:g@127.0.0.1:${server.port}/other`;
      const error = await assertRejects(() => openEngine(url), TilewiseError, "GRANT CREATE");
      assertEquals(error.code, "permission");
    });
    await t.step("says that a server is away, and comes back with it", async () => {
      await using engine = await postgresEngine(server.url);
      await comesBack(engine, server);
    });
  },
});
