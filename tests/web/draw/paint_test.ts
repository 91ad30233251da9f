/** Painted pixels: the same as pictures of files, and independent of how arrays lie in memory. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ndarray } from "@tilewise/tilewise/arrays";
import type { DType } from "@tilewise/tilewise/views";
import type { NDArray } from "@tilewise/tilewise";
import { COLORMAPS, picture, vectorPicture } from "../../../src/pictures/mod.ts";
import { DTYPES, zeros } from "../../../src/space/dtype.ts";
import { DrawnImage } from "../../../web/draw/drawn.ts";
import { indicesAlong } from "../../../web/draw/look.ts";
import { coloursOf, paint } from "../../../web/draw/paint.ts";
import type { Shown } from "../../../web/draw/numbers.ts";
import type { Display } from "../../../web/state/state.ts";
import { shown, WHOLE } from "./made.ts";

/** One pixel per sample, or per mean. */
function painted(image: Shown, display: Display, n = 1): Uint8ClampedArray {
  const drawn = new DrawnImage(image);
  const planes = drawn.reduced(n);
  const along = (count: number, size: number) => indicesAlong(count, (size - 1) / 2, 1, size, 1);
  const pixels = new Uint8ClampedArray(4 * planes.width * planes.height);
  const colours = coloursOf(display, drawn.limits(display), drawn.directions);
  paint(pixels, planes, along(planes.height, planes.height), along(planes.width, planes.width), colours);
  return pixels;
}

const REAL = DTYPES.filter((dtype) => !/complex|float16/.test(dtype));

function randomArray(dtype: DType, rows: number, columns: number, seed: number, masked: boolean): NDArray {
  const each = dtype.startsWith("complex") ? 2 : 1;
  const data = zeros(dtype, rows * columns * each);
  let state = seed;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let i = 0; i < data.length; i++) {
    const whole = dtype === "bool" ? Math.round(random()) : Math.floor(random() * 100);
    const value = /float|complex/.test(dtype) ? (random() < 0.05 ? NaN : random() * 200 - 100) : whole;
    if (data instanceof BigInt64Array || data instanceof BigUint64Array) data[i] = BigInt(whole);
    else data[i] = value;
  }
  const valid = Uint8Array.from({ length: rows * columns }, () => +(random() < 0.8));
  return ndarray(data, [rows, columns], dtype, masked ? valid : undefined);
}

Deno.test("any array is painted as picture() paints it", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...REAL),
      fc.constantFrom(...COLORMAPS),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(),
      fc.boolean(),
      fc.constantFrom([0, 100] as const, [5, 90] as const),
      (dtype, colormap, rows, columns, seed, masked, percentile) => {
        const array = randomArray(dtype, rows, columns, seed, masked);
        const expected = picture(array, { colormap, percentile }).data;
        assertEquals([...painted(shown(array), { ...WHOLE, colormap, percentile })], [...expected]);
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("means are painted as picture() paints them", () => {
  const array = randomArray("uint16", 12, 10, 7, true);
  const display = { ...WHOLE, range: [0, 100] } as const;
  const expected = picture(array, { range: [0, 100] }, 30); // 12 × 10 samples as 6 × 5 pixels
  assertEquals([expected.height, expected.width], [6, 5]);
  assertEquals([...painted(shown(array), display, 2)], [...expected.data]);
});

Deno.test("vectors and complex numbers are painted as vectorPicture() paints them", () => {
  const [y, x] = [randomArray("float32", 7, 5, 1, true), randomArray("float32", 7, 5, 2, true)];
  const expected = [...vectorPicture(y, x).data];
  const { array: _, ...rest } = shown(y);
  assertEquals([...painted({ ...rest, y, x }, WHOLE)], expected);

  const pairs = new Float64Array(70);
  for (let i = 0; i < 35; i++) pairs.set([Number(x.data[i]), Number(y.data[i])], 2 * i);
  const valid = Uint8Array.from({ length: 35 }, (_, i) => y.valid![i]! & x.valid![i]!);
  assertEquals([...painted(shown(ndarray(pairs, [7, 5], "complex128", valid)), WHOLE)], expected);
});

Deno.test("strides do not change the picture", () => {
  const array = randomArray("float64", 4, 6, 3, false);
  const turned = { ...array, shape: [6, 4], stride: [1, 6] };
  const copy = ndarray(
    Float64Array.from({ length: 24 }, (_, i) => Number(array.data[(i % 4) * 6 + Math.floor(i / 4)])),
    [6, 4],
    "float64",
  );
  assertEquals([...painted(shown(turned), WHOLE)], [...painted(shown(copy), WHOLE)]);
});

Deno.test("a display from an address cannot break the picture", () => {
  const array = randomArray("float32", 5, 5, 3, false);
  const odd: Partial<Display>[] = [
    { colormap: "no such map" },
    { gamma: NaN },
    { gamma: -3 },
    { percentile: [90, 10] },
    { percentile: [NaN, 400] },
    { range: [5, -5] },
    { range: [NaN, 3] },
    { range: [3, 3] },
    { range: [-Infinity, Infinity] },
  ];
  for (const change of odd) {
    const pixels = painted(shown(array), { ...WHOLE, ...change });
    assert(pixels.some((value) => value !== 0), JSON.stringify(change));
  }
});
