/** Dirty images, visibilities of images, and predictions by grids, against sums over everything. */

import "../../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { createContext } from "../../../mod.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { degrid, predictByGridding } from "../../../src/rime/image/degrid.ts";
import { dirtyImage, pointSpread } from "../../../src/rime/image/dirty.ts";
import { directDegrid, directImage, directVisibilities } from "../../oracles/direct_image.ts";
import { errorOf, randomList, randomSamples } from "./data.ts";

const GRID = { pixels: [24, 18], cell: [-0.01, 0.008], centre: [0.03, -0.02] } as const;
const SEED = 7;

for (const convention of ["fourier", "casa"] as const) {
  for (const wTerm of [true, false]) {
    const options = { convention, wTerm };
    Deno.test(`a dirty image, its adjoint and a prediction are the sums they stand for: ${convention}, w ${wTerm}`, async () => {
      await using context = createContext({ memory: "32MiB", workers: 0 });
      const { uvw, frequency, visibilities, weights } = randomSamples(60, 3, GRID, SEED);
      const epsilon = 1e-8, all = { ...options, epsilon, context };
      const { image } = await dirtyImage({ uvw, frequency, visibilities, weights }, GRID, {
        ...all,
        normalize: false,
      });
      const expected = directImage({ uvw, frequency }, visibilities, weights, GRID, options);
      assert(errorOf(image.data, expected) < epsilon, `image, seed ${SEED}`);

      const pixels = randomList(24 * 18, SEED + 5);
      const seen = await degrid(pixels, GRID, { uvw, frequency }, all);
      const direct = directDegrid(pixels, GRID, { uvw, frequency }, options);
      assert(errorOf(seen.data, direct) < epsilon, `degrid, seed ${SEED}`);

      const sources = { lm: randomList(40, SEED + 6).map((x) => x / 10), flux: randomList(20, SEED + 7) };
      const model = await predictByGridding(sources, { uvw, frequency }, all);
      const sums = directVisibilities(sources.lm, sources.flux, { uvw, frequency }, options);
      assert(errorOf(model.data, sums) < epsilon, `prediction, seed ${SEED}`);
    });
  }
}

/** w of rows in wavelengths: short cuts go by |w|, so that equal ones and single rows are cases of their own. */
const CLASSES: Readonly<Record<string, readonly number[]>> = {
  "one row above": [20],
  "one row below": [-20],
  "one row hardly below": [-0.1],
  "zero": [0, 0, -0],
  "all equal": [20, 20, 20, 20],
  "all equal below": [-100, -100, -100],
  "equal and opposite": [20, -20, 20, -20, -20],
  "hardly different": [-50, 50 + 1e-7, -50 - 1e-7],
  "one sign": [-5, -30, -200, -1],
  "both signs": [-5, 30, -200, 1],
};

for (const [kind, own] of Object.entries(CLASSES)) {
  Deno.test(`images, visibilities and predictions are right with w ${kind}`, async () => {
    await using context = createContext({ memory: "32MiB", workers: 0 });
    for (const convention of ["fourier", "casa"] as const) {
      const frequency = Float64Array.of(299792458), grid = { pixels: [20, 16], cell: [-4e-3, 5e-3] } as const;
      const uvw = randomList(3 * own.length, SEED).map((value, i) =>
        i % 3 === 2 ? own[(i - 2) / 3]! : 40 * value
      );
      const places = { uvw, frequency }, epsilon = 1e-7, all = { convention, epsilon, context };
      const visibilities = randomList(2 * own.length, SEED + 1),
        weights = new Float64Array(own.length).fill(1);
      const { image } = await dirtyImage({ ...places, visibilities }, grid, { ...all, normalize: false });
      const expected = directImage(places, visibilities, weights, grid, { convention, wTerm: true });
      assert(errorOf(image.data, expected) < epsilon, `image, ${convention}`);
      const pixels = randomList(20 * 16, SEED + 2);
      const seen = await degrid(pixels, grid, places, all);
      const direct = directDegrid(pixels, grid, places, { convention, wTerm: true });
      assert(errorOf(seen.data, direct) < epsilon, `degrid, ${convention}`);
      const sources = { lm: randomList(20, SEED + 3).map((x) => x / 20), flux: randomList(10, SEED + 4) };
      const model = await predictByGridding(sources, places, all);
      const sums = directVisibilities(sources.lm, sources.flux, places, { convention, wTerm: true });
      assert(errorOf(model.data, sums) < epsilon, `prediction, ${convention}`);
    }
  });
}

