/** Worker processes: what they may do, what passes between them and their owner, and what happens when they talk nonsense. */

import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import type { Executor, Job } from "../../../src/executor/task.ts";
import type { SourceSpec } from "../../../src/io/source/source.ts";
import { CELLS_FOLDER, collect, failure, sleep, Steps } from "../steps.ts";
import type { Odd } from "./jobs/odd.ts";

/** What steps do beside what their jobs say. */
const permissions = { read: [CELLS_FOLDER], write: [CELLS_FOLDER], run: ["sh"] };

const MODULE = import.meta.resolve("./jobs/odd.ts");
const newMemory = () => new WebAssembly.Memory({ initial: 2, maximum: 2, shared: true });

function start(
  executor: Executor,
  tasks: readonly Odd[],
  more: Partial<Job<object>> = {},
  memory = newMemory(),
) {
  return executor.run<object, Odd, unknown>({ module: MODULE, export: "odd", shared: {}, ...more }, tasks, {
    memory,
  });
}

async function all(...given: Parameters<typeof start>): Promise<unknown[]> {
  const results = await collect(start(...given));
  return results.toSorted((a, b) => a.index - b.index).map(({ value }) => value);
}

const file = (path: string): SourceSpec => ({ kind: "file", path, size: 1 });

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const NONSENSE: readonly (readonly [what: string, Odd, text: string])[] = [
  ["text", { do: "text" }, `no message, but "Segmentation fault, core dumped·`],
  ["a frame without a message", { do: "no message" }, "a message that cannot be read"],
  ["a message longer than any", { do: "huge" }, "no message, but "],
  [
    "a kind that there is not",
    { do: "frame", message: { kind: "bingo" } },
    'what no worker says: {"kind":"bingo"}',
  ],
  ["nothing", { do: "frame", message: undefined }, "what no worker says: undefined"],
  ["a list", { do: "frame", message: [1, 2] }, "what no worker says: [1,2]"],
  ["a run without a number", { do: "frame", message: { kind: "closed" } }, "what no worker says"],
  [
    "an error that is none",
    { do: "frame", message: { kind: "failed", run: 0, error: 7 } },
    "what no worker says",
  ],
  [
    "units that are none",
    { do: "frame", message: { kind: "beat", runs: [[0, "a", 1]] } },
    "what no worker says",
  ],
  ["hello twice", { do: "frame", message: { kind: "hello", protocol: 1, version: "1" } }, "hello twice"],
  ["ready twice", { do: "frame", message: { kind: "ready" } }, "ready twice"],
  [
    "the end of a task that it has not been given",
    { do: "frame", message: { kind: "done", run: 0, index: 99, value: 1, units: 0 } },
    "that task 99 of run 0 is done, which it has not been given",
  ],
  [
    "more bytes than its task has",
    { do: "frame", message: { kind: "done", run: 0, index: 0, value: 1, units: 0 }, bytes: 5 },
    "5 bytes as the result of task 0, which has 0",
  ],
];

for (const [what, task, text] of NONSENSE) {
  Deno.test(`a process that says nonsense (${what}) is replaced; a task that makes it do so is told`, async () => {
    await inFolder(async (folder) => {
      await using executor = processExecutor({ workers: 1, permissions: { write: [folder] } });
      const error = await failure(all(executor, [task]), "worker");
      assertStringIncludes(error.message, "Cannot finish task 0: it has lost its worker 3 times (nonsense)");
      assertStringIncludes(error.message, text);
      assertEquals([error.details.task, error.details.found], [0, "nonsense"]);
      assertEquals(executor.replaced, 3);
      const once = await all(executor, [{ ...task, once: `${folder}/once` }, { do: "answer" }]);
      assertEquals(once, ["fine at last", "fine"]);
    });
  });
}

Deno.test("what tasks print does not get in the way", async () => {
  await using executor = processExecutor({ workers: 1 });
  assertEquals(await all(executor, [{ do: "print" }, { do: "answer" }]), ["printed", "fine"]);
  assertEquals(executor.replaced, 0);
});

