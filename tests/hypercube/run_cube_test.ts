/** Solving: every tile once, in order, within the plan; and every way to fail ends in a typed error with all memory home. */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { isTilewiseError, TilewiseError } from "../../src/errors.ts";
import { RunContext } from "../../src/runner/context.ts";
import { inlineExecutor } from "../../src/executor/inline.ts";
import { workerPool } from "../../src/executor/pool/pool.ts";
import { processExecutor } from "../../src/executor/process/executor.ts";
import type { Executor } from "../../src/executor/task.ts";
import { type CubeRunOptions, planTiles } from "../../src/hypercube/run/run_cube.ts";
import { hypercube } from "../../src/hypercube/cube/cube.ts";
import type { ProviderContext, SinkContext, Source } from "../../src/hypercube/providers/provider.ts";
import { run } from "../../src/run.ts";

const MODULE = import.meta.resolve("./scale_kernel.ts");
const LATE = import.meta.resolve("./late_kernel.ts");
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const cube = hypercube({
  dimensions: { n: { size: 50, description: "numbers" }, m: 3 },
  arrays: [
    { name: "table", shape: [1], dtype: "float64" },
    { name: "in", shape: ["n", "m"], dtype: "float64", description: "what is scaled", units: "Jy" },
    { name: "out", shape: ["n", "m"], dtype: "float64", role: "output" },
  ],
});
const BYTES = 64 + 3 * 2 * 192;

/** So much for this thread, and for each worker that has a memory of its own. */
const bytesFor = ({ memory, workers }: Executor) => BYTES * (memory === "own" ? 1 + workers : 1);

/** Tiles of 8 rows of 24 bytes, three in flight. */
const planIn = (context: RunContext) => planTiles(cube, { context, tile: ["n"], inFlight: 3 });

const numbers: Source = ({ extents, shape }) =>
  Float64Array.from({ length: 3 * shape[0]! }, (_, i) => 3 * extents[0]![0] + i);

async function solved(executor: Executor, some: Partial<CubeRunOptions> = {}) {
  const seen: [tile: number, extents: unknown, data: number[]][] = [];
  const options: CubeRunOptions = {
    kernel: { module: MODULE, export: "scale", shared: { factor: 2 } },
    sources: { in: numbers, table: () => Float64Array.of(0.5) },
    sinks: {
      out: ({ tile, extents, data }) => void seen.push([tile, extents, [...data.data as Float64Array]]),
    },
    ...some,
  };
  await using context = new RunContext({ memory: bytesFor(executor), executor });
  const plan = planIn(context);
  try {
    await run(plan, options);
  } finally {
    await context.settled();
    assertEquals(context.arena.used, 0, "all memory is home");
    assert(context.arena.peak <= plan.memory.total, `${context.arena.peak} bytes of ${plan.memory.total}`);
  }
  return seen;
}

const EXECUTORS: Readonly<Record<string, () => Executor>> = {
  inline: inlineExecutor,
  "1 worker": () => workerPool({ workers: 1 }),
  "2 workers": () => workerPool({ workers: 2 }),
  "4 workers": () => workerPool({ workers: 4 }),
  "2 processes": () => processExecutor({ workers: 2 }),
};

for (const [name, make] of Object.entries(EXECUTORS)) {
  Deno.test(`${name}: every tile reaches its sink once, in order, with its window`, async () => {
    await using executor = make();
    const seen = await solved(executor);
    assertEquals(seen.map(([tile]) => tile), [0, 1, 2, 3, 4, 5, 6]);
    assertEquals(seen.flatMap(([, , data]) => data), Array.from({ length: 150 }, (_, i) => 2 * i + 0.5));
    assertEquals(seen.at(-1)![1], [[48, 50], [0, 3]]);
  });

  Deno.test(`${name}: what fails is named, whoever fails, and the pool can go on`, async () => {
    await using executor = make();
    const boom = () => Promise.reject(new RangeError("no data"));
    const failing: [Partial<CubeRunOptions>, string, string[]][] = [
      [{ sources: { in: boom, table: () => new Float64Array(1) } }, "udf", [
        "source of in failed for tile 0: no data",
        "n 0 to 8 of 50 (numbers); m 0 to 3 of 3]: what is scaled, in Jy",
      ]],
      [{ sources: { in: numbers, table: boom } }, "udf", ["source of table failed for tile -1"]],
      [{ sinks: { out: ({ tile }) => tile === 3 ? boom() : undefined } }, "udf", [
        "sink of out failed for tile 3",
      ]],
      [{ sources: { in: () => new Float32Array(24), table: () => new Float64Array(1) } }, "invalid", [
        "must bring 8 × 3 samples of float64 for tile 0; it brought Float32Array of 24",
      ]],
      [{ sources: { in: () => new Float64Array(23), table: () => new Float64Array(1) } }, "invalid", [
        " of 23",
      ]],
      [{ kernel: { module: MODULE, export: "scale", shared: { factor: 1, failAt: 4 } } }, "udf", [
        "no scale",
      ]],
      [{ kernel: { module: MODULE, export: "absent" } }, "udf", ["absent"]],
      [{ sources: { in: numbers } }, "invalid", ["no source for table; inputs are table, in"]],
      [{ sources: { in: numbers, table: numbers, out: numbers } }, "invalid", ["out, which is not an input"]],
      [{ sinks: { in: () => {} } }, "invalid", ["in, which is not an output; outputs are out"]],
    ];
    for (const [some, code, parts] of failing) {
      const error = await assertRejects(() => solved(executor, some), TilewiseError);
      assertEquals(error.code, code, error.message);
      for (const part of parts) assertStringIncludes(error.message, part);
    }
    assertEquals((await solved(executor)).length, 7);
  });

  Deno.test(`${name}: a cancel ends the run as aborted`, async () => {
    await using executor = make();
    for (const at of [-1, 0, 3]) {
      const controller = new AbortController();
      if (at < 0) controller.abort();
      const sinks = { out: ({ tile }: SinkContext) => tile === at ? controller.abort() : undefined };
      const error = await assertRejects(() => solved(executor, { sinks, signal: controller.signal }));
      assert(isTilewiseError(error, "aborted"), String(error));
    }
  });
}

