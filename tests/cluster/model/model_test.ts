/** How long a run on many machines takes. */

import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import type { Unit } from "../../../src/runner/parts.ts";
import { workOf } from "../../../src/cluster/manifest/work.ts";
import { FAN_IN, forecast, levelsOf, type ModelInput } from "../../../src/cluster/model/model.ts";
import { TilewiseError } from "../../../src/errors.ts";

const RUN: ModelInput = {
  bytes: 10e12,
  workers: 100,
  rate: 0.5e9,
  storageRate: 1e12,
  jobBytes: 10e9,
  parts: 1000,
  partBytes: 1e6,
};

Deno.test("the largest of three times decides, then come merge and straggler", () => {
  const free = forecast(RUN);
  assertEquals([free.bound, free.compute, free.straggler, free.jobs, free.warnings], [
    "workers",
    200,
    20,
    1000,
    [],
  ]);
  assertAlmostEquals(free.seconds, 200 + 20 + free.merge);
  const stored = forecast({ ...RUN, storageRate: 5e9 });
  assertEquals([stored.bound, stored.storage, stored.jobSeconds], ["storage", 2000, 200]);
  const engine = forecast({ ...RUN, engineRate: 1 });
  assertEquals([engine.bound, engine.engine], ["engine", 1000]);
});

Deno.test("a merge reads all parts, and a sixteenth of them per level", () => {
  assertEquals([1, 2, 16, 17, 256, 257, 16_384].map(levelsOf), [0, 1, 1, 2, 2, 3, 4]);
  const { merge } = forecast({ ...RUN, parts: 257, partBytes: 1e9, mergeRate: 1e9 });
  assertEquals(merge, 257 + 17 + 2);
});

Deno.test("the merge of the model reads what the merge of a tree of parts reads, and a quarter more at most", () => {
  for (const count of [2, 16, 17, 256, 1000, 4096]) {
    const units: Unit[] = Array.from({ length: count }, (_, index) => [0, index, 1]);
    const { joins, roots } = workOf({ work: { leaf: 1, bytes: 1, units, fanIn: FAN_IN } });
    const reads = joins.reduce((sum, { children }) => sum + children.length, 0) + roots.length;
    const { merge } = forecast({ ...RUN, parts: count, partBytes: 1, mergeRate: 1 });
    assert(merge >= reads && merge <= 1.25 * reads, `${count} parts: ${merge}, ${reads} are read`);
  }
});

Deno.test("lost workers cost the time until they are back, and the last one the time until it is missed", () => {
  const { compute, straggler } = forecast({ ...RUN, lostPerMinute: 0.05, restart: 60 });
  assertAlmostEquals(compute, 200 * 1.05);
  assertEquals(straggler, 20 + 25);
});

Deno.test("warns of short jobs, large parts and idle workers", () => {
  const warnings = (more: Partial<ModelInput>) => forecast({ ...RUN, ...more }).warnings.join("\n");
  assert(/2\.0 s; 5 times/.test(warnings({ jobBytes: 1e9 })));
  assert(/20 % of the input/.test(warnings({ partBytes: 2e9 })));
  assert(/leave 1000 workers without work/.test(warnings({ workers: 2000 })));
});

Deno.test("refuses what is not a number of anything", () => {
  for (const wrong of [{ bytes: 0 }, { workers: 1.5 }, { rate: NaN }, { storageRate: -1 }, { parts: 0 }]) {
    const error = assertThrows(() => forecast({ ...RUN, ...wrong }), TilewiseError);
    assertEquals([error.code, error.details.option], ["invalid", Object.keys(wrong)[0]]);
  }
});
