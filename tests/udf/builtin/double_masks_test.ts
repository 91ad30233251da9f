/** Masks of float64 keep their digits, whatever the frames are made of, and masks that float32 holds stay fast. */

import { assert, assertEquals } from "@std/assert";
import { type DType, type TypedArray, zeros } from "../../../src/space/dtype.ts";
import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { auxData } from "../../../src/udf/interface/aux_data.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { WeightSizes } from "../../../src/udf/builtin/masks/multiply.ts";
import type { MaskOptions } from "../../../src/udf/builtin/masks/mask.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { UdfMeta } from "../../../src/udf/interface/udf.ts";
import { csrScan } from "../csr_data.ts";
import { memoryScan, numbers } from "../data.ts";

const NAV = [2, 3], SIG = [9, 13], PIXELS = 117, FRAMES = 6;
const VALUES = Float64Array.from(
  { length: FRAMES * PIXELS * 2 },
  (_, i) => (i * i * 7 + 3 * i) % 101 % 4 * 9,
);

/** Weights that float32 cannot hold: thirds, some of them 0. */
function thirds(dtype: DType, share: number): NDArray {
  const data = zeros(dtype, PIXELS) as Float64Array;
  for (let i = 0; i < data.length; i++) data[i] = (i * 37) % 100 < 100 * share ? (i % 7 - 3.5) / 3 : 0;
  return ndarray(data as TypedArray, SIG, dtype);
}

/** Products in float64, as (re, im) of each frame and mask; complex masks and frames are pairs. */
function products(dtype: DType, masks: readonly NDArray[], row = 0): { sums: number[]; size: number } {
  const part = (data: ArrayLike<number | bigint>, isPair: boolean, p: number) =>
    isPair ? [Number(data[2 * p]), Number(data[2 * p + 1])] as const : [Number(data[p]), 0] as const;
  let size = 0;
  const sums: number[] = [];
  const isPair = dtype === "complex64";
  for (let f = 0; f < FRAMES; f++) {
    const frame = VALUES.subarray(f * PIXELS * (isPair ? 2 : 1));
    for (const mask of masks) {
      let re = 0, im = 0;
      for (let p = row * SIG[1]!; p < PIXELS; p++) {
        const [x, y] = part(frame, isPair, p);
        const [a, b] = part(mask.data, mask.dtype === "complex128", p - row * SIG[1]!);
        re += x * a - y * b;
        im += x * b + y * a;
        size = Math.max(size, (Math.abs(x) + Math.abs(y)) * (Math.abs(a) + Math.abs(b)));
      }
      sums.push(re, im);
    }
  }
  return { sums, size: size * PIXELS };
}

async function compute(scan: StoredDataset, options: MaskOptions): Promise<number[]> {
  await using context = createContext({ memory: 64 * 2 ** 20, workers: 0 });
  const { intensity } = (await run(await plan(scan, { it: applyMasks(options) }, { context }))).it!;
  const found = numbers(intensity!.data);
  return intensity!.dtype === "complex128" ? found : found.flatMap((re) => [re, 0]);
}

function assertNear(
  found: readonly number[],
  { sums, size }: ReturnType<typeof products>,
  text: string,
): void {
  assertEquals(found.length, sums.length, text);
  const odd = found.findIndex((x, i) => !(Math.abs(x - sums[i]!) <= 4e-16 * size));
  assert(odd < 0, `${text}: number ${odd} is ${found[odd]}, not ${sums[odd]}`);
}

const DTYPES: readonly DType[] = [
  "bool",
  "uint8",
  "int8",
  "uint16",
  "int16",
  "int32",
  "float32",
  "float64",
  "complex64",
];

