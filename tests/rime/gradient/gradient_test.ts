/** The gradient of χ² against differences of χ² itself, which a plain sum over sources gives. */

import "../../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { createContext } from "../../../src/runner/context.ts";
import { chiSquaredGradient } from "../../../src/rime/terms/gradient/gradient.ts";
import type { GradientInput, GradientSky, SkyGradient } from "../../../src/rime/terms/gradient/problem.ts";
import { feedRotation } from "../../../src/rime/terms/feed.ts";
import { baselinePairs } from "../../../src/rime/geometry/antennas.ts";
import { adjoint, matrixAt, plainSum, product } from "../golden/plain.ts";
import { jonesOf } from "../terms/rig.ts";

const C = 299792458;
const [TIMES, ANTENNAS, CHANNELS] = [3, 4, 3];
const FREQUENCY = Float64Array.of(1.0e9, 1.2e9, 1.5e9);
const { antenna1, antenna2 } = baselinePairs(ANTENNAS);
const ROWS = TIMES * antenna1.length;

/** Numbers without a pattern, from -size to size. */
function noise(length: number, seed: number, size = 1): Float64Array<ArrayBuffer> {
  return Float64Array.from({ length }, (_, i) => size * Math.sin(seed + 78.233 * (i + 1) * (i + 2)));
}

const UVW = noise(TIMES * ANTENNAS * 3, 1, 40);
const OBSERVED = noise(ROWS * CHANNELS * 8, 2, 3);
const WEIGHT = noise(ROWS * CHANNELS * 4, 3).map((value) => value * value);
const GAINS = noise(TIMES * ANTENNAS * CHANNELS * 8, 4);

/** Two points, a Gaussian and a disk, with power laws. */
const SKY: GradientSky = {
  lm: Float64Array.of(0.01, -0.02, -0.03, 0.015, 0.02, 0.02, -0.01, -0.01),
  stokes: noise(16, 5, 2),
  spectrum: {
    kind: "log",
    referenceFrequency: Float64Array.of(1.1e9, 1e9, 1.2e9, 1e9),
    terms: Float64Array.of(-0.7, 0.1, 0.3, 0, -1.2, 0.4, 0.5, -0.2),
  },
  gaussianShape: Float64Array.of(0.008, 0.012, 0.6),
  sersicShape: Float64Array.of(0.1, -0.2, 0.006),
};

interface Setting {
  readonly feed: "linear" | "circular";
  readonly convention: "fourier" | "casa";
  readonly gains: boolean;
  readonly jones?: Float64Array;
  /** Whether correlations are the halves of conjugates. */
  readonly other?: boolean;
}

/** Stokes parameters of all sources, times and channels. */
function stokesOf({ stokes, spectrum }: GradientSky, sources: number): number[] {
  const all: number[] = [];
  for (let s = 0; s < sources; s++) {
    for (let t = 0; t < TIMES; t++) {
      for (let c = 0; c < CHANNELS; c++) {
        const at = 4 * (stokes.length === 4 * sources ? s : s * CHANNELS + c);
        const own = [...stokes.subarray(at, at + 4)];
        if (!spectrum) {
          all.push(...own);
          continue;
        }
        const x = FREQUENCY[c]! / spectrum.referenceFrequency[s]!;
        const count = spectrum.terms.length / sources;
        const terms = [...spectrum.terms.subarray(s * count, (s + 1) * count)];
        if (spectrum.kind === "log") {
          const power = terms.reduce((sum, term, i) => sum + term * Math.log10(x) ** i, 0);
          all.push(...own.map((value) => value * x ** power));
        } else {
          own[0]! += terms.reduce((sum, term, i) => sum + term * (x - 1) ** (i + 1), 0);
          all.push(...own);
        }
      }
    }
  }
  return all;
}

