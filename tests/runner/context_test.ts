/** One context serves runs of all kinds: they share its memory and its workers, and all of them end in one way. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { inlineExecutor } from "../../src/executor/inline.ts";
import { workerPool } from "../../src/executor/pool/pool.ts";
import { processExecutor } from "../../src/executor/process/executor.ts";
import type { Executor, TaskRun } from "../../src/executor/task.ts";
import { admissionOf, RunContext } from "../../src/runner/context.ts";
import { type Kind, KINDS } from "./kinds.ts";

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Nothing is held any more. */
async function isHome(context: RunContext): Promise<void> {
  await context.settled();
  assertEquals([context.arena.used, admissionOf(context).waiting], [0, 0]);
}

/** Two threads for all tests that need no others. */
const pool = workerPool({ workers: 2 });
Deno.test.afterAll(async () => await pool[Symbol.asyncDispose]());

/** A context on these threads, or on this one. */
function contextOn(workers: number): RunContext {
  return new RunContext({ memory: 2 ** 24, ...(workers === 0 ? { workers } : { executor: pool }) });
}

const held = new Map<string, Promise<number>>();

/** Bytes that a run holds. */
function bytesOf(kind: Kind, workers: number): Promise<number> {
  const key = `${kind.name} ${workers}`;
  const known = held.get(key) ?? measured(kind, workers);
  held.set(key, known);
  return known;
}

async function measured({ plan }: Kind, workers: number): Promise<number> {
  await using context = contextOn(workers);
  await (await plan(context)).start();
  return context.arena.peak;
}

/** Every two kinds, and every kind with itself. */
const PAIRS = KINDS.flatMap((one, i) => KINDS.slice(i).map((other): [Kind, Kind] => [one, other]));

for (const workers of [0, 2]) {
  for (const [one, other] of PAIRS) {
    const name = `${workers} workers: ${one.name} and ${other.name}`;

    Deno.test(`${name} at once: neither waits for the end of the other where there is room`, async () => {
      await using context = contextOn(workers);
      const kinds = [one, other];
      const begun = kinds.map(() => Promise.withResolvers<void>());
      const both = Promise.all(begun.map(({ promise }) => promise));
      const plans = await Promise.all(kinds.map(({ plan }) => plan(context)));
      const answers = await Promise.all(plans.map(({ start }, i) =>
        start({}, () => {
          begun[i]!.resolve();
          return both;
        })
      ));
      assertEquals(answers, kinds.map(({ answer }) => answer));
      await isHome(context);
    });

    Deno.test(`${name} at once: they take turns where there is room for one`, async () => {
      const most = Math.max(await bytesOf(one, workers), await bytesOf(other, workers));
      await using context = contextOn(workers);
      using ballast = context.arena.lease(2 ** 24 - most, "all but the room for one");
      const [first, second] = await Promise.all([one, other].map(({ plan }) => plan(context)));
      const ends: string[] = [];
      let waited = 0;
      let waiting: Promise<number[]> | undefined;
      const running = first!.start({}, async () => { // it holds its memory now
        waiting ??= second!.start().finally(() => ends.push("second"));
        while (waited === 0 && ends.length === 0) {
          await sleep(1);
          waited = admissionOf(context).waiting;
        }
      }).finally(() => ends.push("first"));
      assertEquals([await running, await waiting], [one.answer, other.answer]);
      assertEquals([ends, waited], [["first", "second"], 1]);
      ballast.release();
      await isHome(context);
    });
  }

  for (const { name, plan, answer } of KINDS) {
    Deno.test(`${workers} workers: ${name}: a context that is disposed of ends what runs in it, and refuses what comes later`, async () => {
      await using context = new RunContext({ memory: 2 ** 24, workers });
      const { start } = await plan(context);
      const closing = () => context[Symbol.asyncDispose]();
      const error = await assertRejects(
        () => start({}, closing),
        TilewiseError,
        "disposed of during the run",
      );
      assertEquals(error.code, "aborted");
      await isHome(context);
      const later = await assertRejects(
        () => start(),
        TilewiseError,
        "has been disposed of; make another one",
      );
      assertEquals([later.code, later.details.option], ["invalid", "context"]);
      await isHome(context);
    });

    Deno.test(`${workers} workers: ${name}: a context that is disposed of while a run begins ends it`, async () => {
      await using context = new RunContext({ memory: 2 ** 24, workers });
      const { start } = await plan(context);
      const begun = code(start());
      await context[Symbol.asyncDispose]();
      assertEquals(await begun, name === "a cube" ? "invalid" : "aborted"); // its providers begin first, without a context
      await isHome(context);
    });

    Deno.test(`${workers} workers: ${name}: onProgress is told of the end, and its errors end the run`, async () => {
      await using context = contextOn(workers);
      const { start } = await plan(context);
      const told: number[] = [];
      assertEquals(await start({ onProgress: ({ etaSeconds }) => void told.push(etaSeconds) }), answer);
      assertEquals(told.at(-1), 0);
      const failing = () => {
        throw new RangeError("no screen");
      };
      await assertRejects(() => start({ onProgress: failing }), RangeError, "no screen");
      await isHome(context);
    });

    Deno.test(`${workers} workers: ${name}: without a turn it can be refused, cancelled, or ended with its context`, async () => {
      await using context = contextOn(workers);
      const { start } = await plan(context);
      using _ = context.arena.lease(2 ** 24, "somebody else");
      assertEquals(await code(start({ wait: false })), "over-budget");
      const patience = { wait: true, limit: 30_000, signal: new AbortController().signal };
      const [, tenant] = await admissionOf(context).enter(() => {}, patience); // somebody who may give memory back
      const stop = new AbortController();
      const waiting = [code(start({ signal: stop.signal })), code(start())];
      while (admissionOf(context).waiting < 2) await sleep(1);
      stop.abort();
      assertEquals(await waiting[0], "aborted");
      await context[Symbol.asyncDispose]();
      assertEquals(await waiting[1], "aborted");
      admissionOf(context).leave(tenant);
    });
  }
}

