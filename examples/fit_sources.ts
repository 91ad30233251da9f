/**
 * Two sources are found in visibilities with noise: from rough values, by gradient descent. Run it with
 *
 * ```sh
 * deno run -A examples/fit_sources.ts
 * ```
 *
 * @module
 */

import { createContext } from "@tilewise/tilewise";
import { predict } from "@tilewise/tilewise/rime";
import { fitSources } from "@tilewise/tilewise/unstable/rime";

const ROWS = 500;

/** Numbers without a pattern, from -size to size. */
function scattered(count: number, size: number, seed: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => size * Math.sin(seed + 78.233 * (i + 1) * (i + 2)));
}

/** Fits both sources; the largest errors of l and m (in radians) and of the fluxes (in Jy). */
export async function main(): Promise<{ direction: number; flux: number }> {
  await using context = createContext({ memory: "64MiB", workers: 0 });
  const rows = { uvw: scattered(3 * ROWS, 1000, 1), frequency: Float64Array.of(1.3e9, 1.35e9, 1.4e9) };
  const truth = { // l, m; I, Q, U, V in Jy
    lm: Float64Array.of(3e-4, -2e-4, -5e-4, 1e-4),
    stokes: Float64Array.of(1, 0, 0, 0, 0.4, 0, 0, 0),
  };
  const model = await predict({ ...rows, sky: truth }, { context });
  const noise = scattered(model.data.length, 0.5, 2);
  const observed = Float64Array.from(model.data, (value, i) => Number(value) + noise[i]!);

  const start = {
    lm: Float64Array.of(3.1e-4, -2.1e-4, -4.9e-4, 1.1e-4),
    stokes: Float64Array.of(0.7, 0, 0, 0, 0.7, 0, 0, 0),
  };
  const { sky, chiSquared, steps } = await fitSources({ ...rows, sky: start, observed }, { context });
  console.log(`χ² is ${chiSquared.toFixed(1)} after ${steps} steps`);
  console.log("l, m of both:", [...sky.lm].map((value) => value.toExponential(3)).join(" "));
  console.log("fluxes:", sky.stokes[0]?.toFixed(3), sky.stokes[4]?.toFixed(3));

  const off = (found: Float64Array, known: Float64Array) =>
    Math.max(...found.map((value, i) => Math.abs(value - known[i]!)));
  return { direction: off(sky.lm, truth.lm), flux: off(sky.stokes, truth.stokes) };
}

if (import.meta.main) await main();
