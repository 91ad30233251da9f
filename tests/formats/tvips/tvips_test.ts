/**
 * TVIPS series that are opened by a later file, or have scans.
 *
 * @module
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { failure } from "../helpers.ts";
import { TVIPS_FILES } from "./tvips_data.ts";

Deno.test("any file of a series opens all of it", async () => {
  for (const order of [[0, 1, 2], [1, 0, 2], [2, 1, 0]]) {
    const scan = await open(order.map((i) => TVIPS_FILES[i]!));
    assertEquals([scan.detection.format, scan.layout.files.length, scan.images], ["tvips", 3, 8]);
    assertEquals([scan.navShape, scan.syncOffset], [[2, 3], 1]);
    const { data } = await readBox(scan, wholeBox(scan.shape));
    assertEquals(data, Uint8Array.from({ length: 36 }, (_, i) => 6 + i));
    assertEquals(scan.instrument, {
      voltage: 200000,
      magnification: 50000,
      binning: [1, 1],
      pixelSize: [1.55e-5, 1.55e-5],
    });
  }
});

Deno.test("a later file needs the first one", async () => {
  const alone = await failure(open(TVIPS_FILES[1]!), "unknown-format");
  assertStringIncludes(alone.message, "a_000.tvips");
  const [one, other] = [[0, 1, 2], [1, 0, 2]].map((order) =>
    open(order.map((i) => TVIPS_FILES[i]!)).then(({ images }) => images)
  );
  assertEquals(await other, await one, "files that are picked come in the order of the browser");
  assertEquals((await open(TVIPS_FILES[0]!, { noSeries: true })).images, 3);
  await failure(open([TVIPS_FILES[1]!, TVIPS_FILES[0]!], { noSeries: true }), "unknown-format");
  await failure(open([TVIPS_FILES[0]!, TVIPS_FILES[2]!]), "not-found");
});
