/** In which type UDFs get their samples: NumPy's `result_type` of the stored type and the wish. */

import { assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { DTypeWish } from "../../../src/udf/interface/buffer_types.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { both } from "../both.ts";
import { memoryScan, numbers } from "../data.ts";

const DTYPE = import.meta.resolve("./dtype_udf.ts");

/** Stored type, wish, and what `numpy.result_type` says. */
const CASES: readonly (readonly [DType, DTypeWish, DType])[] = [
  ["uint8", "native", "uint8"],
  ["uint16", "float32", "float32"],
  ["uint32", "float32", "float64"],
  ["int64", "float32", "float64"],
  ["uint8", "int8", "int16"],
  ["uint64", "int64", "float64"],
  ["bool", "uint16", "uint16"],
  ["uint16", "bool", "uint16"],
  ["float64", "float32", "float64"],
  ["float16", "uint8", "float16"],
  ["float32", "complex64", "complex64"],
  ["uint16", "complex64", "complex64"],
  ["int32", "complex64", "complex128"],
  ["float64", "complex64", "complex128"],
  ["complex64", "float32", "complex64"],
  ["complex64", "float64", "complex128"],
  ["complex64", "native", "complex64"],
  ["complex128", "complex64", "complex128"],
];

both("samples come in the type that holds both", async (context) => {
  for (const [stored, wish, expected] of CASES) {
    const complex = dtypeInfo(stored).kind === "c";
    const most = stored === "bool" ? 2 : 100;
    const values = Array.from({ length: complex ? 48 : 24 }, (_, i) => (7 * i + 1) % most);
    const ref = udf(DTYPE, { export: "typed", params: { wish } });
    const scan = memoryScan(values, [4], [2, 3], stored, { images: 4 });
    const job = await plan(scan, { it: ref }, { context });
    assertEquals(job.udfs[0]!.meta.inputDType, expected, `${stored} with ${wish}`);
    const { it } = await run(job);
    const { kind, unitSize } = dtypeInfo(expected);
    assertEquals(numbers(it!.width!.data), Array(4).fill(kind === "c" ? -unitSize : unitSize));
    const seen = complex ? values : values.flatMap((v) => [v, 0]);
    assertEquals(numbers(it!.values!.data), seen, `${stored} with ${wish}`);
  }
});

Deno.test("a wish that is not a dtype is refused", async () => {
  await using context = createContext({ workers: 0 });
  const ref = udf(DTYPE, { export: "typed", params: { wish: "float80" } });
  const error = await assertRejects(
    () => plan(memoryScan([1, 2], [2], [1], "uint8"), { it: ref }, { context }),
    TilewiseError,
    "float80",
  );
  assertEquals(error.code, "udf");
});
