/** `read` gives the samples that a plain look at every index gives, in any dtype and for any selection. */

import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import "../../fences/mod.ts";
import { StoredDataset } from "../../../src/dataset/dataset.ts";
import { TilewiseError } from "../../../src/errors.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { ravel, sizeOf } from "../../../src/space/shape.ts";
import { read } from "../../../src/udf/run/read.ts";
import { memoryScan } from "../data.ts";

/** One entry of a selection, and what it means in a dimension of `n` entries. */
interface Entry {
  readonly written: number | string;
  readonly indices: readonly number[];
  readonly kept: boolean;
}

function entry(n: number): fc.Arbitrary<Entry> {
  const index = fc.integer({ min: -n, max: n - 1 }).map((i): Entry => {
    return { written: i, indices: [i < 0 ? i + n : i], kept: false };
  });
  const range = fc.tuple(
    fc.integer({ min: 0, max: n }),
    fc.integer({ min: 0, max: n }),
    fc.integer({ min: 1, max: 3 }),
  )
    .map(([a, b, step]): Entry => {
      const [start, stop] = [Math.min(a, b), Math.max(a, b)];
      const indices = Array.from({ length: n }, (_, i) => i).slice(start, stop).filter((_, i) =>
        i % step === 0
      );
      return { written: step === 1 ? `${start}:${stop}` : `${start}:${stop}:${step}`, indices, kept: true };
    });
  const all: Entry = { written: ":", indices: Array.from({ length: n }, (_, i) => i), kept: true };
  return fc.oneof(index, range, fc.constant(all));
}

const cases = fc.record({
  nav: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 }),
  sig: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 2 }),
  dtype: fc.constantFrom<DType>("uint8", "int16", "float32", "complex64"),
}).chain(({ nav, sig, dtype }) =>
  fc.record({
    nav: fc.constant(nav),
    sig: fc.constant(sig),
    dtype: fc.constant(dtype),
    entries: fc.tuple(...[...nav, ...sig].map(entry)),
    left: fc.boolean(),
  })
);

/** Every combination of the indices, the last dimension fastest. */
function combinations(lists: readonly (readonly number[])[]): number[][] {
  return lists.reduce<number[][]>((some, list) => some.flatMap((one) => list.map((i) => [...one, i])), [[]]);
}

Deno.test("any selection is what a look at every index gives", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ nav, sig, dtype, entries, left }) => {
      const shape = [...nav, ...sig];
      const units = dtype === "complex64" ? 2 : 1;
      const values = Array.from({ length: sizeOf(shape) * units }, (_, i) => i % 120);
      const whole = (all: readonly Entry[]) =>
        all.filter(({ written }, i) => i < all.length - 1 || written !== ":");
      const written = (left ? whole(entries) : entries).map((one) => one.written);
      const scan = memoryScan(values, nav, sig, dtype);
      const found = await read(scan, left ? written.join(", ") : written);
      const expected = combinations(entries.map(({ indices }) => indices)).flatMap((at) => {
        const first = ravel(at, shape) * units;
        return values.slice(first, first + units);
      });
      assertEquals(found.dtype, dtype);
      assertEquals(found.shape, entries.filter(({ kept }) => kept).map(({ indices }) => indices.length));
      assertEquals(Array.from(found.data, Number), expected);
    }),
    { seed: 12, numRuns: 150 },
  );
});

Deno.test("positions without an image are not valid, and NaN where a type has it, whatever the plan leaves out", async () => {
  for (const [dtype, none] of [["uint8", 0], ["float32", NaN]] as const) {
    const samples = Array.from({ length: 12 }, (_, i) => i + 1);
    const late = memoryScan(samples, [2, 3], [1, 2], dtype, { syncOffset: -1, images: 6 });
    const without = new StoredDataset({
      ...memoryScan(samples, [2, 3], [1, 2], dtype),
      valid: Uint8Array.of(0, 1, 1, 1, 1, 1),
    });
    for (const [scan, first] of [[late, 1], [without, 3]] as const) {
      const row = await read(scan, "0");
      const rest = [0, 1, 2, 3].map((i) => first + i);
      assertEquals([[...row.data], [...row.valid ?? []]], [[none, none, ...rest], [0, 1, 1]]);
      const blank = await read(scan, [0, 0]);
      assertEquals([[...blank.data], [...blank.valid ?? []]], [[none, none], [0, 0]]);
      assertEquals((await read(scan, [1, 1])).valid, undefined);
    }
  }
});

Deno.test("what lies outside, or is not a selection, is refused", async () => {
  const scan = memoryScan(new Uint8Array(24), [2, 3], [2, 2], "uint8");
  const wrong: readonly (readonly [unknown, string])[] = [
    ["2", "2 lies beyond its last index there, 1"],
    ["0, 0, 0, 0, 0", "the data set is 2 × 3 × 2 × 2"],
    ["0:9", "9 lies beyond its end there, 2"],
    ["x", 'Cannot read the range "x"'],
    [{}, "write an entry for each dimension"],
    [[null], "write an entry for each dimension"],
  ];
  for (const [selection, message] of wrong) {
    await assertRejects(() => read(scan, selection as never), TilewiseError, message);
  }
});