const code = (run: Promise<unknown>) => run.then(() => "done", (error: TilewiseError) => error.code);

for (const { name, plan, answer } of KINDS) {
  Deno.test(`${name}: a plan is run in the context that it was made for, and refused in another one`, async () => {
    await using context = new RunContext({ memory: 2 ** 24, workers: 0 });
    await using other = new RunContext({ memory: 2 ** 24, workers: 0 });
    const { start } = await plan(context);
    const error = await assertRejects(
      () => start({ context: other } as never),
      TilewiseError,
      "run() runs a plan in the context that it was made for",
    );
    assertEquals([error.code, error.details.option], ["invalid", "context"]);
    await assertRejects(() => start({ Signal: 1 } as never), TilewiseError, 'run() has no option "Signal"');
  });

  Deno.test(`${name}: an executor that has gone is an error, before the run and in it`, async () => {
    for (const executor of [workerPool({ workers: 2 }), processExecutor({ workers: 2 }), inlineExecutor()]) {
      await using context = new RunContext({ memory: 2 ** 24, executor });
      const { start } = await plan(context);
      assertEquals(await start(), answer);
      if (executor.kind !== "inline") {
        const going = () => executor[Symbol.asyncDispose]();
        const error = await assertRejects(() => start({}, going), TilewiseError, "disposed");
        assertEquals(error.code, "aborted");
      }
      await executor[Symbol.asyncDispose]();
      const error = await assertRejects(() => start(), TilewiseError, "has been disposed");
      assertEquals(error.code, "invalid");
      await isHome(context);
    }
  });

  Deno.test(`${name}: memory is written off when an executor could not end a thread`, async () => {
    await using context = new RunContext({ memory: 2 ** 24, executor: hanging() });
    const { start } = await plan(context);
    const { arena } = context;
    const error = await assertRejects(() => start(), TilewiseError, "hangs");
    assertEquals(error.code, "timeout");
    await context.settled();
    assert(arena.used > 0 && context.arena !== arena && context.arena.used === 0);
  });
}

/** An executor whose only thread hangs and cannot be ended. */
function hanging(): Executor {
  const failing = () => ({ next: () => Promise.reject(new TilewiseError("timeout", "It hangs")) });
  const run = (): TaskRun<never> => ({
    [Symbol.asyncIterator]: failing,
    inFlight: () => 0,
    ignoredMessages: 0,
    lostWorkers: 0,
    drained: Promise.resolve(false),
  });
  return { kind: "workers", workers: 1, run, [Symbol.asyncDispose]: () => Promise.resolve() };
}

Deno.test("contexts can share an executor, and do not end it", async () => {
  for (const make of [workerPool, processExecutor]) {
    await using executor = make({ workers: 2 });
    for (const { plan, answer } of KINDS) {
      await using context = new RunContext({ memory: 2 ** 24, executor });
      assertEquals([context.workers, context.explicit], [2, true]);
      assertEquals(await (await plan(context)).start(), answer);
    }
  }
});

Deno.test("an executor has its own workers: no other number, and memory for all of them", async () => {
  await using executor = workerPool({ workers: 64 });
  const twice = assertThrows(() => new RunContext({ executor, workers: 2 }), TilewiseError, "leave it out");
  assertEquals([twice.code, twice.details.option], ["invalid", "workers"]);
  await using context = new RunContext({ memory: 2 ** 12, executor });
  for (const { plan } of KINDS.slice(0, 2)) {
    const error = await assertRejects(async () => await plan(context), TilewiseError);
    assertEquals([error.code, error.details.option], ["over-budget", "memory"]);
  }
});