for (const dtype of DTYPES) {
  const values = dtype === "bool" ? VALUES.map((v) => Number(v > 0)) : VALUES;
  Deno.test(`${dtype} frames: products with masks of float64 have the digits of float64`, async () => {
    const count = FRAMES * PIXELS * (dtype === "complex64" ? 2 : 1);
    const scans = [
      memoryScan(values.subarray(0, count), NAV, SIG, dtype, { images: FRAMES }),
      memoryScan(values.subarray(0, count), NAV, SIG, dtype, { images: FRAMES, order: "big" }),
      ...(dtype === "complex64" || dtype === "bool"
        ? []
        : [csrScan(values.subarray(0, count), NAV, SIG, dtype)]),
    ];
    for (const [s, scan] of scans.entries()) {
      for (const share of [1, 0.15, 0.02]) {
        for (const kinds of [["float64"], ["float64", "complex128", "float64"]] as const) {
          const masks = kinds.map((kind) => thirds(kind, share));
          const of = dtype === "bool" ? unitProducts(masks) : products(dtype, masks);
          for (const useSparse of ["auto", true, false] as const) {
            const text = `scan ${s}, ${kinds.join(", ")}, share ${share}, sparse ${useSparse}`;
            assertNear(await compute(scan, { masks, useSparse }), of, text);
          }
        }
      }
    }
  });
}

/** Of truth values: the products are sums of weights. */
function unitProducts(masks: readonly NDArray[]): ReturnType<typeof products> {
  const sums = Array.from({ length: FRAMES }, (_, f) =>
    masks.flatMap(({ data, dtype }) => {
      const step = dtype === "complex128" ? 2 : 1;
      let [re, im] = [0, 0];
      for (let p = 0; p < PIXELS; p++) {
        if (VALUES[f * PIXELS + p] === 0) continue;
        re += Number(data[step * p]);
        im += step === 2 ? Number(data[2 * p + 1]) : 0;
      }
      return [re, im];
    })).flat();
  return { sums, size: 2 * PIXELS };
}

Deno.test("masks of float64 that move from frame to frame keep their digits", async () => {
  const scan = memoryScan(VALUES.subarray(0, FRAMES * PIXELS), NAV, SIG, "uint16", { images: FRAMES });
  const shifts = auxData(Float64Array.from({ length: 2 * FRAMES }, (_, i) => i % 2 ? 0 : 2), {
    extraShape: [2],
  });
  const masks = [thirds("float64", 1)];
  assertNear(await compute(scan, { masks, shifts }), products("uint16", masks, 2), "moving");
  assertNear(await compute(scan, { masks, shifts: [2, 0] }), products("uint16", masks, 2), "moved");
});

Deno.test("weights that float32 holds are multiplied in float32, others in float64, all masks of a stack alike", () => {
  const meta = (nativeDType: DType) => ({ nativeDType }) as UdfMeta;
  const stackType = (rows: readonly { readonly values: ArrayLike<number> }[], meta: UdfMeta) => {
    const sizes = new WeightSizes(meta);
    for (const { values } of rows) sizes.add(values);
    return sizes.type;
  };
  const of = (...masks: number[][]) => masks.map((mask) => ({ values: Float64Array.from(mask) }));
  for (const dtype of ["uint8", "uint16", "float32", "complex64"] as const) {
    const whole = dtype.startsWith("u") ? Int16Array : Float32Array;
    assertEquals(stackType(of([0, 1, -3]), meta(dtype)), whole);
    assertEquals(stackType(of([0.5, NaN, Infinity, -0, 2 ** -149, 1 + 2 ** -23]), meta(dtype)), Float32Array);
    assertEquals(stackType([{ values: Float32Array.of(0.1) }], meta(dtype)), Float32Array);
    assertEquals(stackType(of([0, 1], [0.1, 0]), meta(dtype)), Float64Array);
    assertEquals(stackType(of([2 ** 24 + 1]), meta(dtype)), Float64Array);
    assertEquals(stackType(of([1e39]), meta(dtype)), Float64Array);
  }
  assertEquals(stackType(of([0, 1]), meta("int32")), Float64Array);
});
