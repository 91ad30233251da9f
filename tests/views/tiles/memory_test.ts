/** What a session of views takes is added up to the byte, and what waits for ever starts no timer. */

import { assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { ALIGNMENT } from "../../../src/memory/arena.ts";
import type { RunContext } from "../../../src/runner/context.ts";
import { gridOf } from "../../../src/space/box.ts";
import type { LevelPlan } from "../../../src/views/tiles/levels.ts";
import type { Origin } from "../../../src/views/tiles/loaders/origin.ts";
import { memoryFor } from "../../../src/views/tiles/memory.ts";
import { TimeLimit } from "../../../src/views/tiles/failures.ts";

const LEVEL = {
  tiles: gridOf([64, 64], [16, 16]),
  tileBytes: 3 * ALIGNMENT - 5,
  views: { byteLength: 7 * ALIGNMENT - 1, shape: [20, 20] },
} as unknown as LevelPlan;

function origin(kind: "module" | "here", bytes: number): Origin {
  const samples = { kind: "bytes", name: "x", bytes: new Uint8Array(bytes) } as const;
  return {
    name: "x",
    spec: { kind },
    loaderBytes: 2 * ALIGNMENT - 3,
    readSources: [samples],
  } as unknown as Origin;
}

function context(ownMemory: boolean, budget = 2 ** 30): RunContext {
  return {
    memory: budget,
    arenaBudget: budget,
    workers: 3,
    leastWorkers: 1,
    ownMemory,
  } as unknown as RunContext;
}

Deno.test("views, tiles, loaders and copies of a session are added up to the byte", () => {
  for (const ownMemory of [false, true]) {
    const found = memoryFor(origin("module", 0), [LEVEL], context(ownMemory), {
      ahead: 4,
      cache: 30 * ALIGNMENT,
    });
    const [views, tiles, workers] = [5 * 7, 10 * 3, 3 * 2].map((n) => n * ALIGNMENT) as [
      number,
      number,
      number,
    ];
    const copies = ownMemory ? 3 * tiles : 0;
    const { holdings, ...sizes } = found;
    assertEquals(holdings.reduce((sum, { each, count }) => sum + each * count, 0), found.total);
    assertEquals(sizes, {
      views: 5,
      view: 7 * ALIGNMENT,
      tiles: 10,
      tile: 3 * ALIGNMENT,
      workers: 3,
      loader: 2 * ALIGNMENT,
      copies,
      total: views + tiles + workers + copies,
      leased: views + tiles + workers + copies,
    });
  }
  const sent = [0, 100].map((bytes) =>
    memoryFor(origin("module", bytes * ALIGNMENT), [LEVEL], context(true), { ahead: 0, cache: 3 * ALIGNMENT })
      .copies
  );
  assertEquals((sent[1]! - sent[0]!) % (3 * 100 * ALIGNMENT), 0); // whole copies, in each worker
  assertEquals(sent[1]! > sent[0]!, true);
});

Deno.test("what fits is taken to the byte, and one byte less takes fewer tiles, or is refused", () => {
  const wishes = { ahead: 0, cache: 30 * ALIGNMENT };
  const { total } = memoryFor(origin("here", 0), [LEVEL], context(false), wishes);
  assertEquals(memoryFor(origin("here", 0), [LEVEL], context(false, total), wishes).total, total);
  const error = assertThrows(
    () => memoryFor(origin("here", 0), [LEVEL], context(false, total - 1), wishes),
    TilewiseError,
  );
  assertEquals([error.code, error.details.found], ["over-budget", total - 1]);
  const free = memoryFor(origin("here", 0), [LEVEL], context(false, total - 1), { ahead: 0 });
  assertEquals(free.total <= total - 1 && free.tiles >= 1, true);
});

Deno.test("who waits for ever starts no timer, and who waits a while is told once", async () => {
  const start = globalThis.setTimeout;
  let timers = 0;
  globalThis.setTimeout = ((...args: Parameters<typeof start>) => (timers++, start(...args))) as typeof start;
  try {
    const never = new TimeLimit(Infinity, () => {});
    never.watch(true);
    never.end();
  } finally {
    globalThis.setTimeout = start;
  }
  assertEquals(timers, 0);
  let told = 0;
  const over = Promise.withResolvers<void>();
  const patience = new TimeLimit(1, () => {
    told++;
    over.resolve();
  });
  patience.watch(true);
  patience.watch(true);
  await over.promise;
  patience.watch(true);
  patience.watch(false); // what it waited for has come
  await new Promise((resolve) => setTimeout(resolve, 3));
  assertEquals(told, 1);
});
