/**
 * What every executor must do; each kind is given to it.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Executor } from "../../src/executor/task.ts";
import type { Step } from "./jobs/steps.ts";
import { answers, collect, failure, sleep, Steps, until } from "./steps.ts";

/** Nothing, after `n` turns of the loop of events. */
async function turns(n: number): Promise<undefined> {
  for (let i = 0; i < n; i++) await sleep(0);
  return undefined;
}

/** Milliseconds to close handlers after a failure: no test here needs the end of a thread that does not come back. */
export const GRACE = 600_000;

/** Runs the suite over one executor that `make` makes: no test may leave anything behind that disturbs the next one. */
export function executorConformance(kind: string, make: () => Executor): void {
  let shared: Executor | undefined;
  Deno.test.afterAll(async () => await shared?.[Symbol.asyncDispose]());
  const test = (what: string, body: (steps: Steps, executor: Executor) => Promise<void>) =>
    Deno.test(`${kind}: ${what}`, async () => {
      shared ??= make();
      using steps = new Steps(shared);
      await body(steps, shared);
    });

  for (const n of [0, 1, 2, 7, 1000]) {
    test(`${n} tasks give ${n} results, each once`, async (steps, executor) => {
      const run = steps.run(answers(n));
      const results = await collect(run);
      const sorted = results.toSorted((a, b) => a.index - b.index);
      assertEquals(sorted.map(({ index }) => index), [...Array(n).keys()]);
      assertEquals(sorted.map(({ value }) => value.value), [...Array(n).keys()]);
      assert(results.every(({ attempts, value, worker }) => attempts === 1 && value.worker === worker));
      assert(results.every(({ worker }) => worker >= 0 && worker < executor.workers));
      assertEquals(steps.ran, n);
      assertEquals(run.inFlight(), 0);
      assert(await run.drained);
    });
  }

  test("every handler is made once a worker and closed once", async (steps, executor) => {
    const results = await steps.all(answers(200));
    const handlers = new Map(results.map(({ worker, value }) => [worker, value.handler]));
    for (const { worker, value } of results) assertEquals(value.handler, handlers.get(worker));
    assertEquals(steps.opened, handlers.size);
    assertEquals(steps.closed, steps.opened);
    assert(handlers.size <= executor.workers);
  });

  test("shared data is the same object for all tasks of a worker", async (steps) => {
    const results = await steps.all(answers(50));
    assert(results.every(({ value }) => value.sameShared));
  });

  test(
    "tasks are taken in order: long ones when a worker is free, short ones at most one ahead",
    async (steps, executor) => {
      for (
        const { ms, most } of [{ ms: 20, most: executor.workers }, { ms: 1, most: 2 * executor.workers }]
      ) {
        const before = steps.finished;
        const tasks = function* (): Generator<Step> {
          for (let given = 0; given < 24; given++) {
            const working = before + given - steps.finished;
            assert(working < most, `task ${given} of ${ms} ms was taken while ${working} are at work`);
            yield { do: "sleep", ms, value: given };
          }
        };
        const results = await collect(steps.run(tasks()));
        assertEquals(results.length, 24);
        for (const { index, value } of results) assertEquals(value.value, index);
      }
    },
  );

  test("a caller that does not take its results holds the tasks back", async (steps, executor) => {
    let given = 0;
    function* tasks(): Generator<Step> {
      for (; given < 200; given++) yield { do: "answer", value: given };
    }
    let results = 0;
    for await (const _ of steps.run(tasks())) {
      if (results++ === 0) await sleep(50);
      assert(given <= results + 4 * executor.workers + 4);
    }
    assertEquals(results, 200);
  });

  test("an asynchronous source holds tasks back until results are there", async (steps) => {
    let buffers = 1;
    let wake = () => {};
    async function* tasks(): AsyncGenerator<Step> {
      for (let value = 0; value < 20; value++) {
        if (buffers === 0) await new Promise<void>((resolve) => wake = resolve);
        assertEquals(buffers--, 1);
        yield { do: "answer", value };
      }
    }
    let next = 0;
    for await (const { index } of steps.run(tasks())) {
      assertEquals(index, next++);
      buffers++;
      wake();
    }
    assertEquals(next, 20);
  });

  test("a task that throws ends the run with its number, message and stack", async (steps) => {
    const tasks: Step[] = [...answers(3), { do: "throw", value: 3 }, ...answers(50)];
    const run = steps.run(tasks);
    const error = await failure(collect(run), "udf");
    assertEquals(error.details.task, 3);
    assertStringIncludes(error.message, "step 3");
    assertStringIncludes(error.stack ?? "", "jobs/steps.ts");
    assertEquals((error.cause as Error).name, "RangeError");
    assert(await run.drained);
    assertEquals(steps.closed, steps.opened);
    assertEquals((await steps.all(answers(5))).length, 5);
  });

  test("an error of ours keeps its code, details and cause", async (steps) => {
    const error = await failure(steps.all([{ do: "throw typed" }]), "truncated");
    assertEquals(error.details, { file: "scan.raw", offset: 512, task: 0 });
    assertEquals((error.cause as Error).message, "inner");
  });

  test("a thrown text is an error as well", async (steps) => {
    assertStringIncludes((await failure(steps.all([{ do: "throw text" }]), "udf")).message, "only text");
  });

  test("what is thrown may be anything: no error, causes in a circle", async (steps) => {
    await failure(steps.all([{ do: "throw nothing" }]), "udf");
    const error = await failure(steps.all([{ do: "throw in a circle" }]), "udf");
    assertStringIncludes(error.message, "outer");
    assertEquals(((error.cause as Error).cause as Error).message, "inner");
    assertEquals((await steps.all(answers(5))).length, 5);
  });

  test("a task that would end the program is an error that says so", async (steps) => {
    for (const [how, called] of [["exit", "Deno.exit"], ["process.exit", "process.exit"]] as const) {
      const error = await failure(steps.all([...answers(3), { do: how }, ...answers(3)]), "udf");
      assertEquals(error.details, { task: 3, found: `${called}()` });
      assertStringIncludes(error.message, `${called}(), which would end the program`);
    }
    assertEquals((await steps.all(answers(5))).length, 5);
  });

  test("messages that a task forges do no harm, and are counted", async (steps, executor) => {
    const tasks = Array.from({ length: 4 }, (_, value): Step => ({ do: "forge", value, ms: 50 }));
    const run = steps.run([...tasks, ...answers(20)]);
    const results = await collect(run);
    assertEquals(results.length, 24);
    for (const { index, value } of results) assertEquals(value.value, index < 4 ? index : index - 4);
    assert(await run.drained);
    assertEquals(run.ignoredMessages > 0, executor.kind !== "inline", `${run.ignoredMessages} were counted`);
    assertEquals(steps.closed, steps.opened);
  });

  test("a task that takes over the listeners of its thread harms nobody", async (steps) => {
    const tasks: Step[] = [...answers(2), { do: "take over", value: 2 }, ...answers(9)];
    assertEquals((await steps.all(tasks)).length, 12);
    assertEquals((await steps.all(answers(9))).length, 9);
  });

  test("an error of the source is the error of the run", async (steps) => {
    function* tasks(): Generator<Step> {
      yield { do: "answer" };
      throw new SyntaxError("no more");
    }
    async function* later(): AsyncGenerator<Step> {
      await sleep(1);
      yield* tasks();
    }
    for (const source of [tasks(), later()]) {
      const run = steps.run(source);
      assertEquals(String(await collect(run).catch((error) => error)), "SyntaxError: no more");
      assert(await run.drained);
      assertEquals(steps.closed, steps.opened);
    }
  });

  test("a job that cannot be used is told at once, with module and export", async (steps) => {
    const module = steps.job().module;
    const broken = import.meta.resolve("./jobs/broken.ts");
    const missing = import.meta.resolve("./jobs/nowhere.ts");
    const cases = [
      [{ module: broken }, broken, "broken on purpose"],
      [{ module: missing }, missing, "cannot be loaded"],
      [{ export: "nothing" }, module, "it is undefined, not a function; the module exports"],
      [{ export: "notAFunction" }, module, "it is number, not a function"],
      [{ export: "noHandler" }, module, "no method run"],
    ] as const;
    for (const [change, url, text] of cases) {
      const error = await failure(steps.all(answers(3), {}, change), "udf");
      assertStringIncludes(error.message, text);
      assertEquals(error.details, { module: url, export: steps.job(change).export });
    }
  });

  test("what the export or close throws is the error of the run", async (_, executor) => {
    for (const fail of ["open", "close"] as const) {
      using steps = new Steps(executor, { fail });
      const error = await failure(steps.all(answers(3)), "udf");
      assertStringIncludes(error.message, `cannot ${fail}`);
      assertEquals((error.cause as Error).name, "RangeError");
    }
  });

  test("a run cancelled before it begins does nothing", async (steps) => {
    const reason = new Error("not today");
    const run = steps.run(answers(3), { signal: AbortSignal.abort(reason) });
    assertEquals((await failure(collect(run), "aborted")).cause, reason);
    assertEquals(steps.ran, 0);
    assert(await run.drained);
  });

  test("a run is cancelled while a task waits, and its handlers are closed", async (steps) => {
    for (let i = 0; i < 5; i++) {
      const controller = new AbortController();
      const before = steps.ran;
      const run = steps.run([{ do: "listen" }, { do: "listen" }], { signal: controller.signal });
      const ended = failure(collect(run), "aborted");
      await steps.begun(before + 1);
      controller.abort("enough");
      const heard = await Promise.race([ended, turns(3)]);
      assertEquals(heard?.cause, "enough", "the caller hears of it at once, whatever the task does");
      assert(await run.drained);
      assertEquals(steps.closed, steps.opened);
    }
    assertEquals((await steps.all(answers(5))).length, 5);
  });

  test("a timer that aborts is heard though tasks keep their thread busy", async (steps) => {
    const controller = new AbortController();
    const run = steps.run(Array.from({ length: 400 }, (): Step => ({ do: "busy", ms: 5 })), {
      signal: controller.signal,
    });
    setTimeout(() => controller.abort("heard"), 1);
    assertEquals((await failure(collect(run), "aborted")).cause, "heard");
    assert(steps.ran < 400);
    assert(await run.drained);
  });

  test("a run is cancelled while its source holds back", async (steps) => {
    const controller = new AbortController();
    async function* tasks(): AsyncGenerator<Step> {
      yield { do: "answer" };
      await new Promise(() => {});
    }
    const run = steps.run(tasks(), { signal: controller.signal });
    const ended = failure(collect(run), "aborted");
    await steps.begun(1);
    controller.abort();
    await ended;
    assert(await run.drained);
    assertEquals(steps.closed, 1);
  });

  test("a caller that breaks off closes source and handlers", async (steps) => {
    let returned = false;
    function* tasks(): Generator<Step> {
      try {
        for (;;) yield { do: "answer" };
      } finally {
        returned = true;
      }
    }
    for await (const { index } of steps.run(tasks())) if (index === 3) break;
    assert(returned);
    assertEquals(steps.closed, steps.opened);
  });

  test("units are seen before the task is done, and are gone with its result", async (steps) => {
    const run = steps.run([{ do: "advance", value: 5, ms: 500 }]);
    const results = collect(run);
    await steps.begun(1);
    await until(() => run.inFlight() === 5, results);
    await results;
    assertEquals(run.inFlight(), 0);
  });

  test("two runs at once do not disturb each other", async (steps, executor) => {
    using other = new Steps(executor);
    const [a, b] = await Promise.all([steps.all(answers(100)), other.all(answers(60))]);
    assertEquals([a.length, b.length], [100, 60]);
    assertEquals([steps.ran, other.ran], [100, 60]);
    assertEquals([steps.closed, other.closed], [steps.opened, other.opened]);
  });

  test("a run whose tasks wait for another run does not block it", async (steps, executor) => {
    using other = new Steps(executor);
    const gate = Promise.withResolvers<void>();
    async function* tasks(): AsyncGenerator<Step> {
      await gate.promise;
      yield { do: "answer" };
    }
    const waiting = steps.all(tasks());
    assertEquals((await other.all(answers(20))).length, 20);
    gate.resolve();
    assertEquals((await waiting).length, 1);
  });

  test("is iterated over once, and not after it was disposed", async (steps, executor) => {
    const run = steps.run(answers(1));
    await collect(run);
    await failure(collect(run), "invalid");
    await executor[Symbol.asyncDispose]();
    await failure((async () => await steps.all(answers(1)))(), "invalid");
    shared = undefined;
  });
}
