/** A small cube for tests of providers and runs: `out = 2 in + table`, tiles of 8 of 50 rows. */

import type { Context } from "../../src/runner/context.ts";
import { hypercube } from "../../src/hypercube/cube/cube.ts";
import type { CubePlan } from "../../src/hypercube/run/options.ts";
import { type CubeRunOptions, planTiles } from "../../src/hypercube/run/run_cube.ts";
import type { Source } from "../../src/hypercube/providers/provider.ts";
import { cubeFunction } from "../../src/hypercube/run/kernels/function.ts";

export const CUBE = hypercube({
  dimensions: { n: { size: 50, description: "numbers" }, m: 3 },
  arrays: [
    { name: "table", shape: [1], dtype: "float64", default: 0.5 },
    { name: "in", shape: ["n", "m"], dtype: "float64", description: "what is scaled", units: "Jy" },
    { name: "out", shape: ["n", "m"], dtype: "float64", role: "output" },
  ],
});

/** Bytes for three tiles of 8 rows. */
export const BYTES = 64 + 3 * 2 * 192;

export const MODULE: string = import.meta.resolve("./scale_kernel.ts");

/** Row-major numbers from 0 on. */
export const numbers: Source = ({ extents, shape }) =>
  Float64Array.from({ length: 3 * shape[0]! }, (_, i) => 3 * extents[0]![0] + i);

/** What comes out. */
export const SCALED: readonly number[] = Array.from({ length: 150 }, (_, i) => 2 * i + 0.5);

export const scale = cubeFunction(function scale({ arrays }) {
  for (const i of arrays.in.data.keys()) arrays.out.data[i] = 2 * arrays.in.data[i]! + arrays.table.data[0]!;
}, { arrays: { in: "float64", table: "float64", out: "float64" } });

export function planIn(context: Context): CubePlan {
  return planTiles(CUBE, { context, tile: ["n"], inFlight: 3 });
}

/** Options with everything that is needed. */
export function options(some: Partial<CubeRunOptions> = {}): CubeRunOptions {
  return { kernel: scale, sources: { in: numbers }, sinks: {}, ...some };
}
