/** Chromium computes what Deno computes, bit for bit: with shared memory and without, on the page and on workers. */

import { assertEquals } from "@std/assert";
import { builtins } from "./programs/builtins.ts";
import { addresses, PATHS } from "./golden_files.ts";
import { programs } from "./programs/golden.ts";
import { browserTest, call, isFull, withPage } from "./setup/mod.ts";

/** Whether the page has shared memory, and on how many workers it computes. */
type Way = readonly [isolated: boolean, workers: number];

/** All ways, and the two that differ most. */
const WAYS: readonly Way[] = isFull()
  ? [[true, 0], [true, 2], [false, 0], [false, 2]]
  : [[true, 2], [false, 0]];

const wayOf = ([isolated, workers]: Way) =>
  `${isolated ? "with" : "without"} shared memory, ${workers} workers`;

for (const scan of ["uint16", "float32", "special"] as const) {
  browserTest(`all built-in UDFs on ${scan} samples`, async (test) => {
    const expected = await builtins(scan, 0);
    for (const way of scan === "uint16" || isFull() ? WAYS : WAYS.slice(0, 1)) {
      const [isolated, workers] = way;
      await test.step(wayOf(way), () =>
        withPage({ isolated }, async ({ page }) => {
          assertEquals(await call(page, "builtins", scan, workers), expected);
        }));
    }
  });
}

browserTest("files, a UDF by its address, a filter over views, a cube", async (test) => {
  const expected = await programs(PATHS, 0);
  const where = await addresses();
  for (const way of WAYS) {
    const [isolated, workers] = way;
    await test.step(wayOf(way), () =>
      withPage({ isolated }, async ({ page }) => {
        assertEquals(await page.evaluate(() => crossOriginIsolated), isolated);
        assertEquals(await call(page, "programs", where, workers), expected);
      }));
  }
});