Deno.test("a process may read its code and its sources, and nothing else", async () => {
  await inFolder(async (folder) => {
    const [mine, other] = [`${folder}/mine.raw`, `${folder}/other.raw`];
    for (const path of [mine, other]) await Deno.writeTextFile(path, "x");
    await using executor = processExecutor({ workers: 1 });
    const tasks: Odd[] = [
      { do: "read", path: mine },
      { do: "read", path: other },
      { do: "read", path: folder },
      { do: "read", path: "/etc/hostname" },
      { do: "write", path: mine },
      ...(["env", "net", "run", "sys", "ffi"] as const).map((what): Odd => ({ do: what })),
    ];
    const found = await all(executor, tasks, { sources: [file(mine)] });
    assertEquals(found, ["may", ...Array(9).fill("NotCapable")]);
    assertEquals(
      await all(executor, [{ do: "read", path: mine }]),
      ["NotCapable"],
      "a run without that source",
    );
  });
});

Deno.test("a source whose name has a comma is read with its folder, as Deno takes no commas", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/x, y`);
    const path = `${folder}/x, y/a,b.raw`;
    await Deno.writeTextFile(path, "x");
    await using executor = processExecutor({ workers: 1 });
    const tasks: Odd[] = [{ do: "read", path }, { do: "read", path: "/etc/hostname" }];
    assertEquals(await all(executor, tasks, { sources: [file(path)] }), ["may", "NotCapable"]);
    const error = await failure(all(executor, tasks, { sources: [file("/a,b.raw")] }), "unsupported");
    assertStringIncludes(error.message, "give it another name");
  });
});

Deno.test("a source behind a link is read, whichever part of its path is one", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/real`);
    for (const name of ["mine", "other"]) await Deno.writeTextFile(`${folder}/real/${name}`, "x");
    await Deno.symlink(`${folder}/real/mine`, `${folder}/link`);
    await Deno.symlink(`${folder}/real`, `${folder}/there`);
    await using executor = processExecutor({ workers: 1 });
    for (const path of [`${folder}/link`, `${folder}/there/mine`]) {
      const tasks: Odd[] = [{ do: "read", path }, { do: "read", path: `${folder}/there/other` }];
      assertEquals(await all(executor, tasks, { sources: [file(path)] }), ["may", "NotCapable"]);
    }
  });
});

Deno.test("runs with other sources get other processes; runs at the same time share those that may read both", async () => {
  await inFolder(async (folder) => {
    const paths = ["a", "b"].map((name) => `${folder}/${name}`);
    for (const path of paths) await Deno.writeTextFile(path, "x");
    const reads = paths.map((path): Odd => ({ do: "read", path }));
    await using executor = processExecutor({ workers: 1 });
    assertEquals(await all(executor, reads, { sources: [file(paths[0]!)] }), ["may", "NotCapable"]);
    assertEquals(await all(executor, reads, { sources: [file(paths[1]!)] }), ["NotCapable", "may"]);
    const both = paths.map((path) => all(executor, [...reads, { do: "answer" }], { sources: [file(path)] }));
    for (const found of await Promise.all(both)) assertEquals(found.at(-1), "fine");
    assertEquals(executor.replaced, 0, "nobody was lost");
    await using wide = processExecutor({ workers: 1, permissions: { read: [folder] } });
    assertEquals(await all(wide, reads, { sources: [file(paths[0]!)] }), ["may", "may"]);
    const { pids } = wide;
    assertEquals(await all(wide, reads, { sources: [file(paths[1]!)] }), ["may", "may"]);
    assertEquals(wide.pids, pids, "a folder that may be read holds both");
  });
});

Deno.test("runs that write other files share processes that may write to their folder", async () => {
  await inFolder(async (folder) => {
    const tasks: Odd[] = [{ do: "answer" }];
    const permissions = { read: [folder], write: [folder] };
    await using executor = processExecutor({ workers: 1, permissions });
    assertEquals(await all(executor, tasks, { files: [`${folder}/a`] }), ["fine"]);
    const { pids } = executor;
    assertEquals(await all(executor, tasks, { files: [`${folder}/b`] }), ["fine"]);
    assertEquals(executor.pids, pids);
    await using narrow = processExecutor({ workers: 1, permissions: { read: [folder] } });
    await all(narrow, tasks, { files: [`${folder}/a`] });
    const before = narrow.pids;
    await all(narrow, tasks, { files: [`${folder}/b`] });
    assert(narrow.pids[0] !== before[0], "reading is not writing");
  });
});

Deno.test("more sources than a command can name are read all the same", async () => {
  await inFolder(async (folder) => {
    const sources = Array.from({ length: 4000 }, (_, i) => file(`${folder}/${"long".repeat(10)}-${i}.raw`));
    const path = `${folder}/${"long".repeat(10)}-3999.raw`;
    await Deno.writeTextFile(path, "x");
    await using executor = processExecutor({ workers: 1 });
    const tasks: Odd[] = [{ do: "read", path }, { do: "read", path: "/etc/hostname" }];
    assertEquals(await all(executor, tasks, { sources }), ["may", "NotCapable"]);
  });
});

