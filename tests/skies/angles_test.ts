/** Angles of component lists: signs, also of zero, units, hours and degrees, and what is not an angle. */

import { assertAlmostEquals, assertEquals } from "@std/assert";
import { angleOf } from "../../src/skies/angles.ts";

const DEGREE = Math.PI / 180;

/** What is written, what it is, and its degrees. */
const ROWS: readonly (readonly [string, "ra" | "dec", number])[] = [
  ["-00.30.00", "dec", -0.5],
  ["-0d30m0s", "dec", -0.5],
  ["-00:00:36", "dec", -0.01],
  ["+00.30.00", "dec", 0.5],
  ["00:30:00", "dec", 0.5],
  ["-00:00:01.5", "ra", -15 * 1.5 / 3600],
  ["-01.47.17.131", "dec", -(1 + 47 / 60 + 17.131 / 3600)],
  ["39°35'08.5\"", "dec", 39 + 35 / 60 + 8.5 / 3600],
  ["08:28:05.15", "ra", 15 * (8 + 28 / 60 + 5.15 / 3600)],
  ["8h28m5.15s", "ra", 15 * (8 + 28 / 60 + 5.15 / 3600)],
  ["12.30.00", "ra", 12.5],
  ["-0.5deg", "dec", -0.5],
  ["-.25", "dec", -0.25],
  ["90.", "dec", 90],
  ["59:59:59", "dec", 59 + 59 / 60 + 59 / 3600],
];

Deno.test("angles have their sign, also where the degrees or hours are zero", () => {
  for (const [text, what, degrees] of ROWS) {
    assertAlmostEquals(angleOf(` ${text} `, what)!, degrees * DEGREE, 1e-15, text);
  }
  assertEquals(angleOf("-0.25rad", "dec"), -0.25);
  assertEquals(angleOf("4RAD", "ra"), 4);
});

Deno.test("minutes from 60 on, seconds beyond 60, and declinations beyond a pole, are not angles", () => {
  for (
    const text of [
      "10:60:00",
      "10:00:60.1",
      "10.60.00",
      "10.00.60.1",
      "north",
      "",
      "1:2",
      "90.00.01",
      "-91",
      "1.6rad",
    ]
  ) {
    assertEquals(angleOf(text, "dec"), undefined, text);
  }
  assertEquals(angleOf("12:60:00", "ra"), undefined);
  assertAlmostEquals(angleOf("23:59:59", "ra")!, (24 - 1 / 3600) * 15 * DEGREE, 1e-14);
});
