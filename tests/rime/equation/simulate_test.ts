/** The whole measurement equation through its fused kernels: golden cases inline and on workers, terms of users, smearing. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { SimulateInput, SimulateOptions } from "../../../src/rime/equation/problem.ts";
import { simulate } from "../../../src/rime/equation/simulate.ts";
import { EARTH_ROTATION } from "../../../src/rime/geometry/constants.ts";
import { antennaUvw, baselinePairs } from "../../../src/rime/geometry/antennas.ts";
import { beam } from "../../../src/rime/terms/beam.ts";
import { feedRotation } from "../../../src/rime/terms/feed.ts";
import { jonesFunction, type JonesSource } from "../../../src/rime/terms/function.ts";
import { jonesKernel } from "../../../src/rime/terms/kernel.ts";
import { assertNear, type Golden, goldenTest, numbersOf } from "../golden/golden.ts";
import { type Complex, plainSum, times } from "../golden/plain.ts";

/** Shapes (nsrc, 3) or (3, nsrc) as sources want them: (3, nsrc). */
function shapesOf({ shape, data }: { readonly shape: readonly number[]; readonly data: readonly number[] }) {
  assertEquals(shape[0], 3);
  return Float64Array.from(data);
}

/** A golden case as an input. */
function inputOf({ inputs }: Golden): SimulateInput {
  const float = (name: string) => Float64Array.from(inputs[name]!.data);
  const gaussians = inputs["gauss_shape"], disks = inputs["sersic_shape"];
  return {
    sky: {
      lm: float("lm"),
      stokes: float("stokes"),
      ...(gaussians ? { gaussianShape: shapesOf(gaussians) } : {}),
      ...(disks ? { sersicShape: shapesOf(disks) } : {}),
    },
    uvw: float("uvw"),
    antenna1: Int32Array.from(inputs["antenna1"]!.data),
    antenna2: Int32Array.from(inputs["antenna2"]!.data),
    antennas: inputs["uvw"]!.shape[1]!,
    frequency: float("frequency"),
  };
}

/** An input with all that cases 09 and 10 have. */
function everythingOf(file: Golden, feed: "linear" | "circular"): SimulateInput {
  const { inputs } = file;
  const float = (name: string) => Float64Array.from(inputs[name]!.data);
  const names = ["parallactic_angles", "feed_angles", "pointing_errors", "antenna_scaling", "beam_extents"];
  const [beam_lw, beam_mh, beam_nud] = inputs["ebeam"]!.shape as [number, number, number];
  return {
    ...inputOf(file),
    terms: [beam({ pointingErrors: true, antennaScaling: true }), feedRotation(feed)],
    termInputs: Object.fromEntries([...names, "beam_freq_map", "ebeam"].map((name) => [name, float(name)])),
    termDimensions: { beam_lw, beam_mh, beam_nud },
    gains: float("direction_independent_effects"),
    base: float("base_vis"),
    flags: Uint8Array.from(inputs["flag"]!.data),
    weights: float("weight"),
    observed: float("observed_vis"),
  };
}

for (
  const [name, feed] of [["09-full-rime-linear", "linear"], ["10-full-rime-circular", "circular"]] as const
) {
  goldenTest(name, "through the fused kernels, inline and on workers, in both precisions", async (file) => {
    const input = everythingOf(file, feed);
    for (const precision of ["f64", "mixed"] as const) {
      const found = await Promise.all([0, 2].map(async (workers) => {
        await using context = createContext({ memory: "32MiB", workers });
        return await simulate(input, { feed, precision, context });
      }));
      assertEquals(found[0], found[1]);
      const { model, residual, chiSquared } = found[0]!;
      const tolerance = precision === "f64" ? file.tolerance["f64_abs"]! : 3e-5;
      assertNear(model, numbersOf(file.outputs, "model_vis"), tolerance);
      assertNear(residual!, numbersOf(file.outputs, "residual"), tolerance);
      const chi = file.outputs["chi_squared"]!.data[0]!;
      assertNear([chiSquared!], [chi], (precision === "f64" ? file.tolerance["chi2_rel"]! : 1e-5) * chi);
    }
  });
}

