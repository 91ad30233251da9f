/** Shapelets against the Fourier transform of their brightness by quadrature, and what is refused. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { openObservation } from "../../../src/observations/open.ts";
import { predict } from "../../../src/rime/observed/predict.ts";
import { planPredict, predict as predictArrays } from "../../../src/rime/predict/predict.ts";
import type { SkyShapelets } from "../../../src/rime/predict/problem.ts";
import { simulate } from "../../../src/rime/equation/simulate.ts";
import { jonesFunction } from "../../../src/rime/terms/function.ts";
import { createContext } from "../../../src/runner/context.ts";
import { assertNear } from "../golden/golden.ts";

const C = 299792458;

/** `H_n(x/β) exp(−x²/2β²) / (β sqrt(2π 2^n n!))`, with the polynomials written out. */
function brightness(n: number, x: number, beta: number): number {
  const t = x / beta;
  const polynomial = [1, 2 * t, 4 * t ** 2 - 2, 8 * t ** 3 - 12 * t, 16 * t ** 4 - 48 * t ** 2 + 12][n]!;
  return polynomial * Math.exp(-t * t / 2) / (beta * Math.sqrt(2 * Math.PI * [1, 2, 8, 48, 384][n]!));
}

/** The integral of the brightness times `exp(−2πi (u l + v m))`, over l to the east and m to the north. */
function transform({ shape, coefficients, orders }: Required<SkyShapelets>, u: number, v: number): number[] {
  const [bx, by, angle] = shape as unknown as [number, number, number];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const sum = [0, 0], reach = 9 * Math.max(bx, by), steps = 120, cell = (2 * reach / steps) ** 2;
  for (let i = 0; i < steps; i++) {
    for (let j = 0; j < steps; j++) {
      const [l, m] = [i, j].map((k) => (2 * (k + 0.5) / steps - 1) * reach) as [number, number];
      const [x, y] = [l * cos - m * sin, l * sin + m * cos];
      let value = 0;
      for (let a = 0; a < orders[0]; a++) {
        for (let b = 0; b < orders[1]; b++) {
          value += coefficients[a * orders[1] + b]! * brightness(a, x, bx) * brightness(b, y, by);
        }
      }
      const turn = -2 * Math.PI * (u * l + v * m);
      sum[0]! += value * cell * Math.cos(turn);
      sum[1]! += value * cell * Math.sin(turn);
    }
  }
  return sum;
}

const SHAPELETS = {
  shape: Float64Array.of(2e-4, 1.2e-4, 0.6),
  coefficients: Float64Array.of(
    1,
    0.3,
    -0.2,
    0.4,
    -0.6,
    0.25,
    0.1,
    0.15,
    -0.35,
    0.5,
    0.05,
    -0.3,
    0.2,
    0.45,
    -0.1,
  ),
  orders: [5, 3],
} as const;
const SKY = { lm: Float64Array.of(0, 0), stokes: Float64Array.of(2, 0, 0, 0), shapelets: SHAPELETS };
const BASELINES = [[0, 0, 0], [150, 40, 3], [-90, 210, -8], [20, -330, 1]];
const FREQUENCY = Float64Array.of(1e9, 1.3e9, 1.45e9);

Deno.test("shapelets are the Fourier transform of their brightness, in both signs and precisions", async () => {
  await using context = createContext({ memory: "8MiB", workers: 0 });
  const expected = BASELINES.flatMap(([u, v]) =>
    [...FREQUENCY].flatMap((nu) => transform(SHAPELETS, u! * nu / C, v! * nu / C).map((part) => 2 * part))
  );
  const input = { uvw: Float64Array.from(BASELINES.flat()), frequency: FREQUENCY, sky: SKY };
  for (const [precision, tolerance] of [["f64", 1e-12], ["mixed", 1e-6]] as const) {
    const options = { context, correlations: ["I"], precision } as const;
    assertNear((await predict(input, options)).data, expected, tolerance);
    const { data } = await predict(input, { ...options, convention: "casa" });
    assertNear(data, expected.map((part, i) => i % 2 ? -part : part), tolerance);
  }
});

Deno.test("a shapelet of order 0 alone is a Gaussian", async () => {
  await using context = createContext({ memory: "8MiB", workers: 0 });
  const fwhm = 3e-4 * Math.sqrt(Math.log(256)), angle = 0.4;
  const one = { lm: Float64Array.of(0.01, -0.02), stokes: Float64Array.of(1, 0.2, 0, 0) };
  const shape = Float64Array.of(1e-4, 3e-4, angle);
  const frames = { uvw: Float64Array.from(BASELINES.flat()), frequency: FREQUENCY };
  const gaussianShape = Float64Array.of(fwhm * Math.sin(angle), fwhm * Math.cos(angle), 1 / 3);
  const shapelet = await predict({
    ...frames,
    sky: { ...one, shapelets: { shape, coefficients: Float64Array.of(1) } },
  }, {
    context,
  });
  assertNear(
    shapelet.data,
    (await predict({ ...frames, sky: { ...one, gaussianShape } }, { context })).data,
    1e-12,
  );
});