/** What a baseline sees of the shape of a source. */
function taperOf(
  { gaussianShape = new Float64Array(0), sersicShape = new Float64Array(0) }: GradientSky,
  sources: number,
) {
  const [gaussians, disks] = [gaussianShape.length / 3, sersicShape.length / 3];
  return (s: number, t: number, b: number, c: number) => {
    const at = (antenna: number, k: number) => UVW[3 * (t * ANTENNAS + antenna) + k]!;
    const [u, v] = [0, 1].map((k) => (at(antenna1[b]!, k) - at(antenna2[b]!, k)) * FREQUENCY[c]! / C) as [
      number,
      number,
    ];
    const disk = s - (sources - disks), gaussian = disk + gaussians;
    if (disk >= 0) {
      const [e1, e2, size] = [0, 1, 2].map((i) => sersicShape[i * disks + disk]!) as [number, number, number];
      const k = 2 * Math.PI * size / (1 - e1 * e1 - e2 * e2);
      const [a, d] = [(u * (1 + e1) + v * e2) * k, (u * e2 + v * (1 - e1)) * k];
      return (1 + a * a + d * d) ** -1.5;
    }
    if (gaussian < 0) return 1;
    const [l, m, ratio] = [0, 1, 2].map((i) => gaussianShape[i * gaussians + gaussian]!) as [
      number,
      number,
      number,
    ];
    const k = Math.SQRT2 * Math.PI / Math.sqrt(Math.log(256));
    const [a, d] = [(u * m - v * l) * ratio * k, (u * l + v * m) * k];
    return Math.exp(-(a * a + d * d));
  };
}

/** Observed less model visibilities. */
function residualOf(
  sky: GradientSky,
  { feed, convention, gains, jones, other }: Setting,
): Float64Array<ArrayBuffer> {
  const sources = sky.lm.length / 2;
  const model = plainSum({
    feed,
    lm: sky.lm,
    stokes: stokesOf(sky, sources).map((value, i) => other ? (i % 4 === 3 ? -0.5 : 0.5) * value : value),
    uvw: UVW,
    antennas: ANTENNAS,
    antenna1,
    antenna2,
    frequency: FREQUENCY,
    taper: taperOf(sky, sources),
    sign: convention === "fourier" ? 1 : -1,
    ...(jones ? { jones } : {}),
  });
  return OBSERVED.map((value, i) => {
    if (!gains) return value - model[i]!;
    const [row, c] = [Math.floor(i / (8 * CHANNELS)), Math.floor(i / 8) % CHANNELS];
    const [time, b] = [Math.floor(row / antenna1.length), row % antenna1.length];
    const gain = (antenna: number) => matrixAt(GAINS, (time * ANTENNAS + antenna) * CHANNELS + c);
    const seen = product(
      product(gain(antenna1[b]!), matrixAt(model, Math.floor(i / 8))),
      adjoint(gain(antenna2[b]!)),
    );
    return value - seen[Math.floor(i / 2) % 4]![i % 2]!;
  });
}

function chiOf(sky: GradientSky, setting: Setting): number {
  return residualOf(sky, setting).reduce((sum, value, i) => sum + WEIGHT[i >> 1]! * value * value, 0);
}

/** The parameters of a sky: the array, and how the sky looks with another. */
const PARAMETERS: Readonly<
  Record<
    keyof SkyGradient,
    (sky: GradientSky) => readonly [Float64Array, (next: Float64Array) => GradientSky]
  >
> = {
  lm: (sky) => [sky.lm, (lm) => ({ ...sky, lm })],
  stokes: (sky) => [sky.stokes, (stokes) => ({ ...sky, stokes })],
  spectralTerms: (sky) => [
    sky.spectrum?.terms ?? new Float64Array(0),
    (terms) => ({ ...sky, ...(sky.spectrum ? { spectrum: { ...sky.spectrum, terms } } : {}) }),
  ],
  gaussianShape: (
    sky,
  ) => [sky.gaussianShape ?? new Float64Array(0), (gaussianShape) => ({ ...sky, gaussianShape })],
  sersicShape: (sky) => [sky.sersicShape ?? new Float64Array(0), (sersicShape) => ({ ...sky, sersicShape })],
};

