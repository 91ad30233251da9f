/** The names of results are known before a run, without making any. */

import "../../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { namesIn, plannedNames } from "../../../src/cli/outputs/named_results.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { createContext } from "../../../src/runner/context.ts";
import { derive } from "../../../src/udf/interface/derive.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { dryRun } from "../../../src/udf/results/dry_run.ts";
import { SAMPLES, scanOf } from "../../udf/builtin/every_builtin.ts";
import { goldenScan } from "../../udf/data.ts";

Deno.test("the names of results of every built-in UDF are those that a run gives", async () => {
  await using context = createContext({ memory: "64MiB", workers: 0 });
  const scan = scanOf("uint16");
  for (const [name, refs] of Object.entries(SAMPLES)) {
    for (const ref of refs) {
      const planned = await plan(scan, { it: ref }, { context });
      assertEquals(plannedNames(planned), namesIn(dryRun(planned)), name);
    }
  }
});

Deno.test("derived results that are not declared have names as well", async () => {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const twice = derive(sumFrames(), { results: () => ({ half: 0.5 }) });
  const names = plannedNames(await plan(goldenScan(), { it: twice, sum: sumFrames() }, { context }));
  assertEquals(names.it!.arrays.toSorted(), ["half", "intensity"]);
  assertEquals(names.sum, { arrays: ["intensity"], objects: [] });
});
