/** Runs of any kernel over any cube: merges, order, kernels of users, sources in workers, reports. */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { inlineExecutor } from "../../src/executor/inline.ts";
import { workerPool } from "../../src/executor/pool/pool.ts";
import { processExecutor } from "../../src/executor/process/executor.ts";
import type { Executor } from "../../src/executor/task.ts";
import { hypercube } from "../../src/hypercube/cube/cube.ts";
import type { CubePlanOptions } from "../../src/hypercube/plan/budget.ts";
import { type CubeRunOptions, planTiles } from "../../src/hypercube/run/run_cube.ts";
import { fromArrays } from "../../src/hypercube/providers/arrays.ts";
import type { Source } from "../../src/hypercube/providers/provider.ts";
import { fromDataset } from "../../src/hypercube/providers/dataset.ts";
import { open } from "../../src/formats/open.ts";
import { toNpy } from "../../src/hypercube/providers/sinks/npy.ts";
import { toZarr } from "../../src/hypercube/providers/sinks/zarr.ts";
import { toMemory } from "../../src/hypercube/providers/sinks/memory.ts";
import { workerSource } from "../../src/hypercube/providers/worker_source.ts";
import { cubeExpression } from "../../src/hypercube/run/kernels/expression.ts";
import { cubeFunction } from "../../src/hypercube/run/kernels/function.ts";
import { cubeKernel } from "../../src/hypercube/run/kernels/assembly.ts";
import { run as runCube } from "../../src/run.ts";
import { createContext } from "../../src/runner/context.ts";
import { BYTES, CUBE, MODULE, numbers, options, planIn, SCALED } from "./some_cube.ts";

const USER = import.meta.resolve("./module_kernels.ts");
const TYPES = { in: "float64", total: "float64", rows: "float64" } as const;

/** Numbers of very different sizes: their sum depends on the order. */
const wild: Source = ({ extents: [[lower] = [0]], shape: [n = 0, m = 0] }) =>
  Float64Array.from(
    { length: n * m },
    (_, i) => Math.sin(1e6 * (lower * m + i)) * 10 ** ((lower * m + i) % 17),
  );

const REDUCED = hypercube({
  dimensions: { n: 60, m: 5 },
  arrays: [
    { name: "in", shape: ["n", "m"], dtype: "float64" },
    { name: "rows", shape: ["n"], dtype: "float64", role: "output" },
    { name: "total", shape: [], dtype: "float64", role: "output" },
  ],
});

const EXECUTORS: Readonly<Record<string, () => Executor>> = {
  inline: inlineExecutor,
  "1 worker": () => workerPool({ workers: 1 }),
  "3 workers": () => workerPool({ workers: 3 }),
  "2 processes": () => processExecutor({ workers: 2 }),
};

