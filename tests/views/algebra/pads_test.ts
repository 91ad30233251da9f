/** A view is `pad(array)[box]`: against NumPy, over plain arrays and frames, with halos and borders that differ by side and dimension. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { open } from "../../../src/formats/open.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { type Border, BORDERS } from "../../../src/space/border.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import { type Shape, sizeOf } from "../../../src/space/shape.ts";
import { arrayOf, type ArraySpec } from "../../../src/views/array.ts";
import { planViews } from "../../../src/views/plan.ts";
import { ViewReader } from "../../../src/views/view.ts";
import { memoryArray } from "../data.ts";
import CASES from "./pads.json" with { type: "json" };

const context = new RunContext({ memory: 1 << 20, workers: 0 });
const DTYPES = ["uint8", "int16", "uint32", "int64", "float16", "float32", "float64", "uint64"] as const;

/** One view of one array, whose samples count from 1. */
interface Case {
  readonly shape: Shape;
  readonly tile: Shape;
  readonly front: Shape;
  readonly back: Shape;
  readonly index: Shape;
  readonly borders: readonly string[];
  readonly fill: number;
}

/** The same samples as frames with headers, which are decoded first. */
async function framed(shape: Shape, dtype: DType, byteOrder: ByteOrder, navs: number): Promise<ArraySpec> {
  const plain = memoryArray(shape, dtype, undefined, byteOrder);
  const { source } = plain;
  assert("bytes" in source);
  const samples = (source.bytes as Uint8Array).slice(plain.offset);
  const [nav, sig] = [shape.slice(0, navs), shape.slice(navs)];
  const frame = sizeOf(sig) * dtypeInfo(dtype).itemSize;
  const bytes = new Uint8Array(sizeOf(nav) * (frame + 3));
  for (let f = 0; f < sizeOf(nav); f++) {
    bytes.set(samples.subarray(f * frame, (f + 1) * frame), f * (frame + 3) + 3);
  }
  const how = { format: "raw", dtype, byteOrder, nav, sig, frameHeaderBytes: 3 } as const;
  return arrayOf(await open(new File([bytes], "frames.raw"), how));
}

async function read(array: ArraySpec, { tile, front, back, borders, fill, index }: Case): Promise<number[]> {
  const options = { tile, radius: { front, back }, border: borders, fill, context };
  await using views = await ViewReader.open(planViews(array, options));
  using view = await views.read(index);
  return Array.from(view.data as ArrayLike<number | bigint>, Number);
}

Deno.test("views are those that NumPy pads and cuts out, for plain arrays and frames of several types", async () => {
  for (const [n, { data, ...one }] of CASES.entries()) {
    const [dtype, order] = [DTYPES[n % DTYPES.length]!, n % 3 === 0 ? "big" as const : "little" as const];
    const plain = memoryArray(one.shape, dtype, undefined, order);
    const frames = await framed(one.shape, dtype, order, n % one.shape.length);
    assertEquals(["source" in plain, "layout" in frames], [true, true]);
    for (const array of [plain, frames]) {
      assertEquals((await read(array, one)).join(" "), data, `${dtype} ${order} ${JSON.stringify(one)}`);
    }
  }
});

/** The view sample by sample, in steps that are too small to be wrong: each mode walks outwards from the array. */
function walked({ shape, tile, front, back, index, borders, fill }: Case): number[] {
  const lines = shape.map((n, d) => {
    const [before, after] = [front[d]!, tile[d]! * Math.ceil(n / tile[d]!) - n + back[d]!];
    const seen = walkedAxis(borders[d]! as Border, n, before, after);
    return seen.slice(index[d]! * tile[d]!, index[d]! * tile[d]! + front[d]! + tile[d]! + back[d]!);
  });
  return lines.reduce<(number | undefined)[]>(
    (flat, line, d) =>
      flat.flatMap((at) =>
        line.map((i) => at === undefined || i === undefined ? undefined : at * shape[d]! + i)
      ),
    [0],
  ).map((flat) => flat === undefined ? fill : flat + 1);
}

/** The indices that are seen along one dimension: one step after another away from the array, as a ball that bounces. */
function walkedAxis(border: Border, n: number, before: number, after: number): (number | undefined)[] {
  const walk = (start: number, step: number, count: number) => {
    const seen: (number | undefined)[] = [];
    for (let i = 0, at = start; i < count; i++) {
      if (border === "constant") seen.push(undefined);
      else if (border === "edge") seen.push(start);
      else {
        const next = at + step;
        const out = next < 0 || next >= n;
        if (border === "wrap") at = out ? (next < 0 ? n - 1 : 0) : next;
        else if (border === "symmetric" && out) step = -step; // sees the last sample twice
        else if (n > 1) {
          if (out) step = -step;
          at += step;
        }
        seen.push(at);
      }
    }
    return seen;
  };
  const inside = Array.from({ length: n }, (_, i) => i);
  return [...walk(0, -1, before).reverse(), ...inside, ...walk(n - 1, 1, after)];
}

Deno.test("the walk along a border is what NumPy makes", () => {
  for (const { data, ...one } of CASES) assertEquals(walked(one).join(" "), data, JSON.stringify(one));
});

Deno.test("a view is what a walk along its borders sees, for any rank up to 4, halo, border and type", async () => {
  const dimension = fc.record({
    n: fc.integer({ min: 1, max: 5 }),
    tile: fc.integer({ min: 1, max: 7 }),
    front: fc.oneof(fc.nat(3), fc.constant(12)),
    back: fc.nat(4),
    at: fc.nat(100),
    border: fc.constantFrom(...Object.keys(BORDERS)),
  });
  const input = fc.record({
    dimensions: fc.array(dimension, { minLength: 1, maxLength: 4 }),
    dtype: fc.constantFrom(...DTYPES),
    order: fc.constantFrom("little" as const, "big" as const),
    navs: fc.nat(3),
  });
  await fc.assert(
    fc.asyncProperty(input, async ({ dimensions, dtype, order, navs }) => {
      const all = <K extends keyof typeof dimensions[0]>(key: K) => dimensions.map((one) => one[key]);
      const [shape, tile] = [all("n"), all("tile")];
      const index = shape.map((n, d) => dimensions[d]!.at % Math.ceil(n / tile[d]!));
      const one = {
        shape,
        tile,
        front: all("front"),
        back: all("back"),
        index,
        borders: all("border"),
        fill: 7,
      };
      const size = sizeOf(tile.map((n, d) => n + one.front[d]! + one.back[d]!));
      fc.pre(size < 20_000);
      const array = navs === 0
        ? memoryArray(shape, dtype, (i) => i + 1, order)
        : await framed(shape, dtype, order, navs % shape.length);
      const expected = walked(one).map((value) => dtype === "uint8" ? value % 256 : value);
      assertEquals(await read(array, one), expected);
    }),
    { numRuns: 150 },
  );
  assertEquals(context.arena.used, 0);
});
