/** Fits find the sources with which visibilities were made. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { main } from "../../../examples/fit_sources.ts";
import { type FitInput, fitSources, type FitStep } from "../../../src/rime/fit/fit_sources.ts";
import { baselinePairs } from "../../../src/rime/geometry/antennas.ts";
import { predict } from "../../../src/rime/predict/predict.ts";
import { createContext } from "../../../src/runner/context.ts";
import { failure } from "../../formats/helpers.ts";
import { assertNear } from "../golden/golden.ts";

/** Numbers without a pattern, from -size to size. */
function noise(length: number, seed: number, size: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => size * Math.sin(seed + 78.233 * (i + 1) * (i + 2)));
}

const { antenna1, antenna2 } = baselinePairs(7);
const ROWS = {
  uvw: noise(4 * 7 * 3, 1, 300), // 4 times
  antenna1,
  antenna2,
  frequency: Float64Array.of(1e9, 1.05e9, 1.2e9),
};
const COUNT = 4 * antenna1.length * 3; // rows × channels
const TRUTH = {
  lm: Float64Array.of(2e-3, -1e-3, -4e-3, 3e-3),
  stokes: Float64Array.of(3, 0.3, 0, 0, 1.2, 0, 0.1, 0.05),
};
/** Off by a tenth of the smallest fringe, and by a third of the flux. */
const START = {
  lm: Float64Array.of(2.03e-3, -1.02e-3, -3.97e-3, 3.03e-3),
  stokes: Float64Array.of(2, 0.3, 0, 0, 1.6, 0, 0.1, 0.05),
};

/** The problem with what is observed of the truth. */
async function observed(
  convention: "fourier" | "casa",
  correlations: readonly string[],
  size = 0,
): Promise<FitInput> {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const { data } = await predict({ ...ROWS, sky: TRUTH }, {
    context,
    convention,
    correlations: correlations as ["XX"],
  });
  const extra = noise(data.length, 5, size);
  return { ...ROWS, sky: START, observed: Float64Array.from(data, (value, i) => value + extra[i]!) };
}

for (const [convention, feed] of [["fourier", "linear"], ["casa", "circular"]] as const) {
  Deno.test(`directions and fluxes are found: ${convention}, ${feed} feeds`, async () => {
    const correlations = feed === "linear" ? ["XX", "XY", "YX", "YY"] : ["RR", "RL", "LR", "LL"];
    await using context = createContext({ memory: "16MiB", workers: 0 });
    const steps: FitStep[] = [];
    const onStep = (step: FitStep) => void steps.push(step);
    const { sky, chiSquared, converged } = await fitSources(await observed(convention, correlations), {
      context,
      convention,
      feed,
      onStep,
    });
    assertNear(sky.lm, TRUTH.lm, 1e-8);
    assertNear(sky.stokes, TRUTH.stokes, 1e-4);
    assert(converged && chiSquared < 1e-6 && steps.length < 60, `${chiSquared} ${steps.length}`);
    assert(steps.every(({ chiSquared }, i) => i === 0 || chiSquared < steps[i - 1]!.chiSquared));
  });
}

Deno.test("all Stokes parameters are found, and without noise to the tolerance", async () => {
  const input = await observed("fourier", ["XX", "XY", "YX", "YY"]);
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const start = { lm: START.lm, stokes: Float64Array.of(2, 0, 0, 0, 1, 0, 0, 0) };
  const parameters = ["lm", "I", "Q", "U", "V"] as const;
  const { sky } = await fitSources({ ...input, sky: start }, { context, parameters, tolerance: 1e-12 });
  assertNear(sky.stokes, TRUTH.stokes, 1e-5);
  const fixed = await fitSources({ ...input, sky: { ...START, lm: TRUTH.lm } }, {
    context,
    parameters: ["I"],
  });
  assertEquals(fixed.sky.lm, TRUTH.lm);
  assertNear(fixed.sky.stokes, TRUTH.stokes, 1e-5);
});

Deno.test("noise moves sources by about its size, samples of weight 0 not at all, workers not the bits", async () => {
  const input = await observed("fourier", ["XX", "XY", "YX", "YY"], 0.2);
  const weight = new Float64Array(4 * COUNT).fill(25);
  const samples = input.observed.slice();
  for (let i = 0; i < 4 * COUNT; i += 7) {
    weight[i] = 0;
    samples.set([i % 2 ? NaN : 1e6, 1], 2 * i);
  }
  const fits = [];
  for (const workers of [0, 2]) {
    await using context = createContext({ memory: "16MiB", workers });
    fits.push(await fitSources({ ...input, observed: samples, weight }, { context }));
  }
  const { sky, chiSquared } = fits[0]!;
  assertNear(sky.lm, TRUTH.lm, 2e-5);
  assertNear(sky.stokes, TRUTH.stokes, 0.05);
  const expected = 25 * 0.2 ** 2 * 4 * COUNT * 6 / 7; // mean square of a sine: 1/2, of re and im
  assert(Math.abs(chiSquared / expected - 1) < 0.2, `${chiSquared} ${expected}`);
  assertEquals(fits[1], fits[0]);
});

Deno.test("a fit that cannot be made is an error, and one that is cancelled ends", async () => {
  const input = await observed("fourier", ["XX", "XY", "YX", "YY"]);
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const short = await failure(
    fitSources({ ...input, observed: new Float64Array(8) }, { context }),
    "invalid",
  );
  assert(short.message.includes("observed has 8 numbers; it must have 2016"), short.message);
  const odd = await failure(fitSources(input, { context, parameters: ["flux" as "I"] }), "invalid");
  assert(odd.message.includes("takes some of lm, I, Q, U, V, not flux"), odd.message);
  const controller = new AbortController();
  const cancelled = fitSources(input, {
    context,
    signal: controller.signal,
    onStep: () => controller.abort(),
  });
  await failure(cancelled, "aborted");
  const { steps, converged } = await fitSources(input, { context, steps: 2 });
  assertEquals([steps, converged], [2, false]);
});

Deno.test("examples/fit_sources.ts finds its sources", async () => {
  const { direction, flux } = await main();
  assert(direction < 4e-6 && flux < 0.03, `${direction} ${flux}`);
});
