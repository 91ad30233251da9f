/** Weights of samples and main lobes of point spread functions: see `tests/data/imaging/make_weights.py`. */

import { assert, assertAlmostEquals, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { createContext } from "../../../mod.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { dirtyImage, mainLobe, pointSpread } from "../../../src/rime/image/dirty.ts";
import type { ImageGrid } from "../../../src/rime/image/grid.ts";
import { fitMainLobe } from "../../../src/rime/image/main_lobe.ts";
import type { ImageWeighting } from "../../../src/rime/image/weighting.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import expected from "../../data/imaging/weights.json" with { type: "json" };
import "../../fences/mod.ts";
import { errorOf, randomList } from "./data.ts";

const numbers = (name: "uvw" | "frequency" | "visibilities" | "weights") => Float64Array.from(expected[name]);
const grid = expected.grid as unknown as ImageGrid, [nx] = grid.pixels;
const rows = { uvw: numbers("uvw"), frequency: numbers("frequency"), weights: numbers("weights") };
const convention = "fourier";
const EPSILON = 1e-9;

for (const { weighting, sumOfWeights, row, column, beam } of expected.cases) {
  Deno.test(`an image and its beam are those of sums with the weights of ${JSON.stringify(weighting)}`, async () => {
    await using context = createContext({ memory: "8MiB", workers: 0 });
    const options = {
      context,
      epsilon: EPSILON,
      convention,
      weighting: weighting as ImageWeighting,
    } as const;
    const made = await dirtyImage({ ...rows, visibilities: numbers("visibilities") }, grid, options);
    const { data } = made.image;
    assertAlmostEquals(made.sumOfWeights, sumOfWeights, 1e-11 * sumOfWeights);
    assert(errorOf(data.subarray(11 * nx, 12 * nx), row) < 3 * EPSILON);
    assert(errorOf(column.map((_, j) => data[j * nx + 7]!), column) < 3 * EPSILON);
    const found = await mainLobe(rows, grid, options); // of its own pixels, but with the weights of those of the image
    const [major, minor, angle] = beam as [number, number, number];
    assertAlmostEquals(found.major, major, 1e-6 * major);
    assertAlmostEquals(found.minor, minor, 1e-6 * minor);
    assertAlmostEquals(found.positionAngle, angle, 1e-5);
  });
}

Deno.test("a Gaussian is found as it is, for any angle, any size and any signs of the pixels", () => {
  const next = randomList(400, 5);
  for (let k = 0; k < 100; k++) {
    const [a, b, c, d] = next.subarray(4 * k, 4 * k + 4) as unknown as [number, number, number, number];
    const cell = [Math.sign(a) * 1e-5, Math.sign(b) * 2e-5] as const;
    const major = 12e-5 * (1.2 + Math.abs(c)), minor = major / (1.01 + Math.abs(a)), angle = d * Math.PI / 2;
    const values = Float64Array.from({ length: 80 * 64 }, (_, i) => {
      const [l, m] = [(i % 80 - 40) * cell[0], (Math.floor(i / 80) - 32) * cell[1]];
      const along = l * Math.sin(angle) + m * Math.cos(angle),
        across = l * Math.cos(angle) - m * Math.sin(angle);
      return Math.exp(-4 * Math.LN2 * ((along / major) ** 2 + (across / minor) ** 2));
    });
    const found = fitMainLobe(ndarray(values, [64, 80], "float64"), { pixels: [80, 64], cell });
    assertAlmostEquals(found.major, major, 1e-9 * major);
    assertAlmostEquals(found.minor, minor, 1e-9 * minor);
    assertAlmostEquals(Math.sin(found.positionAngle - angle), 0, 1e-6);
  }
});

Deno.test("the main lobe of pixels of which 64 reach beyond the horizon is fitted within the sky", async () => {
  await using context = createContext({ memory: "8MiB", workers: 0 });
  const short = { uvw: Float64Array.of(2, 0, 0, 0, 1, 0, 2, 1, 0), frequency: Float64Array.of(299792458) };
  const grid = { pixels: [40, 30], cell: [-0.035, 0.035] } as const;
  const { major, minor, positionAngle } = await mainLobe(short, grid, { context });
  const found = [major, minor, positionAngle].map((value) => Number(value.toFixed(4)));
  assertEquals(found, [0.504, 0.2026, -0.2919]); // scipy.optimize.least_squares, as in make_weights.py
  const wide = { pixels: [1, 1], cell: [-0.8, 0.8] } as const;
  await assertRejects(() => mainLobe(short, wide, { context }), TilewiseError, "Cannot fit the main lobe");
});

Deno.test("a main lobe that cannot be fitted is refused with the reason", async () => {
  await using context = createContext({ memory: "8MiB", workers: 0 });
  const frequency = Float64Array.of(299792458);
  const line = { frequency, uvw: Float64Array.of(100, 0, 0, 200, 0, 0) };
  const cell = [-1e-4, 1e-4] as const, pixels = [32, 32] as const;
  await assertRejects(() => mainLobe(line, { pixels, cell }, { context }), TilewiseError, "along one line");
  const far = { frequency, uvw: Float64Array.of(9000, 0, 0, 0, 9000, 0, 5000, 5000, 0) };
  await assertRejects(() => mainLobe(far, { pixels, cell }, { context }), TilewiseError, "smaller pixels");
  const { image } = await pointSpread(rows, { pixels, cell: [3e-3, 3e-3], centre: [0.02, 0] }, { context });
  assertThrows(() => fitMainLobe(image, { pixels, cell }), TilewiseError, "at the phase centre");
  assertThrows(() => fitMainLobe(image, { pixels: [8, 8], cell }), TilewiseError, "1024 numbers");
});

Deno.test("an image without any weight is refused, whatever its weights are", async () => {
  await using context = createContext({ memory: "8MiB", workers: 0 });
  const none = { ...rows, weights: new Float64Array(120) }, visibilities = numbers("visibilities");
  for (const weighting of ["natural", "uniform", { briggs: 0 }] as const) {
    const error = await assertRejects(
      () => dirtyImage({ ...none, visibilities }, grid, { context, weighting }),
      TilewiseError,
      "120 samples",
    );
    assertEquals(error.code, "invalid");
    await assertRejects(() => mainLobe(none, grid, { context, weighting }), TilewiseError, "weight above 0");
  }
  const { image } = await dirtyImage({ ...none, visibilities }, grid, { context, normalize: false }); // the sum of nothing is 0
  assert(image.data.every((value) => value === 0));
});

Deno.test("only weightings that there are can be asked for", async () => {
  for (const weighting of ["robust", { briggs: 2.5 }, { briggs: NaN }, {}, null, { robust: 0 }]) {
    await assertRejects(
      () =>
        dirtyImage({ ...rows, visibilities: numbers("visibilities") }, grid, {
          weighting: weighting as never,
        }),
      TilewiseError,
      "from −2 to 2",
    );
  }
});
