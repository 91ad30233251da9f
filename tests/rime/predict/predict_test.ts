/** Predicted visibilities against the plain sum: every combination of options, in any tiles, and what is refused. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import { type Correlation, LINEAR } from "../../../src/rime/predict/correlations.ts";
import { settingsOf } from "../../../src/rime/predict/options.ts";
import { predictPlain } from "../../oracles/predict.ts";
import { planPredict, predict, type PredictOptions } from "../../../src/rime/predict/predict.ts";
import type { PredictInput, SkySpectrum } from "../../../src/rime/predict/problem.ts";
import { sizesOf } from "../../../src/rime/predict/sizes.ts";
import { mulberry32 } from "../../kernels/call.ts";
import { assertNear } from "../golden/golden.ts";

interface Some {
  readonly times: number;
  readonly antennas: number;
  readonly channels: number;
  readonly sources: number;
  readonly seed: number;
  readonly even?: boolean;
  readonly gaussians?: number;
  readonly disks?: number;
  readonly shapelets?: number;
  readonly stokes?: "source" | "channel" | "time";
  readonly spectrum?: SkySpectrum["kind"];
}

/** A random problem. */
function random(some: Some): PredictInput {
  const { times, antennas, channels, sources, seed } = some;
  const next = mulberry32(seed);
  const make = (n: number, of: (i: number) => number) => Float64Array.from({ length: n }, (_, i) => of(i));
  const pairs = Array.from(
    { length: antennas * antennas },
    (_, i) => [Math.floor(i / antennas), i % antennas],
  )
    .filter(([p, q]) => p! < q!);
  const perSource = { source: 1, channel: channels, time: times * channels }[some.stokes ?? "source"];
  return {
    uvw: make(3 * times * antennas, () => 2000 * (next() - 0.5)),
    antenna1: Int32Array.from(pairs, ([p]) => p!),
    antenna2: Int32Array.from(pairs, ([, q]) => q!),
    frequency: make(channels, (c) => some.even === false ? 1e9 * (1 + next()) : 1e9 + 1e6 * c),
    antennas,
    sky: {
      lm: make(2 * sources, () => 0.2 * (next() - 0.5)),
      stokes: make(4 * sources * perSource, () => next() - 0.3),
      ...(some.gaussians
        ? { gaussianShape: make(3 * some.gaussians, (i) => i < 2 * some.gaussians! ? 1e-4 * next() : next()) }
        : {}),
      ...(some.disks
        ? { sersicShape: make(3 * some.disks, (i) => i < 2 * some.disks! ? 0.3 * next() : 1e-4 * next()) }
        : {}),
      ...(some.shapelets
        ? {
          shapelets: {
            shape: make(3 * some.shapelets, (i) => i < 2 * some.shapelets! ? 1e-4 * next() : 6 * next()),
            coefficients: make(12 * some.shapelets, () => next() - 0.5),
            orders: [3, 4],
          },
        }
        : {}),
      ...(some.spectrum
        ? {
          spectrum: {
            kind: some.spectrum,
            referenceFrequency: make(sources, () => 8e8 + 4e8 * next()),
            terms: make(3 * sources, () => next() - 0.7),
          },
        }
        : {}),
    },
  };
}

async function comparePlain(input: PredictInput, options: PredictOptions): Promise<void> {
  const call = "predict()";
  const { kernel } = planPredict(input, options);
  const expected = predictPlain(
    input,
    sizesOf(call, input, options.correlations?.length ?? 4),
    settingsOf(call, kernel),
  );
  const { data } = await predict(input, options);
  const flux = input.sky.stokes.reduce((sum, value) => sum + Math.abs(value), 0);
  assertNear(data, expected, (options.precision === "mixed" ? 4e-7 : 1e-11) * (1 + flux));
}

const SMALL = { times: 2, antennas: 5, channels: 7, sources: 37, seed: 5 };

