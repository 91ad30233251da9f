/** What a UDF that comes with Tilewise cannot compute of samples of a type is refused by its plan, before a frame is read. */

import { assert, assertEquals } from "@std/assert";
import "../../fences/mod.ts";
import { isTilewiseError } from "../../../src/errors.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { ALL, countsAs, NAV } from "./every_builtin.ts";

/** Three frames. */
const ROI = ndarray(Uint8Array.from({ length: 300 }, (_, i) => i % 120 === 7 ? 1 : 0), NAV, "bool");

for (const dtype of ["complex64", "complex128", "bool", "float16", "int64", "uint64"] as const) {
  Deno.test(`of ${dtype} every built-in UDF computes, or is refused by its plan`, async () => {
    await using context = new RunContext({ memory: 64 * 2 ** 20, workers: 0 });
    const scan = countsAs(dtype);
    const wrong: string[] = [];
    for (const [name, udf] of Object.entries(ALL)) {
      const planned = await plan(scan, { udf }, { context, roi: ROI }).catch((error) => {
        if (!isTilewiseError(error) || !error.message.includes(dtype)) wrong.push(`${name}: ${error}`);
      });
      try {
        if (planned) await run(planned);
      } catch (error) {
        wrong.push(`${name}, in the run: ${error}`);
      }
    }
    assertEquals(wrong, []);
    assert(Object.keys(ALL).length > 30);
  });
}
