/** Jobs of users run in a context: in order, with its ending, typed by what their module exports. */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { createContext, TilewiseError } from "@tilewise/tilewise";
import { startHost } from "@tilewise/tilewise/channels";
import { launch, type TaskProgress } from "@tilewise/tilewise/unstable/run";
import { abandon, insideOf } from "../../src/runner/context.ts";
import type { Same } from "../types/same.ts";
import type { endless, failing, times } from "./launch_jobs.ts";
import { insideOfHost } from "../../src/channels/host/inside.ts";

const module = import.meta.resolve("./launch_jobs.ts");
const multiply = { module, export: "times", shared: { by: 10 } };

for (const workers of [0, 2]) {
  Deno.test(`launch, ${workers} workers: results come in the order of the tasks, all at once or as they come`, async () => {
    await using context = createContext({ memory: 2 ** 20, workers });
    const all = await launch<typeof times>(context, multiply, [1, 2, 3, 4]);
    const typed: Same<typeof all, number[]> = true;
    assertEquals([all, typed], [[10, 20, 30, 40], true]);
    const some: number[] = [];
    for await (const result of launch<typeof times>(context, multiply, [5, 6, 7])) some.push(result);
    assertEquals(some, [50, 60, 70]);
  });

  Deno.test(`launch, ${workers} workers: leaving the iteration early stops the others`, async () => {
    await using context = createContext({ memory: 2 ** 20, workers });
    let given = 0;
    function* tasks() {
      for (; given < 1000; given++) yield given;
    }
    for await (const _ of launch<typeof times>(context, multiply, tasks())) break;
    await context.settled();
    assert(given < 1000, `${given} tasks were given`);
  });

  Deno.test(`launch, ${workers} workers: what a task throws ends it, with the number of the task`, async () => {
    await using context = createContext({ memory: 2 ** 20, workers });
    const job = { module, export: "failing", shared: 2 };
    const error = await assertRejects(async () => await launch<typeof failing>(context, job, [0, 1, 2, 3]));
    assert(error instanceof Error && error.message.includes("task 2 is too much"), String(error));
    assertEquals((await launch<typeof failing>(context, { ...job, shared: -1 }, [0])).length, 1);
  });

  Deno.test(`launch, ${workers} workers: it can be cancelled, and ends with its context`, async () => {
    await using context = createContext({ memory: 2 ** 20, workers });
    const stop = new AbortController();
    const job = { module, export: "endless", shared: null };
    const { signal } = stop;
    const code = async (run: PromiseLike<unknown>) => {
      return (await assertRejects(async () => await run, TilewiseError)).code;
    };
    const cancelled = code(launch<typeof endless>(context, job, [1], { signal }));
    setTimeout(() => stop.abort(), 10);
    assertEquals(await cancelled, "aborted");
    const disposed = code(launch<typeof endless>(context, job, [1]));
    setTimeout(() => context[Symbol.asyncDispose](), 10);
    assertEquals(await disposed, "aborted");
  });

  Deno.test(`launch, ${workers} workers: onProgress is told of the end, and its errors end the run`, async () => {
    await using context = createContext({ memory: 2 ** 20, workers });
    const told: TaskProgress[] = [];
    await launch<typeof times>(context, multiply, [1, 2, 3], { onProgress: (at) => told.push(at) });
    assertEquals(told.at(-1)?.tasks, 3);
    const onProgress = () => {
      throw new RangeError("no screen");
    };
    const run = async () => await launch<typeof times>(context, multiply, [1, 2, 3], { onProgress });
    await assertRejects(run, RangeError, "no screen");
  });
}

Deno.test("launch: what is no job, and no context, is refused", async () => {
  await using context = createContext({ memory: 2 ** 20, workers: 0 });
  const refused = (run: () => unknown, words: string) => {
    assertEquals(assertThrows(run, TilewiseError, words).code, "invalid");
  };
  refused(
    () => launch(context, times1 as never, []),
    "launch() takes a job { module: URL, export: NAME, shared }",
  );
  refused(() => launch({} as never, multiply, []), "a context, as createContext() makes it");
  const missing = { module, export: "none", shared: null };
  await assertRejects(async () => await launch(context, missing, [1]), TilewiseError, "none");
});

const times1 = () => ({ run: () => 1 });

Deno.test("launch: tasks and shared data that do not fit the job do not compile", async () => {
  await using context = createContext({ memory: 2 ** 20, workers: 0 });
  // @ts-expect-error: tasks are numbers
  void (() => launch<typeof times>(context, multiply, ["1"]));
  // @ts-expect-error: it is shared as { by }
  void (() => launch<typeof times>(context, { module, export: "times", shared: { factor: 10 } }, [1]));
});

Deno.test("a host launches jobs in the memory of its channels, and refuses to when the context has other memory", async () => {
  await using context = createContext({ memory: 2 ** 20, workers: 2 });
  await using host = await startHost(context, { channels: 2, bufferLength: 1, elementSize: 8, grace: 50 });
  assertEquals(await insideOfHost(host)!.launch<typeof times>(multiply, [1, 2]), [10, 20]);
  const { offset, byteLength } = host.name("scan.raw");
  const bytes = new Uint8Array(insideOf(context).arena.memory.buffer, offset, byteLength).slice();
  assertEquals(new TextDecoder().decode(bytes), "scan.raw");
  abandon(insideOf(context), insideOf(context).arena);
  const error = await assertRejects(
    async () => await insideOfHost(host)!.launch<typeof times>(multiply, [1]),
    TilewiseError,
  );
  assertEquals(error.code, "lease");
});
