/** Pictures that are made row by row are what they are when made at once; larger ones show means. */

import { readBox } from "../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../src/dataset/dataset.ts";
import { open } from "../../src/formats/open.ts";
import { joinedBytes } from "../../src/space/bytes.ts";
import { wholeBox } from "../../src/space/box.ts";
import { assert, assertEquals } from "@std/assert";
import { inflateSync } from "node:zlib";
import { unzipSync } from "fflate";
import { colourTable } from "../../src/pictures/colours/colormap.ts";
import { imagesOf } from "../../src/pictures/images.ts";
import { arrayPieces } from "../../src/sinks/arrays/pieces.ts";
import { npyTarget } from "../../src/sinks/rows/npy.ts";
import { npzPieces } from "../../src/sinks/arrays/npz.ts";
import { numberReader } from "../../src/sinks/arrays/numbers.ts";
import { colourRows, grayRows, picture } from "../../src/pictures/picture.ts";
import { type Plane, planeOf, planeRows, reducedPlane, reductionOf } from "../../src/pictures/plane.ts";
import { encodePng, pngPieces } from "../../src/sinks/png/png.ts";
import { pixelBytes, rasterOf, withoutAlpha } from "../../src/sinks/png/raster.ts";
import { limitsIn, limitsOf, scaled } from "../../src/pictures/scale.ts";
import { tiffStack } from "../../src/sinks/rows/tiff.ts";
import { type NDArray, ndarray } from "../../src/space/ndarray.ts";
import { numbersOf } from "./numbers_of.ts";
import { readPng } from "./read_png.ts";

/** Values of both signs that follow from `seed`. */
function noise(length: number, seed = 7): Float64Array {
  let state = seed;
  return Float64Array.from({ length }, () => (state = Math.imul(state, 48271) + 11) / 2 ** 20);
}

const mask = (length: number) => Uint8Array.from({ length }, (_, i) => i % 5 === 3 ? 0 : 1);

const IMAGES: Readonly<Record<string, NDArray>> = {
  real: ndarray(noise(60), [6, 10], "float64"),
  complex: ndarray(noise(60), [5, 6], "complex128"),
  "big integers": ndarray(BigInt64Array.from(noise(60), (v) => BigInt(Math.round(v))), [6, 10], "int64"),
  "with holes": ndarray(noise(60), [6, 10], "float64", mask(60)),
  "of columns": { data: noise(60), shape: [6, 10], stride: [1, 6], dtype: "float64" },
  "from the end": { data: noise(60).reverse(), shape: [6, 5], stride: [10, 2], dtype: "float64" },
};

/** All at once: every number, then every pixel. */
function plainPicture(array: NDArray): Uint8Array {
  const values = numbersOf(array);
  const limits = limitsOf(values);
  return Uint8Array.from(
    [...values].flatMap((value) => {
      const colour = 3 * Math.round(255 * scaled(value, limits));
      return Number.isNaN(value)
        ? [0, 0, 0, 0]
        : [...colourTable("viridis").subarray(colour, colour + 3), 255];
    }),
  );
}

for (const [name, array] of Object.entries(IMAGES)) {
  Deno.test(`an image (${name}) has the same pixels row by row as at once`, () => {
    assertEquals(picture(array).data, plainPicture(array));
  });
}

Deno.test("numbers are the same from wherever one reads them", () => {
  for (const array of Object.values(IMAGES)) {
    const [all, read] = [numbersOf(array), numberReader(array)];
    for (let start = 0; start < all.length; start++) {
      for (const length of [1, 7, all.length - start]) {
        const into = new Float64Array(Math.min(length, all.length - start));
        read(start, into);
        assertEquals(into, all.slice(start, start + into.length));
      }
    }
  }
});

function* blocksOf(values: Float64Array, size: number): Generator<Float64Array> {
  for (let at = 0; at < values.length; at += size) yield values.subarray(at, at + size);
}

Deno.test("limits are the same whatever blocks the values come in, also those of a selection", () => {
  for (const count of [1000, 2 ** 20 + 1, 3 * 2 ** 20 + 5]) {
    const values = noise(count).map((v, i) => i % 9 === 4 ? NaN : v);
    const step = Math.ceil(count / 2 ** 20);
    const sorted = values.filter((v, i) => i % step === 0 && Number.isFinite(v)).sort();
    const expected = [
      sorted[Math.round(0.02 * (sorted.length - 1))],
      sorted[Math.round(0.9 * (sorted.length - 1))],
    ];
    for (const size of [count, 65536, 1001]) {
      assertEquals(
        limitsIn(blocksOf(values, size), count, { percentile: [2, 90] }),
        expected as [number, number],
      );
      assertEquals(limitsIn(blocksOf(values, size), count), limitsOf(values));
    }
  }
});

const valuesOf = (plane: Plane) => Array.from(planeRows(plane), (row) => [...row]);

Deno.test("a reduced picture shows means of blocks; NaN does not count, and blocks at the ends are smaller", () => {
  const image = ndarray(
    Float64Array.of(1, 3, 5, 7, NaN, 2, 6, NaN, NaN, NaN, 4, 8, 0, 10, NaN),
    [3, 5],
    "float64",
  );
  assertEquals(valuesOf(reducedPlane(planeOf(image), 2)), [[3, 6, NaN], [6, 5, NaN]]);
  assertEquals(valuesOf(reducedPlane(planeOf(image), 1)), valuesOf(planeOf(image)));
  const { width, height } = colourRows(image, {}, 6);
  assertEquals([width, height], [3, 2]);
  assertEquals([grayRows(image, {}, 6).channels, grayRows(image, {}, 15).width], [2, 5]);
});

