/** Right ascension and declination to direction cosines, and back. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import {
  checkDirections,
  type Direction,
  lmToRadec,
  radecToLm,
} from "../../../src/rime/geometry/directions.ts";
import { hourAngle, parallacticAngle } from "../../../src/rime/geometry/sky.ts";
import { assertNear, goldenTest, numbersOf } from "../golden/golden.ts";

type Vector = readonly [number, number, number];

/** The unit vector of a direction: to the equinox, to the east of it, to the pole. */
function vector([ra, dec]: Direction): Vector {
  return [Math.cos(dec) * Math.cos(ra), Math.cos(dec) * Math.sin(ra), Math.sin(dec)];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(a: Vector): Vector {
  const size = Math.hypot(...a);
  return [a[0] / size, a[1] / size, a[2] / size];
}

goldenTest("12-radec-to-lm", "direction cosines and n - 1, and back", ({ inputs, outputs, tolerance }) => {
  const centre = numbersOf(inputs, "phase_centre");
  const radec = numbersOf(inputs, "radec");
  const { lm, nMinus1 } = radecToLm(radec, [centre[0]!, centre[1]!]);
  assertNear(lm, outputs["lm"]!.data, tolerance["f64_abs"]!);
  assertNear(nMinus1, outputs["n_minus_1"]!.data, tolerance["f64_abs"]!);
  assertNear(lmToRadec(lm, [centre[0]!, centre[1]!]), radec, 1e-14);
});

Deno.test("direction cosines are the products with the axes of the phase centre", () => {
  const centre: Direction = [4.5, 0.9];
  const axis = vector(centre);
  const east = unit(cross([0, 0, 1], axis));
  const north = cross(axis, east);
  for (let i = 0; i < 200; i++) {
    const direction: Direction = [4.5 + Math.sin(i) * 0.8, 0.9 + Math.cos(1.7 * i) * 0.6];
    const { lm, nMinus1 } = radecToLm(direction, centre);
    const s = vector(direction);
    assertNear([...lm, nMinus1[0]! + 1], [dot(s, east), dot(s, north), dot(s, axis)], 5e-16);
    const [back] = [lmToRadec(lm, centre)];
    assertNear(vector([back[0]!, back[1]!]), s, 1e-14);
    assert(back[0]! >= 0 && back[0]! < 2 * Math.PI);
  }
});

Deno.test("near the phase centre n - 1 keeps its digits", () => {
  const { lm, nMinus1 } = radecToLm([1 + 1e-9, 0.5 + 1e-9], [1, 0.5]);
  const square = lm[0]! ** 2 + lm[1]! ** 2;
  assert(Math.abs(nMinus1[0]! / (-square / 2) - 1) < 1e-6, String(nMinus1[0])); // as a difference it would be 0
});

Deno.test("small angles about the phase centre (0, 0) are not taken for direction cosines", () => {
  const { lm } = radecToLm([0.3, 0.2], [0, 0]);
  assertNear(lm, [Math.cos(0.2) * Math.sin(0.3), Math.sin(0.2)], 1e-15);
});

Deno.test("a direction behind the horizon is refused, with its number", () => {
  const error = assertThrows(() => radecToLm([0, 0, Math.PI, 0.1], [0, 0]), TilewiseError);
  assertEquals([error.code, error.details["index"]], ["invalid", 1]);
  assert(error.message.includes("direction 1 (12h00m00.00s +05°43′46.5″) is more than 90°"), error.message);
});

Deno.test("coordinates that are not finite, and l² + m² above 1, are refused", () => {
  for (const bad of [NaN, Infinity, -Infinity]) {
    assertThrows(() => radecToLm([0, 0, 0, bad], [0, 0]), TilewiseError, "radec[1][1]");
    assertThrows(() => radecToLm([0, 0], [bad, 0]), TilewiseError, "phaseCentre[0]");
    assertThrows(() => lmToRadec([bad, 0], [0, 0]), TilewiseError, "lm[0][0]");
    assertThrows(() => hourAngle(bad, 0, 0), TilewiseError, "time");
    assertThrows(() => parallacticAngle(0, bad, 0), TilewiseError, "declination");
  }
  assertThrows(() => checkDirections([0.8, 0.7]), TilewiseError, "l² + m² is 1.13");
  assertThrows(() => lmToRadec([1, 1e-3], [0, 0]), TilewiseError, "radecToLm()");
  assertThrows(() => radecToLm([1, 2, 3], [0, 0]), TilewiseError, "radec has 3 numbers");
  checkDirections([0, 1, -1, 0]);
});

Deno.test("the parallactic angle is that between the pole and the zenith at the source", () => {
  const latitude = -0.6;
  const zenith = vector([0, latitude]); // right ascensions are counted from the meridian: -H
  for (const hour of [-2.5, -1, -0.01, 0, 0.3, 1.5, 3]) {
    for (const declination of [-1.4, -0.61, -0.2, 0.5]) {
      const source = vector([-hour, declination]);
      const north = unit(cross(source, cross([0, 0, 1], source)));
      const east = unit(cross([0, 0, 1], source));
      const angle = Math.atan2(dot(zenith, east), dot(zenith, north));
      assertNear([parallacticAngle(hour, declination, latitude)], [angle], 1e-14);
    }
  }
});

Deno.test("hour angles are those of the Earth rotation angle", () => {
  // 2000 January 1, 12 h: 280.46061837504 degrees (IERS Conventions 2010, equation 5.15)
  const noon = 51544.5 * 86400;
  assertNear([hourAngle(noon, 0, 0)], [280.46061837504 * Math.PI / 180 - 2 * Math.PI], 1e-11);
  assertNear([hourAngle(noon, 0.25, 0.5) - hourAngle(noon, 0.25, 0.25)], [0.25], 1e-12);
  assert(Math.abs(hourAngle(60000 * 86400, 5, 3)) <= Math.PI);
});
