/** Whatever is wrong with a UDF: a typed error that names it, in time, and a context that can be used again. */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { counts, goldenScan, memoryScan, numbers } from "../data.ts";

const BAD = import.meta.resolve("./bad_udf.ts");
const VALUES = counts(256 * 64, 1);
const scan = () => memoryScan(VALUES, [16, 16], [8, 8], "uint16");

async function stillUsable(context: RunContext): Promise<void> {
  await context.settled();
  assertEquals(context.arena.used, 0);
  const { sum } = await run(await plan(scan(), { sum: sumFrames() }, { context }));
  assertEquals(numbers(sum!.intensity!.data).reduce((a, b) => a + b), VALUES.reduce((a, b) => a + b));
}

Deno.test("what fails before a run is an error of the plan", async () => {
  await using context = new RunContext({ memory: 2 ** 24, workers: 1 });
  for (const name of ["factory", "later", "declares", "constant", "tiles", "part", "scratchy"]) {
    const ref = udf(BAD, { export: name });
    const error = await assertRejects(
      () => plan(goldenScan(), { ref }, { context }),
      TilewiseError,
      "no good",
    );
    assertEquals([error.code, (error.cause as Error).name], ["udf", "RangeError"], name);
    assertEquals(typeof error.details.udf, "string", name);
  }
  const throwing = udf("data:text/javascript,throw new Error('at import')");
  const error = await assertRejects(
    () => plan(goldenScan(), { throwing }, { context }),
    TilewiseError,
    "at import",
  );
  assertEquals(error.code, "udf");
  await stillUsable(context);
});

for (const workers of [0, 2]) {
  Deno.test(`${workers} workers: what fails in a run is an error of the run, and the next run is whole`, async () => {
    await using context = new RunContext({ memory: 2 ** 24, workers });
    const names = ["starting", "ending", "resulting", "merging", ...(workers ? ["mainOnly"] : [])];
    for (const name of names) {
      const job = await plan(scan(), { ref: udf(BAD, { export: name }) }, { context, partitions: 8 });
      const error = await assertRejects(async () => await run(job), TilewiseError, "no good");
      assertEquals(error.code, "udf", name);
      assertStringIncludes(error.message, name === "mainOnly" ? "mainOnly" : "bad", name);
      await stillUsable(context);
    }
  });
}
