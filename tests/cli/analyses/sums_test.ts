import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { summing } from "../../../src/cli/sums.ts";
import { type DType, dtypeInfo, DTYPES, type TypedArray, zeros } from "../../../src/space/dtype.ts";

function summary(dtype: DType, ...blocks: TypedArray[]) {
  const sums = summing(dtype);
  for (const block of blocks) sums.add(block);
  return sums.summary();
}

const INTEGERS = DTYPES.filter((dtype) => "bui".includes(dtypeInfo(dtype).kind));

Deno.test("integer sums are exact for every dtype, wherever blocks end", () => {
  for (const dtype of INTEGERS) {
    const words = fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(words, fc.nat(20), (values, cut) => {
        const all = zeros(dtype, values.length);
        if (dtypeInfo(dtype).itemSize === 8) (all as BigInt64Array).set(values);
        else (all as Uint8Array).set(values.map(Number).map((v) => v % 2 ** 32));
        const exact = [...all].map(BigInt);
        const order = exact.toSorted((a, b) => a < b ? -1 : a > b ? 1 : 0);
        const found = summary(dtype, all.subarray(0, cut), all.subarray(cut));
        assertEquals(found.sum, exact.reduce((a, b) => a + b));
        assertEquals([BigInt(found.min!), BigInt(found.max!)], [order[0], order.at(-1)!]);
        assertEquals(found.count, values.length);
      }),
      { numRuns: 60, seed: 3 },
    );
  }
});

Deno.test("a sum far beyond 2^53 stays exact", () => {
  const block = new Uint32Array(3_000_000).fill(2 ** 32 - 1);
  assertEquals(summary("uint32", block, block).sum, 6_000_000n * (2n ** 32n - 1n));
  const wide = new BigUint64Array(2_200_000).fill(2n ** 64n - 1n);
  assertEquals(summary("uint64", wide).sum, 2_200_000n * (2n ** 64n - 1n));
  const low = new BigInt64Array(2_200_000).fill(-(2n ** 63n));
  assertEquals(summary("int64", low), {
    count: 2_200_000,
    sum: -2_200_000n * 2n ** 63n,
    min: -(2n ** 63n),
    max: -(2n ** 63n),
    mean: -(2 ** 63),
  });
});

Deno.test("float sums keep what a plain sum loses", () => {
  assertEquals(summary("float64", Float64Array.of(1, 1e100, 1, -1e100)).sum, 2);
  const thousandth = new Float64Array(1_000_000).fill(0.001);
  assert(Math.abs(summary("float64", thousandth).sum as number - 1000) < 1e-10);
});

Deno.test("NaN and infinities: in the sum, but not in min and max", () => {
  assertEquals(summary("float32", Float32Array.of(NaN, 2, -1)), {
    count: 3,
    sum: NaN,
    min: -1,
    max: 2,
    mean: NaN,
  });
  assertEquals(summary("float64", Float64Array.of(Infinity, 1)), {
    count: 2,
    sum: Infinity,
    min: 1,
    max: Infinity,
    mean: Infinity,
  });
  assertEquals(summary("float64", Float64Array.of(Infinity, -Infinity)).sum, NaN);
  assertEquals(summary("float16", Float16Array.of(NaN)).min, null);
  assertEquals(summary("float64", Float64Array.of(Infinity)).min, Infinity);
});

Deno.test("complex samples have a sum and a mean of two parts, and no order", () => {
  assertEquals(summary("complex64", Float32Array.of(1, 2, 3, -4)), {
    count: 2,
    sum: { re: 4, im: -2 },
    min: null,
    max: null,
    mean: { re: 2, im: -1 },
  });
});

Deno.test("no samples: sum 0, and nothing else", () => {
  for (const dtype of DTYPES) {
    const { count, min, max, mean } = summary(dtype, zeros(dtype, 0));
    assertEquals([count, min, max, mean], [0, null, null, null]);
  }
  assertEquals([summary("int8").sum, summary("float32").sum], [0n, 0]);
});