Deno.test("of a grid that baselines do not fill only a part is kept", async () => {
  await using context = createContext({ memory: "32MiB", workers: 0 });
  const { uvw, frequency, visibilities, weights } = randomSamples(60, 3, GRID, SEED);
  const short = { uvw: uvw.map((value, i) => i % 3 ? value / 9 : value / 4), frequency };
  const all = { convention: "fourier", wTerm: true, epsilon: 1e-8, context } as const;
  const { image } = await dirtyImage({ ...short, visibilities, weights }, GRID, { ...all, normalize: false });
  assert(errorOf(image.data, directImage(short, visibilities, weights, GRID, all)) < 1e-8);
  const pixels = randomList(24 * 18, SEED + 5);
  const seen = await degrid(pixels, GRID, short, all);
  assert(errorOf(seen.data, directDegrid(pixels, GRID, short, all)) < 1e-8);
});

Deno.test("rows may be read in ranges", async () => {
  await using context = createContext({ memory: "32MiB", workers: 0 });
  const { uvw, frequency, visibilities, weights } = randomSamples(50, 2, GRID, SEED);
  const part = (values: Float64Array, unit: number) => (start: number, stop: number) =>
    Promise.resolve(values.slice(unit * start, unit * stop));
  const read = {
    rows: 50,
    frequency,
    uvw: part(uvw, 3),
    visibilities: part(visibilities, 4),
    weights: part(weights, 2),
  };
  const whole = await dirtyImage({ uvw, frequency, visibilities, weights }, GRID, { context });
  const parts = await dirtyImage(read, GRID, { context });
  assertEquals(parts, whole);
});

Deno.test("a point spread function is 1 at the phase centre, and an image is divided by the weights", async () => {
  await using context = createContext({ memory: "32MiB", workers: 0 });
  const grid = { pixels: [16, 16], cell: [1e-3, 1e-3] } as const;
  const { uvw, frequency, weights } = randomSamples(50, 2, grid, SEED);
  const { image, sumOfWeights } = await pointSpread({ uvw, frequency, weights }, grid, { context });
  assertAlmostEquals(image.data[8 * 16 + 8]!, 1, 1e-4);
  assertAlmostEquals(sumOfWeights, weights.reduce((a, b) => a + b, 0), 1e-9);
});

const { uvw, frequency, visibilities } = randomSamples(2, 1, GRID, SEED);
const input = { uvw, frequency, visibilities };
for (
  const [what, message, call] of [
    ["no grid", "grid.pixels", () => dirtyImage(input, {} as never)],
    ["a cell of 0", "not 0", () => dirtyImage(input, { ...GRID, cell: [0, 1] })],
    ["pixels outside of the sky", "l² + m²", () => dirtyImage(input, { pixels: [8, 8], cell: [0.3, 0.1] })],
    [
      "too few visibilities",
      "visibilities for 2 rows is 2 numbers",
      () => dirtyImage({ ...input, visibilities: visibilities.subarray(2) }, GRID),
    ],
    ["rows that nobody counts", "rows", () => dirtyImage({ ...input, uvw: () => uvw }, GRID)],
    [
      "a reader that brings too much",
      "rows 0 to 1",
      () => dirtyImage({ ...input, uvw: () => uvw, rows: 1, visibilities: visibilities.subarray(2) }, GRID),
    ],
    ["a frequency of 0", "above 0 Hz", () => dirtyImage({ ...input, frequency: Float64Array.of(0) }, GRID)],
    ["an image of another size", "432 numbers", () => degrid(new Float64Array(9), GRID, input)],
    ["an image with NaN", "finite", () => degrid(new Float64Array(432).fill(NaN), GRID, { uvw, frequency })],
    [
      "sources below the horizon",
      "l² + m²",
      () => predictByGridding({ lm: Float64Array.of(1, 1), flux: Float64Array.of(1) }, { uvw, frequency }),
    ],
    [
      "fewer fluxes than sources",
      "flux has 1",
      () => predictByGridding({ lm: new Float64Array(4), flux: new Float64Array(1) }, { uvw, frequency }),
    ],
  ] as const
) {
  Deno.test(`imaging refuses ${what}`, async () => {
    await assertRejects(async () => await call(), TilewiseError, message);
  });
}
