/** UDFs that `defineUdf` types: in place, by module, on workers. */

import { assertEquals, assertThrows } from "@std/assert";
import { defineUdf, open, plan, run, TilewiseError, udf } from "@tilewise/tilewise";
import { testUdf } from "@tilewise/tilewise/testing";
import { objectsOf } from "@tilewise/tilewise/udf";
import bright, { total } from "../../types/defined_udf.ts";
import "../../fences/mod.ts";

const MODULE = import.meta.resolve("../../types/defined_udf.ts");

Deno.test("a defined UDF gives the same in place, by reference and from its module", async () => {
  const scan = await open(Uint8Array.of(1, 9, 3, 4), {
    format: "raw",
    dtype: "uint8",
    nav: [2],
    sig: [1, 2],
  });
  const { here, wrapped, there, total: whole } = await run(
    await plan(scan, {
      here: bright({ least: 3 }),
      wrapped: udf(bright({ least: 3 })),
      there: udf<typeof bright>(MODULE, { params: { least: 3 } }),
      total: udf<typeof total>(MODULE, { export: "total" }),
    }),
  );
  for (const { count, sum, ...more } of [here, wrapped, there]) {
    assertEquals([[...count.data], [...sum.data], Object.keys(more)], [[1, 2], [3, 13], []]);
  }
  assertEquals(objectsOf(there).places.data, [[1], [0, 1]]);
  assertEquals([...whole.total.data], [10, 7]);
});

Deno.test("a defined UDF runs on workers, and its test gives typed samples and results", async () => {
  const { data, results } = await testUdf(udf<typeof total>(MODULE, { export: "total" }), {
    nav: [4, 5],
    sig: [3, 6],
  });
  const sums = results.total.data.map((_, f) =>
    data.subarray(18 * f, 18 * (f + 1)).reduce((sum, value) => sum + value)
  );
  assertEquals(results.total.data, sums);
});

Deno.test("defineUdf refuses what is not a UDF", () => {
  const define = defineUdf as (udf: unknown) => unknown;
  for (const wrong of [undefined, null, 3, () => total]) {
    const error = assertThrows(() => define(wrong), TilewiseError, "it takes the UDF itself");
    assertEquals(error.code, "udf");
  }
});
