/** Addresses, jobs and trust: what others write is checked. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { postgresAddress, prepare } from "../../../src/cluster/engine/bullmq/postgres.ts";
import { redisAddress } from "../../../src/cluster/engine/bullmq/address.ts";
import { coordinatedRun } from "../../../src/cluster/engine/units.ts";
import type { StoredRun } from "../../../src/cluster/manifest/read.ts";
import type { PartStore } from "../../../src/cluster/store/store.ts";
import { engineError } from "../../../src/cluster/engine/bullmq/redis.ts";
import { CLUSTER_PACKAGES } from "../../../src/cluster/engine/bullmq/packages.ts";
import { checkJob, JOB_BYTES, jobId, readJob, unitsOfJob } from "../../../src/cluster/engine/job.ts";
import { mustAllow } from "../../../src/cluster/engine/serve.ts";
import { openEngine } from "../../../src/cluster/open_engine.ts";
import config from "../../../deno.json" with { type: "json" };
import { TilewiseError } from "../../../src/errors.ts";
import { jobOf } from "./conformance.ts";

Deno.test("reads addresses of servers, TLS, users and sentinels", () => {
  assertEquals(redisAddress("redis://lab").options, { host: "lab", port: 6379, db: 0 });
  assertEquals(redisAddress("rediss://u:p%40w@lab:7000/3?queue=night").options, {
    host: "lab",
    port: 7000,
    username: "u",
    password: "p@w",
    db: 3,
    tls: {},
  });
  assertEquals(redisAddress("redis://[::1]:7000").options.host, "::1");
  const { options, shown } = redisAddress("redis+sentinel://:secret@a:1,b:2/lab/4");
  assertEquals(options.sentinels, [{ host: "a", port: 1 }, { host: "b", port: 2 }]);
  assertEquals([options.name, options.db, shown.includes("secret")], ["lab", 4, false]);
  assertEquals(redisAddress("redis://lab?lock=2&check=0.5").waits, { lock: 2000, stalledCheck: 500 });
});

Deno.test("reads addresses of PostgreSQL, and refuses others", () => {
  const { connectionString, queue, waits, shown } = postgresAddress(
    "postgresql://u:p%40w@lab:7000/runs?lock=2&queue=q",
  );
  assertEquals([connectionString, queue, waits], ["postgresql://u:p%40w@lab:7000/runs", "q", { lock: 2000 }]);
  assertEquals(shown, "postgresql://lab:7000/runs?lock=2&queue=q");
  for (const rest of ["lab", "lab/", "lab/runs?sslmod=x", "/runs", "lab/runs?lock=0", "lab/runs?queue=a b"]) {
    const error = assertThrows(() => postgresAddress(`postgres://u:secret@${rest}`), TilewiseError);
    assertEquals([error.code, error.message.includes("secret")], ["invalid", false], rest);
  }
});

Deno.test("refuses other addresses without showing passwords", async () => {
  const wrong = ["redis://", "redis://:secret@lab:x", "redis://:secret@lab/x", "redis://:secret@lab?queu=a"];
  for (const text of [...wrong, "redis+sentinel://:secret@a:1", "redis://:secret@lab?lock=0"]) {
    const error = assertThrows(() => redisAddress(text), TilewiseError);
    assertEquals([error.code, error.message.includes("secret")], ["invalid", false], text);
  }
  const error = await openEngine("nats://:secret@lab").catch((error) => error);
  assertEquals([error.code, error.message.includes("secret")], ["unsupported", false]);
});

Deno.test("a job is small, and says its units by its name", () => {
  assertEquals(unitsOfJob(jobId("ab12", 3, 9, "x")), { run: "ab12", start: 3, end: 9 });
  for (const text of ["", "ab12-9-3-x", "ab12-3-3-x", "ab12-3-x", "ab12-3-9-x-y", "AB-1-2-x"]) {
    assertEquals(unitsOfJob(text), undefined, text);
  }
  assert(checkJob(jobOf(0, 5)).length < JOB_BYTES);
  const error = assertThrows(() => checkJob({ ...jobOf(0), store: "s".repeat(2000) }), TilewiseError);
  assertEquals(error.code, "invalid");
});

Deno.test("refuses jobs of other versions, and what is not a job", () => {
  assertEquals(readJob(jobOf(1)), jobOf(1));
  assertEquals(assertThrows(() => readJob({ ...jobOf(1), version: 0 }), TilewiseError).code, "unsupported");
  const others = [null, undefined, 7, "job", {}, { ...jobOf(1), start: 2 }, { ...jobOf(1), end: 1.5 }, {
    ...jobOf(1),
    store: 3,
  }];
  for (const other of others) {
    assertEquals(assertThrows(() => readJob(other), TilewiseError).code, "malformed", String(other));
  }
});

Deno.test("a worker runs modules from allowed folders, hosts and packages, and no others", () => {
  const allowed = ["file:///lab/udfs", "https://lab.org/", "npm:d3@7.9.0"];
  for (
    const url of [
      "file:///lab/udfs/a.ts",
      "file:///lab/udfs/in/b.ts",
      "https://lab.org/x.ts",
      "npm:d3@7.9.0",
      "npm:d3@7.9.0/src",
    ]
  ) {
    mustAllow([{ url }], allowed);
  }
  const others = [
    "file:///lab/udfs2/a.ts",
    "file:///lab/udfs/../a.ts",
    "https://lab.org.evil/x.ts",
    "http://lab.org/x.ts",
    "data:text/javascript,0",
    "npm:d3@7.9.01",
  ];
  for (const url of [...others, "file:///lab/udfs/%2e%2e/a.ts", "blob:https://lab.org/x"]) {
    const error = assertThrows(() => mustAllow([{ url }], allowed), TilewiseError);
    assertEquals([error.code, error.details["module"]], ["permission", url]);
  }
  mustAllow([], []);
  assertThrows(() => mustAllow([{ url: "file:///a.ts" }], []), TilewiseError, "it allows none");
});

Deno.test("what a server says becomes an error that says what to do", () => {
  const code = (text: string) => engineError(new Error(text), "redis://lab").code;
  assertEquals(code("WRONGPASS invalid username-password pair"), "permission");
  assertEquals(code("NOAUTH Authentication required."), "permission");
  assertEquals(code("OOM command not allowed when used memory > 'maxmemory'."), "io");
  assertEquals(code("connect ECONNREFUSED"), "io");
  assertEquals(code("ERR DB index is out of range"), "not-found");
});

Deno.test("a unit says what it holds: how many frames from which one on, and whose results they give", async () => {
  const work = { leaf: 32, bytes: 1, units: [[1, 0, 64], [0, 2, 20]], fanIn: 16 };
  const manifest = { kind: "udf", work, results: [{ of: "slow" }, { of: "slow" }, { of: "sum" }] };
  const run = await coordinatedRun(
    {} as PartStore,
    { digest: "d".repeat(64), manifest } as unknown as StoredRun,
    "slow",
  );
  assertEquals([0, 1].map((unit) => [run.nameOf(unit), run.whatOf(unit)]), [
    ["1.0", "64 frames from number 0 on, of slow, sum"],
    ["0.2", "20 frames from number 64 on, of slow, sum"],
  ]);
});

Deno.test("deno.json has the packages of engines in the versions that are loaded", () => {
  const imports: Readonly<Record<string, string>> = config.imports;
  for (const [name, specifier] of Object.entries(CLUSTER_PACKAGES)) assertEquals(imports[name], specifier);
});

Deno.test("a connection whose preparation fails is closed, at whichever query, and a good one goes back", async () => {
  const failing = (n: number) => {
    let count = 0;
    const released: (boolean | undefined)[] = [];
    const query = () => count++ === n ? Promise.reject(new Error("gone")) : Promise.resolve({ rows: [] });
    const release = (close?: boolean) => void released.push(close);
    const client = { query, release, on: () => {} };
    const pool = {
      query,
      connect: () => Promise.resolve(client),
      end: () => Promise.resolve(),
      on: () => {},
    };
    const migrate = { runMigrations: async () => (await query(), 0) };
    return { released, prepared: () => prepare(pool, migrate), queries: () => count };
  };
  const good = failing(Infinity);
  await good.prepared();
  assertEquals([good.released, good.queries()], [[false], 5]);
  for (let n = 0; n < 5; n++) {
    const bad = failing(n);
    await assertRejects(bad.prepared, Error, "gone");
    assertEquals([bad.released, bad.queries()], [[true], n + 1]);
  }
});
