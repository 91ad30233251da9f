/** Visibilities of two sources at one baseline: their fringes over time and frequency. */

import { save } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import { predict } from "@tilewise/tilewise/rime";

const [ROWS, CHANNELS] = [200, 160];
const uvw = Float64Array.from(
  { length: 3 * ROWS },
  (_, i) => [2000, 900, 0][i % 3]! * Math.sin(i / 400 + 0.3),
);
const frequency = Float64Array.from({ length: CHANNELS }, (_, c) => 1e9 + 5e6 * c);
const sky = {
  lm: Float64Array.of(0.001, 0.0005, -0.002, 0.001),
  stokes: Float64Array.of(1, 0, 0, 0, 0.6, 0, 0, 0),
};
const { data, shape } = await predict({ uvw, frequency, sky });
const step = 2 * shape.slice(2).reduce((a, b) => a * b, 1); // of all correlations, the real part of the first
const real = Float64Array.from({ length: ROWS * CHANNELS }, (_, i) => data[i * step]!);
await save(ndarray(real, [ROWS, CHANNELS], "float64"), "fringes.png", { symmetric: true });
