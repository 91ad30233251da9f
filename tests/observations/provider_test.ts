/** Observations as providers: kernels of users over the rows and channels of every format. */

import "../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { cubeFunction, fromArrays, hypercube, type Provider, toMemory } from "@tilewise/tilewise/hypercube";
import { run as runCube } from "../../src/run.ts";
import type { Observation } from "../../src/observations/observation.ts";
import { openObservation } from "../../src/observations/open.ts";
import { fromObservation } from "../../src/observations/provider.ts";
import { createContext } from "../../src/runner/context.ts";
import { failure } from "../formats/helpers.ts";
import { allSamples, pathOf } from "./expected.ts";

const ROWS = ["nrow", "nchan", "ncorr"];
const POWER = hypercube({
  dimensions: { nrow: 1, nchan: 1, ncorr: 1 },
  arrays: [
    { name: "observed_vis", shape: ROWS, dtype: "complex128" },
    { name: "flag", shape: ROWS, dtype: "uint8" },
    { name: "weight", shape: ROWS, dtype: "float64" },
    { name: "power", shape: ["nrow", "nchan"], dtype: "float64", role: "output" },
    { name: "count", shape: [1], dtype: "float64", role: "output" },
  ],
});
const kernel = cubeFunction(new URL("power_kernel.ts", import.meta.url), { export: "power" });

async function powerOf(
  observation: Observation,
  { workers = 0, largestTile = 2 ** 20, ...options }: {
    workers?: number;
    largestTile?: number;
    correlations?: string[];
  } = {},
) {
  await using context = createContext({ memory: "1MiB", workers });
  const result = toMemory("power", "count");
  const { tiles } = await runCube(POWER, {
    kernel,
    sources: [fromObservation(observation, options)],
    sinks: [result],
    merge: { count: "sum" },
    plan: { context, tile: ["nrow", "nchan"], inFlight: 2, largestTile },
  });
  return {
    tiles,
    power: [...result.array("power", "float64").data],
    count: result.array("count", "float64").data[0]!,
  };
}

/** The same from all samples at once. */
async function expectedOf({ visibility, flag, weight }: Observation) {
  const [vis, flags, weights] = [
    await allSamples(visibility!),
    await allSamples(flag!),
    await allSamples(weight!),
  ];
  const [, channels, correlations] = visibility!.shape as [number, number, number];
  const isByRow = weight!.shape.length === 2;
  const power = new Float64Array(flags.length / correlations);
  let count = 0;
  for (let i = 0; i < flags.length; i++) {
    const place = isByRow ? Math.floor(i / correlations / channels) * correlations + i % correlations : i;
    if (flags[i]) continue;
    count++;
    power[Math.floor(i / correlations)]! += Number(weights[place]!) *
      (Number(vis[2 * i]!) ** 2 + Number(vis[2 * i + 1]!) ** 2);
  }
  return { power: [...power], count };
}

const SOURCES = [
  ["a Measurement Set", "small.ms", { field: 1, spectralWindow: 1 }],
  ["a Measurement Set of version 4", "small.ps.zarr", { field: 0, dataDescription: 0 }],
  ["UVH5", "small.uvh5", {}],
] as const;

for (const [what, file, options] of SOURCES) {
  Deno.test(`a kernel of a user runs over the rows and channels of ${what}, tile by tile`, async () => {
    await using observation = await openObservation(pathOf(file), options);
    const { tiles, ...found } = await powerOf(observation, { largestTile: 600 });
    assert(tiles > 1);
    assertEquals(found, await expectedOf(observation));
  });
}

Deno.test("results have the same bits on workers and in one tile", async () => {
  await using observation = await openObservation(pathOf("small.ms"), { spectralWindow: 0, field: 0 });
  const [small, whole] = [
    await powerOf(observation, { workers: 2, largestTile: 600 }),
    await powerOf(observation),
  ];
  assert(small.tiles > 1 && whole.tiles === 1);
  assertEquals([small.power, small.count], [whole.power, whole.count]);
});

Deno.test("correlations come in the order in which they are wanted", async () => {
  await using observation = await openObservation(pathOf("small.ms"), { spectralWindow: 0, field: 0 });
  const [all, two, others] = [
    await powerOf(observation),
    await powerOf(observation, { correlations: ["YY", "XX"] }),
    await powerOf(observation, { correlations: ["XY", "YX"] }),
  ];
  two.power.forEach((power, i) => assert(Math.abs(power + others.power[i]! - all.power[i]!) < 1e-6));
  assertEquals(two.count + others.count, all.count);
  const error = await failure(
    Promise.resolve().then(() => fromObservation(observation, { correlations: ["RR"] })),
    "invalid",
  );
  assert(/no correlation RR; it has XX, XY, YX, YY/.test(error.message), error.message);
});

Deno.test("without flags and weights nothing is flagged, and weights are 1", async () => {
  await using observation = await openObservation({
    antennas: [{ name: "a", position: [0, 0, 0] }, { name: "b", position: [1, 0, 0] }],
    frequencies: [1e9, 2e9],
    correlations: ["I"],
    phaseCentre: [0, 0],
    time: [1, 1],
    antenna1: [0, 1],
    antenna2: [1, 1],
    uvw: new Float64Array(6),
    visibility: Float32Array.of(1, 1, 2, 0, 0, 3, 0, 0),
  });
  assertEquals((await powerOf(observation)).power, [2, 4, 9, 0]);
  assertEquals((await powerOf(observation)).count, 4);
});