const SUMS = [
  "03-point-unpolarised",
  "04-gaussian",
  "05-polarised-linear",
  "06-polarised-circular",
  "07-brightness-edge",
  "11-sersic-exponential-disk",
];

for (const name of SUMS) {
  goldenTest(name, "with a term that changes nothing, and without", async (file) => {
    const feed = file.params.feed!;
    const input = inputOf(file);
    const expected = numbersOf(file.outputs, "vis");
    await using context = createContext({ memory: "32MiB", workers: 0 });
    for (const terms of [[jonesFunction(() => {}, { name: "nothing" })], []]) {
      for (const precision of ["f64", "mixed"] as const) {
        const { model } = await simulate({ ...input, terms }, { feed, precision, context });
        assertNear(model, expected, file.tolerance[precision === "f64" ? "f64_abs" : "f32_delay_f64_abs"]!);
      }
    }
  });
}

/** Numbers without a pattern. */
function noise(length: number, seed: number, size = 1): Float64Array<ArrayBuffer> {
  return Float64Array.from({ length }, (_, i) => size * Math.sin(seed + 43.7585 * (i + 1) * (i + 3)));
}

const { antenna1, antenna2 } = baselinePairs(5);
/** 70 sources (three groups), 3 times, 5 antennas, 7 channels. */
const SEEDED: SimulateInput = {
  sky: { lm: noise(140, 1, 0.1), stokes: noise(70 * 7 * 4, 2) },
  uvw: noise(3 * 5 * 3, 3, 1000),
  antenna1,
  antenna2,
  frequency: Float64Array.from({ length: 7 }, (_, c) => 1e9 + 1.3e7 * c * c),
};

/** A term that depends on all that it can. */
export function ripple(
  { l, m, source, frequency, antennas, channels, arrays }: JonesSource,
  out: Float64Array,
): void {
  const tilt = Number(arrays["tilt"]!.data[0]); // one time at a time
  out.forEach((_, i) => {
    const [antenna, channel] = [Math.floor(i / 8 / channels) % antennas, Math.floor(i / 8) % channels];
    out[i] = Math.cos(i % 8 + 9 * l - 5 * m + tilt * antenna + 0.1 * source) * frequency[channel]! / 1e9;
  });
}

const RIPPLE = jonesFunction(import.meta.url, {
  export: "ripple",
  arrays: [{ name: "tilt", shape: ["ntime", "na"], dtype: "float64" }],
});
const ANGLES = { parallactic_angles: noise(15, 4), feed_angles: noise(5, 5), tilt: noise(15, 6) };

/** The matrices of RIPPLE and a feed rotation, by plain code. */
function plainJones(): Float64Array {
  const out = new Float64Array(70 * 3 * 5 * 7 * 8);
  const frequency = SEEDED.frequency;
  for (let s = 0, at = 0; s < 70; s++) {
    for (let t = 0; t < 3; t++) {
      const one = new Float64Array(5 * 7 * 8);
      const tilt = { data: ANGLES.tilt.subarray(5 * t, 5 * t + 5) };
      const [l, m] = [SEEDED.sky.lm[2 * s]!, SEEDED.sky.lm[2 * s + 1]!];
      ripple(
        {
          l,
          m,
          source: s,
          times: 1,
          antennas: 5,
          channels: 7,
          frequency,
          arrays: { tilt },
          params: {},
        } as never,
        one,
      );
      for (let a = 0; a < 5; a++) {
        const angle = ANGLES.parallactic_angles[5 * t + a]! + ANGLES.feed_angles[a]!;
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        for (let c = 0; c < 7; c++, at += 8) {
          const j = one.subarray(8 * (7 * a + c));
          for (const k of [0, 1, 4, 5]) {
            out[at + k] = j[k]! * cos - j[k + 2]! * sin;
            out[at + k + 2] = j[k]! * sin + j[k + 2]! * cos;
          }
        }
      }
    }
  }
  return out;
}

const WITH_TERMS: SimulateInput = { ...SEEDED, terms: [RIPPLE, feedRotation("linear")], termInputs: ANGLES };

async function run(
  input: SimulateInput,
  options: SimulateOptions,
  memory: number | string = "32MiB",
  workers = 0,
) {
  await using context = createContext({ memory, workers });
  return await simulate(input, { ...options, context });
}

