/** Chromium computes what Deno computes, bit for bit: with shared memory and without, on the page and on workers. */

import { assertEquals } from "@std/assert";
import { builtins } from "./programs/builtins.ts";
import { type Addresses, programs } from "./programs/golden.ts";
import { browserTest, call, host, withPage } from "./setup/mod.ts";

/** Whether the page has shared memory, and on how many workers it computes. */
const WAYS = [[true, 0], [true, 2], [false, 0]] as const;

const wayOf = ([isolated, workers]: typeof WAYS[number]) =>
  `${isolated ? "with" : "without"} shared memory, ${workers} workers`;

for (const scan of ["uint16", "float32", "special"] as const) {
  browserTest(`all built-in UDFs on ${scan} samples`, async (test) => {
    const expected = await builtins(scan, 0);
    for (const way of WAYS) {
      const [isolated, workers] = way;
      await test.step(wayOf(way), () =>
        withPage({ isolated }, async ({ page }) => {
          assertEquals(await call(page, "builtins", scan, workers), expected);
        }));
    }
  });
}

/** Files of the checkout that the programs open. */
const DATA = new URL("../data/hdf5/", import.meta.url);
const OWN = "tests/runtimes/programs/own_udf.ts";

browserTest("files, a UDF by its address, a filter over views, a cube", async (test) => {
  const expected = await programs({
    filters: new URL("filters.h5", DATA).href,
    library: new URL("library.h5", DATA).href,
    own: new URL(`../../${OWN}`, import.meta.url).href,
  }, 0);
  const addresses: Addresses = {
    filters: host("filters.h5", await Deno.readFile(new URL("filters.h5", DATA))),
    library: host("library.h5", await Deno.readFile(new URL("library.h5", DATA))),
    own: `/modules/${OWN}`,
  };
  for (const way of WAYS) {
    const [isolated, workers] = way;
    await test.step(wayOf(way), () =>
      withPage({ isolated }, async ({ page }) => {
        assertEquals(await page.evaluate(() => crossOriginIsolated), isolated);
        assertEquals(await call(page, "programs", addresses, workers), expected);
      }));
  }
});
