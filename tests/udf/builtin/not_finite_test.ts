/** Samples that are infinite or not numbers: what they spoil, and what they leave as it is. */

import { assertEquals } from "@std/assert";
import { standardDeviation } from "../../../src/udf/builtin/standard_deviation.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { createContext } from "../../../src/runner/context.ts";
import { memoryScan, numbers } from "../data.ts";

const FRAMES = 70; // leaves of the merge tree have 32

Deno.test("sum and mean of infinite samples are infinite, wherever in the scan they are", async () => {
  await using context = createContext({ memory: 16 * 2 ** 20, workers: 0 });
  const places = [[0], [5], [31, 32], [69], [0, 40, 69]];
  const kinds = [[Infinity], [-Infinity], [Infinity, -Infinity], [NaN]];
  const columns = places.flatMap((at) => kinds.map((values) => ({ at, values })));
  const sig = [columns.length, 1];
  const data = Float64Array.from({ length: FRAMES * columns.length }, (_, i) => {
    const { at, values } = columns[i % columns.length]!;
    const nth = at.indexOf(Math.floor(i / columns.length));
    return nth < 0 ? i % 7 : values[nth % values.length]!;
  });
  for (const dtype of ["float32", "float64"] as const) {
    for (const order of ["little", "big"] as const) {
      const scan = memoryScan(data, [FRAMES], sig, dtype, { order });
      const planned = await plan(scan, { sd: standardDeviation(), dp: sumFrames() }, {
        context,
        partitions: 3,
      });
      const { sd, dp } = await run(planned);
      const sums = numbers(dp.intensity.data);
      assertEquals(numbers(sd.sum.data), sums);
      assertEquals(numbers(sd.mean.data), sums);
      assertEquals(numbers(sd.var.data), sums.map(() => NaN));
    }
  }
});
