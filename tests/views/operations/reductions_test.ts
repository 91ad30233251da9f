/** Reductions: results that are not arrays are their definition, whatever tiles, traversal and workers. */

import "../../fences/mod.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { type Shape, sizeOf } from "../../../src/space/shape.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { reduceViews } from "../../../src/views/map/reduce.ts";
import { boxMean } from "../../../src/views/operations/box_mean.ts";
import { chain } from "../../../src/views/operations/chain.ts";
import { downSample } from "../../../src/views/operations/down_sample.ts";
import { localMaximum } from "../../../src/views/operations/local_extremes.ts";
import { sampleRange } from "../../../src/views/operations/sample_range.ts";
import { memoryArray } from "../data.ts";
import { REDUCTION_ROWS } from "./table.ts";

const CASES: readonly (readonly [shape: Shape, tile: Shape])[] = [
  [[11], [4]],
  [[7, 9], [3, 4]],
  [[7, 9], [8, 16]],
  [[3, 4, 5], [1, 2, 4]],
];
const sample = (i: number) => (i * 7919 + 13) % 127;

for (const [name, { reduction, definition }] of Object.entries(REDUCTION_ROWS)) {
  Deno.test(`${name} is its definition, whatever tiles, samples, traversal and workers`, async () => {
    for (const workers of [0, 2]) {
      await using context = new RunContext({ workers });
      for (const [n, [shape, tile]] of CASES.entries()) {
        const values = Array.from({ length: sizeOf(shape) }, (_, i) => sample(i));
        const expected = definition(values);
        for (const dtype of ["uint8", "int16", "float32"] as const) {
          const options = { tile, traversal: n % 2 === 0 ? "snake" : "row-major", context };
          const array = memoryArray(shape, dtype, sample, n % 2 === 0 ? "little" : "big");
          assertEquals(await reduceViews(array, reduction(), options), expected, `${shape} ${tile} ${dtype}`);
        }
      }
      await context.settled();
      assertEquals(context.arena.used, 0);
    }
  });

  Deno.test(`${name} at the end of a chain is that of the result of the chain`, async () => {
    await using context = new RunContext({ workers: 0 });
    const array = memoryArray([14, 17], "uint8", sample);
    const steps = [
      localMaximum({ radius: 1 }),
      downSample({ factor: 2, reduce: "max" }),
      boxMean({ radius: 2 }),
    ] as const;
    const { data } = await mapViews(array, steps, { border: "reflect", context });
    const found = await reduceViews(array, [...steps, reduction()], {
      tile: [4, 6],
      border: "reflect",
      context,
    });
    assertEquals(found, definition(Array.from(data)));
  });
}

Deno.test("partial results come in the order of their tiles, and each knows its tile", async () => {
  await using context = new RunContext({ executor: processExecutor({ workers: 2 }) });
  const origins: string[] = [];
  const { operation } = sampleRange();
  const places = {
    operation,
    async merge(partials: AsyncIterable<{ tile: { origin: Shape; shape: Shape }; data: Float64Array }>) {
      for await (const { tile: { origin, shape }, data } of partials) {
        origins.push(`${origin} ${shape} ${data}`);
      }
    },
  };
  await reduceViews(memoryArray([3, 5], "uint8"), places, { tile: [2, 3], traversal: "snake", context });
  assertEquals(origins, ["0,0 2,3 1,8", "0,3 2,2 4,10", "2,0 1,3 11,13", "2,3 1,2 14,15"]);
});

Deno.test("what is not a reduction, or goes on after one, is refused", async () => {
  await using context = new RunContext({ workers: 0 });
  const array = memoryArray([4], "uint8");
  await assertRejects(
    () => reduceViews(array, boxMean() as never, { context }),
    TilewiseError,
    "takes a reduction",
  );
  await assertRejects(() => reduceViews(array, [] as never, { context }), TilewiseError, "takes a reduction");
  const { operation } = sampleRange();
  const goesOn = mapViews(array, chain([operation, boxMean()]), { context });
  await assertRejects(() => goesOn, TilewiseError, "after sampleRange: its result is not an array");
});
