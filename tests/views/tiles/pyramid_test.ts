/** Levels by scale, and boxes on other levels. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../../src/errors.ts";
import { box, boxEnd } from "../../../src/space/box.ts";
import { boxOnLevel, type LevelFacts, levelOfScale } from "../../../src/views/tiles/pyramid.ts";

/** A pyramid that is halved, odd sizes up, with scales from the sizes as data sets have them. */
function pyramid(shape: readonly number[], count: number): LevelFacts[] {
  return Array.from({ length: count }, (_, level) => {
    const small = shape.map((n) => Math.ceil(n / 2 ** level));
    return { shape: small, scale: small.map((n, d) => shape[d]! / n) };
  });
}

Deno.test("a box on another level covers the same samples and no more, however often odd sizes were halved", () => {
  const side = fc.tuple(fc.integer({ min: 3, max: 300 }), fc.nat(), fc.nat());
  fc.assert(
    fc.property(fc.array(side, { minLength: 1, maxLength: 3 }), fc.nat(5), fc.nat(5), (sides, a, b) => {
      const levels = pyramid(sides.map(([n]) => n), 6);
      const [from, to] = [levels[a]!, levels[b]!];
      const origin = sides.map(([, o], d) => o % from.shape[d]!);
      const part = box(origin, sides.map(([, , n], d) => 1 + n % (from.shape[d]! - origin[d]!)));
      const found = boxOnLevel(part, from, to);
      const [end, foundEnd] = [boxEnd(part), boxEnd(found)];
      for (const [d, size] of to.shape.entries()) {
        if (from.shape[d] === to.shape[d] && a !== b) continue; // one sample on both
        const [first, last] = [origin[d]! * 2 ** (a - b), end[d]! * 2 ** (a - b)];
        assertEquals(
          found.origin[d],
          Math.min(Math.floor(first), size - 1),
          `${d} of ${JSON.stringify(part)}`,
        );
        assertEquals(foundEnd[d], Math.min(Math.ceil(last), size));
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("the level for a scale is the coarsest that has its details; what is not a scale is refused", () => {
  const levels = pyramid([101, 67], 5);
  assertEquals([0.1, 1, 1.9, 2, 7, 8, 1e9].map((scale) => levelOfScale(levels, scale)), [
    0,
    0,
    0,
    1,
    2,
    3,
    4,
  ]);
  assertEquals(levelOfScale(levels, [16, 2]), 1);
  for (const scale of [0, NaN, -1, [1], [1, 0], "2"]) {
    const error = assertThrows(() => levelOfScale(levels, scale as number), TilewiseError, "above 0");
    assertEquals(error.code, "invalid");
  }
});

Deno.test("a box outside of its level is refused; an empty one stays empty", () => {
  const [full, half] = pyramid([7, 9], 2) as [LevelFacts, LevelFacts];
  for (const part of [box([0, 0], [8, 1]), box([-1, 0], [1, 1]), box([0], [1]), box([0.5, 0], [1, 1])]) {
    assertThrows(() => boxOnLevel(part, full, half), TilewiseError, "is not inside");
  }
  assert(boxOnLevel(box([7, 9], [0, 0]), full, half).shape.every((n) => n === 0));
});
