/** Jones matrices of directions and of sources in `predict()` and `simulate()`, against plain sums and sums of parts. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import type { SimulateInput } from "../../../src/rime/equation/problem.ts";
import { simulate } from "../../../src/rime/equation/simulate.ts";
import { baselinePairs } from "../../../src/rime/geometry/antennas.ts";
import { planPredict, predict } from "../../../src/rime/predict/predict.ts";
import type { PredictInput, SkyModel } from "../../../src/rime/predict/problem.ts";
import { feedRotation } from "../../../src/rime/terms/feed.ts";
import { jonesFunction } from "../../../src/rime/terms/function.ts";
import { createContext } from "../../../src/runner/context.ts";
import { assertNear } from "../golden/golden.ts";
import { matrixAt, plainSum, product } from "../golden/plain.ts";

/** Numbers without a pattern. */
function noise(length: number, seed: number, size = 1): Float64Array<ArrayBuffer> {
  return Float64Array.from({ length }, (_, i) => size * Math.sin(seed + 43.7585 * (i + 1) * (i + 3)));
}

const [SOURCES, TIMES, ANTENNAS, CHANNELS, DIRECTIONS] = [41, 3, 5, 7, 4];
const { antenna1, antenna2 } = baselinePairs(ANTENNAS);
const STOKES = noise(SOURCES * 4, 2);
const INPUT: PredictInput = {
  sky: { lm: noise(2 * SOURCES, 1, 0.1), stokes: STOKES },
  uvw: noise(TIMES * ANTENNAS * 3, 3, 1000),
  antenna1,
  antenna2,
  frequency: Float64Array.from({ length: CHANNELS }, (_, c) => 1e9 + 1.3e7 * c * c),
};
/** Directions in no order; the third one has no source. */
const DIRECTION = Int32Array.from({ length: SOURCES }, (_, s) => [0, 3, 1, 0, 1][(s * s) % 5]!);
const SIZE = TIMES * ANTENNAS * CHANNELS * 8;
const MATRICES = noise(DIRECTIONS * SIZE, 7);
const JONES = { matrices: MATRICES, direction: DIRECTION };

/** The matrices of each source, as those of its direction. */
const PER_SOURCE = Float64Array.from(
  { length: SOURCES * SIZE },
  (_, i) => MATRICES[DIRECTION[Math.floor(i / SIZE)]! * SIZE + i % SIZE]!,
);

function plain(jones: Float64Array): Float64Array {
  const stokes = Array.from({ length: SOURCES }, (_, s) => {
    const own = [...STOKES.subarray(4 * s, 4 * s + 4)];
    return Array.from({ length: TIMES * CHANNELS }, () => own).flat();
  }).flat();
  const { sky: { lm }, uvw, frequency } = INPUT;
  return plainSum({
    feed: "linear",
    lm,
    stokes,
    uvw,
    antennas: ANTENNAS,
    antenna1,
    antenna2,
    frequency,
    jones,
  });
}

for (const [what, jones] of [["directions", JONES], ["sources", { matrices: PER_SOURCE }]] as const) {
  Deno.test(`predict() multiplies Jones matrices of ${what}, dense and ragged, in both precisions`, async () => {
    await using context = createContext({ memory: "16MiB", workers: 0 });
    const expected = plain(PER_SOURCE);
    const rows = TIMES * antenna1.length;
    const repeated = (list: Int32Array) =>
      Int32Array.from({ length: rows }, (_, row) => list[row % list.length]!);
    const timeIndex = Int32Array.from({ length: rows }, (_, row) => Math.floor(row / antenna1.length));
    const ragged = { ...INPUT, antenna1: repeated(antenna1), antenna2: repeated(antenna2), timeIndex };
    for (const [precision, tolerance] of [["f64", 1e-10], ["mixed", 1e-4]] as const) {
      assertNear((await predict({ ...INPUT, jones }, { context, precision })).data, expected, tolerance);
      assertNear((await predict({ ...ragged, jones }, { context, precision })).data, expected, tolerance);
      assertNear((await simulate({ ...INPUT, jones }, { context, precision })).model, expected, tolerance);
    }
  });
}

/** Some sources of a sky with a spectrum, Gaussians, disks and shapelets, the last of which has the highest number. */
function some(numbers: readonly number[], counts = [11, 7, 5] as const): SkyModel {
  const take = (values: Float64Array, unit: number, from = 0) =>
    Float64Array.from(
      numbers.filter((n) => n >= from).flatMap((
        n,
      ) => [...values.subarray(unit * (n - from), unit * (n - from + 1))]),
    );
  const starts = [SOURCES - 23, SOURCES - 12, SOURCES - 5], ends = [SOURCES - 12, SOURCES - 5, SOURCES];
  const columns = (kind: number, size: number) => {
    const own = numbers.filter((n) => n >= starts[kind]! && n < ends[kind]!).map((n) => n - starts[kind]!);
    const values = noise(3 * counts[kind]!, 11 + kind, size);
    return Float64Array.from([0, 1, 2].flatMap((row) => own.map((n) => values[row * counts[kind]! + n]!)));
  };
  const [gaussianShape, sersicShape, shape] = [columns(0, 1e-4), columns(1, 1e-4), columns(2, 1e-4)];
  return {
    lm: take(INPUT.sky.lm, 2),
    stokes: take(STOKES, 4),
    spectrum: {
      kind: "linear",
      referenceFrequency: take(noise(SOURCES, 5, 1e8).map((x) => x + 1e9), 1),
      terms: take(noise(2 * SOURCES, 6), 2),
    },
    ...(gaussianShape.length ? { gaussianShape } : {}),
    ...(sersicShape.length ? { sersicShape } : {}),
    ...(shape.length ? { shapelets: { shape, coefficients: take(noise(20, 9), 4, starts[2]!) } } : {}),
  };
}

