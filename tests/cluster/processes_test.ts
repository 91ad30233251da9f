/** Units on worker processes give the bits of a run on one thread. */

import { assertEquals } from "@std/assert";
import { processExecutor } from "../../src/executor/process/executor.ts";
import { createContext } from "../../src/runner/context.ts";
import type { Results } from "../../src/udf/interface/buffer_types.ts";
import { workOf } from "../../src/cluster/manifest/work.ts";
import { computeInto } from "../../src/cluster/shards/compute.ts";
import { mergeRun } from "../../src/cluster/shards/merge.ts";
import { readyRun } from "../../src/cluster/shards/ready.ts";
import { digests } from "../udf/builtin/every_builtin.ts";
import { withFolder } from "../cli/harness.ts";
import { smallRun } from "./small_run.ts";

Deno.test("units on worker processes give the bits of a run on one thread; progress counts their frames", async () => {
  await withFolder(async (folder) => {
    await using small = await smallRun(folder);
    await using executor = processExecutor({ workers: 2 });
    await using context = createContext({ executor, memory: "64MiB" });
    await using run = await readyRun(small.store, { context });
    let most = 0;
    const { units, framesOf } = workOf(run.manifest);
    for (const unit of units) {
      await computeInto(small.store, run, unit, { onProgress: (done) => void (most = Math.max(most, done)) });
    }
    assertEquals(most, Math.max(...units.map(framesOf)));
    assertEquals(await digests(await mergeRun(small.store, run) as Results), small.expected);
  });
});