/** Asserts that a gradient agrees with central differences of χ². */
function assertIsGradient(found: SkyGradient, sky: GradientSky, setting: Setting): void {
  for (const [name, of] of Object.entries(PARAMETERS)) {
    const [values, changed] = of(sky);
    const gradient = found[name as keyof SkyGradient];
    assertEquals(gradient.length, values.length, name);
    values.forEach((value, i) => {
      const h = name === "lm" || name.endsWith("Shape") && Math.abs(value) < 0.02 ? 1e-6 : 1e-5;
      const at = (x: number) => chiOf(changed(values.with(i, x)), setting);
      // differences over h and 2 h, so that the error is of order h⁴
      const expected = (8 * (at(value + h) - at(value - h)) - (at(value + 2 * h) - at(value - 2 * h))) /
        (12 * h);
      const size = Math.max(...gradient.map(Math.abs), 1);
      assert(
        Math.abs(gradient[i]! - expected) < 1e-6 * size,
        `${name}[${i}]: ${gradient[i]}, differences give ${expected}`,
      );
    });
  }
}

function inputOf(sky: GradientSky, setting: Setting): GradientInput {
  const whole = { sky, uvw: UVW, antenna1, antenna2, frequency: FREQUENCY, weight: WEIGHT };
  return { ...whole, residual: residualOf(sky, setting), ...(setting.gains ? { gains: GAINS } : {}) };
}

const COMMON = { convention: "fourier", gains: false } as const;

Deno.test("the gradient by all parameters agrees with finite differences, for both feeds and signs, with gains", async () => {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const settings: readonly Setting[] = [
    { feed: "linear", ...COMMON },
    { feed: "circular", ...COMMON, gains: true },
    { feed: "linear", convention: "casa", gains: true, other: true },
  ];
  for (const setting of settings) {
    const { feed, convention, other: conjugated = false } = setting;
    const brightness = { conjugated, halved: conjugated };
    const found = await chiSquaredGradient(inputOf(SKY, setting), { feed, convention, brightness, context });
    assertIsGradient(found, SKY, setting);
  }
});

Deno.test("the gradient by Stokes parameters of each channel, and by linear spectra", async () => {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const setting: Setting = { feed: "linear", ...COMMON };
  const byChannel: GradientSky = { lm: SKY.lm.slice(0, 4), stokes: noise(2 * CHANNELS * 4, 9) };
  assertIsGradient(await chiSquaredGradient(inputOf(byChannel, setting), { context }), byChannel, setting);
  const linear: GradientSky = { ...SKY, spectrum: { ...SKY.spectrum!, kind: "linear" } };
  assertIsGradient(await chiSquaredGradient(inputOf(linear, setting), { context }), linear, setting);
});

Deno.test("the gradient through a term, such as feeds that turn", async () => {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const terms = [feedRotation("linear")];
  const termInputs = { parallactic_angles: noise(TIMES * ANTENNAS, 7), feed_angles: noise(ANTENNAS, 8) };
  const sizes = { nsrc: 4, ntime: TIMES, na: ANTENNAS, nchan: CHANNELS };
  const given = { ...termInputs, frequency: FREQUENCY, lm: SKY.lm };
  const setting: Setting = {
    feed: "linear",
    ...COMMON,
    gains: true,
    jones: await jonesOf(terms, sizes, given),
  };
  const found = await chiSquaredGradient({ ...inputOf(SKY, setting), terms, termInputs }, { context });
  assertIsGradient(found, SKY, setting);
  const other = { ...inputOf(SKY, setting), terms: [feedRotation("circular")], termInputs };
  await assertRejects(() => chiSquaredGradient(other, { context }), TilewiseError, "is for circular feeds");
});

