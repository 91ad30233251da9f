/** Down-sampling: every way, in up to four dimensions, with blocks that are cut off at the end. */

import "../../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import { type Shape, sizeOf, stridesOf, unravel } from "../../../src/space/shape.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { downSample, type DownSampling } from "../../../src/views/operations/down_sample.ts";
import { memoryArray } from "../data.ts";

const WAYS: Readonly<Record<DownSampling, (samples: readonly number[]) => number>> = {
  mean: (samples) => Math.fround(samples.reduce((sum, value) => sum + value, 0) / samples.length),
  sum: (samples) => samples.reduce((sum, value) => sum + value, 0),
  max: (samples) => Math.max(...samples),
  min: (samples) => Math.min(...samples),
  nearest: ([first]) => first!,
};

/** The samples of one block, row-major. */
function blockOf(shape: Shape, factor: Shape, at: Shape, sample: (i: number) => number): number[] {
  const strides = stridesOf(shape);
  const counts = at.map((i, d) => Math.min(factor[d]!, shape[d]! - i * factor[d]!));
  return Array.from({ length: sizeOf(counts) }, (_, s) => {
    return sample(unravel(s, counts).reduce((sum, i, d) => sum + (at[d]! * factor[d]! + i) * strides[d]!, 0));
  });
}

const CASES: readonly (readonly [shape: Shape, factor: Shape, tile: Shape])[] = [
  [[7], [3], [3]],
  [[5, 8], [2, 3], [2, 6]],
  [[5, 8], [1, 16], [3, 16]],
  [[4, 5, 6], [2, 1, 4], [2, 2, 4]],
  [[3, 4, 5, 6], [2, 3, 2, 1], [2, 3, 4, 5]],
];

Deno.test("a block becomes its mean, sum, least, greatest or first sample, also where it is cut off", async () => {
  await using context = createContext({ workers: 0 });
  for (const [shape, factor, tile] of CASES) {
    for (const [way, of] of Object.entries(WAYS)) {
      for (const dtype of ["uint8", "int32", "float64"] as const) {
        const sample = (i: number) => (i * 7919 + 13) % 120;
        const how = way as DownSampling;
        const result = await mapViews(
          memoryArray(shape, dtype, sample),
          downSample({ factor, reduce: how }),
          {
            tile,
            context,
          },
        );
        const blocks = shape.map((n, d) => Math.ceil(n / factor[d]!));
        const expected = Array.from({ length: sizeOf(blocks) }, (_, flat) => {
          return of(blockOf(shape, factor, unravel(flat, blocks), sample));
        });
        assertEquals(
          [result.shape, Array.from(result.data, Number)],
          [blocks, expected],
          `${way} ${shape} ${dtype}`,
        );
      }
    }
  }
});

Deno.test("sums of floats have the same bits for any tiles", async () => {
  await using context = createContext({ workers: 2 });
  const array = memoryArray([40, 50], "float32", (i) => Math.fround(Math.sin(i) * 10 ** (i % 9)));
  const all = await Promise.all([[40, 50], [8, 10], [4, 20], [16, 5]].map(async (tile) => {
    return (await mapViews(array, downSample({ factor: [4, 5], reduce: "sum" }), { tile, context })).data;
  }));
  for (const data of all) assertEquals(data, all[0]);
});
