import { assert, assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { colourTable, parseColormap } from "../../src/pictures/colours/colormap.ts";
import { lightnessOf } from "./lightness.ts";
import { numbersOf } from "./numbers_of.ts";
import { colourRows, grayRows, picture } from "../../src/pictures/picture.ts";
import { rasterOf, withoutAlpha } from "../../src/sinks/png/raster.ts";
import { limitsOf, scaled, type ScaleOptions } from "../../src/pictures/scale.ts";
import { type NDArray, ndarray } from "../../src/space/ndarray.ts";

const grayPicture = (array: NDArray, options?: ScaleOptions) => rasterOf(grayRows(array, options));
const f64 = (...values: number[]) => Float64Array.from(values);

Deno.test("lightness rises evenly along the sequential maps and falls to both sides of signed", () => {
  for (const name of ["gray", "viridis", "magma", "inferno", "plasma", "cividis", "signed"] as const) {
    const table = colourTable(name);
    const light = Array.from(
      { length: 256 },
      (_, i) => lightnessOf(table[3 * i]!, table[3 * i + 1]!, table[3 * i + 2]!),
    );
    const rising = name === "signed" ? light.slice(0, 128) : light;
    rising.slice(1).forEach((l, i) => assert(l > rising[i]! - 0.003, `${name} falls at ${i}`));
    assert(rising.at(-1)! - rising[0]! > 0.5, `${name} has little contrast`);
    if (name === "signed") light.slice(129).forEach((l, i) => assert(l < light[128 + i]! + 0.003));
  }
});

Deno.test("an unknown colour map is refused with the names that exist", () => {
  assertEquals(parseColormap("magma"), "magma");
  assertThrows(() => parseColormap("jet"), TilewiseError, "gray, viridis, magma, inferno");
});

Deno.test("limits: extremes, percentiles, symmetric, without numbers", () => {
  const values = f64(NaN, 5, -1, Infinity, 2, -Infinity);
  assertEquals(limitsOf(values), [-1, 5]);
  assertEquals(limitsOf(values, { symmetric: true }), [-5, 5]);
  assertEquals(limitsOf(f64(NaN)), [0, 1]);
  assertEquals(limitsOf(Float64Array.from({ length: 101 }, (_, i) => 100 - i), { percentile: [10, 90] }), [
    10,
    90,
  ]);
  assertThrows(() => limitsOf(values, { percentile: [90, 10] }), TilewiseError, "percentiles");
  assertThrows(() => limitsOf(values, { range: [2, 1] }), TilewiseError, "Cannot scale");
});

Deno.test("scaled clips, keeps NaN, and does not divide by zero", () => {
  assertEquals([-1, 0, 1, 4, 9].map((v) => scaled(v, [0, 4])), [0, 0, 0.25, 1, 1]);
  assertEquals([2, 3, NaN].map((v) => scaled(v, [2, 2])), [0, 1, NaN]);
});

Deno.test("numbers follow strides, take magnitudes, big integers, and leave out what is not valid", () => {
  const base = f64(0, 1, 2, 3, 4, 5);
  assertEquals(
    numbersOf({ data: base, shape: [3, 2], stride: [1, 3], dtype: "float64" }),
    f64(0, 3, 1, 4, 2, 5),
  );
  assertEquals(numbersOf(ndarray(f64(3, 4, 0, -2), [2], "complex128")), f64(5, 2));
  assertEquals(numbersOf(ndarray(BigInt64Array.of(-3n), [1], "int64")), f64(-3));
  assertEquals(numbersOf(ndarray(f64(7), [], "float64")), f64(7));
  assertEquals(numbersOf(ndarray(f64(), [0, 3], "float64")), f64());
  assertEquals(numbersOf(ndarray(f64(1, 2), [2], "float64", Uint8Array.of(0, 1))), f64(NaN, 2));
  const vectors = ndarray(f64(1, 2, 3, 4), [2, 2], "float64", Uint8Array.of(0, 1));
  assertEquals(numbersOf(vectors), f64(NaN, NaN, 3, 4));
});

Deno.test("what is not valid or NaN is transparent; everything else opaque", () => {
  const array = ndarray(f64(0, 1, NaN, 3), [2, 2], "float64", Uint8Array.of(1, 0, 1, 1));
  const { data } = picture(array);
  assertEquals([0, 1, 2, 3].map((i) => data[4 * i + 3]), [255, 0, 0, 255]);
  assertEquals(withoutAlpha(colourRows(array)).channels, 4);
  const solid = rasterOf(
    withoutAlpha(colourRows(ndarray(f64(0, 1), [1, 2], "float64"), { colormap: "gray" })),
  );
  assertEquals([solid.channels, ...solid.data], [3, 0, 0, 0, 255, 255, 255]);
  assertEquals([...grayPicture(array).data], [0, 65535, 0, 0, 0, 0, 65535, 65535]);
  assertEquals([...grayPicture(ndarray(f64(0, 1), [2], "float64")).data], [0, 65535]);
});

Deno.test("signed puts zero in the middle", () => {
  const { data } = picture(ndarray(f64(-1, 0, 4), [3], "float64"), { colormap: "signed" });
  const table = colourTable("signed");
  assertEquals([...data.subarray(4, 7)], [...table.subarray(3 * 128, 3 * 128 + 3)]);
});

Deno.test("many images make a sheet with every sample once, in order", () => {
  for (let images = 1; images <= 7; images++) {
    const values = Float64Array.from({ length: images * 6 }, (_, i) => i + 1);
    const { width, height, data } = grayPicture(ndarray(values, [images, 2, 3], "float64"), {
      range: [0, 65535],
    });
    const channels = data.length / (width * height);
    const shown = [...data].filter((_, i) => i % channels === 0).filter((v) => v > 0);
    assertEquals(shown.toSorted((a, b) => a - b), [...values]);
    assertEquals([...data.subarray(0, 1), data[channels], data[2 * channels]], [1, 2, 3]);
    if (channels === 2) {
      const opaque = [...data].filter((_, i) => i % 2 === 1).filter((a) => a > 0);
      assertEquals(opaque.length, values.length);
    }
  }
});

Deno.test("an array without samples cannot be shown", () => {
  assertThrows(() => picture(ndarray(f64(), [0, 4], "float64")), TilewiseError, "no samples");
});
