/** A cube of your own: named dimensions, cut into tiles by a budget. Here each tile has a part of the Mandelbrot set. */

import { createContext, run, save } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import { cubeFunction, fromArrays, hypercube, toMemory } from "@tilewise/tilewise/hypercube";

await using context = createContext({ memory: "1MiB", workers: 0 });
const cube = hypercube({
  dimensions: { row: 200, col: 300 },
  arrays: [
    { name: "y", shape: ["row"], dtype: "float64" },
    { name: "x", shape: ["col"], dtype: "float64" },
    { name: "steps", shape: ["row", "col"], dtype: "float64", role: "output" },
  ],
});
const kernel = cubeFunction(({ arrays: { y, x, steps } }) => {
  for (const i of steps.data.keys()) {
    const [cy, cx] = [y.data[Math.floor(i / x.data.length)]!, x.data[i % x.data.length]!];
    let [zy, zx, n] = [0, 0, 0];
    for (; n < 60 && zy * zy + zx * zx < 4; n++) [zy, zx] = [2 * zy * zx + cy, zx * zx - zy * zy + cx];
    steps.data[i] = n;
  }
}, { arrays: { y: "float64", x: "float64", steps: "float64" } });
const y = Float64Array.from({ length: 200 }, (_, i) => i / 80 - 1.25);
const x = Float64Array.from({ length: 300 }, (_, i) => i / 100 - 2.2);
const sink = toMemory("steps");
await run(cube, { kernel, sources: [fromArrays({ y, x })], sinks: [sink], plan: { context, tile: ["row"] } });
await save(ndarray(sink.array("steps", "float64").data, [200, 300], "float64"), "cube.png");
