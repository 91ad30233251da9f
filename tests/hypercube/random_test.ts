/** Random cubes in random tiles: what memory, files and sums get is what the formula says for every sample of the window. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { isTilewiseError, TilewiseError } from "../../src/errors.ts";
import type { ArraySchema } from "../../src/hypercube/cube/schema.ts";
import { type CubeInit, type Hypercube, hypercube } from "../../src/hypercube/cube/cube.ts";
import { planTilesAs } from "../../src/hypercube/plan/budget.ts";
import type { CubePlan } from "../../src/hypercube/run/options.ts";
import { planTiles } from "../../src/hypercube/run/run_cube.ts";
import { fromArrays } from "../../src/hypercube/providers/arrays.ts";
import type { Sink } from "../../src/hypercube/providers/provider.ts";
import { toMemory } from "../../src/hypercube/providers/sinks/memory.ts";
import { toNpy } from "../../src/hypercube/providers/sinks/npy.ts";
import { toZarr } from "../../src/hypercube/providers/sinks/zarr.ts";
import { cubeExpression } from "../../src/hypercube/run/kernels/expression.ts";
import { run as runCube } from "../../src/run.ts";
import { createContext } from "../../src/runner/context.ts";
import { open } from "@tilewise/tilewise/formats";
import { copySamples } from "@tilewise/tilewise/unstable/views";
import { mapViews } from "@tilewise/tilewise/views";
import { sizeOf, unravel } from "../../src/space/shape.ts";
import "../fences/mod.ts";

/** All kinds of derived dimensions, some of others that are derived. */
const DERIVED: CubeInit["dimensions"] = {
  ab: { productOf: ["a", "b"] },
  pq: { sumOf: ["p", "q"] },
  pairs: { baselinesOf: "b" },
  autos: { baselinesOf: "b", autoCorrelations: true },
  twice: { of: ["a"], size: (a) => 2 * a },
  abc: { productOf: ["ab", "c"] },
  pqb: { productOf: ["pq", "b"] },
  abp: { sumOf: ["ab", "p"] },
};
const NAMES = ["a", "b", "c", "p", "q", ...Object.keys(DERIVED)];

