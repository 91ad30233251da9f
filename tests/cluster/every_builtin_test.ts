/** Every UDF that comes with Tilewise, computed part by part: the bits of a run on one machine. */

import { assertEquals } from "@std/assert";
import { createContext } from "../../src/runner/context.ts";
import { udfPlan as plan } from "../../src/udf/run/plan.ts";
import { run } from "../../src/run.ts";
import { open } from "../../src/formats/open.ts";
import { ALL, digests, NAV, type Scan, scanOf, SIG } from "../udf/builtin/every_builtin.ts";
import type { Results } from "../../src/udf/interface/buffer_types.ts";
import { commitManifest } from "../../src/cluster/manifest/read.ts";
import { udfManifest } from "../../src/cluster/kinds/udf.ts";
import { workOf } from "../../src/cluster/manifest/work.ts";
import { computeInto } from "../../src/cluster/shards/compute.ts";
import { mergeRun } from "../../src/cluster/shards/merge.ts";
import { readyRun } from "../../src/cluster/shards/ready.ts";
import { memoryStore } from "./memory/store.ts";
import { congruential } from "../udf/blobfinder/frames.ts";
import { withFolder } from "../cli/harness.ts";

/** The scan as a raw file. */
async function scanFile(which: Scan, folder: string): Promise<string> {
  const { layout } = scanOf(which);
  const [file] = layout.files;
  const path = `${folder}/scan.raw`;
  if (file?.source.kind !== "bytes") throw new Error("not in memory");
  await Deno.writeFile(path, file.source.bytes.slice());
  return path;
}

/** `items` in an order that looks random. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const chance = congruential(seed);
  return items.map((item) => [chance.next().value ?? 0, item] as const).sort(([a], [b]) => a - b).map((
    [, item],
  ) => item);
}

for (const which of ["uint16", "float32"] as const) {
  Deno.test(`all built-in UDFs over ${which}: units in random order, each twice, give the bits of a run`, async () => {
    await withFolder(async (folder) => {
      const source = await scanFile(which, folder);
      const opening = { format: "raw", dtype: which, nav: [...NAV], sig: [...SIG] };
      await using context = createContext({ workers: 0, memory: "1GiB" });
      const dataset = await open(source, opening);
      const options = { context, partitions: 10 };
      const whole = await plan(dataset, ALL, options);
      const expected = await digests(await run(whole));
      const store = memoryStore();
      const { manifest, data } = await udfManifest({ plan: whole, source, open: opening, options });
      await commitManifest(store, manifest, data);
      await using ready = await readyRun(store, { context });
      const { units } = workOf(ready.manifest);
      assertEquals([units.length, await whole.parts()], [10, 10]);
      for (const unit of shuffled([...units, ...units], 5)) await computeInto(store, ready, unit);
      const results = await mergeRun(store, ready) as Results;
      assertEquals(await digests(results), expected);
    });
  });
}