Deno.test("directions are sums over their sources, of all shapes, multiplied once", async () => {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const sky = some(Array.from({ length: SOURCES }, (_, s) => s));
  const found = await predict({ ...INPUT, sky, jones: JONES }, { context });
  const expected = new Float64Array(found.data.length);
  for (let d = 0; d < DIRECTIONS; d++) {
    const own = [...DIRECTION.keys()].filter((s) => DIRECTION[s] === d);
    const gains = MATRICES.slice(d * SIZE, (d + 1) * SIZE);
    const { model } = await simulate({ ...INPUT, sky: some(own), gains }, { context });
    model.forEach((value, i) => expected[i]! += value);
  }
  assertNear(found.data, expected, 1e-10);
});

Deno.test("directions without a source may come last", async () => {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const expected = await predict({ ...INPUT, jones: JONES }, { context });
  const matrices = Float64Array.of(...MATRICES, ...MATRICES.subarray(0, 2 * SIZE));
  const found = await predict({ ...INPUT, jones: { ...JONES, matrices } }, { context });
  assertEquals(found.data, expected.data);
});

Deno.test("of two correlations each has a gain of its own", async () => {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const pairs = Float64Array.from(
    { length: MATRICES.length / 2 },
    (_, i) => MATRICES[8 * (i >> 2) + (i & 3) + 4 * (i >> 1 & 1)]!,
  );
  const diagonal = MATRICES.map((value, i) => i % 8 < 2 || i % 8 > 5 ? value : 0);
  const four = await predict({ ...INPUT, jones: { ...JONES, matrices: diagonal } }, { context });
  const jones = { ...JONES, matrices: pairs };
  const two = await predict({ ...INPUT, jones }, { context, correlations: ["XX", "YY"] });
  assertNear(two.data, four.data.filter((_, i) => i % 8 < 2 || i % 8 > 5), 1e-11);
});

Deno.test("terms, which know the numbers of sources, come before the matrices of directions", async () => {
  const dish = jonesFunction(({ source, times, antennas, channels }, out) => {
    for (let i = 0; i < times * antennas * channels; i++) out[8 * i + 3] = 0.1 * source;
  }, { name: "dish" });
  const expanded = new Float64Array(PER_SOURCE.length);
  for (let i = 0; i < expanded.length / 8; i++) {
    const source = Math.floor(8 * i / SIZE);
    const own = product(matrixAt(PER_SOURCE, i), [[1, 0], [0, 0.1 * source], [0, 0], [1, 0]]);
    expanded.set(own.flat(), 8 * i);
  }
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const { model } = await simulate({ ...INPUT, jones: JONES, terms: [dish] }, { context });
  assertNear(model, plain(expanded), 1e-9);
});

Deno.test("directions have the same bits in tiles of any size, on workers", async () => {
  const input: SimulateInput = {
    ...INPUT,
    jones: JONES,
    terms: [feedRotation("linear")],
    termInputs: { parallactic_angles: noise(15, 4), feed_angles: noise(5, 5) },
    observed: noise(TIMES * antenna1.length * CHANNELS * 8, 8),
  };
  await using large = createContext({ memory: "32MiB", workers: 0 });
  const whole = await simulate(input, { context: large });
  await using small = createContext({ memory: 1_700_000, workers: 2 });
  const parts = await simulate(input, { context: small });
  assert(parts.chiSquaredTiles!.length > 1);
  assertEquals([parts.model, parts.residual], [whole.model, whole.residual]);
  const plainInput = { ...INPUT, jones: JONES };
  const { total: bytes } = planPredict(plainInput, { context: large, inFlight: 3 }).memory;
  await using smaller = createContext({ memory: Math.ceil(0.93 * bytes), workers: 2 });
  assert(planPredict(plainInput, { context: smaller }).tiles > 1);
  const all = await predict(plainInput, { context: large });
  assertEquals((await predict(plainInput, { context: smaller })).data, all.data);
});

Deno.test("Jones matrices that do not fit are refused", async () => {
  const refused = async (change: Partial<PredictInput>, text: string, options: object = {}) => {
    const error = await assertRejects(() => predict({ ...INPUT, ...change }, options), TilewiseError, text);
    assertEquals(error.code, "invalid");
  };
  await refused(
    { jones: { matrices: MATRICES, direction: DIRECTION.subarray(1) } },
    "40 numbers; it must be 41",
  );
  await refused(
    { jones: { matrices: MATRICES, direction: DIRECTION.with(3, -1) } },
    "jones.direction[3] is -1",
  );
  await refused({ jones: { matrices: MATRICES.subarray(8), direction: DIRECTION } }, "direction_jones");
  await refused(
    { jones: { matrices: MATRICES.with(5, NaN), direction: DIRECTION } },
    "jones.matrices[5] is NaN",
  );
  await refused({ jones: { matrix: MATRICES } as never }, 'did you mean "matrices"');
  await refused({ jones: JONES }, "correlations of feeds", { correlations: ["I", "Q", "U", "V"] });
  await refused({ jones: { matrices: PER_SOURCE } }, "for points", { correlations: ["XX"] });
  const { antenna1: _1, antenna2: _2, ...baselines } = INPUT;
  await refused(
    { ...baselines, antenna1: undefined, antenna2: undefined, jones: JONES } as never,
    "positions of baselines",
  );
  const terms = [feedRotation("linear")];
  const error = await assertRejects(
    () => simulate({ ...INPUT, jones: { matrices: PER_SOURCE }, terms }),
    TilewiseError,
  );
  assertEquals([error.code, error.details.option], ["invalid", "jones.direction"]);
});