Deno.test("rows with positions of their own and ragged rows give the gradient of the grid", async () => {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const setting: Setting = { feed: "linear", ...COMMON };
  const dense = inputOf(SKY, setting);
  const expected = await chiSquaredGradient(dense, { context });
  const timeIndex = Int32Array.from({ length: ROWS }, (_, row) => Math.floor(row / antenna1.length));
  const repeated = (list: Int32Array) =>
    Int32Array.from({ length: ROWS }, (_, row) => list[row % list.length]!);
  const ragged = { ...dense, antenna1: repeated(antenna1), antenna2: repeated(antenna2), timeIndex };
  assertEquals(await chiSquaredGradient(ragged, { context }), expected);
  const across = Float64Array.from({ length: 3 * ROWS }, (_, i) => {
    const [row, k] = [Math.floor(i / 3), i % 3];
    const at = (list: Int32Array) => UVW[3 * (timeIndex[row]! * ANTENNAS + list[row % list.length]!) + k]!;
    return at(antenna1) - at(antenna2);
  });
  const { residual, weight } = dense;
  const own = { sky: SKY, uvw: across, frequency: FREQUENCY, residual, weight: weight! };
  assertEquals(await chiSquaredGradient(own, { context }), expected);
});

Deno.test("a hundred thousand rows are no list of arguments: they give as many times the gradient of one", async () => {
  await using context = createContext({ memory: "64MiB", workers: 0 });
  const sky = { lm: SKY.lm.slice(0, 2), stokes: SKY.stokes.slice(0, 4) };
  const of = (rows: number): GradientInput => ({
    sky,
    uvw: UVW.slice(0, 3 * ANTENNAS),
    antenna1: new Int32Array(rows).fill(antenna1[0]!),
    antenna2: new Int32Array(rows).fill(ANTENNAS - 1),
    timeIndex: new Int32Array(rows),
    frequency: FREQUENCY.slice(0, 1),
    residual: new Float64Array(8 * rows).fill(1),
  });
  const [one, all] = [
    await chiSquaredGradient(of(1), { context }),
    await chiSquaredGradient(of(100_000), { context }),
  ];
  assertAlmostEquals(all.stokes[0]! / one.stokes[0]!, 100_000, 1e-4);
});

Deno.test("the gradient has the same bits on workers, and flagged samples do not count", async () => {
  const setting: Setting = { feed: "circular", ...COMMON, gains: true };
  const input = inputOf(SKY, setting);
  const found = await Promise.all([0, 2].map(async (workers) => {
    await using context = createContext({ memory: 24 * 1024 * 4, workers });
    return await chiSquaredGradient(input, { feed: "circular", context });
  }));
  assertEquals(found[0], found[1]);
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const nothing = { ...input, residual: input.residual.map(() => 0) };
  const { stokes, lm } = await chiSquaredGradient(nothing, { context });
  assert([...stokes, ...lm].every((value) => value === 0));
  const broken = { ...input, residual: input.residual.with(2, NaN), weight: input.weight!.with(1, 0) };
  assert((await chiSquaredGradient(broken, { context })).stokes.every(Number.isFinite));
});

Deno.test("a gradient of arrays that do not fit together is refused", async () => {
  const input = inputOf(SKY, { feed: "linear", ...COMMON });
  const refused = async (change: Partial<GradientInput>, text: string) => {
    const error = await assertRejects(() => chiSquaredGradient({ ...input, ...change }), TilewiseError, text);
    assertEquals(error.code, "invalid");
  };
  await refused({ residual: new Float64Array(5) }, "residual has 5 numbers; it must be 432");
  await refused({ weight: new Float64Array(5) }, "weight has 5 numbers");
  await refused({ sky: { ...SKY, stokes: new Float64Array(7) } }, "sky.stokes has 7");
  await refused({ sky: { ...SKY, lm: Float64Array.of(0.9, 0.9, 0, 0, 0, 0, 0, 0) } }, "l² + m²");
  await refused(
    { sky: { ...SKY, gaussianShape: new Float64Array(15) } },
    "sky has 5 Gaussians, 1 disks",
  );
  await refused({ antenna2: antenna2.with(1, -1) }, "antenna2[1] is -1");
  await refused({ gains: new Float64Array(8) }, "gains has 8");
  const own = { sky: SKY, uvw: new Float64Array(3 * ROWS), frequency: FREQUENCY, residual: input.residual };
  await assertRejects(
    () => chiSquaredGradient({ ...own, gains: new Float64Array(24) }),
    TilewiseError,
    "need antenna1",
  );
});