Deno.test("a row does not keep what was in its memory where there is no number", () => {
  const image = ndarray(Float64Array.of(0, NaN, 1, NaN), [1, 4], "float64");
  for (const rows of [grayRows(image), colourRows(image)]) {
    const [clean, dirty] = [0, 255].map((byte) => new Uint8Array(4 * pixelBytes(rows)).fill(byte));
    rows.row(0, clean!);
    rows.row(0, dirty!);
    assertEquals(dirty, clean);
    const each = pixelBytes(rows);
    assertEquals([...dirty!.subarray(each, 2 * each)], new Array(each).fill(0)); // transparent
  }
});

Deno.test("the reduction is the smallest whose picture has no more pixels than it may", () => {
  assertEquals([[4096, 4096], [4096, 4097], [6000, 6000], [3, 2 ** 25], [0, 4]].map((s) => reductionOf(s)), [
    1,
    2,
    2,
    3,
    1,
  ]);
  assertEquals(reductionOf([4, 5, 5], 11 * 11), 1); // a sheet with a gap
  assertEquals(reductionOf([4, 5, 5], 11 * 11 - 1), 2);
});

Deno.test("a large PNG has chunks of one size, and the pixels of one written at once", async () => {
  const image = ndarray(noise(900 * 900), [900, 900], "float64");
  const pieces = await Array.fromAsync(pngPieces(withoutAlpha(colourRows(image))));
  const isData = (piece: Uint8Array) => String.fromCharCode(...piece.subarray(4, 8)) === "IDAT";
  const sizes = pieces.filter(isData).map(({ length }) => length - 12);
  assert(sizes.length > 1 && sizes.slice(0, -1).every((size) => size === 2 ** 20), `${sizes}`);
  const whole = await encodePng(rasterOf(withoutAlpha(colourRows(image))));
  const plain = plainPicture(image).filter((_, i) => i % 4 !== 3);
  for (const png of [joinedBytes(pieces), whole]) {
    const { samples } = readPng(png);
    assert(samples.length === plain.length && samples.every((sample, i) => sample === plain[i]));
  }
});

Deno.test("a PNG of many megapixels, which is packed by another stream, has the pixels of its rows", async () => {
  const [height, width] = [170, 25_000];
  const image = ndarray(noise(height * width), [height, width], "float64");
  for (const rows of [withoutAlpha(colourRows(image)), grayRows(image)]) {
    const pieces = await Array.fromAsync(pngPieces(rows));
    const packed = pieces.filter((piece) => String.fromCharCode(...piece.subarray(4, 8)) === "IDAT")
      .map((piece) => piece.subarray(8, -4));
    const lines = inflateSync(joinedBytes(packed));
    const pitch = width * pixelBytes(rows);
    const [line, above] = [new Uint8Array(pitch), new Uint8Array(pitch)];
    assertEquals(lines.length, height * (pitch + 1));
    for (let y = 0; y < height; y++) {
      const [type, ...found] = lines.subarray(y * (pitch + 1), (y + 1) * (pitch + 1));
      assertEquals(rows.fewColours ? type : 0, 0);
      rows.row(y, line);
      const expected = line.map((byte, i) => byte - [0, line[i - pixelBytes(rows)] ?? 0, above[i]!][type!]!);
      assert(expected.every((byte, i) => byte === found[i]), `row ${y}`);
      above.set(line);
    }
  }
});

Deno.test("arrays are written in pieces, with NaN where they are not valid", async () => {
  const array = ndarray(Float32Array.from(noise(600_000)), [1000, 600], "float32", mask(1000));
  const expected = Float32Array.from(numbersOf(array));
  const npy = [...arrayPieces(npyTarget, array)];
  assert(npy.length > 2 && npy.every(({ length }) => length <= 2 ** 20));
  assertEquals(new Float32Array(joinedBytes(npy).buffer, 128), expected);
  const npz = await Array.fromAsync(npzPieces({ a: array }));
  assert(npz.length > 4 && npz.every(({ length }) => length <= 2 ** 20));
  assertEquals(unzipSync(joinedBytes(npz))["a.npy"], joinedBytes(npy));
  const tiff = [...arrayPieces(tiffStack, array)];
  assert(tiff.every(({ length }) => length <= 2 ** 20));
  const { data } = await readBox(await open(joinedBytes(tiff)) as StoredDataset, wholeBox([1000, 600]));
  assertEquals(data, expected);
  const pairs = ndarray(noise(8), [4], "complex128", mask(4));
  assertEquals(
    [...new Float64Array(joinedBytes([...arrayPieces(npyTarget, pairs)]).buffer, 128)].map(Number.isNaN),
    [false, false, false, false, false, false, true, true],
  );
});

Deno.test("entries of scan positions are shown as images of the scan, with their masks", () => {
  const shapes = { navShape: [2, 3], sigShape: [4, 4] };
  const data = noise(24);
  const at = (e: number, p: number) => data[4 * p + e]!;
  for (const valid of [undefined, mask(6), mask(24)]) {
    const images = imagesOf(ndarray(data, [2, 3, 4], "float64", valid), shapes)!;
    const shown = (p: number, e: number) => !valid || valid[valid.length === 6 ? p : 4 * p + e] === 1;
    const expected = [0, 1, 2, 3].flatMap((e) => [0, 1, 2, 3, 4, 5].map((p) => shown(p, e) ? at(e, p) : NaN));
    assertEquals([images.shape, [...numbersOf(images)]], [[4, 2, 3], expected]);
  }
});