/** The plain sum over the sources of SEEDED. */
function expectedOf(jones?: Float64Array, more: object = {}): Float64Array {
  const { sky: { lm, stokes }, uvw, frequency } = SEEDED;
  const repeated = Array.from(
    { length: 70 },
    (_, s) => [0, 1, 2].flatMap(() => [...stokes.subarray(28 * s, 28 * s + 28)]),
  );
  const sum = {
    feed: "linear",
    lm,
    stokes: repeated.flat(),
    uvw,
    antennas: 5,
    antenna1,
    antenna2,
    frequency,
  } as const;
  return plainSum({ ...sum, ...(jones ? { jones } : {}), ...more });
}

Deno.test("terms of users and ours take part in the fused sum, in both precisions and signs", async () => {
  const jones = plainJones();
  const { model } = await run(WITH_TERMS, {});
  assertNear(model, expectedOf(jones), 1e-9);
  assertNear((await run(WITH_TERMS, { precision: "mixed" })).model, expectedOf(jones), 2e-3);
  assertNear((await run(WITH_TERMS, { convention: "casa" })).model, expectedOf(jones, { sign: -1 }), 1e-9);
  const { stokes, ...sky } = SEEDED.sky;
  const other = {
    ...WITH_TERMS,
    sky: { ...sky, stokes: stokes.map((value, i) => i % 4 === 3 ? -value : value) },
  };
  const { model: conjugated } = await run(other, { brightness: { conjugated: true, halved: true } });
  assertNear(conjugated.map((value) => 2 * value), expectedOf(jones), 1e-9);
});

Deno.test("the same bits on workers, in few tiles and many, and for ragged rows", async () => {
  const whole = await run(WITH_TERMS, {});
  const input = { ...WITH_TERMS, observed: noise(whole.model.length, 8) };
  const compared = await run(input, {});
  assertEquals(compared.model, whole.model);
  for (const workers of [0, 2]) {
    const tiles = await run(input, {}, 1_600_000, workers);
    assert(tiles.chiSquaredTiles!.length > 1, `${tiles.chiSquaredTiles!.length} tiles`);
    assertEquals([tiles.model, tiles.residual], [whole.model, compared.residual!]);
  }
  const rows = whole.model.length / 56;
  const repeated = (list: Int32Array) =>
    Int32Array.from({ length: rows }, (_, row) => list[row % list.length]!);
  const timeIndex = Int32Array.from({ length: rows }, (_, row) => Math.floor(row / antenna1.length));
  const ragged = { ...WITH_TERMS, antenna1: repeated(antenna1), antenna2: repeated(antenna2), timeIndex };
  assertEquals((await run(ragged, {})).model, whole.model);
});

Deno.test("a kernel of a user takes part on workers", async () => {
  const source = `
    export function source(l: f64, m: f64, frequency: usize, out: usize, times: i32, antennas: i32, channels: i32): void {
      for (let i = 0; i < times * antennas; i++) {
        for (let c = 0; c < channels; c++, out += 64) {
          store<f64>(out, (l + 1) * load<f64>(frequency + 8 * c) / 1e9);
          store<f64>(out, m, 24);
        }
      }
    }`;
  const terms = [jonesKernel({ name: "dish", source })];
  const plain = jonesFunction(({ l, m, frequency }, out) => {
    for (let i = 0; i < out.length; i += 8) {
      out[i] = (l + 1) * frequency[(i / 8) % 7]! / 1e9;
      out[i + 3] = m;
    }
  }, { name: "plain" });
  const found = await run({ ...SEEDED, terms }, {}, "32MiB", 1);
  assertEquals(found, await run({ ...SEEDED, terms: [plain] }, {}));
  assert(found.model.some((value) => Math.abs(value) > 1));
});

