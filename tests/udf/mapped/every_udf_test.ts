/** Mapped files give the bits of files that are read: for every UDF that comes with Tilewise. */

import { assert, assertEquals } from "@std/assert";
import { whyNoPages } from "../../../src/io/map/windows.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { ScanOptions } from "../data.ts";
import { ALL, digests, NAV, type Scan, scanOf } from "../builtin/every_builtin.ts";
import { inFile } from "./mapped_scan.ts";

const ROI = ndarray(Uint8Array.from({ length: 300 }, (_, i) => i % 7 < 4 ? 1 : 0), NAV, "bool");

interface Variation {
  readonly scan: Scan;
  readonly workers: number;
  readonly header?: number;
  readonly options?: ScanOptions;
  readonly plan?: PlanOptions;
}

const VARIATIONS: readonly Variation[] = [
  { scan: "float32", workers: 0 },
  { scan: "float32", workers: 2, header: 128, plan: { partitions: 5 } },
  { scan: "special", workers: 2, header: 4, plan: { tileBytes: 4096, partitions: 300 } },
  { scan: "uint16", workers: 2, header: 2, options: { frameHeaderBytes: 16 }, plan: { partitions: 7 } },
  { scan: "uint16", workers: 0, header: 1, plan: { tileBytes: 256 } },
  { scan: "uint16", workers: 1, options: { order: "big", frameHeaderBytes: 13 }, plan: { partitions: 2 } },
  { scan: "float32", workers: 2, plan: { roi: ROI } },
];

for (const { scan, workers, header = 0, options, plan: how } of VARIATIONS) {
  const words = JSON.stringify({ header, ...options, ...how, ...(how?.roi ? { roi: "some" } : {}) });
  Deno.test({
    name: `${scan} on ${workers} workers, ${words}: every built-in UDF has the same bits from mapped pages`,
    ignore: whyNoPages() !== undefined,
    sanitizeResources: false,
    async fn() {
      const folder = await Deno.makeTempDir();
      try {
        const file = inFile(scanOf(scan, options), folder, header);
        const results = await Promise.all([false, true].map(async (map) => {
          await using context = new RunContext({ memory: "256MiB", workers, map });
          const planned = await plan(file, ALL, { ...how, context });
          assertEquals(planned.memory.window > 0, map);
          const found = await digests(await run(planned));
          await context.settled();
          assertEquals(context.arena.used, 0);
          assert(context.arena.peak <= planned.memory.leased);
          return found;
        }));
        assertEquals(results[1], results[0]);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}
