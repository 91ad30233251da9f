/** Functions for the tests that workers import: kernels and sources. */

import type { CubeTile } from "../../src/hypercube/run/kernels/function.ts";
import type { WorkerSourceContext } from "../../src/hypercube/providers/worker_source.ts";

/** Sums of rows and a chaotic total: a sum whose bits depend on the order in which parts are added. */
export function sums(
  { arrays: { in: input, total, rows } }: CubeTile<{ in: "float64"; total: "float64"; rows: "float64" }>,
) {
  const [n = 0, m = 0] = input.shape;
  total.data[0] = 0;
  for (let i = 0; i < n; i++) {
    rows.data[i] = 0;
    for (let j = 0; j < m; j++) rows.data[i]! += input.data[i * m + j]!;
    total.data[0]! += rows.data[i]!;
  }
}

/** Throws for one tile. */
export function breaks({ tile, params }: CubeTile) {
  if (tile === params["at"]) throw new RangeError("no such tile");
}

/** The numbers 0, 1, … of an array of rows, times a factor; wrong in ways that tests name. */
export async function ramp({ shape, extents, params, dtype, dimensions }: WorkerSourceContext) {
  const { factor = 1, wrong } = params as { factor?: number; wrong?: string };
  if (wrong === "null") return null as never;
  if (wrong === "dtype") return new Float32Array(shape[0]! * shape[1]!);
  if (wrong === "throws") throw new Error(`${dtype} of ${dimensions["n"]!.size}`);
  if (wrong === "never") await new Promise(() => {});
  const row = shape[1]!;
  return Float64Array.from({ length: shape[0]! * row }, (_, i) => factor * (row * extents[0]![0] + i));
}