Deno.test("a module that may not import another one says which option lets it", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/job`);
    await Deno.writeTextFile(`${folder}/far.ts`, "export const far = 1;");
    await Deno.writeTextFile(
      `${folder}/job/job.ts`,
      'import { far } from "../far.ts"; export const odd = () => ({ run: () => far });',
    );
    const module = new URL(`file://${folder}/job/job.ts`).href;
    await using executor = processExecutor({ workers: 1 });
    const error = await failure(all(executor, [{ do: "answer" }], { module }), "permission");
    assertStringIncludes(error.message, `give processExecutor() permissions: { read: ["${folder}/far.ts"] }`);
    assertEquals(error.details.option, "permissions");
    await using wider = processExecutor({ workers: 1, permissions: { read: [`${folder}/far.ts`] } });
    assertEquals(await all(wider, [{ do: "answer" }], { module }), [1]);
  });
});

Deno.test("what tasks read is there, what they write comes back, and nothing else is touched", async () => {
  await using executor = processExecutor({ workers: 1 });
  const memory = newMemory();
  const bytes = new Uint8Array(memory.buffer);
  bytes.set([1, 2, 3, 4, 5, 6, 7, 8]);
  const traffic = {
    reads: [{ offset: 0, bytes: 4 }],
    of: (task: Odd) => ({
      reads: task.do === "memory" ? [{ offset: 4, bytes: 1, rows: 2, stride: 3 }] : [],
      writes: task.do === "add" ? [{ offset: 8, bytes: 4 }] : [],
    }),
  };
  const found = await all(executor, [{ do: "memory" }, { do: "add" }], { traffic }, memory);
  assertEquals(found[0], [1, 2, 3, 4, 5, 0, 0, 8, ...Array(8).fill(0)]);
  assertEquals([...bytes.subarray(0, 14)], [1, 2, 3, 4, 5, 6, 7, 8, 101, 102, 103, 104, 0, 0]);
  assertEquals(bytes[100], 0, "what is not said to be written stays where it is");
});

Deno.test("bytes with a version are sent to a process once", async () => {
  await using executor = processExecutor({ workers: 1 });
  const memory = newMemory();
  const bytes = new Uint8Array(memory.buffer);
  let version = 1;
  const traffic = {
    reads: [],
    of: () => ({ reads: [{ offset: 0, bytes: 1, version }], writes: [] }),
  };
  let answered = Promise.withResolvers<void>();
  async function* tasks(): AsyncGenerator<Odd> { // the next task is taken ahead: nothing changes before the answer
    for (const [value, next] of [[5, 1], [6, 1], [7, 2]] as const) {
      bytes[0] = value;
      version = next;
      yield { do: "memory" };
      await answered.promise;
      answered = Promise.withResolvers<void>();
    }
  }
  const job = { module: MODULE, export: "odd", shared: {}, traffic };
  const first: unknown[] = [];
  for await (const { value } of executor.run<object, Odd, number[]>(job, tasks(), { memory })) {
    first.push(value[0]);
    answered.resolve();
  }
  assertEquals(first, [5, 5, 7]);
});

Deno.test("jobs that cannot leave this process are refused, with what would work", async () => {
  await using executor = processExecutor({ workers: 1 });
  const needy = { needsShared: "its tasks wait for each other in shared memory" };
  const refused = assertThrows(() => start(executor, [], needy), TilewiseError, "workerPool()");
  assertEquals([refused.code, refused.details.option], ["unsupported", "executor"]);
  assertStringIncludes(refused.message, "wait for each other");
  const sources: SourceSpec[] = [{ kind: "blob", name: "scan.raw", blob: new Blob() }];
  const blob = assertThrows(() => start(executor, [], { sources }), TilewiseError, "it is a Blob");
  assertEquals([blob.code, blob.details.file], ["unsupported", "scan.raw"]);
  const compiled = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  for (const thing of [new SharedArrayBuffer(4), newMemory(), compiled]) {
    const error = await failure(all(executor, [{ do: "answer" }], { shared: { thing } }), "unsupported");
    assertStringIncludes(error.message, "Cannot send to a worker process what threads share");
    assertEquals(error.details.option, "executor");
  }
  const closure = await failure(all(executor, [{ do: "answer" }], { shared: { f: () => 1 } }), "invalid");
  assertStringIncludes(closure.message, "Cannot send the memory or the shared data of a job to a worker");
  const odd = await failure(all(executor, [{ do: "answer", path: (() => 1) as never }]), "invalid");
  assertStringIncludes(odd.message, "Cannot send task 0 to a worker");
});