const VARIANTS:
  readonly (readonly [what: string, some: Partial<Some>, correlations: readonly Correlation[]])[] = [
    ["one correlation", {}, ["XX"]],
    ["Stokes I of uneven channels", { even: false }, ["I"]],
    ["two correlations", { antennas: 4 }, ["RR", "LL"]],
    ["four Stokes parameters", { stokes: "channel" }, ["I", "Q", "U", "V"]],
    ["brightness by time", { stokes: "time", channels: 67, sources: 3 }, LINEAR],
    ["power laws", { spectrum: "log" }, ["I"]],
    ["polynomials", { spectrum: "linear", stokes: "channel" }, LINEAR],
    ["points, Gaussians and disks", { gaussians: 3, disks: 2 }, LINEAR],
    ["extended sources of one correlation", { gaussians: 35, disks: 1 }, ["V"]],
    ["shapelets among others", { gaussians: 1, disks: 2, shapelets: 33, antennas: 9 }, LINEAR],
    ["shapelets of one correlation", { shapelets: 5, spectrum: "log" }, ["I"]],
    ["no sources", { sources: 0 }, LINEAR],
  ];

for (const [what, some, correlations] of VARIANTS) {
  Deno.test(`the plain sum of ${what} is predicted in both precisions`, async () => {
    await using context = createContext({ memory: "64MiB", workers: 0 });
    const input = random({ ...SMALL, ...some });
    for (const precision of ["f64", "mixed"] as const) {
      const common = { context, precision, correlations };
      await comparePlain(input, { ...common, convention: "fourier" });
      await comparePlain(input, {
        ...common,
        convention: "casa",
        brightness: { conjugated: true, halved: true },
      });
    }
  });
}

Deno.test("unpolarised sources give equal parallel hands and no others", async () => {
  await using context = createContext({ memory: "64MiB", workers: 0 });
  const input = random(SMALL);
  input.sky.stokes.forEach((_, i, all) => all[i]! *= i % 4 ? 0 : 1);
  assertEquals(planPredict(input, { context }).kernel.polarised, false);
  await comparePlain(input, { context });
  const [one, four] = [
    await predict(input, { context, correlations: ["XX"] }),
    await predict(input, { context }),
  ];
  const at = (k: number) => four.data.filter((_, i) => i % 8 === k);
  assertEquals(one.data.filter((_, i) => i % 2 === 0), at(0));
  assertEquals([at(6), at(7)], [at(0), at(1)]);
  assert([2, 3, 4, 5].every((k) => at(k).every((value) => value === 0)));
});

Deno.test("unpolarised sources among polarised ones have the bits that all sources have", async () => {
  await using context = createContext({ memory: "64MiB", workers: 0 });
  const input = random({ ...SMALL, sources: 75, gaussians: 33 });
  const { stokes } = input.sky;
  stokes.forEach((_, i) => stokes[i]! *= i % 4 && i < 4 * 40 || i % 4 && i >= 4 * 42 ? 0 : 1); // two are polarised
  const hardly = stokes.slice();
  for (const source of [0, 43]) hardly[4 * source + 1] = Number.MIN_VALUE; // too little to change I + Q
  for (const precision of ["f64", "mixed"] as const) {
    await comparePlain(input, { context, precision });
    const [found, expected] = await Promise.all([stokes, hardly].map(async (stokes) => {
      return await predict({ ...input, sky: { ...input.sky, stokes } }, { context, precision });
    }));
    assertEquals(found!.data, expected!.data);
  }
});

