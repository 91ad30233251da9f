/** What a scan shows of the images of a file, and when the user is told that it is not all. */

import { assertEquals } from "@std/assert";
import { arrange } from "../../../src/formats/common/arrange.ts";

const CASES: readonly [positions: number, images: number, syncOffset: number, warning: RegExp | undefined][] =
  [
    [12, 12, 0, undefined],
    [12, 10, 0, /stay blank/],
    [10, 12, 0, /last images are not shown/],
    [10, 12, 2, undefined], // the first two are skipped on purpose
    [9, 12, 2, /last images are not shown/],
    [12, 12, 2, undefined],
    [12, 12, -2, undefined],
    [12, 10, 2, /stay blank/],
  ];

for (const [positions, images, syncOffset, warning] of CASES) {
  Deno.test(`${positions} positions, ${images} images, sync offset ${syncOffset}`, () => {
    const { warnings } = arrange(
      { name: "x", images, navShape: [positions], sigShape: [2, 2], syncOffset },
      {},
    );
    assertEquals(warnings.map((text) => warning?.test(text)), warning ? [true] : []);
  });
}
