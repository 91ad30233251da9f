/** Runs of rings are found by their ends, and are those that a look at every pixel finds. */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import "../../fences/mod.ts";
import { inDisk, ringRuns } from "../../../src/masks/geometry.ts";
import { runsWhere } from "../../../src/udf/builtin/runs.ts";

const side = fc.integer({ min: 1, max: 12 });
const place = fc.oneof(
  fc.integer({ min: -6, max: 30 }).map((halves) => halves / 2),
  fc.double({ min: -3, max: 15, noNaN: true }),
  fc.constantFrom(1e9, -1e9 + 0.5, Infinity),
);
const radius = fc.oneof(
  fc.integer({ min: -1, max: 14 }),
  fc.tuple(side, side).map(([y, x]) => Math.hypot(y, x)),
  fc.constantFrom(1e9, 1e9 - 3, Infinity),
);

Deno.test("the runs of a ring are those that a look at every pixel finds", () => {
  fc.assert(
    fc.property(side, side, place, place, radius, radius, (height, width, cy, cx, ro, ri) => {
      const slow = runsWhere(height, width, (y, x) => {
        const square = (y - cy) ** 2 + (x - cx) ** 2;
        return inDisk(square, ro) && !inDisk(square, ri);
      });
      assertEquals(ringRuns([height, width], { cy, cx, ro, ri }), slow);
    }),
    { seed: 7, numRuns: 2000 },
  );
});