Deno.test("smearing is the mean over bandwidth and time", async () => {
  const [declination, hour, interval, width] = [-0.5, 0.4, 15, 4e6];
  const positions = noise(15, 9, 3000);
  const frequency = Float64Array.of(1.3e9, 1.5e9);
  const lm = Float64Array.of(0.01, 0.02, -0.03, 0.005);
  const stokes = Float64Array.of(1, 0, 0, 0, 2, 0.5, 0, 0.1);
  const input: SimulateInput = {
    sky: { lm, stokes },
    uvw: antennaUvw(positions, [hour], declination),
    antenna1,
    antenna2,
    frequency,
  };
  const steps = 400;
  const mean = new Float64Array(antenna1.length * 2 * 8);
  const middles = Array.from({ length: steps }, (_, i) => (i + 0.5) / steps - 0.5);
  const add = (uvw: Float64Array, change: number) => {
    const sum = { feed: "linear", lm, uvw, antennas: 5, antenna1, antenna2 } as const;
    const all = {
      ...sum,
      stokes: [...stokes].flatMap((_, i) =>
        i % 4 ? [] : [0, 1].flatMap(() => [...stokes.subarray(i, i + 4)])
      ),
    };
    plainSum({ ...all, frequency: frequency.map((one) => one + change) }).forEach((value, i) =>
      mean[i]! += value / steps
    );
  };
  for (const x of middles) add(input.uvw, x * width);
  const channelWidth = new Float64Array(2).fill(width);
  const bandwidth = await run(input, { smearing: { interval: 0, declination, channelWidth } });
  assertNear(bandwidth.model, mean, 2e-4);
  mean.fill(0);
  for (const x of middles) add(antennaUvw(positions, [hour + x * interval * EARTH_ROTATION], declination), 0);
  const time = await run(input, { smearing: { interval, declination } });
  assertNear(time.model, mean, 1e-3); // the path is straight within the interval but for terms of second order
  const nothing = [jonesFunction(() => {}, { name: "nothing" })];
  const both = { interval, declination, channelWidth };
  const matrices = await run({ ...input, terms: nothing }, { smearing: both });
  assertNear(matrices.model, (await run(input, { smearing: both })).model, 1e-12);
  const none = (await run(input, {})).model;
  for (const { model } of [bandwidth, time]) {
    assert(none.some((value, i) => Math.abs(value - model[i]!) > 0.05), "smearing takes something away");
  }
  assertNear((await run(input, { smearing: { interval: 0, declination } })).model, none, 1e-12);
  const single = await run(input, { precision: "mixed", smearing: { interval, declination, channelWidth } });
  assertNear(
    single.model,
    (await run(input, { smearing: { interval, declination, channelWidth } })).model,
    1e-5,
  );
});

Deno.test("gains, base and flags without terms use the sum without matrices", async () => {
  const gains = new Float64Array(3 * 5 * 7 * 8);
  for (let i = 0; i < gains.length; i += 8) [gains[i], gains[i + 6]] = [2, 3];
  const plain = await run(SEEDED, {});
  assertNear(plain.model, expectedOf(), 1e-9);
  const factors = [4, 4, 6, 6, 6, 6, 9, 9];
  assertNear(
    (await run({ ...SEEDED, gains }, {})).model,
    plain.model.map((value, i) => value * factors[i % 8]!),
    1e-10,
  );
  const base = noise(plain.model.length, 11);
  const before = await run({ ...SEEDED, gains, base }, { base: "before" });
  assertNear(before.model, plain.model.map((value, i) => (value + base[i]!) * factors[i % 8]!), 1e-10);
});

