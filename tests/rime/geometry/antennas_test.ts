/** UVW of antennas from positions and from baselines; pairs of antennas. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import {
  antennaUvw,
  baselinePairs,
  equatorialFromEcef,
  equatorialFromEnu,
} from "../../../src/rime/geometry/antennas.ts";
import { type BaselineRows, decomposeUvw } from "../../../src/rime/geometry/decompose.ts";
import { assertNear, goldenTest, numbersOf } from "../golden/golden.ts";

goldenTest(
  "13-antenna-uvw",
  "positions by component, NaN for unseen antennas",
  ({ inputs, outputs, tolerance }) => {
    const rows = (name: string) => inputs[name]!.data;
    const timeIndex = rows("chunks").flatMap((count, time) => Array.from({ length: count }, () => time));
    const found = decomposeUvw(
      { uvw: rows("uvw"), antenna1: rows("antenna1"), antenna2: rows("antenna2"), timeIndex },
      { antennas: 6 },
    );
    const valid = outputs["valid"]!.data;
    const expected = numbersOf(outputs, "antenna_uvw");
    assertEquals([...found.component], outputs["component"]!.data);
    valid.forEach((seen, node) => {
      const uvw = found.uvw.subarray(3 * node, 3 * node + 3);
      if (seen) assertNear(uvw, expected.subarray(3 * node, 3 * node + 3), tolerance["f64_abs"]!);
      else assert(uvw.every(Number.isNaN));
    });
    assert(found.mismatch < 1e-11);
  },
);

/** Rows of all baselines of 5 antennas at 3 times. */
function rows(sign: 1 | -1 = 1): BaselineRows & { readonly positions: Float64Array } {
  const { antenna1, antenna2 } = baselinePairs(5, { autoCorrelations: true });
  const count = antenna1.length;
  const positions = Float64Array.from({ length: 3 * 5 * 3 }, (_, i) => 100 * Math.sin(1 + i * i));
  const at = (time: number, antenna: number, k: number) => positions[3 * (5 * time + antenna) + k]!;
  const uvw: number[] = [], timeIndex: number[] = [];
  for (let time = 0; time < 3; time++) {
    for (let row = 0; row < count; row++) {
      timeIndex.push(time);
      for (let k = 0; k < 3; k++) {
        uvw.push(sign * (at(time, antenna2[row]!, k) - at(time, antenna1[row]!, k)));
      }
    }
  }
  const repeated = (list: Int32Array) => [0, 1, 2].flatMap(() => [...list]);
  return { uvw, antenna1: repeated(antenna1), antenna2: repeated(antenna2), timeIndex, positions };
}

Deno.test("differences of decomposed antennas are the rows, in either sign and any order of rows", () => {
  for (const [sign, difference] of [[1, "second-first"], [-1, "first-second"]] as const) {
    const { positions, ...given } = rows(sign);
    const { uvw } = decomposeUvw(given, { difference });
    for (let node = 0; node < 15; node++) {
      const origin = node - node % 5;
      for (let k = 0; k < 3; k++) {
        assertNear([uvw[3 * node + k]!], [positions[3 * node + k]! - positions[3 * origin + k]!], 1e-12);
      }
    }
  }
});

Deno.test("rows that contradict each other are an error that lists up to 100 of them", () => {
  const { uvw, ...rest } = rows();
  const bent = Float64Array.from(uvw);
  bent[3 * 20 + 1]! += 0.5;
  const error = assertThrows(() => decomposeUvw({ uvw: bent, ...rest }), TilewiseError, "rows do not fit");
  assertEquals([error.code, (error.details["rows"] as number[]).includes(20)], ["malformed", true]);
  assertNear([decomposeUvw({ uvw: bent, ...rest }, { tolerance: 1 }).mismatch], [0.5], 0.5);

  const many = {
    uvw: new Float64Array(3 * 500),
    antenna1: new Int32Array(500),
    antenna2: new Int32Array(500).fill(1),
  };
  many.uvw.forEach((_, i) => many.uvw[i] = i);
  const listed = assertThrows(() => decomposeUvw(many), TilewiseError, "499 of 500 rows");
  assertEquals((listed.details["rows"] as number[]).length, 100);
});

Deno.test("an antenna that is apart from itself is found", () => {
  const odd = { uvw: [1, 0, 0], antenna1: [2], antenna2: [2] };
  assertThrows(() => decomposeUvw(odd), TilewiseError, "antennas 2 and 2");
});

