/** UDFs with buffers that merge in a tree beside buffers with one entry per frame. */

import { assertEquals } from "@std/assert";
import type { DType } from "../../../src/space/dtype.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { counts, memoryScan, numbers } from "../data.ts";

const BOTH: Udf<Record<"total" | "image", DType>> = {
  name: "both",
  buffers: { total: { kind: "nav", dtype: "float64" }, image: { kind: "sig" } },
  order: () => "tree",
  processFrame({ data }, { total, image }) {
    for (let i = 0; i < data.length; i++) {
      total[0] = Number(total[0]) + Number(data[i]);
      image[i] = Number(image[i]) + Number(data[i]);
    }
  },
  merge(into, from) {
    for (let i = 0; i < into.image.length; i++) into.image[i] = Number(into.image[i]) + Number(from.image[i]);
  },
};

Deno.test("frames of later partitions keep their entries", async () => {
  const values = counts(900 * 4, 5);
  const scan = memoryScan(values, [30, 30], [2, 2], "uint16");
  const totals = Array.from(
    { length: 900 },
    (_, f) => values.slice(4 * f, 4 * f + 4).reduce((a, b) => a + b),
  );
  for (const partitions of [1, 4, 9]) {
    await using context = createContext({ memory: 8 * 2 ** 20, workers: 0 });
    const { both } = await run(await plan(scan, { both: udf(BOTH) }, { context, partitions }));
    assertEquals(numbers(both!.total!.data), totals);
  }
});