Deno.test("one and two correlations, and rows with positions of their own, are compared like others", async () => {
  const { sky, uvw, frequency } = SEEDED;
  const rows = [0, 1, 2].flatMap((t) =>
    Array.from(
      antenna1,
      (p, b) => [0, 1, 2].map((k) => uvw[3 * (5 * t + p) + k]! - uvw[3 * (5 * t + antenna2[b]!) + k]!),
    ).flat()
  );
  const four = expectedOf();
  for (const [correlations, places] of [[["XX"], [0]], [["XX", "YY"], [0, 3]]] as const) {
    const expected = Float64Array.from({ length: four.length / 4 * places.length }, (_, i) => {
      const [sample, k] = [Math.floor(i / 2 / places.length), Math.floor(i / 2) % places.length];
      return four[8 * sample + 2 * places[k]! + i % 2]!;
    });
    const flags = Uint8Array.from({ length: expected.length / 2 }, (_, i) => i % 5 === 0 ? 1 : 0);
    const observed = noise(expected.length, 12);
    const seen = (value: number, i: number) => flags[i >> 1] ? 0 : value;
    for (const input of [SEEDED, { sky, frequency, uvw: Float64Array.from(rows) }]) {
      const found = await run({ ...input, flags, observed }, { correlations });
      assertNear(found.model, expected.map(seen), 1e-9);
      assertNear(found.residual!, expected.map((value, i) => seen(observed[i]! - value, i)), 1e-9);
      const chi = found.residual!.reduce((sum, value) => sum + value * value, 0);
      assertNear([found.chiSquared! / chi], [1], 1e-12);
    }
    const gains = noise(3 * 5 * 7 * 2 * places.length, 13);
    const base = noise(expected.length, 14);
    const { model } = await run({ ...SEEDED, gains, base }, { correlations });
    const gain = (t: number, a: number, c: number, k: number): Complex => {
      const at = 2 * (((5 * t + a) * 7 + c) * places.length + k);
      return [gains[at]!, gains[at + 1]!];
    };
    const multiplied = expected.map((_, i) => {
      const k = Math.floor(i / 2) % places.length, sample = Math.floor(i / 2 / places.length);
      const [c, row] = [sample % 7, Math.floor(sample / 7)], [t, b] = [Math.floor(row / 10), row % 10];
      const [re, im] = gain(t, antenna2[b]!, c, k);
      const at = i - i % 2;
      const value = times(times(gain(t, antenna1[b]!, c, k), [expected[at]!, expected[at + 1]!]), [re, -im]);
      return value[i % 2]! + base[i]!;
    });
    assertNear(model, multiplied, 1e-9);
  }
});

Deno.test("a term that holds a function is refused where there are workers, with what would work", async () => {
  const terms = [jonesFunction(() => {}, { name: "own" })];
  const error = await assertRejects(
    () => run({ ...SEEDED, terms }, {}, "32MiB", 1),
    TilewiseError,
    "export it from a module",
  );
  assertEquals([error.code, error.details["term"]], ["udf", "own"]);
});

Deno.test("what cannot be simulated is refused", async () => {
  const refused = async (change: Partial<SimulateInput>, text: string, options: SimulateOptions = {}) => {
    const error = await assertRejects(() => run({ ...SEEDED, ...change }, options), TilewiseError, text);
    assertEquals(error.code, "invalid");
  };
  await refused({ terms: [feedRotation("linear")] }, "the terms need parallactic_angles");
  const circular = { terms: [feedRotation("circular")], termInputs: ANGLES };
  await refused(circular, "is for circular feeds, but the correlations are those of linear ones");
  await refused({ ...circular, terms: [feedRotation("linear")] }, "is for linear feeds", {
    feed: "circular",
  });
  const names = ["RR", "RL", "LR", "LL"] as const;
  await refused({ ...circular, terms: [feedRotation("linear")] }, "is for linear feeds", {
    correlations: names,
  });
  await refused({ gains: new Float64Array(8) }, "direction_independent_effects has 8 numbers");
  await refused({ sky: { ...SEEDED.sky, lm: SEEDED.sky.lm.with(3, NaN) } }, "lm[1][1] is NaN");
  await refused({ sky: { ...SEEDED.sky, lm: SEEDED.sky.lm.with(3, 2) } }, "l² + m²");
  await refused({}, 'did you mean "declination"', { smearing: { interval: 1, declinaton: 0 } as never });
  const { antenna1: _1, antenna2: _2, ...baselines } = SEEDED;
  for (const more of [{ terms: [RIPPLE] }, { gains: new Float64Array(8) }]) {
    const error = await assertRejects(
      () => run({ ...baselines, ...more }, {}),
      TilewiseError,
      "belong to antennas",
    );
    assertEquals(error.code, "invalid");
  }
  await refused({ terms: [RIPPLE] }, "need all four correlations; found XX, YY", {
    correlations: ["XX", "YY"],
  });
  const gains = new Float64Array(3 * 5 * 7 * 8);
  await refused({ gains }, "not correlations of feeds", { correlations: ["I", "Q", "U", "V"] });
});
