/** Variances and thresholds of samples far from 0 are those of the same samples near 0: exact, as the type holds both. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { OPERATIONS } from "../../../src/views/registry.ts";
import type { ViewOperation } from "../../../src/views/operations/operation.ts";
import { localThreshold } from "../../../src/views/operations/filters/local_threshold.ts";
import { localDeviation, localVariance } from "../../../src/views/operations/filters/local_variance.ts";
import { memoryArray } from "../data.ts";

/** Types, and how far from 0 samples are; their steps are powers of two, so that nothing is lost when they are moved. */
const FAR: readonly (readonly [dtype: DType, offset: number, step: number])[] = [
  ["uint8", 240, 1],
  ["uint16", 65500, 1],
  ["int16", -32760, 1],
  ["uint32", 4e9, 1],
  ["int32", -2147483640, 1],
  ["float32", 2 ** 23, 1],
  ["float32", -(2 ** 20), 2 ** -3],
  ["float64", 1e7, 2 ** -20],
  ["float64", 2 ** 40, 2 ** -12],
];

const SHAPES = [[23], [19, 17], [5, 7, 9]] as const;

/** Of a sample that has a window of its own with the rank of the array. */
const makes: Readonly<Record<string, (radius: number) => ViewOperation>> = {
  localVariance: (radius) => localVariance({ radius }),
  localDeviation: (radius) => localDeviation({ radius }),
  localThreshold: (radius) => localThreshold({ radius }),
  "localThreshold of a Gaussian": (radius) => localThreshold({ sigma: radius * 0.8 }),
};

for (const [name, make] of Object.entries(makes)) {
  Deno.test(`${name} does not depend on how far samples are from 0`, async () => {
    assert(Object.hasOwn(OPERATIONS, name.split(" ")[0]!));
    await using context = createContext({ workers: 0 });
    for (const [dtype, offset, step] of FAR) {
      for (const shape of SHAPES) {
        for (const radius of [1, 2]) {
          const sample = (i: number) => (i * 7919 % 13) * step;
          const near = memoryArray(shape, "float64", sample);
          const far = memoryArray(shape, dtype, (i) => offset + sample(i));
          const options = { border: "symmetric", context, tile: shape.map((n) => Math.ceil(n / 2)) } as const;
          const want = (await mapViews(near, make(radius), options)).data;
          const { data, dtype: type } = await mapViews(far, make(radius), options);
          const what = `${dtype} at ${offset}, ${shape}, radius ${radius}`;
          if (type === "bool") assertEquals(Array.from(data, Number), Array.from(want, Number), what);
          else {
            want.forEach((value, i) => {
              const off = Math.abs(Number(data[i]) - Number(value));
              const digits = type === "float32" ? 6e-8 : 4e-15;
              assert(off <= digits * Number(value), `${what}: ${data[i]}, not ${value}`);
            });
          }
        }
      }
    }
  });
}

Deno.test("equal samples have no variance and are not above their mean, in windows of any size", async () => {
  await using context = createContext({ workers: 0 });
  for (const dtype of ["float32", "float64", "int32", "uint16"] as const) {
    const array = memoryArray([60, 50], dtype, () => dtype.startsWith("float") ? 1e7 / 3 : 54321);
    for (const radius of [[1, 1], [20, 20]]) {
      const { data } = await mapViews(array, localVariance({ radius }), { context });
      assertEquals(Math.max(...Array.from(data, Number)), 0);
      for (const level of [{ radius }, { sigma: radius.map((r) => r * 0.7) }]) {
        const above = await mapViews(array, localThreshold(level), { context });
        assertEquals(Math.max(...Array.from(above.data, Number)), 0);
      }
    }
  }
});

/** The mean of squares of deviations from the mean, in two passes over the window. */
function varianceOf(values: readonly number[]): number {
  const meanOf = (some: readonly number[]) => some.reduce((sum, value) => sum + value, 0) / some.length;
  const mean = meanOf(values);
  return meanOf(values.map((value) => (value - mean) ** 2));
}

Deno.test("a sample far from all others costs no digits, wherever it stands in its window", async () => {
  await using context = createContext({ workers: 0 });
  const [height, width, radius] = [29, 31, 4];
  for (const dtype of ["int32", "float32", "float64"] as const) {
    const sample = (i: number) => i === 14 * width + 15 ? 2 ** 30 : i * 7919 % 101;
    const array = memoryArray([height, width], dtype, sample);
    const { data } = await mapViews(array, localVariance({ radius }), { context, border: "edge" });
    for (let y = radius; y < height - radius; y++) {
      for (let x = radius; x < width - radius; x++) {
        const window = Array.from({ length: 81 }, (_, k) => {
          return sample((y - radius + Math.floor(k / 9)) * width + x - radius + k % 9);
        });
        const [found, wanted] = [Number(data[y * width + x]), varianceOf(window)];
        const digits = dtype === "float32" ? 6e-8 : 1e-13;
        assert(
          Math.abs(found - wanted) <= digits * wanted,
          `${dtype} at ${y}, ${x}: ${found}, not ${wanted}`,
        );
      }
    }
  }
});

Deno.test("squares that no float64 holds are infinite, and infinite samples have no variance", async () => {
  await using context = createContext({ workers: 0 });
  const variances = async (at: number) => {
    const array = memoryArray([9, 20], "float64", (i) => i === 90 ? at : i % 7);
    const { data } = await mapViews(array, localVariance({ radius: 1 }), { context });
    return Array.from(data, Number);
  };
  const isBeside = (i: number) => Math.abs(Math.floor(i / 20) - 4) <= 1 && Math.abs(i % 20 - 10) <= 1;
  for (const [at, wanted] of [[1e200, Infinity], [-1e200, Infinity], [Infinity, NaN], [NaN, NaN]] as const) {
    (await variances(at)).forEach((found, i) => {
      if (isBeside(i)) assertEquals(found, wanted, `${at}: ${i}`);
      else assert(found > 0 && found < 20, `${at}: ${i}`);
    });
  }
});
