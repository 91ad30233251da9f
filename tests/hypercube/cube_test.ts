/** Dimensions, schemas and iteration: checked before they exist, equal to recorded runs, never shared. */

import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { isTilewiseError } from "../../src/errors.ts";
import { hypercube } from "../../src/hypercube/cube/cube.ts";
import { changed, dimension } from "../../src/hypercube/cube/dimension.ts";
import { chunkCount, extentIter, tileIter } from "../../src/hypercube/cube/iterate.ts";
import { schemas, tiling } from "./golden.ts";

const golden = tiling();
const ignore = golden === undefined; // the recorded runs are not part of this repository

Deno.test("every window up to size 4 is a dimension exactly if 0 <= lower <= upper <= size", () => {
  for (let size = -1; size <= 4; size++) {
    for (let lower = -1; lower <= 5; lower++) {
      for (let upper = -1; upper <= 5; upper++) {
        const right = 0 <= lower && lower <= upper && upper <= size;
        let made = true;
        try {
          const dim = dimension("n", size, { lower, upper });
          assertEquals([dim.lower, dim.upper, dim.size], [lower, upper, size]);
        } catch (error) {
          assert(isTilewiseError(error, "invalid"));
          made = false;
        }
        assertEquals(made, right, `${lower} ${upper} ${size}`);
      }
    }
  }
  for (const bad of [NaN, 1.5, Infinity, 2 ** 53]) assertThrows(() => dimension("n", bad));
  for (const name of ["", "a b", "1a"]) assertThrows(() => dimension(name, 1), Error, "Cannot name");
});

Deno.test("a window on the whole follows the size, any other stays or fails", () => {
  const whole = dimension("n", 10), part = dimension("n", 10, { lower: 2, upper: 8 });
  assertEquals(changed(whole, { size: 12 }), dimension("n", 12));
  assertEquals(changed(whole, { size: 4 }), dimension("n", 4));
  assertEquals(changed(part, { size: 12 }), dimension("n", 12, { lower: 2, upper: 8 }));
  assertThrows(() => changed(part, { size: 7 }), Error, "lower 2, upper 8, size 7");
  assertEquals(changed(part, { size: 7, upper: 7 }), dimension("n", 7, { lower: 2, upper: 7 }));
});

Deno.test("a change that fails leaves the cube as it was, and a change that holds too", () => {
  const cube = hypercube({
    dimensions: { a: 4, b: { size: 6, lower: 1, description: "things" } },
    arrays: [{ name: "x", shape: ["a", "b", 2], dtype: "float32" }],
  });
  const text = cube.toString();
  assertThrows(() => cube.with({ a: { upper: 2 }, b: { lower: 9 } }));
  assertThrows(() => cube.with({ c: { upper: 2 } }), Error, 'no dimension "c"; known are a, b');
  const other = cube.with({ a: { upper: 2 } });
  assertEquals(cube.toString(), text);
  assertEquals([cube.arrayBytes("x"), other.arrayBytes("x")], [4 * 5 * 2 * 4, 2 * 5 * 2 * 4]);
  assertStringIncludes(text, "b     6     1:6              things");
  assertStringIncludes(text, "x      160.0B  float32  (a, b, 2)  input");
});

Deno.test("a schema with an unknown axis or a name that is there twice makes no cube", () => {
  const make = (shape: (string | number)[]) => () =>
    hypercube({ dimensions: { n: 1 }, arrays: [{ name: "x", shape, dtype: "int8" }] });
  for (const shape of [["m"], ["n", -1], [0.5], [NaN]]) {
    assertThrows(make(shape), Error, "of array x is neither");
  }
  const twice = [{ name: "x", shape: [], dtype: "int8" }, { name: "x", shape: [1], dtype: "int8" }] as const;
  assertThrows(() => hypercube({ dimensions: {}, arrays: twice }), Error, "twice");
  assertEquals(make([])().bytesRequired(), 1);
});

Deno.test({
  name: "ranges of chunks are those of the recorded runs",
  ignore,
  fn() {
    for (const { dims, strides, extents } of golden!.extent_iter) {
      const cube = hypercube({ dimensions: dims, arrays: [] }).with({ ntime: { lower: 3, upper: 5 } });
      assertEquals([...extentIter(cube, ...strides)], extents);
      assertEquals(chunkCount(cube, ...strides), extents.length);
    }
  },
});

Deno.test("the documented iteration has 51200 tiles, in the recorded places", () => {
  const cube = hypercube({ dimensions: { ntime: 10000, nchan: 32768 }, arrays: [] });
  const strides = [["ntime", 100], ["nchan", 64]] as const;
  const tiles = [...extentIter(cube, ...strides)];
  assertEquals([tiles.length, chunkCount(cube, ...strides)], [51200, 51200]);
  assertEquals(tiles[0], [[0, 100], [0, 64]]);
  assertEquals(tiles[512], [[100, 200], [0, 64]]);
  assertEquals(tiles[5136], [[1000, 1100], [1024, 1088]]);
  assertEquals(tiles.at(-1), [[9900, 10000], [32704, 32768]]);
});

Deno.test({
  name: "shapes and bytes are those of the recorded runs",
  ignore,
  fn() {
    for (const { dims, arrays, extents, reified, array_bytes, total, text } of golden!.bytes) {
      const windows = Object.entries(extents).map(([name, [lower, upper]]) => [name, { lower, upper }]);
      const cube = hypercube({ dimensions: dims, arrays: schemas(arrays) }).with(Object.fromEntries(windows));
      for (const [name, shape] of Object.entries(reified)) assertEquals(cube.arrayShape(name), shape);
      for (const [name, bytes] of Object.entries(array_bytes)) assertEquals(cube.arrayBytes(name), bytes);
      assertEquals([cube.bytesRequired(), cube.bytesText()], [total, text]);
    }
  },
});

Deno.test("chunks of no dimension, of none and of nonsense", () => {
  const cube = hypercube({
    dimensions: { a: 3, none: 0 },
    arrays: [{ name: "x", shape: ["a"], dtype: "int8" }],
  });
  assertEquals([...extentIter(cube)], [[]]);
  assertEquals([...extentIter(cube, ["none", 1], ["a", 2])], []);
  for (const step of [0, -1, 1.5, NaN]) {
    assertThrows(() => [...extentIter(cube, ["a", step])], Error, "least step");
  }
  assertEquals([...tileIter(cube, ["a", 2])].map((tile) => tile.arrayShape("x")), [[2], [1]]);
});
