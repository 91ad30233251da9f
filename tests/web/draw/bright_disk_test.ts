/** The bright disk of a pattern: disks of known centre and radius are found, and nothing where there is none. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { NDArray } from "../../../mod.ts";
import { DemoScan } from "../../../src/samples/mod.ts";
import { brightDisk, type Disk } from "../../../web/draw/bright_disk.ts";
import { congruential } from "../../udf/blobfinder/frames.ts";

function pattern(height: number, width: number, value: (y: number, x: number) => number): NDArray {
  const data = Float64Array.from(
    { length: height * width },
    (_, i) => value(Math.floor(i / width), i % width),
  );
  return { data, shape: [height, width], stride: [width, 1], dtype: "float64" };
}

/** The share of a pixel that a disk covers: of 8 × 8 points in it. */
function covered({ cy, cx, r }: Disk, y: number, x: number): number {
  let count = 0;
  for (let i = 0; i < 64; i++) {
    const [dy, dx] = [(Math.floor(i / 8) - 3.5) / 8, (i % 8 - 3.5) / 8];
    if (Math.hypot(y + dy - cy, x + dx - cx) <= r) count++;
  }
  return count / 64;
}

Deno.test("disks anywhere are found to half a pixel: with noise, hot pixels, other disks, a beam stop", () => {
  const cases = fc.record({
    height: fc.integer({ min: 64, max: 110 }),
    width: fc.integer({ min: 64, max: 110 }),
    r: fc.double({ min: 4, max: 14, noNaN: true }),
    y: fc.double({ min: 0, max: 1, noNaN: true }),
    x: fc.double({ min: 0, max: 1, noNaN: true }),
    noise: fc.double({ min: 0, max: 0.15, noNaN: true }),
    stop: fc.boolean(),
    seed: fc.nat(1e6),
  });
  fc.assert(
    fc.property(cases, ({ height, width, r, y, x, noise, stop, seed }) => {
      const random = congruential(seed);
      const draw = () => random.next().value!;
      const disk = { cy: r + 3 + y * (height - 2 * r - 6), cx: r + 3 + x * (width - 2 * r - 6), r };
      const other = { ...disk, cx: disk.cx + (disk.cx > width / 2 ? -3 : 3) * r };
      const isStopped = (v: number, u: number) => stop && u > disk.cx && Math.abs(v - disk.cy) < r / 4;
      const hot = Math.floor(draw() * height * width);
      const image = pattern(height, width, (v, u) => {
        if (v * width + u === hot) return 1e6;
        if (isStopped(v, u)) return 1;
        const value = 1000 * covered(disk, v, u) + 350 * covered(other, v, u) + 10;
        return value * (1 + noise * (draw() + draw() - 1));
      });
      const found = brightDisk(image)!;
      const wrong = Math.max(Math.hypot(found.cy - disk.cy, found.cx - disk.cx), Math.abs(found.r - r));
      assert(wrong < 0.6, `${JSON.stringify(found)} for ${JSON.stringify(disk)}`);
    }),
    { seed: 9, numRuns: 40 },
  );
});

Deno.test("the disk of the sample is where it was drawn, and small ones are found", () => {
  const scan = new DemoScan({ scan: [4, 4], side: 64, seed: 1 });
  for (const _ of scan.frames());
  const data = scan.truth.sum;
  const { cy, cx, r } = brightDisk({ data, shape: [64, 64], stride: [64, 1], dtype: "float64" })!;
  const { centre, disk } = scan.geometry;
  assert(Math.hypot(cy - centre, cx - centre) < 2 && Math.abs(r - disk) < 1, `${cy} ${cx} ${r}`);
  const small = brightDisk(pattern(20, 20, (y, x) => Math.hypot(y - 6, x - 9) <= 1 ? 5 : 0));
  assertEquals(small, { cy: 6, cx: 9, r: 1.3 });
});

Deno.test("patterns without a disk have none", () => {
  for (const value of [() => 0, () => -3, () => 7, () => NaN, (y: number) => y === 3 ? Infinity : 0]) {
    assertEquals(brightDisk(pattern(8, 8, value)), undefined);
  }
  assertEquals(brightDisk(pattern(0, 0, () => 0)), undefined);
});
