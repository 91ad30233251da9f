/** Workers die or hang, at every event: the run ends with all results or with an error that says why. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { isTilewiseError } from "../../src/errors.ts";
import { workerPool } from "../../src/executor/pool/pool.ts";
import type { Step } from "./jobs/steps.ts";
import { answers, collect, failure, sleep, Steps } from "./steps.ts";

const whole = (n: number) => [...Array(n).keys()];

for (const workers of [1, 2]) {
  Deno.test(`${workers} workers: one is killed after every result, in turn`, async () => {
    const n = 8;
    await using pool = workerPool({ workers });
    for (let at = 0; at < n; at++) {
      using steps = new Steps(pool);
      const seen: number[] = [];
      for await (const { index, value } of steps.run(answers(n))) {
        assertEquals(value.value, index);
        if (seen.push(index) === at + 1) pool.kill(at % workers);
      }
      assertEquals(seen.toSorted((a, b) => a - b), whole(n));
    }
    assertEquals(pool.replaced, n);
  });

  Deno.test(`${workers} workers: the worker of every task in turn dies at it`, async () => {
    const n = 6;
    await using pool = workerPool({ workers });
    for (const how of ["end", "reject", "uncaught"] as const) {
      for (let at = 0; at < n; at++) {
        using steps = new Steps(pool);
        const tasks = answers(n);
        tasks[at] = { do: how, value: at, times: 1, cell: 0 };
        const results = await steps.all(tasks);
        assertEquals(results.map(({ index }) => index).toSorted((a, b) => a - b), whole(n));
        for (const { index, attempts } of results) assertEquals(attempts, index === at ? 2 : 1);
      }
    }
    assertEquals(pool.replaced, 3 * n);
  });

  for (const how of ["end", "reject", "uncaught"] as const) {
    Deno.test(`${workers} workers: a task that always ends its worker (${how}) is told after 3 times`, async () => {
      await using pool = workerPool({ workers });
      using steps = new Steps(pool);
      const error = await failure(steps.all([...answers(2), { do: how }, ...answers(2)]), "worker");
      assertStringIncludes(error.message, "Cannot finish task 2: it has lost its worker 3 times");
      assertEquals(error.details.task, 2);
      assertEquals(error.details.attempts, 3);
      if (how === "reject") assertStringIncludes((error.cause as Error).message, "nobody listens");
      if (how === "uncaught") assertStringIncludes((error.cause as Error).message, "out of line");
      assertEquals((await steps.all(answers(5))).length, 5);
    });
  }
}

Deno.test("a task that fills the heap of its worker is told, and nothing else is lost", async () => {
  await using pool = workerPool({ workers: 2, heap: 2 ** 26 });
  using steps = new Steps(pool);
  const seen: number[] = [];
  const error = await failure(
    (async () => {
      for await (const { index } of steps.run([...answers(3), { do: "fill" }, ...answers(3)])) {
        seen.push(index);
      }
    })(),
    "worker",
  );
  assertEquals([error.details.task, error.details.found], [3, "out of memory"]);
  assertStringIncludes(error.message, "it has lost its worker 2 times (out of memory)");
  assert(seen.includes(0), "results that are there stay");
  assertEquals((await steps.all(answers(20))).length, 20);
  assertEquals(pool.replaced, 2);
});

Deno.test("a heap that was filled once does not end the run", async () => {
  await using pool = workerPool({ workers: 1, heap: 2 ** 26 });
  using steps = new Steps(pool);
  const [filled] = await steps.all([{ do: "fill", times: 1, cell: 0 }]);
  assertEquals(filled!.attempts, 2);
});

Deno.test("a worker that closes itself by code of users is an error of that code", async () => {
  await using pool = workerPool({ workers: 2 });
  using steps = new Steps(pool);
  const error = await failure(steps.all([...answers(2), { do: "close" }]), "udf");
  assertEquals(error.details, { task: 2, found: "close()" });
  assertEquals((await steps.all(answers(5))).length, 5);
  assertEquals(pool.replaced, 0);
});

Deno.test("a worker that ends by itself is missed, and does not count as one that hangs", async () => {
  await using pool = workerPool({ workers: 1 });
  using steps = new Steps(pool);
  await steps.all(answers(1));
  const error = await failure(steps.all([{ do: "end" }], { attempts: 1 }), "worker");
  assertStringIncludes(error.message, "(ended)");
});

Deno.test("workers that are killed before and while they start are replaced", async () => {
  await using pool = workerPool({ workers: 2 });
  using steps = new Steps(pool);
  pool.kill(0); // not started yet: nothing to kill
  const results = steps.all(answers(10));
  pool.kill(0);
  pool.kill(1);
  assertEquals((await results).length, 10);
  assertEquals(pool.replaced, 2);
});

Deno.test("a worker that others end again and again while it starts is not a worker that cannot start", async () => {
  await using pool = workerPool({ workers: 1 });
  using steps = new Steps(pool);
  const results = steps.all(answers(5));
  for (let times = 0; times < 5; times++) pool.kill(0);
  assertEquals((await results).length, 5);
  assertEquals(pool.replaced, 5);
});

Deno.test("all workers die at once, twice", async () => {
  await using pool = workerPool({ workers: 2 });
  using steps = new Steps(pool);
  const tasks = Array.from({ length: 12 }, (_, value): Step => ({ do: "sleep", ms: 5, value }));
  const seen: number[] = [];
  for await (const { index } of steps.run(tasks)) {
    seen.push(index);
    if (seen.length === 3 || seen.length === 7) whole(2).forEach((worker) => pool.kill(worker));
  }
  assertEquals(seen.toSorted((a, b) => a - b), whole(12));
});

Deno.test("an idle worker that dies is replaced, and a run that it knew goes on", async () => {
  await using pool = workerPool({ workers: 2 });
  using steps = new Steps(pool);
  const run = steps.run(answers(30));
  const results = run[Symbol.asyncIterator]();
  await results.next();
  await sleep(20); // the pool waits for the caller
  pool.kill(0);
  pool.kill(1);
  let count = 1;
  while (!(await results.next()).done) count++;
  assertEquals(count, 30);
});

Deno.test("a worker that hangs is replaced and its task done by another", async () => {
  await using pool = workerPool({ workers: 2 });
  using steps = new Steps(pool);
  await steps.all(answers(4));
  const tasks: Step[] = [...answers(3), { do: "hang", value: 3, times: 1, cell: 0 }, ...answers(3)];
  const run = steps.run(tasks, { stallTimeout: 300 });
  const results = await collect(run);
  assertEquals(results.length, 7);
  assertEquals(results.find(({ index }) => index === 3)!.attempts, 2);
  steps.release();
  assert(await run.drained);
});

Deno.test("a task that hangs every time is a timeout that names it", async () => {
  for (const how of ["hang", "never"] as const) {
    await using pool = workerPool({ workers: 1 });
    using steps = new Steps(pool);
    const error = await failure(
      steps.all([...answers(1), { do: how }], { stallTimeout: 100, attempts: 2 }),
      "timeout",
    );
    assertStringIncludes(error.message, "Cannot finish task 1: it has lost its worker 2 times (hung)");
  }
});

Deno.test("a slow task that gives signs of life is left alone", async () => {
  await using pool = workerPool({ workers: 1 });
  using steps = new Steps(pool);
  const [result] = await steps.all([{ do: "beat", ms: 700 }], { stallTimeout: 200 });
  assertEquals(result!.attempts, 1);
  assertEquals(pool.replaced, 0);
});

Deno.test("this thread being busy does not make workers hang", async () => {
  await using pool = workerPool({ workers: 2 });
  using steps = new Steps(pool);
  let results = 0;
  for await (const _ of steps.run(answers(12), { stallTimeout: 100 })) {
    results++;
    for (const end = performance.now() + 130; performance.now() < end;);
  }
  assertEquals(results, 12);
  assertEquals(pool.replaced, 0);
});

Deno.test("a death takes its units back", async () => {
  await using pool = workerPool({ workers: 1 });
  using steps = new Steps(pool);
  const run = steps.run([{ do: "advance", value: 9, ms: 60_000, times: 1, cell: 0 }]);
  const results = collect(run);
  await steps.begun(1);
  while (run.inFlight() !== 9) await sleep(1);
  pool.kill(0);
  assertEquals(run.inFlight(), 0);
  assertEquals((await results)[0]!.attempts, 2);
});

Deno.test("a dead worker in one run does not cost the other run its tasks", async () => {
  await using pool = workerPool({ workers: 2 });
  using steps = new Steps(pool);
  using other = new Steps(pool);
  const [error, results] = await Promise.all([
    failure(steps.all([{ do: "end" }]), "worker"),
    other.all(Array.from({ length: 40 }, (_, value): Step => ({ do: "sleep", ms: 2, value }))),
  ]);
  assertEquals(error.details.task, 0);
  assertEquals(results.map(({ value }) => value.value).toSorted((a, b) => a - b), whole(40));
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Step>({ do: "answer" }) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: "sleep", ms: 1 }) },
  fc.record({
    do: fc.constantFrom<Step["do"]>("end", "reject", "uncaught"),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  // always: a worker that is killed before it has said what was thrown must not make an answer of it
  fc.constant<Step>({ do: "throw" }),
);

Deno.test("any mix of faults ends in all results or in the error of one of them", async () => {
  const run = async (script: Step[], workers: number, kills: number[]) => {
    await using pool = workerPool({ workers });
    using steps = new Steps(pool);
    const tasks = script.map((step, value): Step => ({ ...step, value, cell: value }));
    const fatal = tasks.flatMap(({ do: what, times = 0 }, i) => what === "throw" || times >= 3 ? [i] : []);
    const seen: number[] = [];
    try {
      // Kills are charged to the tasks that they hit, so there are more attempts than kills and deaths.
      for await (const { index, value } of steps.run(tasks, { attempts: 3 + kills.length * 2 })) {
        assertEquals(value.value, index);
        seen.push(index);
        if (kills.includes(seen.length)) pool.kill(seen.length % workers);
      }
      assertEquals(seen.toSorted((a, b) => a - b), whole(tasks.length));
      assert(fatal.every((i) => tasks[i]!.do !== "throw"));
    } catch (error) {
      assert(isTilewiseError(error), `not an error of ours: ${error}`);
      assert(
        fatal.includes(error.details.task as number),
        `task ${error.details.task} was not to fail: ${error}`,
      );
    }
  };
  const scripts = fc.array(step, { maxLength: 12 });
  const kills = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 2 });
  const property = fc.asyncProperty(scripts, fc.integer({ min: 1, max: 3 }), kills, run);
  await fc.assert(property, { seed: 20, numRuns: 25 });
});
