/**
 * A parameter sweep over a stack of images: how many pixels of each image are above each of many levels, and the brightest
 * value that each pixel ever has.
 *
 * Both are reductions: a tile has some images and some rows, and gives a part of each result. Parts are merged in the order
 * of the tiles, so the results have the same bits for any number of workers. Run it with
 *
 * ```sh
 * deno run -A examples/parameter_sweep.ts [--workers N]
 * ```
 *
 * @module
 */

import { createContext, open, run } from "@tilewise/tilewise";
import {
  cubeFunction,
  type CubeTile,
  fromArrays,
  fromDataset,
  hypercube,
  toMemory,
} from "@tilewise/tilewise/hypercube";

const [IMAGES, ROWS, COLS, LEVELS] = [24, 60, 80, 50];

const TYPES = { images: "uint16", levels: "float64", above: "float64", brightest: "uint16" } as const;

/** What is computed; the stack of images says how many there are. */
const cube = hypercube({
  dimensions: { image: 1, row: 1, col: 1, level: LEVELS },
  arrays: [
    { name: "images", shape: ["image", "row", "col"], dtype: "uint16", units: "counts" },
    { name: "levels", shape: ["level"], dtype: "float64", units: "counts" },
    {
      name: "above",
      shape: ["image", "level"],
      dtype: "float64",
      role: "output",
      description: "pixels above a level",
    },
    { name: "brightest", shape: ["row", "col"], dtype: "uint16", role: "output" },
  ],
});

/** Computes a tile; workers import it from this module. */
export function sweep({ arrays: { images, levels, above, brightest } }: CubeTile<typeof TYPES>): void {
  const [count = 0, rows = 0, cols = 0] = images.shape;
  const pixels = rows * cols;
  above.data.fill(0);
  brightest.data.fill(0);
  for (let i = 0; i < count; i++) {
    const image = images.data.subarray(i * pixels, (i + 1) * pixels);
    for (const [l, level] of levels.data.entries()) {
      for (const value of image) if (value > level) above.data[i * levels.data.length + l]! += 1;
    }
    for (const [p, value] of image.entries()) if (value > brightest.data[p]!) brightest.data[p] = value;
  }
}

/** Sweeps; throws where a result is not what plain loops give. Returns the results as text. */
export async function main(args: readonly string[]): Promise<string> {
  const workers = args.includes("--workers") ? Number(args[args.indexOf("--workers") + 1]) : 2;
  const data = Uint16Array.from({ length: IMAGES * ROWS * COLS }, (_, i) => (i * 7919) % 4099);
  const stack = await open({ data, shape: [IMAGES, ROWS, COLS] });
  const levels = Float64Array.from({ length: LEVELS }, (_, l) => 80 * l);
  await using context = createContext({ memory: "256KiB", workers });
  const results = toMemory("above", "brightest");
  const report = await run(cube, {
    kernel: cubeFunction(import.meta.url, { export: "sweep", arrays: TYPES }),
    sources: [fromDataset(stack, { array: "images", axes: ["image", "row", "col"] }), fromArrays({ levels })],
    sinks: [results],
    merge: { above: "sum", brightest: "max" },
    plan: { context, tile: ["row", "image"], inFlight: 3 },
  });
  const above = results.array("above", "float64").data, brightest = results.array("brightest", "uint16").data;
  for (const [l, level] of levels.entries()) {
    const expected = data.subarray(0, ROWS * COLS).reduce((sum, value) => sum + (value > level ? 1 : 0), 0);
    if (above[l] !== expected) throw new Error(`${above[l]} pixels above ${level}, not ${expected}`);
  }
  const most = data.filter((_, i) => i % (ROWS * COLS) === 7).reduce((a, b) => Math.max(a, b));
  if (brightest[7] !== most) throw new Error(`${brightest[7]} is not the brightest, ${most}`);
  console.log(`${report.tiles} tiles of ${report.plan.strides.map((stride) => stride.join(" ")).join(", ")}`);
  return `${above} ${brightest}`;
}

if (import.meta.main) await main(Deno.args);
