/** Cubes from data sets of any format, and into files: every sample at its place, and nothing left behind by a failure. */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { open } from "../../src/formats/open.ts";
import { hypercube } from "../../src/hypercube/cube/cube.ts";
import { fromDataset, type FromDatasetOptions } from "../../src/hypercube/providers/dataset.ts";
import type { Provider } from "../../src/hypercube/providers/provider.ts";
import { toMemory } from "../../src/hypercube/providers/sinks/memory.ts";
import { toNpy } from "../../src/hypercube/providers/sinks/npy.ts";
import { toZarr } from "../../src/hypercube/providers/sinks/zarr.ts";
import type { TilePlan } from "../../src/hypercube/plan/options.ts";
import { cubeExpression } from "../../src/hypercube/run/kernels/expression.ts";
import { cubeFunction } from "../../src/hypercube/run/kernels/function.ts";
import { planTiles } from "../../src/hypercube/run/run_cube.ts";
import { run as runCube } from "../../src/run.ts";
import { RunContext } from "../../src/runner/context.ts";
import type { DType } from "../../src/space/dtype.ts";
import type { Dataset } from "../../src/dataset/dataset.ts";

const SHAPE = [5, 6, 7];
const COUNT = 5 * 6 * 7;

/** A cube that copies `in` to `out`, with the axes in this order. */
const cubeOf = (axes: readonly string[], dtype: DType = "float64") =>
  hypercube({
    dimensions: { t: 1, y: 1, x: 1 },
    arrays: [{ name: "in", shape: axes, dtype }, {
      name: "out",
      shape: axes,
      dtype: "float64",
      role: "output",
      units: "m",
    }],
  });

/** What comes out of a cube over a data set, in tiles of any form. */
async function copied(
  dataset: Dataset,
  axes: readonly string[],
  options: Partial<FromDatasetOptions> = {},
  { tile = ["t", "x"], dtype = "float64" as DType, sinks = [] as Provider[], memory = 4000 } = {},
): Promise<number[]> {
  await using context = new RunContext({ memory, workers: 0 });
  const kept = toMemory("out");
  await runCube(cubeOf(axes, dtype), {
    kernel: cubeExpression({ out: "in + 0" }),
    sources: [fromDataset(dataset, { array: "in", ...options })],
    sinks: [kept, ...sinks],
    plan: { context, tile, inFlight: 1 },
  });
  await context.settled();
  return [...kept.array("out", "float64").data];
}

/** The numbers 0, 1, … of a data set, with its axes in another order. */
function turned(order: readonly number[]): number[] {
  const strides = [42, 7, 1];
  const [a, b, c] = order.map((d) => [SHAPE[d]!, strides[d]!] as const);
  const all: number[] = [];
  for (let i = 0; i < a![0]; i++) {
    for (let j = 0; j < b![0]; j++) {
      for (let k = 0; k < c![0]; k++) all.push(i * a![1] + j * b![1] + k * c![1]);
    }
  }
  return all;
}

const MEMORY = 60 * 1024;

Deno.test("a data set of any storage fills a cube, with axes by order, by name and in another order", async () => {
  const numbers = Uint16Array.from({ length: COUNT }, (_, i) => i);
  const plain = await open({ data: numbers, shape: SHAPE });
  const big = new DataView(new ArrayBuffer(2 * COUNT));
  numbers.forEach((value, i) => big.setUint16(2 * i, value));
  const raw = { format: "raw", nav: [5], sig: [6, 7], dtype: "uint16" } as const;
  const swapped = await open(new Uint8Array(big.buffer), { ...raw, byteOrder: "big" });
  const framed = new Uint8Array(5 * (4 + 84));
  const bytes = new Uint8Array(numbers.buffer);
  for (let f = 0; f < 5; f++) framed.set(bytes.subarray(84 * f, 84 * f + 84), f * 88 + 4);
  const headers = await open(framed, { ...raw, frameHeaderBytes: 4 });
  for (const dataset of [plain, swapped, headers]) {
    const list = { axes: ["t", "y", "x"] };
    for (const tile of [["t"], ["x", "y"], ["y", "t", "x"]]) {
      assertEquals(
        await copied(dataset, ["t", "y", "x"], list, { tile, memory: MEMORY }),
        turned([0, 1, 2]),
        String(tile),
      );
      assertEquals(
        await copied(dataset, ["x", "t", "y"], list, { tile, memory: MEMORY }),
        turned([2, 0, 1]),
        String(tile),
      );
    }
    assertEquals(
      await copied(dataset, ["y", "x", "t"], {}, { memory: MEMORY }),
      turned([0, 1, 2]),
      "by order",
    );
  }
  const names = plain.axes.map(({ name }) => name!);
  const named = { axes: Object.fromEntries(names.map((name, d) => [name, ["t", "y", "x"][d]!])) };
  assertEquals(await copied(plain, ["x", "y", "t"], named, { memory: MEMORY }), turned([2, 1, 0]));
});

