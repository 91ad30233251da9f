/** The bright disk of a pattern: disks of known radius are found, and nothing where there is none. */

import { assert, assertEquals } from "@std/assert";
import type { NDArray } from "../../../mod.ts";
import { DemoScan } from "../../../src/samples/mod.ts";
import { brightDisk } from "../../../web/draw/bright_disk.ts";

function pattern(height: number, width: number, value: (y: number, x: number) => number): NDArray {
  const data = Float64Array.from(
    { length: height * width },
    (_, i) => value(Math.floor(i / width), i % width),
  );
  return { data, shape: [height, width], stride: [width, 1], dtype: "float64" };
}

Deno.test("the disk of the brightest pixel is measured, not its neighbours", () => {
  for (const r of [2, 5.5, 9]) {
    const found = brightDisk(pattern(64, 48, (y, x) => {
      if (Math.hypot(y - 30, x - 20) <= r) return 100;
      return Math.hypot(y - 50, x - 38) <= 6 ? 80 : 3;
    }));
    assert(Math.abs(found! - r) < 0.4, `${found} for ${r}`);
  }
  const [first] = new DemoScan({ scan: [1, 1], side: 64, seed: 1 }).frames();
  const radius = brightDisk({ data: first!, shape: [64, 64], stride: [64, 1], dtype: "uint16" } as NDArray)!;
  assert(radius > 3 && radius < 9, `${radius}`);
});

Deno.test("a disk at the corner does not go on at the other side", () => {
  const found = brightDisk(pattern(20, 20, (y, x) => y < 4 && (x < 4 || x >= 16) ? 1 : 0));
  assertEquals(found, Number(Math.sqrt(16 / Math.PI).toFixed(1)));
});

Deno.test("patterns without a disk have none", () => {
  assertEquals(brightDisk(pattern(8, 8, () => 0)), undefined);
  assertEquals(brightDisk(pattern(8, 8, () => -3)), undefined);
  assertEquals(brightDisk(pattern(8, 8, () => 7)), undefined);
  assertEquals(brightDisk(pattern(8, 8, () => NaN)), undefined);
  assertEquals(brightDisk(pattern(0, 0, () => 0)), undefined);
  assertEquals(brightDisk(pattern(8, 8, (y) => y === 3 ? Infinity : 0)), undefined);
});
