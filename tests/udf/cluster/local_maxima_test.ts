import "../../fences/mod.ts";
import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../../src/errors.ts";
import { type NDArray, ndarray, zeroArray } from "../../../src/space/ndarray.ts";
import { sizeOf, unravel } from "../../../src/space/shape.ts";
import { localMaxima, type LocalMaximaOptions } from "../../../src/udf/cluster/local_maxima.ts";
import golden from "./golden.json" with { type: "json" };
import { noise } from "./noise.ts";

interface SkimageOptions {
  readonly min_distance?: number;
  readonly num_peaks?: number;
  readonly threshold_abs?: number;
  readonly exclude_border?: boolean | number;
}

function translated(options: SkimageOptions): LocalMaximaOptions {
  const { min_distance, num_peaks, threshold_abs, exclude_border } = options;
  const entries = {
    minDistance: min_distance,
    count: num_peaks,
    threshold: threshold_abs,
    excludeBorder: exclude_border,
  };
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

Deno.test("the pixels that scikit-image finds", () => {
  for (const { shape, modulus, options, peaks } of golden.maxima) {
    const image = ndarray(noise(sizeOf(shape), modulus), shape, "float64");
    assertEquals(localMaxima(image, translated(options)), peaks, JSON.stringify([shape, options]));
  }
});

/** The definition: every pixel with every pixel, then one after another. */
function plain({ data, shape }: NDArray, distance: number, border: number): number[][] {
  const at = Array.from({ length: data.length }, (_, i) => unravel(i, shape));
  const far = (a: number[], b: number[]) => Math.max(...a.map((c, d) => Math.abs(c - b[d]!)));
  const value = (i: number) => Number(data[i]);
  const all = [...at.keys()];
  const best = all.filter((i) => all.every((k) => far(at[i]!, at[k]!) > distance || value(k) <= value(i)));
  const least = Math.min(...all.map(value));
  const order = best.filter((i) =>
    best.length < all.length && value(i) > least &&
    at[i]!.every((c, d) => c >= border && c < shape[d]! - border)
  ).sort((a, b) => value(b) - value(a) || a - b);
  const taken: number[][] = [];
  for (const i of order) if (taken.every((other) => far(other, at[i]!) >= distance)) taken.push(at[i]!);
  return taken;
}

Deno.test("the pixels of the definition, in one to three dimensions", () => {
  const shapes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 });
  const cases = shapes.chain((shape) =>
    fc.record({
      shape: fc.constant(shape),
      values: fc.array(fc.nat(5), { minLength: sizeOf(shape), maxLength: sizeOf(shape) }),
      distance: fc.integer({ min: 1, max: 3 }),
      border: fc.nat(2),
    })
  );
  fc.assert(
    fc.property(cases, ({ shape, values, distance, border }) => {
      const image = ndarray(Uint8Array.from(values), shape, "uint8");
      const options = { minDistance: distance, excludeBorder: border };
      assertEquals(localMaxima(image, options), plain(image, distance, border));
      assertEquals(localMaxima(image, { ...options, count: 2 }), plain(image, distance, border).slice(0, 2));
    }),
    { seed: 4, numRuns: 150 },
  );
});

Deno.test("constant images have no maxima, and NaN is darkest", () => {
  assertEquals(localMaxima(zeroArray([4, 4], "float32"), { excludeBorder: false }), []);
  const row = ndarray(Float64Array.of(NaN, 2, NaN, 1, 3), [5], "float64");
  assertEquals(localMaxima(row, { excludeBorder: false }), [[4], [1]]);
});

Deno.test("what cannot be searched is refused", () => {
  const image = zeroArray([4, 4], "uint8");
  for (const options of [{ minDistance: 0 }, { minDistance: 1.5 }, { count: -1 }, { excludeBorder: -1 }]) {
    assertThrows(() => localMaxima(image, options), TilewiseError, "whole numbers");
  }
  assertThrows(() => localMaxima(zeroArray([2], "complex64")), TilewiseError, "no order");
  assertThrows(() => localMaxima(zeroArray([], "uint8")), TilewiseError, "single number");
});

Deno.test("images of 64-bit integers have maxima, too", () => {
  const image = ndarray(BigInt64Array.of(0n, 0n, 0n, 0n, 7n, 0n, 0n, 0n, 0n), [3, 3], "int64");
  assertEquals(localMaxima(image), [[1, 1]]);
});
