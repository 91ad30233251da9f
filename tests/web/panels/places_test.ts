/** Places in scans of any number of dimensions. */

import { assertEquals } from "@std/assert";
import { maskOf } from "../../../web/engine/region.ts";
import { frameSize, middle, newRegion, scanSize, within } from "../../../web/panels/explore/places.ts";

const scan = (...navShape: number[]) => ({ navShape, sigShape: [7, 9] });

Deno.test("the image of a scan has its last two dimensions, or one of 1", () => {
  assertEquals([scan(), scan(5), scan(4, 5), scan(3, 4, 5)].map(scanSize), [[1, 1], [1, 5], [4, 5], [4, 5]]);
  assertEquals(middle(scan(3, 4, 5)), [2, 2]);
  assertEquals([frameSize(scan(2)), frameSize({ navShape: [], sigShape: [3] })], [[7, 9], undefined]);
});

Deno.test("positions of other scans become the nearest one", () => {
  assertEquals(within(scan(4, 5), [9, -3]), [3, 0]);
  assertEquals(within(scan(4, 5), [1.6, 2.4]), [2, 2]);
  assertEquals(within(scan(), [8, 8]), [0, 0]);
});

Deno.test("a new region selects some of the scan, whatever its size", () => {
  for (const shape of [[1, 1], [1, 9], [2, 3], [64, 64], [3, 8, 8]]) {
    for (const kind of ["disk", "rectangle"]) {
      const region = newRegion(scan(...shape), kind)!;
      assertEquals(maskOf(region, shape).includes(1), true, `${kind} in ${shape}`);
    }
  }
  assertEquals(newRegion(scan(4, 4), ""), undefined);
});
