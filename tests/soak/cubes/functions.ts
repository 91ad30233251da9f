/** What workers run in the soak test of cubes. */

import type { WorkerSourceContext } from "../../../src/hypercube/providers/worker_source.ts";
import type { CubeTile } from "../../../src/hypercube/run/kernels/function.ts";

/** Where they break. */
export interface Faults {
  /** The number of the tile; -1: nowhere. */
  readonly at: number;
}

/** Doubles, and adds columns up. */
export async function add(
  { tile, arrays: { in: input, out, total }, params }: CubeTile<
    { in: "float64"; out: "float64"; total: "float64" },
    Faults
  >,
): Promise<void> {
  if (tile % 3 === 0) await new Promise((resolve) => setTimeout(resolve, tile % 4));
  if (tile === params.at) throw new RangeError("broken");
  const [, cols = 0] = input.shape;
  total.data.fill(0);
  for (const [i, value] of input.data.entries()) {
    out.data[i] = 2 * value;
    total.data[i % cols]! += value;
  }
}

/** The position of every sample. */
export function ramp({ extents, shape, dimensions, tile, params }: WorkerSourceContext): Float64Array {
  if (tile === params["at"]) throw new RangeError("broken");
  const [[row], [col]] = extents as readonly [[number, number], [number, number]];
  const [rows = 0, cols = 0] = shape;
  const all = dimensions["col"]!.size;
  return Float64Array.from(
    { length: rows * cols },
    (_, i) => (row + Math.floor(i / cols)) * all + col + i % cols,
  );
}
