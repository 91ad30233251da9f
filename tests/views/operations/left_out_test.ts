/** Samples whose weight is zero are left out, whatever they are: NaN and Infinity reach only results in which they have a weight. */

import "../../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { open } from "@tilewise/tilewise/formats";
import { createContext } from "../../../src/runner/context.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { convolve, correlate } from "../../../src/views/operations/filters/convolve.ts";

/** Windows of which some weights are zero: products of weights along each dimension, and others. */
const WINDOWS: Readonly<Record<string, number[][]>> = {
  "a slope": [[-1, 0, 1]],
  "a product": [[1, 0, 2], [0, 0, 0], [3, 0, 6]],
  "a column": [[0, 1, 0], [0, 2, 0], [0, 1, 0]],
  "none": [[0, 0, 0]],
  "a cross": [[0, 1, 0], [1, 1, 1], [0, 1, 0]],
};

const [HEIGHT, WIDTH] = [5, 7] as const;

/** The sum over the weights that are not zero, with edges repeated. */
function expected(data: ArrayLike<number>, weights: number[][], turned: boolean): number[] {
  const near = (i: number, n: number) => Math.max(0, Math.min(n - 1, i));
  const window = turned ? weights.toReversed().map((row) => row.toReversed()) : weights;
  const [dy, dx] = [(window.length - 1) / 2, (window[0]!.length - 1) / 2];
  return Array.from({ length: data.length }, (_, at) => {
    const [y, x] = [Math.floor(at / WIDTH), at % WIDTH];
    const terms = window.flatMap((row, i) =>
      row.map((w, j) => w === 0 ? 0 : w * data[near(y + i - dy, HEIGHT) * WIDTH + near(x + j - dx, WIDTH)]!)
    );
    return terms.reduce((sum, term) => sum + term, 0);
  });
}

for (const [name, weights] of Object.entries(WINDOWS)) {
  Deno.test(`weights of ${name}: a NaN beside a weight of zero changes nothing`, async () => {
    await using context = createContext({ workers: 0 });
    for (const Floats of [Float32Array, Float64Array]) {
      const numbers = Array.from(
        { length: HEIGHT * WIDTH },
        (_, i) => i % 9 === 4 ? NaN : i === 20 ? Infinity : i,
      );
      const data = new Floats(numbers);
      const image = await open({ data, shape: [HEIGHT, WIDTH] });
      for (const [make, turned] of [[correlate, false], [convolve, true]] as const) {
        const found = await mapViews(image, make({ weights }), { context, border: "edge" });
        assertEquals([...found.data], expected(data, weights, turned));
      }
    }
  });
}
