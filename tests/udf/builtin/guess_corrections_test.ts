/** Rotation, flip and centre of a synthetic field are found again. */

import "../../fences/mod.ts";
import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ndarray } from "../../../src/space/ndarray.ts";
import { divergence, turned } from "../../../src/udf/builtin/com/field.ts";
import { guessCorrections } from "../../../src/udf/builtin/com/guess.ts";

const SIDE = 24;

/** The field of atoms that attract electrons, as a detector sees it that `rotation` and `flip` put right. */
function seen(rotation: number, flip: boolean) {
  const y = new Float64Array(SIDE * SIDE), x = new Float64Array(SIDE * SIDE);
  for (let i = 0; i < y.length; i++) {
    for (let row = 2; row < SIDE; row += 6) {
      for (let column = 3; column < SIDE; column += 7) {
        const [dy, dx] = [Math.floor(i / SIDE) - row, i % SIDE - column];
        const strength = Math.exp(-(dy * dy + dx * dx) / 3);
        y[i]! -= dy * strength;
        x[i]! -= dx * strength;
      }
    }
  }
  const back = turned({ y, x }, -rotation, false);
  return turned(back, 0, flip);
}

function centres({ y, x }: { y: Float64Array; x: Float64Array }, noise = 0) {
  let state = 1;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5;
  const values = Float64Array.from({ length: 2 * y.length }, (_, i) => {
    return (i % 2 === 0 ? 11.5 + y[i / 2]! : 13.25 + x[(i - 1) / 2]!) + noise * random();
  });
  return ndarray(values, [SIDE, SIDE, 2], "float64");
}

/** The difference of two angles in degrees. */
function apart(a: number, b: number): number {
  return Math.abs(((a - b) % 360 + 540) % 360 - 180);
}

// LiberTEM finds (17, no), (-141, yes), (90, no), (180, yes), (0, no) on these fields, in whole degrees.
for (
  const [rotation, flip] of [[17.3, false], [-140.6, true], [90, false], [180, true], [0, false]] as const
) {
  Deno.test(`a rotation of ${rotation} degrees${flip ? " and a flip" : ""}`, () => {
    const guess = guessCorrections(centres(seen(rotation, flip)));
    assertEquals([guess.flipY, apart(guess.scanRotation, rotation) < 0.1], [flip, true]);
    assertAlmostEquals(guess.cy, 11.5, 1e-3);
    assertAlmostEquals(guess.cx, 13.25, 1e-3);
    assertEquals(guess.scanRotation > -180 && guess.scanRotation <= 180, true);
  });
}

Deno.test("any rotation, with or without a flip, under noise: within half a degree", () => {
  fc.assert(
    fc.property(fc.double({ min: -180, max: 180, noNaN: true }), fc.boolean(), (rotation, flip) => {
      const guess = guessCorrections(centres(seen(rotation, flip), 0.02));
      assertEquals([guess.flipY, apart(guess.scanRotation, rotation) < 0.5], [flip, true]);
    }),
    { seed: 5, numRuns: 25 },
  );
});

Deno.test("the guess puts the field right: divergence is most negative, at the atoms", () => {
  const raw = seen(40, true);
  const { scanRotation, flipY } = guessCorrections(centres(raw));
  const field = turned(raw, scanRotation, flipY);
  const values = divergence(field, [SIDE, SIDE]);
  assertEquals(Math.min(...values) < -2 * Math.max(...values), true);
});

Deno.test("positions without a value do not count", () => {
  const all = centres(seen(25, false));
  const valid = Uint8Array.from({ length: SIDE * SIDE }, (_, i) => i % 31 === 0 ? 0 : 1);
  const data = (all.data as Float64Array).map((value, i) => valid[i >> 1] ? value : 1e9);
  const guess = guessCorrections({ raw_com: ndarray(data, all.shape, "float64", valid) });
  assertEquals(apart(guess.scanRotation, 25) < 0.5, true);
});

Deno.test("what is not a field of a scan is refused", () => {
  assertThrows(() => guessCorrections({}), Error, "results without raw_com");
  assertThrows(
    () => guessCorrections(ndarray(new Float64Array(8), [4, 2], "float64")),
    Error,
    "array of 4 × 2",
  );
  const empty = ndarray(new Float64Array(18).fill(NaN), [3, 3, 2], "float64");
  assertThrows(() => guessCorrections(empty), Error, "no position of the scan has a curl");
  const even = ndarray(new Float64Array(18).fill(3), [3, 3, 2], "float64");
  assertEquals(guessCorrections(even), { cy: 3, cx: 3, scanRotation: 0, flipY: false });
});