Deno.test("a data set says the sizes of dimensions, at fixed positions of other axes, or fills a smaller cube", async () => {
  const data = Float32Array.from({ length: COUNT }, (_, i) => i);
  const dataset = await open({ data, shape: SHAPE });
  const [first] = dataset.axes.map(({ name }) => name!);
  await using context = new RunContext({ memory: MEMORY, workers: 0 });
  const cube = hypercube({
    dimensions: { y: 1, x: 1 },
    arrays: [{ name: "in", shape: ["y", "x"], dtype: "float32" }, {
      name: "out",
      shape: ["y", "x"],
      dtype: "float32",
      role: "output",
    }],
  });
  const run = async (options: Partial<FromDatasetOptions>, of = cube) => {
    const kept = toMemory("out");
    await runCube(of, {
      kernel: cubeExpression({ out: "in" }),
      sources: [fromDataset(dataset, { array: "in", ...options })],
      sinks: [kept],
      plan: { context, tile: ["y"] },
    });
    return kept.array("out", "float32");
  };
  const third = await run({ at: { [first!]: 3 } });
  assertEquals([third.shape, [...third.data]], [[6, 7], [...data.subarray(126, 168)]]);
  const small = await run(
    { at: { [first!]: 1 }, dimensions: false },
    cube.with({ y: { size: 2 }, x: { size: 3 } }),
  );
  assertEquals([...small.data], [42, 43, 44, 49, 50, 51]);
  const refused = async (options: Partial<FromDatasetOptions>, text: string, of = cube) =>
    assertStringIncludes((await assertRejects(() => run(options, of), TilewiseError)).message, text);
  await refused({}, "name positions of the others in { at }");
  await refused({ at: { [first!]: 5 } }, "there is no 5");
  await refused({ at: { nowhere: 0 } }, 'The data set has no axis "nowhere"');
  await refused(
    { at: { [first!]: 0 }, axes: ["y", "z"] },
    "in has the axes y, x; the data set was said to have y, z",
  );
  await refused(
    { at: { [first!]: 0 }, dimensions: false },
    "in has 9 samples along y; the data set, 5 × 6 × 7, has 6",
    cube.with({ y: { size: 9 } }),
  );
  await refused({ array: "inn" }, 'There is no array "inn"');
  const lossy = hypercube({
    dimensions: { y: 1, x: 1 },
    arrays: [{ ...cube.array("in"), dtype: "int16" }, cube.array("out")],
  });
  await refused(
    { at: { [first!]: 0 } },
    "in has samples of int16, which do not hold those of the data set, float32",
    lossy,
  );
});

