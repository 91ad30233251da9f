/** Textures hold the numbers: what a shader reads is what the array has. */

import { assert, assertEquals } from "@std/assert";
import { ndarray } from "@tilewise/tilewise/arrays";
import type { NDArray } from "@tilewise/tilewise";
import { DrawnImage } from "../../../web/draw/drawn.ts";
import { asFloats, fragmentShader } from "../../../web/draw/shaders.ts";
import type { NumberTexture } from "../../../web/draw/texture.ts";
import { floats, shown } from "./made.ts";

/** The numbers of a texture, as the shaders read them but in double precision. */
function numbersOf({ kind, width, height, data, factor }: NumberTexture): number[] {
  const bits = data instanceof Uint32Array
    ? new Float32Array(data.buffer, data.byteOffset, data.length)
    : data;
  return Array.from(
    { length: width * height },
    (_, i) => (kind === "double" ? bits[2 * i]! + bits[2 * i + 1]! : bits[i]!) / factor,
  );
}

function textureOf(array: NDArray, n = 1): NumberTexture {
  return new DrawnImage(shown(array)).textures(n)[0]!;
}

Deno.test("small integers and 32-bit floats travel without a copy", () => {
  const cases = [
    ndarray(Uint8Array.of(1, 2, 255, 0), [2, 2], "uint8"),
    ndarray(Int8Array.of(1, -2, 127, -128), [2, 2], "int8"),
    ndarray(Uint16Array.of(1, 2, 65535, 0), [2, 2], "uint16"),
    ndarray(Int16Array.of(1, -2, 32767, -32768), [2, 2], "int16"),
    ndarray(Float32Array.of(1.5, NaN, -Infinity, 0), [2, 2], "float32"),
  ];
  for (const array of cases) {
    const texture = textureOf(array);
    assert(texture.data.buffer === array.data.buffer, array.dtype);
    assertEquals(numbersOf(texture), Array.from(array.data as Float32Array));
  }
});

Deno.test("shared memory is copied, and only the samples of the image", () => {
  const data = new Uint16Array(new SharedArrayBuffer(64)).subarray(4, 10);
  data.set([1, 2, 3, 4, 5, 6]);
  const texture = textureOf(ndarray(data, [2, 3], "uint16"));
  assert(texture.data.buffer instanceof ArrayBuffer);
  assertEquals(numbersOf(texture), [1, 2, 3, 4, 5, 6]);
});

Deno.test("entries that are not valid are NaN", () => {
  const array = ndarray(Uint16Array.of(7, 8), [1, 2], "uint16", Uint8Array.of(1, 0));
  const texture = textureOf(array);
  assertEquals([texture.kind, numbersOf(texture)], ["float", [7, NaN]]);
});

Deno.test("large numbers keep 48 bits, and huge or tiny ones their scale", () => {
  const near = (base: number) => floats(2, 3, (y, x) => base + y + x / 8);
  assertEquals(numbersOf(textureOf(near(1e9))), Array.from(near(1e9).data as Float64Array));
  for (const size of [1e300, 1e-200]) {
    const array = floats(1, 3, (_, x) => size * (1 + x / 3));
    const texture = textureOf(array);
    assert(texture.factor !== 1);
    numbersOf(texture).forEach((value, i) => {
      const wanted = Number(array.data[i]);
      assert(Math.abs(value - wanted) <= wanted * 2 ** -46);
    });
  }
  const big = textureOf(ndarray(BigInt64Array.of(2n ** 40n + 1n, -5n), [1, 2], "int64"));
  assertEquals(numbersOf(big), [2 ** 40 + 1, -5]);
});

Deno.test("directions have two textures with one factor", () => {
  const array = ndarray(Float64Array.of(1e200, 1e100, 3, 4), [1, 2], "complex128");
  const [down, right] = new DrawnImage(shown(array)).textures(1);
  assertEquals(down!.factor, right!.factor);
});

Deno.test("means have the size of the reduced image", () => {
  const { width, height } = textureOf(floats(5, 9, (y, x) => y * x), 4);
  assertEquals([height, width], [2, 3]);
});

Deno.test("the sum of the two floats of a limit is the limit", () => {
  for (const value of [0, 1e9 + 0.125, -3.7, 65535]) {
    const [high, low] = asFloats(value);
    assertEquals([Math.fround(high), high + low], [high, value]);
  }
  assertEquals(asFloats(1e300)[1], 0);
});

Deno.test("shaders have no names left to fill in", () => {
  for (const kind of ["unsigned", "signed", "float", "double"] as const) {
    for (const isVector of [false, true]) {
      const source = fragmentShader(kind, isVector);
      assert(!/\b(READ|PLANE|BASE|COLOUR)\b/.test(source) && source.startsWith("#version 300 es\n"));
    }
  }
});
