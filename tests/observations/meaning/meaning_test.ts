/** Frames, scales of time and units against casacore and astropy; keywords that say nothing clear are refused by name. */

import "../../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import type { Column } from "../../../src/formats/casacore/description.ts";
import { factorOf, toUtc } from "../../../src/observations/meaning/units.ts";
import { converted, FRAMES, type LonLat, vectorOf } from "../../../src/observations/meaning/frames.ts";
import { factorsOf, referenceOf } from "../../../src/observations/meaning/measurement_set.ts";
import { motionOf } from "../../../src/observations/meaning/uvh5.ts";
import { factorIn, frameIn } from "../../../src/observations/meaning/version4.ts";

/** By make_meant.py: directions, and what casacore and astropy make of them; times. */
const { directions, found, clocks }: {
  directions: LonLat[];
  found: [from: string, to: string, LonLat[]][];
  clocks: [scale: string, [stored: number, utc: number][]][];
} = JSON.parse(Deno.readTextFileSync(new URL("../../data/observations/frames.json", import.meta.url)));

const ARCSECOND = Math.PI / 648000;

Deno.test("directions in other frames are those of casacore and astropy, to 0.002 seconds of arc", () => {
  const seen = new Set<string>();
  for (const [from, to, expected] of found) {
    directions.forEach((direction, i) => {
      const [a, b] = [vectorOf(converted(direction, from, to)), vectorOf(expected[i]!)];
      const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      assert(distance < 0.002 * ARCSECOND, `${from} to ${to}, ${direction}: ${distance / ARCSECOND}`);
    });
    seen.add(from).add(to);
  }
  assertEquals([...FRAMES.keys()].filter((name) => !seen.has(name)), []); // a new frame needs values
});

Deno.test("directions come back through every frame", () => {
  for (const name of FRAMES.keys()) {
    for (const direction of directions) {
      const back = vectorOf(converted(converted(direction, "ICRS", name), name, "ICRS"));
      vectorOf(direction).forEach((value, i) => assertAlmostEquals(back[i]!, value, 1e-14, name));
    }
  }
});

Deno.test("times of TAI and TT become UTC as astropy has it, other scales are unknown", () => {
  for (const [scale, pairs] of clocks) {
    const convert = toUtc(scale)!;
    for (const [stored, utc] of pairs) assertAlmostEquals(convert(stored), utc, 2e-5, `${scale} ${stored}`);
  }
  assertEquals([toUtc("UTC")!(5.1e9), toUtc("LAST"), toUtc("UT1")], [5.1e9, undefined, undefined]);
});

Deno.test("units have prefixes, and belong to a kind", () => {
  const cases = [
    ["km", "m", 1e3],
    ["MHz", "Hz", 1e6],
    ["d", "s", 86400],
    ["min", "s", 60],
    ["ms", "s", 1e-3],
    ["deg", "rad", Math.PI / 180],
    ["arcsec", "rad", ARCSECOND],
    ["mas", "rad", undefined],
    ["mJy", "Jy", 1e-3],
    ["m", "s", undefined],
    ["deg", "m", undefined],
    ["parsec", "m", undefined],
    ["", "m", undefined],
  ] as const;
  for (const [text, unit, expected] of cases) {
    const factor = factorOf(text, unit);
    if (expected === undefined) assertEquals(factor, undefined, text);
    else assertAlmostEquals(factor! / expected, 1, 1e-15, text);
  }
});

/** A column with keywords. */
function column(keywords: unknown, shape?: number[]): { file: string; column: Column } {
  return { file: "a.ms", column: { name: "C", keywords, ...(shape ? { shape } : {}) } as unknown as Column };
}