/** Sources of facts, for a kernel that does nothing. */
async function facts(
  observation: Observation,
  arrays:
    readonly (readonly [name: string, shape: readonly (string | number)[], dtype: "float64" | "int32"])[],
  { dimensions = {}, more = [], own }: {
    dimensions?: Record<string, number | { baselinesOf: string } | { productOf: string[] }>;
    more?: readonly Provider[];
    own?: boolean;
  } = {},
) {
  const cube = hypercube({
    dimensions: { nrow: 1, nchan: 1, ntime: 1, na: 1, ...dimensions },
    arrays: [
      ...arrays.map(([name, shape, dtype]) => ({ name, shape, dtype })),
      { name: "out", shape: ["nchan"], dtype: "float64", role: "output" },
    ],
  });
  await using context = createContext({ memory: "1MiB", workers: 0 });
  const found: Record<string, number[]> = {};
  const sizes: Record<string, number> = {};
  await runCube(cube, {
    kernel: cubeFunction(({ arrays: all }) => {
      for (const [name, { data }] of Object.entries(all)) found[name] = Array.from(data as Iterable<number>);
    }),
    sources: [fromObservation(observation, own === false ? { dimensions: false } : {}), ...more],
    sinks: { out: ({ cube }) => cube.dimensions.forEach(({ size }, name) => sizes[name] = size) },
    plan: { context, tile: ["nchan"] },
  });
  return { found, sizes };
}

Deno.test("facts of an observation are inputs, and dimensions get its sizes", async () => {
  await using observation = await openObservation(pathOf("small.ms"), { spectralWindow: 1, field: 1 });
  const { found, sizes } = await facts(observation, [
    ["uvw", ["nrow", 3], "float64"],
    ["antenna1", ["nrow"], "int32"],
    ["antenna2", ["nrow"], "int32"],
    ["time_index", ["nrow"], "int32"],
    ["interval", ["nrow"], "float64"],
    ["time", ["ntime"], "float64"],
    ["frequency", ["nchan"], "float64"],
    ["channel_width", ["nchan"], "float64"],
    ["antenna_position", ["na", 3], "float64"],
    ["feed_angles", ["na"], "float64"],
    ["phase_centre", [2], "float64"],
  ], { dimensions: { nbl: 1 } });
  assertEquals(sizes, { nrow: 6, nchan: 6, ntime: 2, na: 3, nbl: 3 });
  assertEquals(found["uvw"], [...await observation.uvw(0, 6)]);
  assertEquals([found["antenna1"], found["antenna2"]], [[0, 0, 1, 0, 0, 1], [1, 2, 2, 1, 2, 2]]);
  assertEquals([found["time_index"], found["time"]], [[0, 0, 0, 1, 1, 1], [...observation.times]]);
  assertEquals([found["frequency"], found["channel_width"]], [
    [...observation.frequencies],
    [...observation.channelWidths],
  ]);
  assertEquals(found["interval"], new Array(6).fill(8));
  assertEquals(found["antenna_position"], observation.antennas.flatMap(({ position }) => [...position]));
  assertEquals(found["feed_angles"], [0, 0, 0]);
  assertEquals(found["phase_centre"], [...observation.field.phaseCentre]);
});

Deno.test("dimensions that follow from others are left to them, and a dense grid is rows of times", async () => {
  await using observation = await openObservation(pathOf("small.ms"), { spectralWindow: 1, field: 1 });
  const dimensions = { nbl: { baselinesOf: "na" }, nrow: { productOf: ["ntime", "nbl"] } };
  const { sizes, found } = await facts(observation, [["uvw", ["nrow", 3], "float64"]], { dimensions });
  assertEquals([sizes["nbl"], sizes["nrow"], found["uvw"]!.length], [3, 6, 18]);
});

Deno.test("inputs with other axes, types or more rows than there are, and providers that disagree, are refused", async () => {
  await using observation = await openObservation(pathOf("small.ms"), { spectralWindow: 1, field: 1 });
  const axes = await failure(facts(observation, [["uvw", ["ntime", "na", 3], "float64"]]), "invalid");
  assert(/uvw with the axes nrow, 3; in the cube they are ntime, na, 3/.test(axes.message), axes.message);
  const type = await failure(facts(observation, [["uvw", ["nrow", 3], "int32"]]), "invalid");
  assert(/the type int32, which does not hold/.test(type.message), type.message);
  const rows = await failure(
    facts(observation, [["interval", ["nrow"], "float64"]], { dimensions: { nrow: 7 }, own: false }),
    "invalid",
  );
  assert(/has 6 samples of interval; the cube asks for 7/.test(rows.message), rows.message);
  const other: Provider = { ...fromArrays({}, { name: "other" }), dimensions: () => ({ na: 64 }) };
  const two = await failure(facts(observation, [], { more: [other] }), "invalid");
  assert(
    /small\.ms" and "other" disagree about the size of the dimension na: 3 and 64/.test(two.message),
    two.message,
  );
});

Deno.test("what reads the rows counts in the budget of a run", async () => {
  await using observation = await openObservation(pathOf("small.ms"), { spectralWindow: 1, field: 1 });
  assert(observation.memory > 2 ** 16, `${observation.memory} bytes`);
  const run = async (memory: number) => {
    await using context = createContext({ memory, workers: 0 });
    const sources = [fromObservation(observation)];
    await runCube(POWER, {
      kernel,
      sources,
      sinks: {},
      merge: { count: "sum" },
      plan: { context, tile: ["nrow"] },
    });
  };
  const error = await failure(run(observation.memory), "over-budget");
  assert(/for sources and sinks/.test(error.message), error.message);
  await run(observation.memory + 2 ** 16);
});
