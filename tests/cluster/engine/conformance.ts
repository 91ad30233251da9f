/**
 * What every engine must do. A new engine is given this suite.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Engine } from "../../../src/cluster/engine/engine.ts";
import { type EngineJob, jobId } from "../../../src/cluster/engine/job.ts";
import { openEngine } from "../../../src/cluster/open_engine.ts";
import { TilewiseError } from "../../../src/errors.ts";

/** An engine under test. */
export interface Subject {
  readonly engine: Engine;
  /** Ends all locks that the engine's time has, and waits until the engine has noticed. */
  silence(): Promise<void>;
  /** Lets {@link DELAY} pass. */
  delay(): Promise<void>;
  /** Gives the engine time to look for silent workers. */
  rest(): Promise<void>;
}

/** Milliseconds until a job is tried again: no test takes that long, it lets them pass by {@link Subject.delay}. */
export const DELAY = 600_000;

/** What makes a server end waits, so that no test depends on how fast it runs. */
export interface Waits {
  /** Milliseconds until the locks of workers end, and ends them. */
  locks(): Promise<readonly number[]>;
  /** Milliseconds until jobs may be tried again, and lets them pass. */
  pauses(): Promise<readonly number[]>;
}

/** How long a worker may be silent in tests of servers, in milliseconds: less than clocks differ, more than a test takes. */
const LOCK = 1_200_000;

/** The options of an engine on a server under test. */
export const WAITS = { lock: LOCK, stalledCheck: 500 } as const;

/** An engine on a server whose waits end when the test says so. */
export function onServer(engine: Engine, waits: Waits): Subject {
  const within = (found: readonly number[], most: number) => {
    assert(found.every((one) => one > 0 && one <= most), `${found} of at most ${most}`);
  };
  return {
    engine,
    async silence() {
      within(await waits.locks(), LOCK);
      while ((await engine.jobs("r1")).some(({ state }) => state === "active")) {
        await new Promise<void>((go) => setTimeout(go, 50));
      }
    },
    delay: async () => within(await waits.pauses(), DELAY),
    rest: () => new Promise<void>((go) => setTimeout(go, 2 * WAITS.stalledCheck)), // later does not matter
  };
}

/** A job for units `start` to `end`. */
export function jobOf(start: number, end = start + 1, priority = 100, run = "r1"): EngineJob {
  const id = jobId(run, start, end, "a");
  return { version: 1, id, run, store: "memory:", manifest: "d", start, end, priority };
}

const HOUR = 3_600_000;

/** Makes a call on a machine whose date is wrong by so many hours. */
async function dated<T>(hours: number, call: () => Promise<T>): Promise<T> {
  const now = Date.now;
  Date.now = () => now() + hours * HOUR;
  try {
    return await call();
  } finally {
    Date.now = now;
  }
}

const LINE = {
  run: "r1",
  title: "t",
  store: "memory:",
  priority: 100,
  done: 0,
  total: 3,
  state: "running",
  at: 0,
} as const;