Deno.test("a source that hands over an array is checked for shape, stride and dtype", async () => {
  await using executor = inlineExecutor();
  const array = (shape: number[], stride: number[]): Source => ({ shape: [n] }) => ({
    data: new Float64Array(n! * 3),
    shape: shape.length ? shape : [n!, 3],
    stride,
    dtype: "float64",
  });
  const table = () => new Float64Array(1);
  assertEquals((await solved(executor, { sources: { in: array([], [3, 1]), table } })).length, 7);
  for (const bad of [array([], [1, 8]), array([3, 8], [8, 1])]) {
    await assertRejects(
      () => solved(executor, { sources: { in: bad, table } }),
      TilewiseError,
      "it brought an array",
    );
  }
  const nothing = (() => null) as unknown as Source;
  await assertRejects(
    () => solved(executor, { sources: { in: nothing, table } }),
    TilewiseError,
    "it brought null",
  );
});

Deno.test("a sink sees the inputs of its tile; sources know the cube", async () => {
  await using executor = inlineExecutor();
  const asked: number[] = [];
  const spy = (context: ProviderContext) => {
    asked.push(context.cube.dimension("n").lower);
    return numbers(context);
  };
  const sinks = {
    out: ({ data, input, tile }: SinkContext) => {
      assertEquals(Number(data.data[0]), 2 * Number(input("in").data[0]) + Number(input("table").data[0]));
      assertEquals(data.shape, tile === 6 ? [2, 3] : [8, 3]);
    },
  };
  await solved(executor, { sinks, sources: { in: spy, table: () => Float64Array.of(0.5) } });
  assertEquals(asked, [0, 8, 16, 24, 32, 40, 48]);
});

Deno.test("a source that comes too late writes nothing", async () => {
  await using context = new RunContext({ memory: BYTES, workers: 2 });
  const late: Promise<void>[] = [];
  const third = Promise.withResolvers<void>();
  const slow: Source = async (source) => {
    if (source.tile === 2) third.resolve();
    const wait = new Promise<void>((resolve) => setTimeout(resolve, source.tile === 2 ? 150 : 0));
    late.push(wait);
    await wait;
    return numbers(source);
  };
  const fail = () => {
    throw new Error("disk full");
  };
  const options: CubeRunOptions = {
    kernel: { module: MODULE, export: "scale", shared: { factor: 2 } },
    sources: { in: slow, table: () => new Float64Array(1) },
    sinks: { out: () => third.promise.then(fail) },
  };
  await assertRejects(() => run(planIn(context), options), TilewiseError, "disk full");
  await context.settled();
  assertEquals(late.length, 3, "the third source is under way");
  using lease = context.arena.lease(BYTES, "the next owner");
  const bytes = lease.bytes().fill(7);
  await Promise.all(late);
  await sleep(5);
  assert(bytes.every((byte) => byte === 7));
});

