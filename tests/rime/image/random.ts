/**
 * Random images, fields, samples and sources against direct sums: `deno run -A tests/rime/image/random.ts [SEED] [ROUNDS]`. It prints
 * the problem and fails where an error is larger than epsilon.
 *
 * @module
 */

import { createContext } from "../../../mod.ts";
import { directDegrid, directImage, directVisibilities } from "../../../src/rime/image/direct.ts";
import { degrid, dirtyImage, predictByGridding } from "../../../src/rime/image/mod.ts";
import { errorOf, randomList, randomNumbers } from "./data.ts";

const [seed = Date.now() % 1e6, rounds = 50] = Deno.args.map(Number);
await using context = createContext({ memory: "2GiB", workers: 0 });

const ratios: number[] = [];
for (let round = 0; round < rounds; round++) {
  const next = randomNumbers(seed + round), unit = () => (next() + 1) / 2;
  const whole = (least: number, most: number) => least + Math.floor(unit() * (most - least + 1));
  const pixels = [whole(1, 40), whole(1, 40)] as const;
  const size = 10 ** -(0.5 + 3 * unit()), sign = () => next() < 0 ? -1 : 1;
  const cell = [sign() * size * unit() / pixels[0], sign() * size * unit() / pixels[1]] as const;
  const centre = unit() < 0.5 ? [0, 0] as const : [next() * 0.4, next() * 0.4] as const;
  const grid = { pixels, cell, centre };
  const nrow = unit() < 0.1 ? 1 : whole(1, 60), nchan = whole(1, 4), epsilon = 10 ** -(1 + 11 * unit());
  const frequency = Float64Array.from({ length: nchan }, () => 1e8 + 1e9 * unit());
  const reach = cell.map((width) => 0.3 / Math.abs(width) * (unit() < 0.2 ? 3 : unit())); // now and then beyond the grid
  const scale = [...reach, 1000 * unit()];
  const uvw = Float64Array.from({ length: 3 * nrow }, (_, i) => next() * scale[i % 3]!);
  const kinds = ["any", "any", "equal", "opposite", "zero", "above", "below", "hardly"] as const; // short cuts go by |w|
  const kind = kinds[whole(0, kinds.length - 1)]!, one = next() * scale[2]!;
  for (let i = 2; kind !== "any" && i < uvw.length; i += 3) {
    uvw[i] = kind === "equal"
      ? one
      : kind === "zero"
      ? 0
      : kind === "opposite"
      ? sign() * one
      : kind === "hardly"
      ? sign() * one * (1 + 1e-9 * next())
      : Math.abs(uvw[i]!);
    if (kind === "below") uvw[i] = -uvw[i]!;
  }
  const visibilities = randomList(2 * nrow * nchan, seed + round),
    weights = randomList(nrow * nchan, round).map(Math.abs);
  const convention = next() < 0 ? "fourier" as const : "casa" as const, wTerm = unit() < 0.8;
  const options = { context, epsilon, convention, wTerm };
  const places = { uvw, frequency };

  const { image, planes } = await dirtyImage({ ...places, visibilities, weights }, grid, {
    ...options,
    normalise: false,
  });
  const direct = directImage(places, visibilities, weights, grid, options);
  const model = randomList(pixels[0] * pixels[1], round + 9);
  const seen = await degrid(model, grid, places, options);
  const sources = { lm: randomList(2 * whole(1, 30), round).map((x) => x * size), flux: new Float64Array(0) };
  sources.flux = randomList(sources.lm.length / 2, round + 1);
  const predicted = await predictByGridding(sources, places, options);
  const errors = [
    sizedError(image.data, direct, noiseOf(weights, visibilities)),
    sizedError(seen.data, directDegrid(model, grid, places, options), norm(model) / Math.SQRT2),
    sizedError(
      predicted.data,
      directVisibilities(sources.lm, sources.flux, places, options),
      norm(sources.flux) / Math.SQRT2,
    ),
  ];
  const text = errors.map((error) => error.toExponential(1)).join(" ");
  console.log(
    seed + round,
    pixels.join("×"),
    `${nrow * nchan} samples, w ${kind}, ${planes} planes, ${epsilon.toExponential(1)}: ${text}`,
  );
  const turns = 4 * Math.max(...uvw.map(Math.abs)) * (size + Math.abs(centre[0]) + Math.abs(centre[1]));
  ratios.push(...errors.map((error) => Math.max(0, error - 1e-11 - 1e-15 * turns) / epsilon));
  if (errors.some((error) => !(error < 3 * epsilon + 1e-11 + 1e-15 * turns))) {
    throw new Error(`seed ${seed + round}: ${JSON.stringify(grid)}`);
  }
}

const sorted = ratios.toSorted((a, b) => a - b);
console.log(
  `errors / epsilon: median ${sorted[sorted.length >> 1]}, largest ${sorted.at(-1)}, ` +
    `above a quarter ${sorted.filter((ratio) => ratio > 0.25).length} of ${sorted.length}`,
);

/** The error relative to the result, or to what random phases would give: a few samples or pixels may cancel. */
function sizedError(found: ArrayLike<number>, expected: Float64Array, noise: number): number {
  const rms = norm(expected) / Math.sqrt(expected.length);
  return errorOf(found, expected) * rms / Math.max(rms, noise);
}

function norm(values: Float64Array): number {
  return Math.sqrt(values.reduce((sum, x) => sum + x * x, 0));
}

/** What pixels have that see samples with random phases. */
function noiseOf(weights: Float64Array, values: Float64Array): number {
  return Math.sqrt(
    weights.reduce((sum, w, k) => sum + w * w * (values[2 * k]! ** 2 + values[2 * k + 1]! ** 2) / 2, 0),
  );
}