const axes = fc.shuffledSubarray(NAMES, { minLength: 1, maxLength: 3 });
/** A number of a dimension among those that an output has or follows, and the ends of a window of it. */
const window = fc.record({ which: fc.nat(99), from: fc.nat(99), to: fc.nat(99) });
const cases = fc.record({
  sizes: fc.tuple(...[7, 4, 4, 9, 5].map((most) => {
    return fc.oneof({ weight: 1, arbitrary: fc.nat(1) }, {
      weight: 8,
      arbitrary: fc.integer({ min: 2, max: most }),
    });
  })),
  windows: fc.array(window, { maxLength: 1 }),
  output: axes,
  inputs: fc.array(fc.nat(7), { maxLength: 1 }), // which axes of the output each has, as bits
  tile: fc.oneof(fc.constant("any" as const), fc.array(fc.nat(99), { minLength: 1, maxLength: 2 })),
  largestTile: fc.constantFrom(64, 64, 64, 128, 192, 300, 2000),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

/** The dimensions that an output has or follows, and one more. */
function relatedTo(output: readonly string[]): string[] {
  const bases = (name: string): string[] => {
    const init = DERIVED[name] as Exclude<CubeInit["dimensions"][string], number> | undefined;
    const of = init?.productOf ?? init?.sumOf ?? init?.of ?? [];
    return [name, ...of.flatMap(bases)];
  };
  return [...new Set([...output.flatMap(bases), "c"])];
}

/** The cube of a case, with its windows; nothing if a window lies outside. */
function cubeOf({ sizes, windows, output, inputs }: Case): Hypercube {
  const [a, b, c, p, q] = sizes as [number, number, number, number, number];
  const arrays: ArraySchema[] = inputs.map((bits, i) => {
    return { name: `x${i}`, shape: output.filter((_, d) => bits >> d & 1), dtype: "float64" };
  });
  const cube = hypercube({
    dimensions: { a, b, c, p, q, ...DERIVED },
    arrays: [...arrays, { name: "out", shape: output, dtype: "float64", role: "output" }],
  });
  const related = relatedTo(output);
  return windows.reduce((cube, { which, from, to }) => {
    const name = related[which % related.length]!;
    const { size } = cube.dimension(name);
    const lower = from % (size + 1), upper = size - to % (size - lower + 1);
    return cube.with({ [name]: { lower, upper } });
  }, cube);
}

/** A plan, unless its dimensions cannot be cut together. */
function planned(cube: Hypercube, options: Parameters<typeof planTiles>[1]): CubePlan | undefined {
  try {
    return planTiles(cube, options);
  } catch (error) {
    assert(isTilewiseError(error, "invalid"), String(error));
    return undefined;
  }
}

/** One sample of an input, from its number. */
const input = (i: number) => (7919 * i) % 1009;

/** What must come out: one sample after another, zero outside of the window. */
function expected(cube: Hypercube): Float64Array {
  const whole = cube.array("out").shape.map((axis) => cube.dimension(String(axis)).size);
  const window = cube.arrayExtents("out");
  const inputs = [...cube.arrays.values()].filter(({ role = "input" }) => role === "input");
  const { shape } = cube.array("out");
  return Float64Array.from({ length: sizeOf(whole) }, (_, i) => {
    const at = unravel(i, whole);
    if (at.some((n, d) => n < window[d]![0] || n >= window[d]![1])) return 0;
    const positions = at.reduce((sum, n) => 100 * sum + n, 1);
    return inputs.reduce((sum, own) => {
      const index = own.shape.reduce<number>((all, axis) => {
        return all * cube.dimension(String(axis)).size + at[shape.indexOf(axis)]!;
      }, 0);
      return sum + input(index);
    }, positions);
  });
}

/** The same as an expression. */
function formula(cube: Hypercube): string {
  const positions = cube.array("out").shape.reduce<string>((text, axis) => `(100 * ${text} + ${axis})`, "1");
  const inputs = [...cube.arrays.keys()].filter((name) => name !== "out");
  return [positions, ...inputs].join(" + ");
}

const sumCube = () =>
  hypercube({
    dimensions: { nch: 5, nt: 3, nsum: { sumOf: ["nch", "nt"] } },
    arrays: [{ name: "out", shape: ["nsum", "nt"], dtype: "float32", role: "output" }],
  });

Deno.test("a sum with two parts is not cut by way of one, whoever asks; cut itself, it is right", async () => {
  await using context = createContext({ workers: 0, memory: "1MiB" });
  const cube = sumCube();
  assertEquals(planTiles(cube, { context, largestTile: 64 }).strides, []);
  for (const tile of [["nch"], ["nt"]]) {
    assertThrows(() => planTiles(cube, { context, tile }), TilewiseError, "Cannot plan with tiles");
    const strides = [[tile[0]!, 2]] as const; // such as those of a run that another version began
    const error = assertThrows(
      () => planTilesAs(cube, strides, { context }),
      TilewiseError,
      "Cannot plan with tiles",
    );
    assertEquals(error.details.option, "tile");
  }
  const memory = toMemory("out");
  const plan = planTiles(cube, { context, tile: ["nsum"], largestTile: 64 });
  await runCube(plan, { kernel: cubeExpression({ out: "nsum * 10 + nt" }), sources: {}, sinks: [memory] });
  assertEquals(plan.tiles > 1, true);
  const want = Float32Array.from({ length: 24 }, (_, i) => 10 * Math.floor(i / 3) + i % 3);
  assertEquals(memory.array("out", "float32").data, want);
});

Deno.test("windows of parts that leave gaps in a sum are refused for arrays, and count as scratch", async () => {
  await using context = createContext({ workers: 0, memory: "1MiB" });
  const gap = sumCube().with({ nch: { lower: 1, upper: 3 } });
  assertThrows(() => planTiles(gap, { context }), TilewiseError, "set the window of nsum itself");
  assertEquals(planTiles(gap.with({ nsum: { lower: 1, upper: 3 } }), { context }).tiles, 1);
  assertEquals(sumCube().with({ nch: { lower: 2 }, nt: { upper: 1 } }).extents("nsum"), [[2, 6]]);
  assertEquals(sumCube().with({ nch: { upper: 0 }, nt: { lower: 1 } }).extents("nsum"), [[6, 8]]);
});

Deno.test("parts that nobody merges are refused where one would replace the other", async () => {
  await using context = createContext({ workers: 0, memory: "1MiB" });
  const cube = hypercube({
    dimensions: { n: 4, m: 200 },
    arrays: [
      { name: "x", shape: ["m"], dtype: "float64" },
      { name: "out", shape: ["n"], dtype: "float64", role: "output" },
    ],
  });
  const plan = planTiles(cube, { context, tile: ["m"], largestTile: 256 });
  const parts: number[] = [];
  const kernel = cubeExpression({ out: "n" });
  const sources = { x: ({ shape }: { readonly shape: readonly number[] }) => new Float64Array(shape[0]!) };
  for (
    const sink of [toMemory("out"), toNpy({ out: "never.npy" }), toZarr("never.zarr", { arrays: ["out"] })]
  ) {
    const run = () => runCube(plan, { kernel, sources, sinks: [sink] });
    await assertRejects(run, TilewiseError, 'merge them, such as by { merge: { out: "sum" } }');
  }
  await runCube(plan, { kernel, sources, sinks: { out: ({ tile }) => void parts.push(tile) } });
  assertEquals(parts.length, plan.tiles, "a function gets all parts");
});

Deno.test("windows that begin anywhere are whole chunks of a store", async () => {
  const folder = await Deno.makeTempDir();
  await using context = createContext({ workers: 0, memory: "1MiB" });
  const cube = hypercube({
    dimensions: { n: 64, m: 2 },
    arrays: [{ name: "out", shape: ["n", "m"], dtype: "float64", role: "output" }],
  });
  for (const [lower, tiled] of [[5, ["n"]], [8, ["n"]], [6, ["m"]]] as const) {
    const plan = planTiles(cube.with({ n: { lower, upper: 61 } }), {
      context,
      tile: tiled,
      largestTile: 192,
    });
    const sinks = [toZarr(`${folder}/out.zarr`, { arrays: ["out"] })];
    await runCube(plan, { kernel: cubeExpression({ out: "10 * n + m" }), sources: {}, sinks });
    const want = (i: number) => i >> 1 >= lower && i >> 1 < 61 ? 10 * (i >> 1) + i % 2 : 0;
    assertEquals(
      await read(`${folder}/out.zarr`, 128),
      Float64Array.from({ length: 128 }, (_, i) => want(i)),
    );
  }
  const plan = planTiles(cube.with({ n: { lower: 5 } }), { context, tile: ["n"], largestTile: 192 });
  const sinks = [toZarr(`${folder}/no.zarr`, { arrays: ["out"], chunk: { out: [4, 2] } })];
  const run = () => runCube(plan, { kernel: cubeExpression({ out: "n" }), sources: {}, sinks });
  await assertRejects(run, TilewiseError, "would work");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("random cubes, windows, tiles and sinks: every sample of the window comes once, and is right", async () => {
  const folder = await Deno.makeTempDir();
  const count = { runs: 0, tiled: 0, windowed: 0, refused: 0 };
  await using context = createContext({ workers: 0, memory: "1MiB" });
  const one = async (given: Case) => {
    const cube = cubeOf(given);
    const related = relatedTo(given.output);
    const tile = given.tile === "any" ? "any" : given.tile.map((which) => related[which % related.length]!);
    const plan = planned(cube, { context, tile, largestTile: given.largestTile });
    if (!plan) return void count.refused++;
    const want = expected(cube);
    const names = [...cube.arrays.keys()].filter((name) => name !== "out");
    const whole = (name: string) =>
      sizeOf(cube.array(name).shape.map((axis) => cube.dimension(`${axis}`).size));
    const sources = [fromArrays(
      Object.fromEntries(
        names.map((name) => [name, Float64Array.from({ length: whole(name) }, (_, i) => input(i))]),
      ),
    )];
    let [total, samples] = [0, 0];
    const sum: Sink = ({ data }) => {
      for (const value of data.data as Float64Array) total += value;
      samples += data.data.length;
    };
    const memory = toMemory("out");
    const lacking = plan.strides.some(([name]) => !follows(cube, name));
    const files = count.runs % 8 === 0 && want.length > 0;
    const sinks = [memory, { out: sum }, ...files ? filesIn(folder) : []];
    const merge = lacking ? { merge: { out: "max" as const } } : {};
    const { bytesWritten } = await runCube(plan, {
      kernel: cubeExpression({ out: formula(cube) }),
      sources,
      sinks,
      ...merge,
    });
    assertEquals(memory.array("out", "float64").data, want);
    const window = plan.tiles === 0 ? 0 : sizeOf(cube.arrayShape("out"));
    assertEquals([samples, total, bytesWritten], [
      window,
      want.reduce((a, b) => a + b, 0),
      8 * window * sinks.length,
    ]);
    if (files) {
      for (const path of ["out.npy", "out.zarr"]) {
        assertEquals(await read(`${folder}/${path}`, want.length), want);
      }
    }
    count.runs++;
    count.tiled += +(plan.tiles > 1);
    count.windowed += +(plan.tiles > 1 && plan.strides.some(([, , range]) => range === "window"));
  };
  await fc.assert(fc.asyncProperty(cases, one), { numRuns: 300, seed: 27 });
  await Deno.remove(folder, { recursive: true });
  assert(count.runs > 180 && count.tiled > 50 && count.windowed > 3, JSON.stringify(count));
});

/** Whether the output moves with a dimension. */
function follows(cube: Hypercube, name: string): boolean {
  const moved = cube.with({ [name]: { upper: cube.dimension(name).lower } });
  return moved.arrayExtents("out").join() !== cube.arrayExtents("out").join();
}

const filesIn = (folder: string) => [
  toNpy({ out: `${folder}/out.npy` }),
  toZarr(`${folder}/out.zarr`, { arrays: ["out"], compression: "none" }),
];

/** The samples of a file. */
async function read(path: string, length: number): Promise<Float64Array> {
  const dataset = await open(path, path.endsWith("zarr") ? { array: "out" } : {});
  const { data } = await mapViews(dataset, copySamples());
  assertEquals(data.length, length);
  return data as Float64Array;
}