Deno.test("a run is cancelled in the middle of a loop that asks, and its process goes on", async () => {
  await using executor = processExecutor({ workers: 2, permissions, grace: 2000 });
  using steps = new Steps(executor);
  const stop = new AbortController();
  const run = steps.run([{ do: "poll" }, { do: "poll" }], { signal: stop.signal });
  const ended = failure(collect(run), "aborted");
  await steps.begun(2);
  stop.abort();
  await ended;
  assert(await run.drained);
  assertEquals([executor.replaced, steps.closed], [0, 2]);
});

Deno.test("a process that does not hear of a cancel is replaced, and nothing is written off", async () => {
  await using executor = processExecutor({ workers: 1, permissions, grace: 50 });
  using steps = new Steps(executor);
  const stop = new AbortController();
  const path = await Deno.makeTempFile();
  const run = steps.run([{ do: "block", path }], { signal: stop.signal });
  const ended = failure(collect(run), "aborted");
  await steps.begun(1);
  stop.abort();
  await ended;
  assert(await run.drained, "its memory may be used again");
  await Deno.remove(path);
  assertEquals([executor.replaced, executor.stuck], [1, 0]);
  assertEquals((await steps.all([{ do: "answer", value: 3 }]))[0]!.value.value, 3);
});

Deno.test("Ctrl-C at a terminal, which all processes hear, ends no task", async () => {
  await using executor = processExecutor({ workers: 2, permissions });
  using steps = new Steps(executor);
  const work = steps.all(Array.from({ length: 4 }, (_, value) => ({ do: "sleep", ms: 200, value })));
  await steps.begun(2);
  for (const pid of executor.pids) Deno.kill(pid, "SIGINT");
  for (const { attempts } of await work) assertEquals(attempts, 1);
  assertEquals(executor.replaced, 0);
});

Deno.test("a process that fills its heap is told, and nothing else is lost", async () => {
  await using executor = processExecutor({ workers: 2, heap: 2 ** 26 });
  const error = await failure(all(executor, [{ do: "answer" }, { do: "fill" }, { do: "answer" }]), "worker");
  assertEquals([error.details.task, error.details.found], [1, "out of memory"]);
  assertStringIncludes(error.message, "raise the limit (option heap");
  assertEquals(await all(executor, Array(9).fill({ do: "answer" })), Array(9).fill("fine"));
});

Deno.test("processes that cannot start say why", async () => {
  await inFolder(async (folder) => {
    await using executor = processExecutor({ workers: 2, configFile: `${folder}/nowhere.json` });
    const error = await failure(all(executor, [{ do: "answer" }]), "worker");
    assertStringIncludes(
      error.message,
      "Cannot start a worker: its process has ended with exit code 1; it said: ",
    );
    assertStringIncludes(error.message, "nowhere.json");
  });
});

Deno.test("this process must be allowed to start others", async () => {
  const script = import.meta.resolve("./forbidden.ts");
  const args = ["run", "--quiet", "--no-prompt", "--allow-read", script];
  const { code, stdout } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  const { code: found, message } = JSON.parse(new TextDecoder().decode(stdout));
  assertEquals([code, found], [0, "permission"]);
  assertStringIncludes(message, "Cannot start a worker process: Deno may not do this; add --allow-run=");
});

Deno.test("processes end when nobody needs them, and start again", async () => {
  await using executor = processExecutor({ workers: 2, idle: 30 });
  const { workers } = await executor.start();
  assertEquals([workers, executor.pids.length], [2, 2]);
  assertEquals(await all(executor, [{ do: "answer" }]), ["fine"]);
  for (let n = 0; executor.pids.length > 0; n++) {
    assert(n < 1000, "they do not end");
    await sleep(5);
  }
  assertEquals(await all(executor, [{ do: "answer" }]), ["fine"]);
  assertEquals(executor.replaced, 0);
});

Deno.test("options that cannot be are refused", () => {
  for (
    const options of [{ workers: 0 }, { worker: 1 }, { permissions: { reed: [] } }, {
      permissions: { read: "/" },
    }]
  ) {
    assertThrows(() => processExecutor(options as never), TilewiseError);
  }
});
