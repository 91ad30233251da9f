/** Memory does not grow: a user who moves a detector fifty times holds what was held after a few moves. */

import { assert, assertEquals } from "@std/assert";
import { type Held, heldBy } from "./setup/memory.ts";
import { browserTest, call, fullTest, withPage } from "./setup/mod.ts";

/** Runs before the first look: code is compiled, and caches are filled. */
const FIRST = 10;

/** Runs between the looks. */
const MORE = 50;

/** Most bytes by which a page may grow, of each kind: less than a tenth of a result per run. */
const MOST: Held = { objects: 2 ** 18, buffers: 2 ** 17, all: 2 ** 21 };

for (const [isolated, workers] of [[true, 2], [false, 2]] as const) {
  (isolated ? browserTest : fullTest)(
    `memory does not grow over ${MORE} runs, ${isolated ? "with" : "without"} shared memory`,
    () =>
      withPage({ isolated }, async (open) => {
        await call(open.page, "cycles", FIRST, workers);
        const before = await heldBy(open);
        const used = await call(open.page, "cycles", MORE, workers);
        const after = await heldBy(open);
        assertEquals(used, used.map(() => 0), "all leases are returned");
        assertEquals("all" in after, isolated);
        for (const [kind, most] of Object.entries(MOST) as [keyof Held, number][]) {
          const growth = (after[kind] ?? 0) - (before[kind] ?? 0);
          console.log(`${kind}: ${before[kind]} bytes, then ${after[kind]}`);
          assert(growth < most, `${kind} grew by ${growth} bytes: ${before[kind]}, then ${after[kind]}`);
        }
      }),
  );
}
