/** Memory does not grow: a user who moves a detector fifty times holds what was held after a few moves. */

import { assertEquals } from "@std/assert";
import { type Held, heldBy } from "./setup/memory.ts";
import { browserTest, call, fullTest, withPage } from "./setup/mod.ts";

/** Runs before the first look: code is compiled, and caches are filled. */
const FIRST = 10;

/** Runs between the looks. */
const MORE = 50;

/** Most bytes by which a page may grow, of each kind: less than a tenth of a result per run. */
const MOST: Held = { objects: 2 ** 18, buffers: 2 ** 17, all: 2 ** 21 };

/** Looks after the runs: what is still held is there in all of them; in some a browser counts a shared memory twice. */
const LOOKS = 8;

/** What has grown too much, in words. */
function growthOf(before: Held, after: Held): string[] {
  return (Object.entries(MOST) as [keyof Held, number][]).flatMap(([kind, most]) => {
    const [from, to] = [before[kind] ?? 0, after[kind] ?? 0];
    return to - from < most ? [] : [`${kind} grew by ${to - from} bytes: ${from}, then ${to}`];
  });
}

for (const [isolated, workers] of [[true, 2], [false, 2]] as const) {
  (isolated ? browserTest : fullTest)(
    `memory does not grow over ${MORE} runs, ${isolated ? "with" : "without"} shared memory`,
    () =>
      withPage({ isolated }, async (open) => {
        await call(open.page, "cycles", FIRST, workers);
        const before = await heldBy(open);
        const used = await call(open.page, "cycles", MORE, workers);
        let after = await heldBy(open);
        for (let look = 1; look < LOOKS && growthOf(before, after).length > 0; look++) {
          after = await heldBy(open);
        }
        assertEquals(used, used.map(() => 0), "all leases are returned");
        assertEquals("all" in after, isolated);
        assertEquals(growthOf(before, after), []);
      }),
  );
}