Deno.test("memory that a thread still writes to is not given to others, however long it takes", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/pipe`;
  await new Deno.Command("mkfifo", { args: [path] }).output();
  const reads = new SharedArrayBuffer(4);
  await using executor = workerPool({ workers: 1, grace: 20, stuckTimeout: 100 });
  await using context = new RunContext({ memory: BYTES, executor });
  const { arena } = context;
  const stop = new AbortController();
  const solving = run(planIn(context), {
    kernel: { module: LATE, export: "late", shared: { path, reads } },
    sources: { in: numbers, table: () => Float64Array.of(0.5) },
    sinks: {},
    signal: stop.signal,
  });
  const ended = assertRejects(() => solving, TilewiseError, "Cancelled");
  while (Atomics.load(new Int32Array(reads), 0) === 0) await sleep(1);
  stop.abort();
  await ended;
  await context.settled();
  const held = arena.leases.map(({ label }) => label);
  await Deno.writeFile(path, new Uint8Array(192).fill(0xab), { append: true, create: false });
  const all = new Uint8Array(arena.memory.buffer);
  while (!all.includes(0xab)) await sleep(5); // after the end of the run
  assert(held.includes("tile slot 0"));
  assert(context.arena !== arena, "later runs have other memory");
  assertEquals((await solved(executor)).length, 7);
  await Deno.remove(folder, { recursive: true });
});

for (const where of ["source", "sink"]) {
  Deno.test(`a run inside of a ${where}, without memory for both, is refused after a while, and the cube goes on`, async () => {
    await using context = new RunContext({ memory: BYTES, workers: 0 });
    const refused: string[] = [];
    const inner = async () => {
      if (refused.length > 0) return;
      const sources = { in: numbers, table: () => Float64Array.of(0.5) };
      const kernel = { module: MODULE, export: "scale", shared: { factor: 2 } };
      const nested = run(planIn(context), { kernel, sources, sinks: {}, stallTimeout: 100 });
      refused.push((await assertRejects(() => nested, TilewiseError, "not asked for more for 0.1 s")).code);
    };
    let tiles = 0;
    await run(planIn(context), {
      kernel: { module: MODULE, export: "scale", shared: { factor: 2 } },
      sources: {
        async in(source) {
          if (where === "source") await inner();
          return numbers(source);
        },
        table: () => Float64Array.of(0.5),
      },
      sinks: {
        async out() {
          if (where === "sink") await inner();
          tiles++;
        },
      },
    });
    assertEquals([refused, tiles], [["over-budget"], 7]);
  });
}

Deno.test("a source that brings nothing for ever can be cancelled", async () => {
  for (const name of ["table", "in"]) {
    await using context = new RunContext({ memory: BYTES, workers: 0 });
    const stop = new AbortController();
    const never = () => {
      setTimeout(() => stop.abort(), 0);
      return new Promise<never>(() => {});
    };
    const sources = { in: numbers, table: () => Float64Array.of(0.5), [name]: never };
    const kernel = { module: MODULE, export: "scale", shared: { factor: 2 } };
    const solving = () => run(planIn(context), { kernel, sources, sinks: {}, signal: stop.signal });
    assertEquals((await assertRejects(solving, TilewiseError)).code, "aborted");
    await context.settled();
    assertEquals(context.arena.used, 0);
  }
});

Deno.test("a cancel does not wait for a sink, and its memory waits for it", async () => {
  await using context = new RunContext({ memory: BYTES, workers: 2 });
  const stop = new AbortController();
  const going = Promise.withResolvers<void>();
  let kept: Float64Array | undefined;
  const solving = () =>
    run(planIn(context), {
      kernel: { module: MODULE, export: "scale", shared: { factor: 2 } },
      sources: { in: numbers, table: () => Float64Array.of(0.5) },
      sinks: {
        async out({ data }) {
          kept = data.data as Float64Array;
          setTimeout(() => stop.abort(), 0);
          await going.promise;
          kept[0] = 77; // its own, until it returns
        },
      },
      signal: stop.signal,
    });
  assertEquals((await assertRejects(solving, TilewiseError)).code, "aborted");
  await sleep(200); // longer than workers get to come back
  const error = assertThrows(() => context.arena.lease(BYTES, "the next owner"), TilewiseError);
  assertEquals(error.code, "over-budget");
  going.resolve();
  await context.settled();
  assertEquals([context.arena.used, kept![0]], [0, 77]);
});

Deno.test("where not even the smallest tiles fit, fewer of them are in flight", async () => {
  const least = planTiles(cube, { tile: ["n"], inFlight: 1, largestTile: 1 }).memory.total;
  await using context = new RunContext({ memory: least + 64, workers: 2 });
  const flights: number[] = [], rows: number[] = [];
  await run(cube, {
    kernel: { module: MODULE, export: "scale", shared: { factor: 2 } },
    sources: { in: numbers, table: () => Float64Array.of(0.5) },
    sinks: { out: ({ data }) => void rows.push(...data.data as Float64Array) },
    plan: { context, tile: ["n"], inFlight: 5 },
    onPlan: ({ inFlight }) => flights.push(inFlight),
  });
  assertEquals([flights, rows], [[1], Array.from({ length: 150 }, (_, i) => i * 2 + 0.5)]);
});
