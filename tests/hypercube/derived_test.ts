/** Derived dimensions follow those that they are made from, in size and, as products and sums, in window. */

import { assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { type CubeInit, hypercube } from "../../src/hypercube/cube/cube.ts";
import { extentIter, tileIter } from "../../src/hypercube/cube/iterate.ts";

const of = (dimensions: CubeInit["dimensions"]) => hypercube({ dimensions, arrays: [] });

/** The dimensions of an interferometer. */
const RADIO = {
  nbl: { baselinesOf: "na" }, // before the one that it follows
  ntime: 10,
  na: 7,
  nchan: 16,
  npol: { size: 4, whole: true },
  nauto: { baselinesOf: "na", autoCorrelations: true },
  npolchan: { productOf: ["nchan", "npol"] },
  nrow: { productOf: ["ntime", "nbl"] },
  nvis: { productOf: ["nrow", "nchan"] },
  npsrc: 3,
  ngsrc: 0,
  nsrc: { sumOf: ["npsrc", "ngsrc"] },
};
const NAMES = "nbl nauto npolchan nrow nvis nsrc";

Deno.test("27 antennas have 351 baselines, not the 21 of the default 7", () => {
  const cube = of(RADIO);
  assertEquals(cube.sizes(NAMES), [21, 28, 64, 210, 3360, 3]);
  const larger = cube.with({ na: { size: 27 }, ngsrc: { size: 5 } });
  assertEquals(larger.sizes(NAMES), [351, 378, 64, 3510, 56160, 8]);
  assertEquals(larger.extentSizes(NAMES), larger.sizes(NAMES), "whole windows stay whole");
  assertEquals([...larger.dimensions.keys()], Object.keys(RADIO), "in the order in which they were named");
  assertEquals(of({ na: 0, nbl: { baselinesOf: "na" } }).sizes("nbl"), [0]);
});

Deno.test("a derived size can be repeated, not changed", () => {
  const cube = of(RADIO);
  assertEquals(cube.with({ na: { size: 27 }, nbl: { size: 351 } }).sizes("nbl"), [351]);
  const error = assertThrows(() => cube.with({ nbl: { size: 351 } }), TilewiseError, "change na");
  assertEquals(error.code, "invalid");
  assertEquals(cube.with({ nbl: { upper: 5 } }).extents("nbl"), [[0, 5]], "it has a window of its own");
  assertEquals(cube.with({ nbl: { upper: 5 } }).with({ na: { size: 8 } }).extents("nbl"), [[0, 5]]);
  assertThrows(() => cube.with({ nbl: { upper: 5 } }).with({ na: { size: 2 } }), Error, "upper 5, size 1");
});

Deno.test("a window on one part of a product is a window on the product, if its samples are one range", () => {
  const cube = of({ a: 3, b: 4, ab: { productOf: ["a", "b"] } });
  for (const [a] of extentIter(cube, ["a", 2])) {
    assertEquals(cube.with({ a: { lower: a![0], upper: a![1] } }).extents("ab"), [[4 * a![0], 4 * a![1]]]);
  }
  assertEquals(cube.with({ b: { upper: 2 } }).extents("ab"), [[0, 12]], "rows of a range each: the whole");
  assertEquals(cube.with({ a: { lower: 1, upper: 2 }, b: { lower: 1, upper: 3 } }).extents("ab"), [[5, 7]]);
  const seen = [...tileIter(cube, ["a", 1], ["b", 3])].map((tile) => tile.extents("ab")[0]);
  assertEquals(seen, [[0, 3], [3, 4], [4, 7], [7, 8], [8, 11], [11, 12]]);
});

Deno.test("a window on parts of a sum counts their samples together", () => {
  const cube = of({ p: 10, g: 0, s: { sumOf: ["p", "g"] } });
  assertEquals(cube.with({ p: { lower: 4, upper: 6 } }).extents("s"), [[4, 6]]);
  const both = cube.with({ g: { size: 6 } });
  assertEquals(both.with({ p: { upper: 2 }, g: { upper: 3 } }).extentSizes("s"), [5]);
});

Deno.test("rules that give no size make no cube", () => {
  for (
    const [dimensions, message] of [
      [{ a: { productOf: ["b"] } }, 'no dimension "b"'],
      [{ a: { productOf: ["b"] }, b: { sumOf: ["a"] } }, "it follows itself: a → b → a"],
      [{ a: {} }, "given are none"],
      [{ a: { size: 3, productOf: [] } }, "given are size, productOf"],
      [{ a: { size: (n: number) => n } }, '"of" with a function'],
      [{ a: 3, b: { of: ["a"], size: (n: number) => n / 2 } }, "it must be a count"],
      [{ a: 3, b: { of: ["a"], size: (n: number) => -n } }, "is -3 for 3"],
      [{ a: 2 ** 30, b: { productOf: ["a", "a"] } }, "1073741824 × 1073741824 is more than"],
    ] as const
  ) {
    assertThrows(() => of(dimensions), TilewiseError, message);
  }
  const broken = () => {
    throw new Error("no such telescope");
  };
  const thrown = assertThrows(
    () => of({ a: 3, b: { of: ["a"], size: broken } }),
    TilewiseError,
    "no such telescope",
  );
  assertEquals([thrown.code, thrown.details.option], ["invalid", "dimensions.b"]);
  const half = of({ a: 4, b: { of: ["a"], size: (n: number) => n / 2 } });
  assertThrows(() => half.with({ a: { size: 5 } }), Error, "its size (a function of a) is 2.5 for 5");
  assertEquals(half.with({ a: { size: 6 } }).sizes("b"), [3]);
});

Deno.test("names of the language are names like others", () => {
  const cube = hypercube({
    dimensions: { constructor: 4, toString: { productOf: ["constructor"] } },
    arrays: [{ name: "valueOf", shape: ["constructor", "toString"], dtype: "int8" }],
    properties: { constructor: 1 },
  });
  assertEquals(cube.with({}).withProperties({}).property("constructor"), 1);
  assertEquals(cube.with({ constructor: { size: 5 } }).arrayShape("valueOf"), [5, 5]);
  assertThrows(() => of({}).with({ constructor: {} }), TilewiseError, "no dimension");
});