Deno.test("broken rows are refused before anything is computed", () => {
  const good = { uvw: [1, 2, 3], antenna1: [0], antenna2: [1] };
  const refused = (change: Partial<BaselineRows>, text: string, options = {}) => {
    const error = assertThrows(() => decomposeUvw({ ...good, ...change }, options), TilewiseError, text);
    assertEquals(error.code, "invalid");
  };
  refused({ uvw: [1, NaN, 3] }, "uvw[0][1] is NaN");
  refused({ uvw: [1, 2] }, "3 for each item");
  refused({ antenna1: [0, 1] }, "antenna1 has 2 numbers for 1 rows");
  refused({ antenna2: [-1] }, "antenna2[0] is -1");
  refused({ antenna2: [4] }, "from 0 to 3", { antennas: 4 });
  refused({ antenna2: [0.5] }, "0.5");
  refused({ timeIndex: [3] }, "from 0 to 1", { times: 2 });
  assertEquals(decomposeUvw({ uvw: [], antenna1: [], antenna2: [] }).uvw.length, 0);
});

Deno.test("UVW are coordinates in the frame of the source", () => {
  const equatorial = Float64Array.from({ length: 12 }, (_, i) => 1000 * Math.cos(3 * i + 1));
  const hours = [-1.2, 0, 0.4], declination = -0.7;
  const uvw = antennaUvw(equatorial, hours, declination);
  hours.forEach((hour, t) => {
    // w points to the source, u to the east of it, v to the north; Y of the frame points to hour angle -6 h
    const [sinH, cosH, sin, cos] = [
      Math.sin(hour),
      Math.cos(hour),
      Math.sin(declination),
      Math.cos(declination),
    ];
    const axes = [[sinH, cosH, 0], [-sin * cosH, sin * sinH, cos], [cos * cosH, -cos * sinH, sin]];
    for (let antenna = 0; antenna < 4; antenna++) {
      const from0 = [0, 1, 2].map((k) => equatorial[3 * antenna + k]! - equatorial[k]!);
      const expected = axes.map((axis) => axis.reduce((sum, part, k) => sum + part * from0[k]!, 0));
      assertNear(uvw.subarray(3 * (4 * t + antenna), 3 * (4 * t + antenna) + 3), expected, 1e-10);
    }
  });
});

Deno.test("positions on the ground and in space give the same UVW", () => {
  // a place at longitude and latitude, on a sphere; east, north, up there are axes of the geocentric frame
  const [longitude, latitude] = [0.37, -0.54];
  const [sinA, cosA, sinB, cosB] = [longitude, latitude].flatMap((
    angle,
  ) => [Math.sin(angle), Math.cos(angle)]) as [
    number,
    number,
    number,
    number,
  ];
  const [east, north, up] = [[-sinA, cosA, 0], [-sinB * cosA, -sinB * sinA, cosB], [
    cosB * cosA,
    cosB * sinA,
    sinB,
  ]];
  const enu = [0, 0, 0, 100, -50, 3, -700, 20, 8];
  const ecef = [0, 3, 6].flatMap((at) =>
    [0, 1, 2].map((k) =>
      6.4e6 * up![k]! + enu[at]! * east![k]! + enu[at + 1]! * north![k]! + enu[at + 2]! * up![k]!
    )
  );
  const ground = antennaUvw(equatorialFromEnu(enu, latitude), [0.3, 1], -0.2);
  assertNear(antennaUvw(equatorialFromEcef(ecef, longitude), [0.3, 1], -0.2), ground, 1e-8);
  assertNear(antennaUvw(equatorialFromEcef(ecef, 0), [0.3 - longitude, 1 - longitude], -0.2), ground, 1e-8);
  for (const bad of [NaN, Infinity]) {
    assertThrows(() => antennaUvw([0, bad, 0], [0], 0), TilewiseError, "equatorial[0][1]");
    assertThrows(() => antennaUvw([0, 0, 0], [bad], 0), TilewiseError, "hourAngles[0]");
    assertThrows(() => equatorialFromEnu([0, 0, 0], bad), TilewiseError, "latitude");
    assertThrows(() => equatorialFromEcef([0, 0, bad], 0), TilewiseError, "ecef[0][2]");
  }
});

Deno.test("pairs of antennas: with and without an antenna and itself, in both orders", () => {
  const shown = (options = {}) => {
    const { antenna1, antenna2 } = baselinePairs(4, options);
    return [...antenna1].map((first, i) => `${first}${antenna2[i]}`).join(" ");
  };
  assertEquals(shown(), "01 02 03 12 13 23");
  assertEquals(shown({ autoCorrelations: true }), "00 01 02 03 11 12 13 22 23 33");
  assertEquals(shown({ first: "higher" }), "10 20 30 21 31 32");
  assertEquals(shown({ slowest: "higher" }), "01 02 12 03 13 23");
  assertEquals(
    shown({ slowest: "higher", autoCorrelations: true, first: "higher" }),
    "00 10 11 20 21 22 30 31 32 33",
  );
  assertEquals(baselinePairs(27).antenna1.length, 351); // all of them, not those of 7 antennas
  assertEquals(baselinePairs(1).antenna1.length, 0);
  assertThrows(() => baselinePairs(-1), TilewiseError, "whole number");
});