Deno.test("the same bits on workers, and in tiles of any times, rows and channels", async () => {
  for (const precision of ["f64", "mixed"] as const) {
    for (const correlations of [["I"], LINEAR] as const) {
      const dense = random({ ...SMALL, times: 40, channels: 50, sources: 35 });
      const repeated = (pairs: Int32Array) => Int32Array.from({ length: 400 }, (_, i) => pairs[i % 10]!);
      const [antenna1, antenna2] = [repeated(dense.antenna1!), repeated(dense.antenna2!)];
      const timeIndex = Int32Array.from({ length: 400 }, (_, i) => (7 * i) % 40);
      for (const input of [dense, { ...dense, antenna1, antenna2, timeIndex }]) {
        const options = { precision, correlations, inFlight: 2 };
        await using inline = createContext({ memory: "64MiB", workers: 0 });
        const whole = await predict(input, { ...options, context: inline });
        assertEquals(planPredict(input, { ...options, context: inline }).tiles, 1);
        const least = planPredict(input, { ...options, context: inline });
        await using context = createContext({ memory: Math.ceil(0.93 * least.memory.total), workers: 2 });
        const plan = planPredict(input, { ...options, context });
        assert(plan.tiles > 1, plan.explain());
        const parts = await predict(input, { ...options, context });
        assertEquals(parts.data, whole.data);
        assert(context.peak <= plan.memory.total);
      }
    }
  }
});

Deno.test("sources beyond the horizon and numbers that are not finite are refused by name", async () => {
  const input = random(SMALL);
  const refused = async (change: Partial<PredictInput>, message: string) => {
    await assertRejects(() => predict({ ...input, ...change }), Error, message);
  };
  await refused({ sky: { ...input.sky, lm: input.sky.lm.with(3, 1) } }, "lm[1]");
  await refused({ sky: { ...input.sky, lm: input.sky.lm.with(3, NaN) } }, "lm[1][1] is NaN");
  await refused({ uvw: input.uvw.with(4, Infinity) }, "uvw[1][1]");
  await refused({ frequency: input.frequency.with(0, 0) }, "frequency");
  await refused({ antenna1: input.antenna1!.with(0, 5), antennas: 5 }, "antenna1[0] is 5");
  await refused({ antenna2: input.antenna2!.with(0, -1) }, "antenna2[0] is -1");
  await refused({ sky: { ...input.sky, stokes: new Float64Array(3) } }, "sky.stokes has 3 numbers");
  await refused({ uvw: input.uvw.subarray(3) }, "a multiple of 5");
  assertThrows(
    () => planPredict(input, { correlations: ["XZ" as Correlation] }),
    Error,
    "cannot predict the correlations XZ",
  );
});

Deno.test("a problem that does not fit is refused with the sum, and a plan says what it will do", async () => {
  await using context = createContext({ memory: 200_000, workers: 0 });
  const input = random(SMALL);
  assertThrows(() => planPredict(input, { context }), Error, "need");
  await using large = createContext({ memory: "16MiB", workers: 0 });
  const plan = planPredict(input, { context: large });
  assertEquals(plan.sourceVisibilities, 37 * 2 * 10 * 7);
  assertEquals(plan.resultBytes, 2 * 10 * 7 * 4 * 16);
  assert(plan.explain().startsWith("37 sources × 20 rows × 7 channels = 5180 source visibilities of XX, XY"));
});

Deno.test("one time with very many sources is cut into tiles of some seconds", async () => {
  await using context = createContext({ memory: "64MiB", workers: 0 });
  const plan = (sources: number) =>
    planPredict(random({ times: 1, antennas: 64, channels: 64, seed: 1, sources }), { context });
  const [few, many] = [plan(100), plan(100_000)];
  assertEquals(few.tiles, 1);
  assert(many.tiles >= 8, `${many.tiles} tiles`); // of a time: workers that say nothing for 30 s are taken for hung
});

Deno.test("memory does not grow with the number of sources but by the sources themselves", async () => {
  await using context = createContext({ memory: "32MiB", workers: 0 });
  const sizes = { times: 1, antennas: 64, channels: 64, seed: 1 };
  const [few, many] = [100, 100_000].map((sources) =>
    planPredict(random({ ...sizes, sources }), { context })
  );
  assert(
    many!.memory.total - few!.memory.total < 50e5, // lm and stokes: 48 bytes per source, once
    `${few!.memory.total} bytes, and ${many!.memory.total}`,
  );
});

Deno.test("predict() stops when its signal does", async () => {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const signal = AbortSignal.abort();
  await assertRejects(() => predict(random(SMALL), { context, signal }), Error, "Cancelled");
});
