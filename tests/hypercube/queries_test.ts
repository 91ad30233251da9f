/** Queries take names in any form; iteration refuses what is not a step; tables show what is asked for. */

import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { hypercube } from "../../src/hypercube/cube/cube.ts";
import {
  arrayIter,
  chunkCount,
  dimensionIter,
  extentIter,
  sliceIter,
  tileIter,
} from "../../src/hypercube/cube/iterate.ts";
import { bytesText } from "../../src/hypercube/cube/tables.ts";

const cube = hypercube({
  dimensions: {
    ntime: { size: 10, lower: 2, upper: 9, description: "times" },
    na: 3,
    nrow: { productOf: ["ntime", "na"] },
  },
  arrays: [
    {
      name: "uvw",
      shape: ["ntime", "na", 3],
      dtype: "float64",
      units: "m",
      description: "places",
      default: 0,
    },
    { name: "vis", shape: ["nrow"], dtype: "complex64", role: "output", tags: ["big"] },
  ],
  properties: { sigma: { dtype: "float32", default: 1.5, description: "noise" } },
});

Deno.test("several names, a packed text and numbers are asked for at once, and answered with a list", () => {
  for (const packed of ["ntime,na", "ntime:na", "ntime;na", "ntime na", " ntime , na ", "ntime\tna"]) {
    assertEquals(cube.sizes(packed, 3), [10, 3, 3], packed);
  }
  assertEquals(cube.sizes("ntime"), [10], "one name gives a list as well");
  assertEquals(cube.lowers("ntime", "na"), [2, 0]);
  assertEquals(cube.uppers("ntime", "na", 4), [9, 3, 4]);
  assertEquals(cube.extents("ntime na", 4), [[2, 9], [0, 3], [0, 4]]);
  assertEquals(cube.extentSizes("ntime na", 4), [7, 3, 4], "a list, which can be read twice");
  assertEquals(cube.slices("ntime", 4), [{ start: 2, stop: 9 }, { start: 0, stop: 4 }]);
  assertEquals(cube.arraySlices("uvw"), [{ start: 2, stop: 9 }, { start: 0, stop: 3 }, {
    start: 0,
    stop: 3,
  }]);
  assertEquals(cube.sizes(), []);
  const { ntime, na } = cube.select("ntime na");
  assertEquals([ntime!.upper, na!.size, Object.keys(cube.select()).length], [9, 3, 3]);
  assertThrows(() => cube.sizes("ntime nbl"), TilewiseError, 'no dimension "nbl"; known are ntime, na, nrow');
  assertThrows(() => cube.sizes(-1), TilewiseError, "size -1");
  assertThrows(() => cube.sizes({} as never), TilewiseError, "no dimension an object");
  assertThrows(() => cube.array("uwv"), TilewiseError, 'did you mean "uvw"?');
});

Deno.test("chunks cover the whole, or the window if the stride says so, each sample once", () => {
  const whole = cube.with({ ntime: { lower: 0, upper: 10 } });
  assertEquals([...extentIter(cube, ["ntime", 4])].flat(), [[0, 4], [4, 8], [8, 10]]);
  assertEquals([...extentIter(cube, ["ntime", 4, "window"])].flat(), [[2, 6], [6, 9]]);
  assertEquals([chunkCount(cube, ["ntime", 4], ["na", 2]), chunkCount(cube, ["ntime", 4, "window"])], [6, 2]);
  assertEquals([...extentIter(cube, ["ntime", 400])].flat(), [[0, 10]]);
  assertEquals([...sliceIter(cube, ["na", 2])], [[{ start: 0, stop: 2 }], [{ start: 2, stop: 3 }]]);
  assertEquals([...dimensionIter(cube, ["na", 2])], [{ na: { lower: 0, upper: 2 } }, {
    na: { lower: 2, upper: 3 },
  }]);
  const halves = [...tileIter(whole, ["ntime", 5])];
  const nested = halves.flatMap((tile) => [...extentIter(tile, ["ntime", 3, "window"])].flat());
  assertEquals(nested, [[0, 3], [3, 5], [5, 8], [8, 10]]);
});

