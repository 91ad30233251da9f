/** Firefox opens, plans and runs, and computes what Deno computes, with shared memory and without. */

import { assertEquals } from "@std/assert";
import { type Addresses, programs } from "./programs/golden.ts";
import { addresses, PATHS } from "./golden_files.ts";
import { isFull } from "./setup/mod.ts";
import { HAS_FIREFOX, visitFirefox } from "./setup/firefox.ts";

const SHARED = [true, 2] as const, UNSHARED = [false, 2] as const;

Deno.test({
  name: HAS_FIREFOX ? "Firefox computes what Deno computes" : "Firefox: there is none",
  ignore: !HAS_FIREFOX,
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (test) => {
    const expected = await programs(PATHS, 0);
    const where: Addresses = await addresses();
    for (const [isolated, workers] of isFull() ? [SHARED, UNSHARED] : [SHARED]) {
      const way = `${isolated ? "with" : "without"} shared memory, ${workers} workers`;
      await test.step(way, async () => {
        assertEquals(await visitFirefox({ work: "programs", args: [where, workers], isolated }), expected);
      });
    }
  },
});