/** The suite: each test gets an engine without jobs. */
export const ENGINE_CASES: Readonly<Record<string, (subject: Subject) => Promise<void>>> = {
  "hands out jobs by priority, then first in, first out; each once": async ({ engine }) => {
    await engine.publish([jobOf(0), jobOf(1), jobOf(2, 3, 5)]);
    await engine.publish([jobOf(0)]); // there already
    const ids = [];
    for (let claim; (claim = await engine.claim("w")) !== undefined;) ids.push(claim.id);
    assertEquals(ids, [jobOf(2).id, jobOf(0).id, jobOf(1).id]);
  },
  "forgets finished jobs and shows the others": async ({ engine }) => {
    await engine.publish([jobOf(0), jobOf(1), jobOf(2), jobOf(3, 4, 100, "r2")]);
    await engine.finish((await engine.claim("w"))!);
    const failed = (await engine.claim("w"))!;
    const failure = { code: "udf", message: "no", unit: 1 };
    await engine.finish(failed, failure);
    const active = (await engine.claim("w"))!;
    assertEquals(await engine.renew(active, { worker: "w", unit: 2, done: 0.5 }), "held");
    const sights = (await engine.jobs("r1")).sort((a, b) => a.id < b.id ? -1 : 1);
    assertEquals(sights, [
      { id: jobOf(1).id, state: "failed", failure },
      { id: jobOf(2).id, state: "active", doing: { worker: "w", unit: 2, done: 0.5 } },
    ]);
    assertEquals((await engine.jobs("r2")).map(({ state }) => state), ["waiting"]);
  },
  "gives a job of a silent worker to another one, and says who had it": async ({ engine, silence }) => {
    await engine.publish([jobOf(0)]);
    const first = (await engine.claim("first"))!;
    await engine.renew(first, { worker: "first", unit: 0, done: 0.25 });
    await silence();
    const second = (await engine.claim("second"))!;
    assertEquals([second.id, second.deaths, second.last], [first.id, 1, {
      worker: "first",
      unit: 0,
      done: 0.25,
    }]);
    assertEquals(await engine.renew(first, { worker: "first", unit: 0, done: 1 }), "lost");
    await engine.finish(first); // left to who holds it
    assertEquals(await engine.renew(second, { worker: "second", unit: 0, done: 0 }), "held");
    await engine.finish(second);
    assertEquals(await engine.jobs("r1"), []);
  },
  "gives back: at once without a failure, later with one": async ({ engine, delay }) => {
    await engine.publish([jobOf(0)]);
    await engine.release((await engine.claim("w"))!, 0);
    const again = (await engine.claim("w"))!;
    assertEquals([again.retries, again.failure], [0, undefined]);
    await engine.release(again, DELAY, { code: "io", message: "disk", unit: 0 });
    assertEquals(await engine.claim("w"), undefined);
    assertEquals((await engine.jobs("r1")).map(({ state }) => state), ["waiting"]);
    await delay();
    const third = (await engine.claim("w"))!;
    assertEquals([third.retries, third.failure], [1, { code: "io", message: "disk", unit: 0 }]);
  },
  "gives back one job and holds no other, so that the next worker has it": async ({ engine }) => {
    await engine.publish([jobOf(0), jobOf(1), jobOf(2), jobOf(3)]);
    const [first, second] = [(await engine.claim("w"))!, (await engine.claim("w"))!];
    await engine.release(first, DELAY, { code: "io", message: "disk", unit: 0 });
    assertEquals((await engine.claim("next"))!.id, jobOf(2).id);
    await engine.finish(second);
    assertEquals((await engine.claim("next"))!.id, jobOf(3).id);
  },
  "cancels a run: nothing waits, its workers hear of it, a new start begins anew": async ({ engine }) => {
    assertEquals(await engine.cancel("r1"), false);
    assertEquals(await engine.announce(LINE), "running");
    await engine.publish([jobOf(0), jobOf(1), jobOf(2, 3, 100, "r2")]);
    const claim = (await engine.claim("w"))!;
    assertEquals(await engine.cancel("r1"), true);
    assertEquals(await engine.renew(claim, { worker: "w", unit: 0, done: 0 }), "cancelled");
    assertEquals(await engine.announce(LINE), "cancelled");
    assertEquals((await engine.status()).runs.map(({ run, state }) => [run, state]), [["r1", "cancelled"]]);
    assertEquals((await engine.claim("w"))!.id, jobOf(2, 3, 100, "r2").id);
    await engine.release(claim, 0);
    await engine.begin("r1");
    assertEquals(await engine.jobs("r1"), []);
    assertEquals(await engine.announce(LINE), "running");
  },
  "keeps jobs of machines that are an hour behind": async ({ engine, rest }) => {
    await dated(1, () => engine.publish([jobOf(0)]));
    const claim = (await dated(-1, () => engine.claim("behind")))!;
    const doing = { worker: "behind", unit: 0, done: 0 };
    for (let i = 0; i < 3; i++) {
      assertEquals(await dated(-1, () => engine.renew(claim, doing)), "held");
      await rest();
      assertEquals(await dated(1, () => engine.claim("ahead")), undefined);
    }
    await dated(-1, () => engine.finish(claim));
    assertEquals(await engine.jobs("r1"), []);
  },
  "takes jobs from silent machines that are an hour ahead": async ({ engine, silence }) => {
    await engine.publish([jobOf(0)]);
    const first = (await dated(1, () => engine.claim("ahead")))!;
    await dated(1, () => engine.renew(first, { worker: "ahead", unit: 0, done: 0.5 }));
    await silence();
    const second = (await dated(-1, () => engine.claim("behind")))!;
    assertEquals([second.id, second.deaths], [first.id, 1]);
  },
  "lets a job wait for its time, whatever the clocks of machines say": async ({ engine, delay }) => {
    await engine.publish([jobOf(0)]);
    const failure = { code: "io", message: "disk", unit: 0 };
    for (const [from, to] of [[1, -1], [-1, 1]] as const) {
      const claim = (await dated(from, () => engine.claim("first")))!;
      await dated(from, () => engine.release(claim, DELAY, failure));
      assertEquals(await dated(to, () => engine.claim("second")), undefined);
      assertEquals(await dated(from, () => engine.claim("first")), undefined);
      await delay();
      const again = (await dated(to, () => engine.claim("second")))!;
      assertEquals(again.failure, failure);
      await dated(to, () => engine.release(again, 0));
    }
  },
  "shows runs and workers": async ({ engine }) => {
    await engine.announce(LINE);
    await engine.announce({ ...LINE, done: 2 });
    await engine.greet({ worker: "b:1", tilewise: "0", job: "x" });
    await engine.greet({ worker: "a:1", tilewise: "0" });
    const { runs, workers } = await engine.status();
    assertEquals(runs, [{ ...LINE, done: 2 }]);
    assertEquals(workers.map(({ worker }) => worker).sort(), ["a:1", "b:1"]);
  },
  "takes a thousand jobs in one call": async ({ engine }) => {
    await engine.publish(Array.from({ length: 1100 }, (_, i) => jobOf(i)));
    assertEquals((await engine.jobs("r1")).length, 1100);
    assert(await engine.claim("w"));
    await engine.withdraw("r1");
    assertEquals((await engine.jobs("r1")).map(({ state }) => state), ["active"]);
  },
};

/** A server that a test starts and ends. */
export interface EngineServer {
  readonly url: string;
  /** Starts it, with what it had written. */
  up(): Promise<void>;
  /** Ends it at once. */
  kill(): Promise<void>;
}

/** An engine says that its server is away, and comes back with it. */
export async function comesBack(engine: Engine, server: EngineServer): Promise<void> {
  await server.kill();
  const error = await assertRejects(() => openEngine(server.url), TilewiseError, "cannot be reached");
  assertEquals(error.code, "io");
  await server.up();
  await engine.greet({ worker: "w", tilewise: "0" });
  assertEquals((await engine.status()).workers.length, 1);
}