Deno.test("an array is iterated in its own chunks, with shapes that follow its tile", () => {
  const chunks = [...arrayIter(cube, "uvw", ["ntime", 4], ["nrow", 2])];
  assertEquals(chunks.map(({ shape }) => shape), [[4, 3, 3], [4, 3, 3], [2, 3, 3]]);
  const rows = [...arrayIter(cube, "vis", ["ntime", 4])].map(({ extents }) => extents);
  assertEquals(rows, [[[0, 12]], [[12, 24]], [[24, 30]]], "rows follow their times");
  const reified = [...tileIter(cube, ["ntime", 4])].map((tile) => tile.reify("uvw").shape);
  assertEquals(reified, [[4, 3, 3], [4, 3, 3], [2, 3, 3]]);
  assertEquals(cube.array("uvw").shape, ["ntime", "na", 3]);
});

Deno.test("steps that are none are refused before the first chunk", () => {
  for (const step of [0, -1, 4.9, NaN, Infinity, "2" as never]) {
    for (const iterate of [extentIter, sliceIter, dimensionIter, tileIter, chunkCount]) {
      assertThrows(() => iterate(cube, ["ntime", step]), TilewiseError, "least step is 1");
    }
    assertThrows(() => arrayIter(cube, "uvw", ["nrow", step]), TilewiseError, "least step is 1");
  }
  assertThrows(() => extentIter(cube, ["na", 1], ["na", 1]), TilewiseError, "twice");
  assertThrows(
    () => extentIter(cube, ["na", 1, "widow" as never]),
    TilewiseError,
    'must be "whole" or "window"',
  );
  assertThrows(() => extentIter(cube, ["nb", 1]), TilewiseError, "no dimension");
});

Deno.test("bytes as text, in steps of 1024 with one decimal", () => {
  const expected: [number, string][] = [
    [33554447623744, "30.5TB"],
    [655515712, "625.1MB"],
    [21139776131072, "19.2TB"],
    [830592512, "792.1MB"],
    [0, "0.0B"],
    [1023, "1023.0B"],
    [1024, "1.0KB"],
    [1024 ** 2 - 1, "1.0MB"],
    [2 ** 53 - 1, "8.0PB"],
  ];
  for (const [bytes, text] of expected) assertEquals(bytesText(bytes), text);
});

Deno.test("a cube shows its tables as text, in the console and in a notebook", () => {
  const text = String(cube);
  assertEquals(
    text,
    `Dimensions
  name   size  window  follows     description
  ntime  10    2:9                 times
  na     3     0:3
  nrow   30    6:27    ntime × na

Arrays
  name   bytes   dtype      shape           role    units
  uvw    504.0B  float64    (ntime, na, 3)  input   m
  vis    168.0B  complex64  (nrow)          output
  total  672.0B

Properties
  name   value  dtype    default  description
  sigma  1.5    float32  1.5      noise`,
  );
  assertEquals([Deno.inspect(cube), cube.describe(), cube.bytesText()], [text, text, "672.0B"]);
  const shown = cube as unknown as Record<symbol, () => Record<string, string>>;
  const bundle = shown[Symbol.for("Jupyter.display")]!();
  assertEquals(bundle["text/plain"], text);
  assertEquals(bundle["text/html"]!.split("<table>").length, 4);
  const odd = hypercube({ dimensions: { n: { size: 1, description: "<b>&" } }, arrays: [] });
  const html = (odd as unknown as typeof shown)[Symbol.for("Jupyter.display")]!()["text/html"]!;
  assert(html.includes("&lt;b&gt;&amp;") && !html.includes("<b>&"));
});

Deno.test("one array, dimension or property is described in words", () => {
  const text = cube.describe("uvw");
  assertStringIncludes(text, "uvw: input, places, in m");
  assertStringIncludes(text, "whole problem 10 × 3 × 3, window 7 × 3 × 3, 504.0B");
  assertStringIncludes(text, "default 0");
  assertStringIncludes(text, "ntime: 7 of 10 samples, from 2 to 9; times");
  assertStringIncludes(cube.describe("vis"), "tags big");
  assertStringIncludes(cube.describe("nrow"), "its size is ntime × na");
  assertEquals(cube.describe("sigma"), "sigma: property of float32, 1.5 (default 1.5), noise");
  assertThrows(() => cube.describe("time"), TilewiseError, 'did you mean "ntime"?');
});