Deno.test("outputs go to npy files and Zarr groups, tile by tile, and come back as they were", async () => {
  const folder = await Deno.makeTempDir();
  const data = Float64Array.from({ length: COUNT }, (_, i) => i % 11 === 0 ? 0 : Math.sin(i));
  const dataset = await open({ data, shape: SHAPE });
  const [npy, zarr] = [`${folder}/out.npy`, `${folder}/out.zarr`];
  const chunks = [undefined, { out: [1, 6, 1] }, undefined, { out: [1, 1, 7] }];
  for (const [n, tile] of [["t"], ["t", "x"], ["y", "x"], ["y", "t"]].entries()) {
    const chunk = chunks[n];
    const options = {
      arrays: ["out"],
      compression: n % 2 ? "none" : "zstd:3",
      attributes: { from: "a test" },
      ...(chunk ? { chunk } : {}),
    };
    const sinks = [toNpy({ out: npy }), toZarr(zarr, options)];
    const axes = ["t", "y", "x"];
    const memory = 10_500; // several tiles beside what the expression and the reader of the source need
    assertEquals(await copied(dataset, axes, { axes }, { tile, sinks, memory }), [...data], String(tile));
    assertEquals(await copied(await open(npy), axes, { axes }, { memory: MEMORY }), [...data], `npy ${tile}`);
    const stored = await open(zarr, { array: "out" });
    assertEquals(stored.axes.map(({ name }) => name), axes);
    assertEquals(await copied(stored, axes, {}, { memory: 2 * MEMORY }), [...data], `Zarr ${tile}`);
  }
  assertEquals(JSON.parse(await Deno.readTextFile(`${zarr}/zarr.json`)).attributes, { from: "a test" });
  assertEquals(JSON.parse(await Deno.readTextFile(`${zarr}/out/zarr.json`)).attributes, { units: "m" });
  assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["out.npy", "out.zarr"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a run that fails leaves files as they were, and no parts of files", async () => {
  const folder = await Deno.makeTempDir();
  const [npy, zarr] = [`${folder}/out.npy`, `${folder}/out.zarr`];
  await Deno.writeTextFile(npy, "old");
  await using context = new RunContext({ memory: 4000, workers: 0 });
  const cube = hypercube({
    dimensions: { t: 40 },
    arrays: [{ name: "out", shape: ["t", 4], dtype: "complex128", role: "output" }],
  });
  const ones = cubeFunction(({ tile, arrays: { out } }) => {
    if (tile === 1) throw new Error("no more");
    out.data.fill(1);
  }, { arrays: { out: "complex128" } });
  const plan = { context, tile: ["t"] };
  const run = (sinks: Provider[], kernel = ones) => runCube(cube, { kernel, sources: {}, sinks, plan });
  const error = await assertRejects(
    () => run([toNpy({ out: npy }), toZarr(zarr, { arrays: ["out"] })]),
    TilewiseError,
  );
  assertStringIncludes(error.message, "no more");
  assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["out.npy"]);
  assertEquals(await Deno.readTextFile(npy), "old");
  const nowhere = await assertRejects(() => run([toNpy({ out: `${folder}/no/out.npy` })]), TilewiseError);
  assert(nowhere.code === "not-found" || nowhere.code === "io", nowhere.code);
  await Deno.mkdir(`${folder}/mine`);
  await Deno.writeTextFile(`${folder}/mine/letter.txt`, "dear");
  const foreign = await assertRejects(
    () => run([toZarr(`${folder}/mine`, { arrays: ["out"] })]),
    TilewiseError,
  );
  assertStringIncludes(foreign.message, "is not a Zarr store");
  const uneven = await assertRejects(
    () => run([toZarr(zarr, { arrays: ["out"], chunk: { out: [3, 4] } })]),
    TilewiseError,
  );
  assertEquals(uneven.details.option, "chunk.out");
  const twice = await assertRejects(() => run([toZarr(zarr, { arrays: ["outt"] })]), TilewiseError);
  assertStringIncludes(twice.message, "a sink for outt, which is not an output");
  await run(
    [toNpy({ out: npy })],
    cubeFunction(({ arrays: { out } }) => out.data.fill(1), { arrays: { out: "complex128" } }),
  );
  assertEquals((await open(npy)).shape, [40, 4]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a run that is cancelled while its files are made leaves nothing behind", async () => {
  const folder = await Deno.makeTempDir();
  for (
    const make of [
      () => toNpy({ out: `${folder}/a.npy` }),
      () => toZarr(`${folder}/a.zarr`, { arrays: ["out"] }),
    ]
  ) {
    const controller = new AbortController();
    const sink = make();
    const cancelled: Provider = {
      ...sink,
      start(context) {
        const made = sink.start!(context);
        controller.abort();
        return made;
      },
    };
    await using context = new RunContext({ workers: 0 });
    const cube = hypercube({
      dimensions: { n: 4 },
      arrays: [{ name: "out", shape: ["n"], dtype: "float64", role: "output" }],
    });
    const run = runCube(cube, {
      kernel: cubeExpression({ out: "n + 0" }),
      sources: {},
      sinks: [cancelled],
      plan: { context, tile: ["n"] },
      signal: controller.signal,
    });
    await assertRejects(() => run, TilewiseError, "Cancelled by the caller");
    await new Promise((resolve) => setTimeout(resolve, 20));
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), []);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("what reads a data set counts in the budget: tiles leave room for it, and a plan without room is refused", async () => {
  const dataset = await open({ data: new Uint16Array(64 * 64).fill(3), shape: [64, 64] });
  const cube = hypercube({
    dimensions: { y: 64, x: 64 },
    arrays: ["in", "out"].map((name) => {
      return { name, shape: ["y", "x"], dtype: "float32", role: name === "in" ? "input" : "output" };
    }),
  });
  const twice = cubeFunction(({ arrays: { in: from, out } }) => {
    for (let i = 0; i < out.data.length; i++) out.data[i] = 2 * from.data[i]!;
  }, { arrays: { in: "float32", out: "float32" } });
  const options = { kernel: twice, sources: [fromDataset(dataset, { array: "in", axes: ["y", "x"] })] };
  await using context = new RunContext({ memory: 16 * 1024, workers: 0 });
  let [planned, most] = [0, 0];
  const sinks = {
    out: ({ data }: { data: { data: ArrayLike<unknown> } }) => {
      assertEquals(data.data[0], 6);
      most = Math.max(most, context.arena.used);
    },
  };
  const onPlan = ({ memory }: TilePlan) => void (planned = memory.total);
  await runCube(cube, { ...options, sinks, onPlan, plan: { context, tile: ["y"] } });
  const needed = most - planned;
  assert(needed > 0 && most <= context.arena.budget, `${planned} planned, ${most} leased`);
  const plan = planTiles(cube, { context, tile: ["y"] });
  assert(plan.memory.total + needed > context.arena.budget, "a plan of its own takes all");
  const error = await assertRejects(
    () => runCube(plan, { ...options, sinks }),
    TilewiseError,
    "for sources and sinks",
  );
  assertEquals(error.code, "over-budget");
  await runCube(planTiles(cube, { context, tile: ["y"], reserve: 8 * 1024 }), { ...options, sinks });
  const wrong = { name: "wrong", memory: () => NaN };
  await assertRejects(
    () => runCube(plan, { ...options, sinks: [sinks, wrong] }),
    TilewiseError,
    "a number of bytes",
  );
  await context.settled();
  assertEquals(context.arena.used, 0);
});
