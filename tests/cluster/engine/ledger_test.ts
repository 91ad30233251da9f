/** What is published, from what lies in the store and stands in the queue. */

import { assertEquals } from "@std/assert";
import type { JobSight } from "../../../src/cluster/engine/engine.ts";
import { jobId } from "../../../src/cluster/engine/job.ts";
import { Ledger } from "../../../src/cluster/engine/ledger.ts";

const ledger = (total: number, unitsPerJob = 1, backlog = 100) =>
  new Ledger({ total, unitsPerJob, backlog, slowAfter: 10_000 });
const job = (
  start: number,
  end: number,
  state: JobSight["state"],
  more: Partial<JobSight> = {},
): JobSight => ({
  id: jobId("r", start, end, "a"),
  state,
  ...more,
});
const ranges = (found: readonly { start: number; end: number }[]) =>
  found.map(({ start, end }) => [start, end]);

Deno.test("publishes what is neither done nor in a job, in jobs of the right size", () => {
  const done = Uint8Array.of(0, 1, 0, 0, 0, 0, 0, 1, 0, 0);
  const { missing, done: count } = ledger(10, 2).look([job(3, 5, "waiting")], done, 0);
  assertEquals(ranges(missing), [[0, 1], [2, 3], [5, 7], [8, 10]]);
  assertEquals(count, 2);
});

Deno.test("publishes no more than the queue may hold", () => {
  const one = ledger(100, 1, 7);
  assertEquals(one.look([], new Uint8Array(100), 0).missing.length, 7);
  assertEquals(one.look([job(0, 1, "active")], new Uint8Array(100), 0).missing.length, 6);
});

Deno.test("a failed job blames its unit, and its other units are published again", () => {
  const one = ledger(4, 4);
  const failure = { code: "worker", message: "gone", unit: 2 };
  const { missing } = one.look([job(0, 4, "failed", { failure })], Uint8Array.of(1, 0, 0, 0), 0);
  assertEquals([ranges(missing), [...one.blamed]], [[[1, 2], [3, 4]], [[2, failure]]]);
  one.look([job(0, 4, "failed", { failure })], Uint8Array.of(1, 1, 1, 1), 0);
  assertEquals(one.blamed.size, 0, "somebody has done it after all");
  const foreign = { code: "udf", message: "no", unit: 99 };
  one.look([job(99, 100, "failed", { failure: foreign })], Uint8Array.of(1, 1, 1, 0), 0);
  assertEquals(one.blamed.size, 0, "a unit that the run does not have");
});

Deno.test("publishes slow jobs once more, when nothing else waits and others are much faster", () => {
  const one = ledger(4);
  const done = new Uint8Array(4);
  const active = [0, 1, 2].map((unit) => job(unit, unit + 1, "active"));
  one.look([...active, job(3, 4, "waiting")], done, 0);
  done[0] = done[1] = 1;
  assertEquals(one.look([active[2]!, job(3, 4, "waiting")], done, 4000).slow, [], "one waits");
  assertEquals(one.look([active[2]!, job(3, 4, "active")], done, 9000).slow, [], "too early");
  assertEquals(ranges(one.look([active[2]!, job(3, 4, "active")], done, 13_000).slow), [[2, 3]]);
  assertEquals(one.look([active[2]!, job(3, 4, "active")], done, 14_000).slow, [], "only once");
});

Deno.test("counts what is done of units that are computed, once", () => {
  const doing = (worker: string, part: number) => ({ doing: { worker, unit: 1, done: part } });
  const sights = [job(1, 2, "active", doing("a", 0.25)), {
    ...job(1, 2, "active", doing("b", 0.5)),
    id: "r-1-2-b",
  }];
  assertEquals(ledger(4).look(sights, Uint8Array.of(1, 0, 0, 0), 0).advance, 1.5);
});