Deno.test("units of columns are read for all values or one by one, and refused by name", () => {
  const use = { unit: "m", use: "" } as const;
  assertEquals(factorsOf(column({}), use), undefined);
  assertEquals(factorsOf(column({ QuantumUnits: ["m", "m", "m"] }, [3]), use), undefined);
  assertEquals(factorsOf(column({ QuantumUnits: ["km"] }, [3]), use), [1000]);
  assertEquals(factorsOf(column({ QuantumUnits: ["km", "m", "cm"] }, [3]), use), [1000, 1, 0.01]);
  assertEquals(factorsOf(column({ UNIT: "km" }), use), [1000]);
  const wrong = [
    [{ QuantumUnits: ["furlong"] }, "furlong"],
    [{ QuantumUnits: ["s"] }, '"s"'],
    [{ QuantumUnits: ["m", "m"] }, "2 units for 3 values"],
    [{ QuantumUnits: [1] }, "not names"],
    [{ VariableUnits: "Units" }, "row to row"],
  ] as const;
  for (const [keywords, words] of wrong) {
    const error = assertThrows(() => factorsOf(column(keywords, [3]), use), TilewiseError, words);
    assertEquals([error.code, error.message.includes("column C of a.ms")], ["unsupported", true]);
  }
});

Deno.test("frames of columns are named or in another column; what contradicts itself is refused", () => {
  assertEquals(referenceOf(column({}), "direction"), { frame: "J2000" });
  assertEquals(referenceOf(column({ MEASINFO: { type: "direction", Ref: "B1950" } }), "direction"), {
    frame: "B1950",
  });
  const coded = { type: "direction", VarRefCol: "R", TabRefTypes: ["J2000", "SUN"], TabRefCodes: [7, 9] };
  const reference = referenceOf(column({ MEASINFO: coded }), "direction");
  assert("column" in reference);
  assertEquals([reference.column, reference.nameOf(9), reference.nameOf(0)], ["R", "SUN", undefined]);
  const plain = referenceOf(column({ MEASINFO: { type: "epoch", VarRefCol: "R" } }), "epoch");
  assertEquals("column" in plain && [plain.nameOf(6), plain.nameOf(7), plain.nameOf(99)], [
    "UTC",
    "TAI",
    undefined,
  ]);
  const moving = referenceOf(column({ MEASINFO: { type: "direction", VarRefCol: "R" } }), "direction");
  assertEquals("column" in moving && [moving.nameOf(21), moving.nameOf(25), moving.nameOf(34)], [
    "ICRS",
    undefined,
    "MARS",
  ]);
  const wrong = [
    [{ type: "epoch", Ref: "UTC" }, "of the kind epoch, not direction"],
    [{ type: "direction", Ref: "J2000", RefOffMsr: {} }, "offset"],
    [{ type: "direction", Ref: 4 }, "its frame is 4"],
    [{ ...coded, TabRefCodes: [7] }, "differ in length"],
  ] as const;
  for (const [info, words] of wrong) {
    assertThrows(() => referenceOf(column({ MEASINFO: info }), "direction"), TilewiseError, words);
  }
});

Deno.test("fields of UVH5 are fixed if they are sidereal, of the equinox of their frame and without motion", () => {
  const fixed = { type: "sidereal", frame: "fk5", epoch: 2000, motions: [undefined, 0] };
  assertEquals(motionOf(fixed), undefined);
  assertEquals(motionOf({ ...fixed, type: undefined, frame: "icrs", epoch: undefined }), undefined);
  const cases = [
    [{ type: "ephem" }, "ephem"],
    [{ type: "driftscan", frame: "altaz" }, "altaz"],
    [{ epoch: 2010 }, "2010"],
    [{ frame: "fk4", epoch: 1975 }, "1975"],
    [{ motions: [1e-3] }, "proper motion"],
  ] as const;
  for (const [change, words] of cases) assert(motionOf({ ...fixed, ...change })?.includes(words), words);
});

Deno.test("attributes of version 4 say units and frames", () => {
  assertEquals(factorIn({ units: "m" }, "UVW", "f"), undefined);
  assertEquals(factorIn({ units: ["km"] }, "UVW", "f"), [1000]);
  assertEquals(factorIn({ units: "unkown" }, "VISIBILITY", "f"), undefined);
  assertThrows(() => factorIn({ units: "deg" }, "UVW", "f"), TilewiseError, '"deg"');
  assertEquals(frameIn({ frame: "FK5" }, "UVW", "f"), "fk5");
  assertEquals(frameIn({ frame: "ITRS" }, "antenna_xds/ANTENNA_POSITION", "f"), "ITRS");
  assertThrows(() => frameIn({ frame: "ENU" }, "antenna_xds/ANTENNA_POSITION", "f"), TilewiseError, "ENU");
});
