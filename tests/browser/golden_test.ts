/** Chromium computes what Deno computes, bit for bit: with shared memory and without, on the page and on workers. */

import { assertEquals } from "@std/assert";
import { builtins } from "./programs/builtins.ts";
import { addresses, PATHS } from "./golden_files.ts";
import { programs } from "./programs/golden.ts";
import { browserTest, call, withPage } from "./setup/mod.ts";

/** Whether the page has shared memory, and on how many workers it computes: all ways, and those in which most happens. */
const WAYS = [[true, 0], [true, 2], [false, 0], [false, 2]] as const;

const MOST = WAYS.filter(([, workers]) => workers > 0);

const wayOf = ([isolated, workers]: typeof WAYS[number]) =>
  `${isolated ? "with" : "without"} shared memory, ${workers} workers`;

for (const scan of ["uint16", "float32", "special"] as const) {
  browserTest(`all built-in UDFs on ${scan} samples`, async (test) => {
    const expected = await builtins(scan, 0);
    for (const way of scan === "uint16" ? WAYS : MOST) {
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