Deno.test("shapelets go through matrices of terms like other sources", async () => {
  const antennas = {
    antenna1: Int32Array.of(0, 1, 0),
    antenna2: Int32Array.of(1, 2, 2),
    frequency: FREQUENCY,
  };
  const input = { uvw: Float64Array.from(BASELINES.slice(1).flat()), ...antennas, sky: SKY };
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const turned = jonesFunction(
    (_, out) => out.forEach((_, i) => out[i] = i % 8 === 1 || i % 8 === 7 ? 1 : 0),
    {
      name: "turned", // by a quarter, the same at both ends of a baseline
    },
  );
  for (const [precision, tolerance] of [["f64", 1e-12], ["mixed", 1e-6]] as const) {
    const { data } = await predict(input, { context, precision });
    const { model } = await simulate({ ...input, terms: [turned] }, { context, precision });
    assertNear(model, data, tolerance);
  }
  const smearing = { interval: 0, declination: 0, channelWidth: new Float64Array(3).fill(1e6) };
  const centred = await simulate(input, { context, smearing });
  assertNear(centred.model, (await predict(input, { context })).data, 1e-12); // a delay of 0 is not smeared
  const moved = { ...input, sky: { ...SKY, lm: Float64Array.of(0.3, 0.2) } };
  const [smeared, sharp] = [await simulate(moved, { context, smearing }), await predict(moved, { context })];
  const ratios = Array.from({ length: 9 }, (_, i) => {
    const [a, b] = [smeared.model, sharp.data].map((vis) => Math.hypot(vis[8 * i]!, vis[8 * i + 1]!));
    return a! / b!;
  });
  const uv = BASELINES.slice(1);
  const expected = [[0, 1], [1, 2], [0, 2]].map(([p, q]) => {
    const w = Math.sqrt(1 - 0.13) - 1;
    const path = [0.3, 0.2, w].reduce((sum, part, k) => sum + part * (uv[p!]![k]! - uv[q!]![k]!), 0);
    const x = Math.PI * path * 1e6 / C;
    return Math.sin(x) / x;
  });
  assertNear(ratios, expected.flatMap((one) => [one, one, one]), 1e-12);
});

Deno.test("shapelets are predicted for observations too", async () => {
  await using observation = await openObservation({
    antennas: [0, 1, 2].map((x) => ({ name: `${x}`, position: [x, 0, 0] as const })),
    frequencies: [...FREQUENCY],
    correlations: ["XX", "YY"],
    phaseCentre: [0, 0],
    time: [5e9, 5e9, 5e9],
    antenna1: [0, 0, 1],
    antenna2: [1, 2, 2],
    uvw: [150, 40, 3, -90, 210, -8, -240, 170, -11],
  });
  const uvw = Float64Array.from([150, 40, 3, -90, 210, -8, -240, 170, -11]);
  const { convention } = observation;
  const arrays = await predictArrays({ uvw, frequency: FREQUENCY, sky: SKY }, {
    correlations: ["XX", "YY"],
    convention,
  });
  await using context = createContext({ memory: "8MiB", workers: 0 });
  assertNear((await predict(SKY, observation, { context })).data, arrays.data, 1e-12);
});

Deno.test("shapelets have the same bits in tiles of any size, on workers", async () => {
  const antennas = { antenna1: Int32Array.of(0, 1, 0), antenna2: Int32Array.of(1, 2, 2) };
  const uvw = Float64Array.from({ length: 3 * 3 * 40 }, (_, i) => 300 * Math.sin(1.7 * i * i));
  const frequency = Float64Array.from({ length: 21 }, (_, c) => 1e9 + 1e6 * c * c);
  const input = { uvw, ...antennas, frequency, sky: SKY };
  await using whole = createContext({ memory: "16MiB", workers: 0 });
  for (const precision of ["f64", "mixed"] as const) {
    const { total: bytes } = planPredict(input, { context: whole, precision, inFlight: 3 }).memory;
    await using parts = createContext({ memory: Math.ceil(0.93 * bytes), workers: 2 });
    assert(planPredict(input, { context: parts, precision }).tiles > 1);
    const all = await predict(input, { context: whole, precision });
    const some = await predict(input, { context: parts, precision });
    assertEquals(some.data, all.data);
  }
});

Deno.test("shapelets that do not fit together are refused", async () => {
  const refused = async (change: Partial<SkyShapelets>, text: string) => {
    const shapelets = { ...SHAPELETS, ...change };
    const input = { uvw: Float64Array.of(1, 2, 3), frequency: FREQUENCY, sky: { ...SKY, shapelets } };
    const error = await assertRejects(() => predict(input), TilewiseError, text);
    assertEquals(error.code, "invalid");
  };
  await refused({ orders: [4, 4] }, "15 numbers; it must be 1 × 4 × 4");
  await refused({ orders: [15, 0] }, "whole numbers from 1");
  await refused({ coefficients: new Float64Array(15).fill(NaN) }, "coefficients[0] is NaN");
  await refused(
    { shape: new Float64Array(6), coefficients: new Float64Array(30) },
    "2 shapelets among 1 sources",
  );
  await refused({ shapes: [] } as never, 'did you mean "shape"');
  const { orders: _, ...square } = SHAPELETS;
  const error = await assertRejects(
    () =>
      predict({ uvw: Float64Array.of(1, 2, 3), frequency: FREQUENCY, sky: { ...SKY, shapelets: square } }),
    TilewiseError,
  );
  assertEquals([error.code, error.message.includes("orders: [x, y]")], ["invalid", true]);
});