/** Runs the reduction with tiles of 7 rows; the bits of its results. */
async function reduced(executor: Executor, some: Partial<CubeRunOptions> = {}): Promise<string> {
  const holders = executor.memory === "own" ? 1 + executor.workers : 1;
  await using context = createContext({ memory: 6144 * holders, executor });
  const memory = toMemory("rows", "total");
  const report = await runCube(REDUCED, {
    kernel: cubeFunction(USER, { export: "sums", arrays: TYPES }),
    sources: { in: wild },
    sinks: [memory],
    merge: { total: "sum", rows: "sum" },
    plan: { context, tile: ["n", "m"], inFlight: 8 },
    ...some,
  });
  assert(report.tiles > 1, `${report.tiles} tiles`);
  await context.settled();
  assertEquals(context.used, 0);
  const all = ["rows", "total"].map((name) => [...new Uint8Array(memory.array(name).data.buffer)]);
  return all.flat().map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

Deno.test("a merged result has the same bits for any number of workers, in order or not", async () => {
  const bits = new Set<string>();
  for (const make of Object.values(EXECUTORS)) {
    await using executor = make();
    for (const ordered of [true, false]) {
      bits.add(await reduced(executor, { ordered }));
    }
  }
  assertEquals(bits.size, 1);
});

Deno.test("merges by min, max and a function; their sinks are called once per window, with whole dimensions", async () => {
  const cubeOf = (a: number, b: number) =>
    hypercube({
      dimensions: { a, b },
      arrays: [
        { name: "x", shape: ["a", "b"], dtype: "int32" },
        ...["low", "high", "last", "all"].map((name) => {
          return { name, shape: ["b"], dtype: "int32" as const, role: "output" as const };
        }),
      ],
    });
  const parts = cubeFunction(({ arrays: { x, low, high, last, all } }) => {
    const [rows = 0, cols = 0] = x.shape;
    for (let c = 0; c < cols; c++) {
      const column = Array.from({ length: rows }, (_, r) => x.data[r * cols + c]!);
      low.data[c] = Math.min(...column);
      high.data[c] = Math.max(...column);
      last.data[c] = column.at(-1)!;
      all.data[c] = rows;
    }
  }, { arrays: { x: "int32", low: "int32", high: "int32", last: "int32", all: "int32" } });
  const cases: [number, number, CubePlanOptions, number][] = [
    [300, 4, { tile: ["a", "b"] }, 1400],
    [300, 4, { tile: ["b", "a"] }, 1400],
    [3, 300, { rules: "a=1&b=60" }, 6400], // five windows are open at the same time
  ];
  for (const [a, b, how, memory] of cases) {
    const x = Int32Array.from({ length: a * b }, (_, i) => (i * 29) % 97 - 40);
    const cube = cubeOf(a, b);
    await using context = createContext({ memory, workers: 0 });
    const plan = { context, ...how, inFlight: 1 };
    const windows: string[] = [];
    const kept = toMemory("low", "high", "last", "all");
    const { tiles } = await runCube(cube, {
      kernel: parts,
      plan,
      sources: [fromArrays({ x })],
      sinks: [kept, {
        low: ({ cube, extents, input }) => {
          windows.push(`${extents}: ${cube.dimension("a").lower}-${cube.dimension("a").upper}`);
          let refused = "";
          try {
            input("x");
          } catch (error) {
            refused = String(error);
          }
          assertStringIncludes(refused, "low was merged over a");
        },
      }],
      merge: {
        low: "min",
        high: "max",
        last: (into, part) => void (into.data as Int32Array).set(part.data as Int32Array),
        all: "sum",
      },
    });
    assert(
      tiles > windows.length && windows.every((window) => window.endsWith(`: 0-${a}`)),
      `${tiles}: ${windows}`,
    );
    const column = (c: number) => Array.from({ length: a }, (_, r) => x[r * b + c]!);
    const of = (how: (list: number[]) => number) => Int32Array.from({ length: b }, (_, c) => how(column(c)));
    assertEquals(kept.array("low").data, of((list) => Math.min(...list)));
    assertEquals(kept.array("high").data, of((list) => Math.max(...list)));
    assertEquals(kept.array("last").data, of((list) => list.at(-1)!));
    assertEquals(kept.array("all").data, of(() => a));
  }
});

Deno.test("merges of integers of 64 bits and of floats are those of each sample, by sum, min and max", async () => {
  const BIG = 2n ** 60n;
  for (const dtype of ["int64", "uint64", "float64"] as const) {
    const isBig = dtype !== "float64";
    const numbers = Array.from({ length: 32 }, (_, i) => (i * 29) % 17 - (dtype === "uint64" ? 0 : 8));
    const x = isBig
      ? (dtype === "int64" ? BigInt64Array : BigUint64Array).from(numbers.map((n) => BIG + BigInt(n)))
      : Float64Array.from(numbers);
    const names = ["low", "high", "all"] as const;
    const cube = hypercube({
      dimensions: { a: 4, b: 8 },
      arrays: [
        { name: "x", shape: ["a", "b"], dtype },
        ...names.map((name) => ({ name, shape: ["b"], dtype, role: "output" as const })),
      ],
    });
    const copy = cubeFunction(({ arrays }) => {
      for (const name of names) (arrays[name]!.data as BigInt64Array).set(arrays["x"]!.data as BigInt64Array);
    }, { arrays: { x: dtype, low: dtype, high: dtype, all: dtype } });
    await using context = createContext({ workers: 0 });
    const kept = toMemory(...names);
    await runCube(cube, {
      kernel: copy,
      plan: { context, tile: ["a"], largestTile: 256 }, // one row of x, and three of outputs
      sources: [fromArrays({ x } as never)],
      sinks: [kept],
      merge: { low: "min", high: "max", all: "sum" },
    });
    const column = (b: number) => [0, 1, 2, 3].map((a) => numbers[8 * a + b]!);
    const of = (how: (list: number[]) => number, times = 1n) =>
      Array.from(
        { length: 8 },
        (_, b) => isBig ? BigInt.asUintN(64, times * BIG + BigInt(how(column(b)))) : how(column(b)),
      );
    const found = (name: string) =>
      Array.from(
        kept.array(name).data as BigInt64Array,
        (value) => isBig ? BigInt.asUintN(64, value) : value,
      );
    assertEquals(found("low"), of((list) => Math.min(...list)) as bigint[], dtype);
    assertEquals(found("high"), of((list) => Math.max(...list)) as bigint[], dtype);
    assertEquals(found("all"), of((list) => list.reduce((a, b) => a + b), 4n) as bigint[], dtype);
  }
});

Deno.test("merges that cannot be are refused before any work", async () => {
  await using context = createContext({ memory: BYTES, workers: 0 });
  const refused = async (some: Partial<CubeRunOptions>) =>
    await assertRejects(() => runCube(planIn(context), options(some)), TilewiseError);
  const misspelt = await refused({ merge: { ou: "sum" } });
  assertEquals([misspelt.code, misspelt.details.option], ["invalid", "merge.ou"]);
  assertStringIncludes(misspelt.message, 'did you mean "out"?');
  assertStringIncludes(
    (await refused({ merge: { out: "mean" as never } })).message,
    '"sum", "min", "max", or a function',
  );
  const complex = hypercube({
    dimensions: { n: 4 },
    arrays: [{ name: "z", shape: [], dtype: "complex64", role: "output" }],
  });
  const plan: CubePlanOptions = { context, tile: ["n"] };
  const some = { kernel: cubeFunction(() => {}), sources: {}, sinks: {}, plan };
  const order = () => runCube(complex, { ...some, merge: { z: "max" } });
  assertStringIncludes((await assertRejects(order, TilewiseError)).message, "which has no order");
  const full = hypercube({
    dimensions: { n: 4, m: 100 },
    arrays: [{ name: "s", shape: ["m"], dtype: "float64", role: "output" }],
  });
  await using small = createContext({ memory: 4 * 832, workers: 0 });
  const much = () =>
    runCube(planTiles(full, { context: small, tile: ["n"] }), {
      ...options(),
      kernel: cubeFunction(() => {}),
      sources: {},
      merge: { s: "sum" },
    });
  const error = await assertRejects(much, TilewiseError);
  assertEquals(error.code, "over-budget");
  assertStringIncludes(error.message, "832 B for windows of the merged s");
});

Deno.test("without order, sinks get tiles as they finish, each once", async () => {
  await using context = createContext({ memory: BYTES, workers: 3 });
  const kernel = { module: MODULE, export: "scale", shared: { factor: 2 } };
  const seen: number[] = [];
  const memory = toMemory("out");
  const sinks = [memory, { out: ({ tile }: { tile: number }) => void seen.push(tile) }];
  await runCube(planIn(context), options({ kernel, sinks, ordered: false }));
  assertEquals(seen.toSorted(), [0, 1, 2, 3, 4, 5, 6]);
  assertEquals([...memory.array("out", "float64").data], SCALED);
});

Deno.test("sources are asked ahead of the workers, as far as there is memory, those of a tile together", async () => {
  await using context = createContext({ memory: BYTES, workers: 0 });
  const waiting: (() => void)[] = [];
  const asked: string[] = [];
  const slow: Source = async (of) => {
    asked.push(`${of.name} ${of.tile}`);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return numbers(of);
  };
  const two = hypercube({
    dimensions: { n: 20 },
    arrays: [
      { name: "a", shape: ["n", 3], dtype: "float64" },
      { name: "b", shape: ["n", 3], dtype: "float64" },
      { name: "c", shape: ["n"], dtype: "float64", role: "output" },
    ],
  });
  const taken: number[] = [];
  const gate = Promise.withResolvers<void>();
  const done = runCube(planTiles(two, { context, tile: ["n"], inFlight: 3 }), {
    kernel: cubeFunction(() => {}),
    sources: { a: slow, b: slow },
    sinks: { c: async ({ tile }) => void (await gate.promise, taken.push(tile)) },
  });
  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
  while (waiting.length < 2) await turn();
  assertEquals(asked, ["a 0", "b 0"]);
  for (let n = 0; n < 50; n++) {
    while (waiting.length > 0) waiting.shift()!();
    await turn();
  }
  assertEquals(
    [asked.at(-1), asked.length, taken],
    ["b 2", 6, []],
    "three slots, all filled while the first sink waits",
  );
  gate.resolve();
  for (let over = false; !over; await turn()) {
    while (waiting.length > 0) waiting.shift()!();
    over = await Promise.race([done.then(() => true), turn().then(() => false)]);
  }
  assertEquals(taken.length, (await done).tiles);
});

Deno.test("the report has tiles, bytes, and seconds of stages, and the plan is told before", async () => {
  await using context = createContext({ memory: BYTES, workers: 0 });
  let told = "";
  const sinks = { out: [() => new Promise<void>((resolve) => setTimeout(resolve, 2)), () => {}] };
  const report = await runCube(
    planIn(context),
    options({ sinks, onPlan: (plan) => void (told = plan.explain()) }),
  );
  assertEquals([report.tiles, report.bytesRead, report.bytesWritten], [7, 8 + 50 * 24, 2 * 50 * 24]);
  for (const stage of ["read", "compute", "write", "seconds"] as const) assert(report[stage] >= 0, stage);
  assert(report.write > 0 && report.write < report.seconds);
  assertStringIncludes(told, "7 tiles of 8 of 50 n");
});

Deno.test("sources that are declared safe run in workers, with the same result and typed errors", async () => {
  for (const make of Object.values(EXECUTORS)) {
    await using executor = make();
    await using context = createContext({ memory: "64KiB", executor });
    const run = async (params: Record<string, unknown>, some: Partial<CubeRunOptions> = {}) => {
      const memory = toMemory("out");
      let first = NaN;
      const sinks = [memory, {
        out: ({ input, tile }: { input(name: string): { data: ArrayLike<number | bigint> }; tile: number }) =>
          void (tile === 0 && (first = Number(input("in").data[1]))),
      }];
      const sources = { in: workerSource(USER, { export: "ramp", params }) };
      const kernel = { module: MODULE, export: "scale", shared: { factor: 2 } };
      await runCube(CUBE, { kernel, sources, sinks, plan: { context, tile: ["n"] }, ...some });
      return [first, ...memory.array("out", "float64").data];
    };
    assertEquals(await run({ factor: 3 }), [3, ...SCALED.map((x) => 3 * (x - 0.5) + 0.5)]);
    for (
      const [wrong, code, text] of [
        ["null", "invalid", "samples of float64 for tile 0; it brought null"],
        ["dtype", "invalid", "it brought Float32Array of 150"],
        ["throws", "udf", "The source of in failed for tile 0: float64 of 50"],
      ] as const
    ) {
      const error = await assertRejects(() => run({ wrong }), TilewiseError);
      assertEquals(error.code, code, error.message);
      assertStringIncludes(error.message, text);
      assertStringIncludes(error.message, "what is scaled, in Jy");
    }
    const never = await assertRejects(() => run({ wrong: "never" }, { callTimeout: 20 }), TilewiseError);
    assertEquals(never.code, "timeout");
  }
});

Deno.test("a source for workers fills what exists once as well, and a wrong export is refused", async () => {
  await using context = createContext({ memory: "64KiB", workers: 0 });
  const cube = hypercube({
    dimensions: { n: 2 },
    arrays: [
      { name: "w", shape: [2, 2], dtype: "float64" },
      { name: "out", shape: ["n"], dtype: "float64", role: "output" },
    ],
  });
  const memory = toMemory("out");
  const kernel = cubeFunction(({ arrays: { w, out } }) => out.data.fill(w.data[3]!), {
    arrays: { w: "float64", out: "float64" },
  });
  const run = (name: string) =>
    runCube(planTiles(cube, { context, tile: ["n"] }), {
      kernel,
      sources: { w: workerSource(USER, { export: name }) },
      sinks: [memory],
    });
  await run("ramp");
  assertEquals([...memory.array("out", "float64").data], [3, 3]);
  assertStringIncludes(
    (await assertRejects(() => run("absent"), TilewiseError)).message,
    'has no export "absent"',
  );
});

Deno.test("functions: types are checked, errors name the tile, a promise is awaited", async () => {
  await using context = createContext({ memory: BYTES, workers: 0 });
  const run = (kernel: CubeRunOptions["kernel"]) => runCube(planIn(context), options({ kernel }));
  const failing = async (kernel: CubeRunOptions["kernel"]) =>
    await assertRejects(() => run(kernel), TilewiseError);
  const type = await failing(cubeFunction(() => {}, { arrays: { out: "float32" } }));
  assertStringIncludes(type.message, "takes out as float32, but in the cube it is float64");
  const name = await failing(cubeFunction(() => {}, { arrays: { outt: "float64" } }));
  assertStringIncludes(name.message, 'did you mean "out"?');
  const thrown = await failing(cubeFunction(USER, { export: "breaks", params: { at: 4 } }));
  assertEquals([thrown.code, thrown.details["tile"]], ["udf", 4]);
  assertStringIncludes(thrown.message, 'Function "breaks" failed for tile 4: no such tile');
  let over = 0;
  await run(cubeFunction(async () => {
    await new Promise((resolve) => setTimeout(resolve, 0));
    over++;
  }));
  assertEquals(over, 7);
  assertStringIncludes((await failing(cubeFunction(USER, { export: "none" }))).message, 'no export "none"');
  await using workers = createContext({ memory: BYTES, workers: 2 });
  const here: boolean[] = [];
  await runCube(planIn(workers), options({ kernel: cubeFunction(() => void here.push(true)) }));
  assertEquals(here.length, 7, "a function that cannot travel runs here, whatever the context");
});

Deno.test("kernels in AssemblyScript: sizes, positions, statics, lines of traps", async () => {
  const body = `
    const TABLE: StaticArray<f64> = [0.25, 0.25];
    export function tileAt(n: i32, m: i32, n0: i32, m0: i32, table: usize, x: usize, out: usize, factor: f64): void {
      for (let i = 0; i < n * m; i++) {
        const at = 8 * <usize>i;
        store<f64>(out + at, factor * load<f64>(x + at) + load<f64>(table) + <f64>(n0 + m0) * 0 + TABLE[n0 & 1] - 0.25);
      }
      if (factor > 5) unreachable();
    }`;
  for (const make of [EXECUTORS["inline"]!, EXECUTORS["3 workers"]!]) {
    await using executor = make();
    await using context = createContext({ memory: "64KiB", executor });
    const memory = toMemory("out");
    const run = (factor: number, source = body) =>
      runCube(CUBE, {
        kernel: cubeKernel({ name: "own", source, params: { factor } }),
        sources: { in: numbers },
        sinks: [memory],
        plan: { context, tile: ["n"] },
      });
    await run(2);
    assertEquals([...memory.array("out", "float64").data], SCALED);
    const trap = await assertRejects(() => run(6), TilewiseError);
    assertEquals([trap.code, trap.details["kernel"], trap.details["line"]], ["udf", "own", 8], trap.message);
    const other = await assertRejects(() => run(2, "export function tile(n: i32): void {}"), TilewiseError);
    assertStringIncludes(
      other.message,
      "tile(n: i32, m: i32, table: usize, in: usize, out: usize, factor: f64)",
    );
  }
  await using context = createContext({ memory: "64KiB", workers: 0 });
  const kernel = cubeKernel({ source: body, arrays: ["inn"] });
  const wrong = () => runCube(planTiles(CUBE, { context, tile: ["n"] }), options({ kernel }));
  assertStringIncludes((await assertRejects(wrong, TilewiseError)).message, 'did you mean "in"?');
});

Deno.test("expressions: inputs are matched by the names of dimensions, however they lie", async () => {
  const cube = hypercube({
    dimensions: { p: 3, y: 4, x: 50 },
    arrays: [
      { name: "image", shape: ["y", "x"], dtype: "uint16" },
      { name: "turned", shape: ["x", "y"], dtype: "float32" },
      { name: "gain", shape: ["p"], dtype: "float64" },
      { name: "pair", shape: [2], dtype: "int64" },
      { name: "out", shape: ["p", "y", "x"], dtype: "float64", role: "output" },
      { name: "two", shape: ["y", 2], dtype: "float32", role: "output" },
    ],
  });
  const image = Uint16Array.from({ length: 200 }, (_, i) => i * 7);
  const turned = Float32Array.from({ length: 200 }, (_, i) => i / 8);
  const gain = Float64Array.of(1, -2, 0.5), pair = BigInt64Array.of(3n, 5n);
  const expected = Array.from({ length: 600 }, (_, i) => {
    const [p, y, x] = [Math.floor(i / 200), Math.floor(i / 50) % 4, i % 50];
    return gain[p]! * image[y * 50 + x]! + turned[x * 4 + y]! + 100 * p + x + 0.25;
  });
  for (const tile of [["p"], ["x", "y"], ["y", "p", "x"]]) {
    await using context = createContext({ memory: "48KiB", workers: 0 });
    const memory = toMemory("out", "two");
    const kernel = cubeExpression({
      out: "gain * image + turned + 100 * p + x + c",
      two: "pair * y",
    }, { params: { c: 0.25 } });
    const sources = [fromArrays({ image, turned, gain, pair })];
    await runCube(cube, { kernel, sources, sinks: [memory], plan: { context, tile, inFlight: 1 } });
    assertEquals([...memory.array("out", "float64").data], expected, String(tile));
    assertEquals([...memory.array("two").data], [0, 0, 3, 5, 6, 10, 9, 15]);
  }
  await using context = createContext({ memory: "1MiB", workers: 0 });
  const refused = async (outputs: Record<string, string>, text: string) => {
    const options = {
      kernel: cubeExpression(outputs),
      sources: [fromArrays({ image, turned, gain, pair })],
      sinks: {},
    };
    const error = await assertRejects(
      () => runCube(planTiles(cube, { context, tile: ["p"] }), options),
      TilewiseError,
    );
    assertStringIncludes(error.message, text);
  };
  await refused(
    { two: "image" },
    "Cannot compute two from image: two has no axis x; an expression adds nothing up",
  );
  await refused({ image: "gain" }, "it must be an output of float32 or float64");
  await refused({ out: "sum(image)" }, "without sums");
  await refused({ out: "imge" }, "imge");
});

Deno.test("dimensions that follow tiled ones have their windows in kernels, expressions, merges and files", async () => {
  const folder = await Deno.makeTempDir();
  const cube = hypercube({
    dimensions: { time: 12, base: 3, row: { productOf: ["time", "base"] } },
    arrays: [
      { name: "v", shape: ["row", 2], dtype: "float64" },
      { name: "w", shape: ["row"], dtype: "float64", role: "output" },
      { name: "at", shape: ["row"], dtype: "float64", role: "output" },
      { name: "total", shape: ["base"], dtype: "float64", role: "output" },
    ],
  });
  const v = Float64Array.from({ length: 72 }, (_, i) => i);
  const own = cubeKernel({
    dimensions: ["row", "base"],
    source: `
      export function tileAt(rows: i32, bases: i32, row: i32, b0: i32, v: usize, w: usize, at: usize, total: usize): void {
        for (let b = 0; b < bases; b++) store<f64>(total + 8 * b, 0);
        for (let r = 0; r < rows; r++) {
          const value = load<f64>(v + 16 * r) + load<f64>(v + 16 * r + 8);
          store<f64>(w + 8 * r, value);
          store<f64>(at + 8 * r, row + r);
          store<f64>(total + 8 * (r % bases), load<f64>(total + 8 * (r % bases)) + value);
        }
      }`,
  });
  for (const kernel of [own, cubeExpression({ at: "row" })]) {
    await using context = createContext({ memory: kernel === own ? 2200 : 10_400, workers: 0 });
    const memory = toMemory("w", "at", "total");
    const files = [toNpy({ at: `${folder}/at.npy` }), toZarr(`${folder}/at.zarr`, { arrays: ["at"] })];
    const report = await runCube(cube, {
      kernel,
      sources: [fromArrays({ v })],
      sinks: [memory, ...files],
      merge: { total: "sum" },
      plan: { context, tile: ["time"], inFlight: 2 },
    });
    assert(report.tiles > 1, `${report.tiles} tiles`);
    const rows = Array.from({ length: 36 }, (_, r) => r);
    assertEquals([...memory.array("at", "float64").data], rows);
    for (const path of [`${folder}/at.npy`, `${folder}/at.zarr`]) {
      const stored = await open(path, path.endsWith("zarr") ? { array: "at" } : {});
      const copy = toMemory("out");
      const one = hypercube({
        dimensions: { row: 1 },
        arrays: [{ name: "in", shape: ["row"], dtype: "float64" }, {
          name: "out",
          shape: ["row"],
          dtype: "float64",
          role: "output",
        }],
      });
      const sources = [fromDataset(stored, { array: "in", axes: ["row"] })];
      await using room = createContext({ workers: 0 });
      await runCube(one, {
        kernel: cubeExpression({ out: "in" }),
        sources,
        sinks: [copy],
        plan: { context: room },
      });
      assertEquals([...copy.array("out", "float64").data], rows, path);
    }
    if (kernel !== own) continue;
    assertEquals([...memory.array("w", "float64").data], rows.map((r) => 4 * r + 1));
    const sum = (b: number) => rows.filter((r) => r % 3 === b).reduce((all, r) => all + 4 * r + 1, 0);
    assertEquals([...memory.array("total", "float64").data], [sum(0), sum(1), sum(2)]);
  }
  await Deno.remove(folder, { recursive: true });
});
