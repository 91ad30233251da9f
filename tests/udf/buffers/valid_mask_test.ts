/** Which entries of results are valid: by default, with masks of their own, under regions; and helpers on masks. */

import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../../src/errors.ts";
import type { TypedArray } from "../../../src/space/dtype.ts";
import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import { sizeOf, unravel } from "../../../src/space/shape.ts";
import {
  broadcastMask,
  fullMask,
  type MaskInput,
  selectedRows,
  validBox,
  validRun,
} from "../../../src/space/valid.ts";
import { createContext } from "../../../src/runner/context.ts";
import { objectsOf } from "../../../src/udf/buffers/object_results.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { BufferSpec, Udf } from "../../../src/udf/interface/udf.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { withMask } from "../../../src/udf/interface/objects.ts";
import { goldenScan, numbers } from "../data.ts";

async function results(own: Partial<Udf>, options: PlanOptions = {}) {
  await using context = createContext({ workers: 0 });
  const ref = udf({ name: "own", buffers: {}, processFrame() {}, merge() {}, ...own });
  return (await run(await plan(goldenScan(), { own: ref }, { context, ...options }))).own!;
}

async function masked(spec: BufferSpec, mask: MaskInput, options?: PlanOptions): Promise<NDArray> {
  const length = sizeOf([
    ...(spec.kind === "nav" ? [12] : spec.kind === "sig" ? [20] : []),
    ...spec.extraShape ?? [],
  ]);
  const { x } = await results({
    buffers: { x: { ...spec, dtype: "float64" } },
    results: () => ({ x: withMask(new Float64Array(length).fill(2), mask) }),
  }, options);
  return x!;
}

Deno.test("by default nav results are valid where frames were merged, others everywhere", async () => {
  const kinds = { n: { kind: "nav" }, s: { kind: "sig" }, o: { kind: "single" } } as const;
  const { n, s, o } = await results({ buffers: kinds }, { roi: [[0, 1], [2, 3]] });
  assertEquals([...n!.valid!], [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  assertEquals([s!.valid, o!.valid], [undefined, undefined]);
});

Deno.test("positions that are not selected show the fill value of their type", async () => {
  const fills = { bool: 0, uint8: 0, int64: 0, float16: NaN, float32: NaN, complex64: NaN } as const;
  for (const [dtype, fill] of Object.entries(fills)) {
    const { x, y } = await results({
      buffers: {
        x: { kind: "nav", dtype: dtype as "bool" },
        y: { kind: "nav", dtype: dtype as "bool", use: "result" },
      },
      processFrame: (_, { x }) => void x!.fill((dtype === "int64" ? 1n : 1) as never),
      results: ({ x }) => ({ y: x!.map(() => (dtype === "int64" ? 1n : 1) as never) as TypedArray }),
    }, { roi: [[0, 1], [2, 3]] });
    const unit = dtype === "complex64" ? 2 : 1;
    const expected = Array.from({ length: 12 }, (_, i) => Array(unit).fill(i === 1 || i === 11 ? 1 : fill))
      .flat();
    assertEquals(numbers(x!.data), expected, dtype);
    assertEquals(numbers(y!.data), expected, dtype);
  }
  const listed = await results({
    buffers: { x: { kind: "nav", dtype: "object", use: "result" } },
    results: () => ({ x: Array(12).fill("here") }),
  }, { roi: [[1, 0]] });
  assertEquals(objectsOf(listed).x!.data.flatMap((value, i) => value === null ? [] : [i]), [4]);
});

Deno.test("a mask of its own is broadcast to the result", async () => {
  const nav: BufferSpec = { kind: "nav" };
  const first = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];
  for (
    const mask of [
      [true, false, false, false],
      Uint8Array.of(1, 0, 0, 0),
      [[true, false, false, false]],
      { data: Uint8Array.of(1, 0, 0, 0), shape: [1, 4] },
      ndarray(Uint8Array.from(first), [3, 4], "bool"),
      Uint8Array.from(first),
      first.map((on) => on === 1),
    ]
  ) assertEquals([...(await masked(nav, mask)).valid!], first);
  assertEquals([...(await masked(nav, [[true], [false], [true]])).valid!], [
    1,
    1,
    1,
    1,
    0,
    0,
    0,
    0,
    1,
    1,
    1,
    1,
  ]);
  assertEquals([...(await masked(nav, false)).valid!], Array(12).fill(0));
  assertEquals([...(await masked({ kind: "sig" }, true)).valid!], Array(20).fill(1));
  assertEquals([...(await masked({ kind: "single" }, [true])).valid!], [1]);
  const extra = await masked({ kind: "nav", extraShape: [2] }, [false, true]);
  assertEquals([extra.valid!.length, [...extra.valid!.subarray(0, 4)]], [24, [0, 1, 0, 1]]);
});

Deno.test("a mask of its own hides no number, and nothing beyond the region is valid", async () => {
  const some = await masked({ kind: "nav" }, [true, true, false, true], { roi: [[0, 1], [0, 2], [2, 3]] });
  assertEquals([...some.valid!], [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  assertEquals(numbers(some.data).map((v) => Number.isNaN(v) ? 0 : v), [0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
  const rows = await masked({ kind: "nav", extraShape: [2] }, [true, false], { roi: [[1, 1]] });
  assertEquals([...rows.valid!].flatMap((on, i) => on ? [i] : []), [10]);
});

Deno.test("a mask of its own hides no number of a position without an image; without one, floats have none there", async () => {
  await using context = createContext({ workers: 0 });
  const scan = goldenScan("uint16", { syncOffset: -2 }); // no image at the first two positions
  const own = (given: (data: Float64Array) => Float64Array | ReturnType<typeof withMask>) =>
    udf({
      name: "own",
      buffers: { x: { kind: "nav", dtype: "float64" } },
      processFrame() {},
      merge() {},
      results: () => ({ x: given(new Float64Array(12).fill(2)) }),
    } as Udf);
  const { bare, masked } = await run(
    await plan(scan, { bare: own((data) => data), masked: own((data) => withMask(data, true)) }, { context }),
  );
  assertEquals(numbers(bare!.x!.data), [NaN, NaN, ...new Array(10).fill(2)]);
  assertEquals(numbers(masked!.x!.data), new Array(12).fill(2));
});

Deno.test("objects have masks, too", async () => {
  const own = await results({
    buffers: { x: { kind: "sig", dtype: "object", use: "result" } },
    results: () => ({ x: withMask(Array(20).fill(1), [[true], [false], [false], [false]]) }),
  });
  assertEquals([...objectsOf(own).x!.valid!], [...Array(5).fill(1), ...Array(15).fill(0)]);
});

Deno.test("masks that are none are refused with both shapes", async () => {
  const bad: readonly [unknown, ...string[]][] = [
    [[true, false, true], "3", "3 × 4"],
    [[[true], [false]], "2 × 1", "3 × 4"],
    [[[[true]], [[true]]], "2 × 1 × 1"],
    [[1, 0, 1, 0], "1 in a mask", "truth value"],
    [Uint8Array.of(1, 2, 0, 0), "2 in a mask"],
    [new Float32Array(4), "not a mask"],
    [[[true, false], [true]], "rows"],
    [{ data: [true], shape: [2] }, "2", "1"],
    ["yes", `"yes" is not a mask`],
    [undefined, "undefined"],
  ];
  for (const [mask, ...words] of bad) {
    const error = await assertRejects(() => masked({ kind: "nav" }, mask as MaskInput), TilewiseError);
    assertEquals(error.code, "udf");
    for (const word of ["own", "invalid mask", ...words]) assertStringIncludes(error.message, word);
  }
});

Deno.test("broadcasting a mask is what indexing says", () => {
  const shapes = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 });
  const cases = shapes.chain((shape) =>
    fc.tuple(
      fc.constant(shape),
      fc.nat(shape.length),
      fc.array(fc.boolean(), { minLength: shape.length, maxLength: shape.length }),
      fc.infiniteStream(fc.boolean()),
    )
  );
  fc.assert(
    fc.property(cases, ([shape, lead, ones, stream]) => {
      const own = shape.slice(lead).map((n, d) => ones[d] ? 1 : n);
      const data = [...stream.take(sizeOf(own))];
      const full = broadcastMask({ data, shape: own }, shape);
      for (let i = 0; i < full.length; i++) {
        const at = unravel(i, shape).slice(lead).map((p, d) => own[d] === 1 ? 0 : p);
        assertEquals(full[i] === 1, data[at.reduce((flat, p, d) => flat * own[d]! + p, 0)]);
      }
    }),
    { seed: 1, numRuns: 200 },
  );
});

Deno.test("the box and the run of what is valid", () => {
  const bits = fc.array(fc.constantFrom(0, 1, 1, 1), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(bits, (list) => {
      const image = { shape: [3, 4], valid: Uint8Array.from(list) };
      const on = [...list.keys()].filter((i) => list[i]).map((i) => unravel(i, [3, 4]) as [number, number]);
      const { origin, shape } = validBox(image);
      const [ys, xs] = [on.map(([y]) => y), on.map(([, x]) => x)];
      const low = (n: number[]) => n.length ? Math.min(...n) : 0;
      const size = (n: number[]) => n.length ? Math.max(...n) - Math.min(...n) + 1 : 0;
      assertEquals([origin, shape], [[low(ys), low(xs)], [size(ys), size(xs)]]);
      for (const axis of [0, 1]) {
        const whole = Array.from(
          { length: [3, 4][axis]! },
          (_, k) => [...list.keys()].every((i) => unravel(i, [3, 4])[axis] !== k || list[i] === 1),
        );
        const start = whole.indexOf(true);
        const stop = whole.indexOf(false, start);
        assertEquals(
          validRun(image, axis),
          start < 0
            ? { start: whole.length, stop: whole.length }
            : { start, stop: stop < 0 ? whole.length : stop },
        );
      }
    }),
    { seed: 2, numRuns: 200 },
  );
  assertEquals(validRun({ shape: [2, 3] }, 1), { start: 0, stop: 3 });
  assertEquals(validBox({ shape: [2, 2, 3], valid: Uint8Array.of(0, 0, 1, 0) }), {
    origin: [1, 0, 0],
    shape: [1, 1, 3],
  });
  assertThrows(() => validRun({ shape: [2] }, 1), TilewiseError, "axis 1");
});

Deno.test("selected rows are those of the region, with their masks", async () => {
  const roi = [[0, 1], [0, 3], [2, 2]];
  const { x } = await results({
    buffers: { x: { kind: "nav", dtype: "complex64", extraShape: [2] } },
    processFrame: (frame, { x }) => void x!.fill(frame.positions[0]! as never),
  }, { roi });
  const rows = selectedRows(x!);
  assertEquals([rows.shape, numbers(rows.data)], [[3, 2], [1, 3, 10].flatMap((p) => Array(4).fill(p))]);
  assertEquals([...fullMask(rows)], Array(6).fill(1));
  const array = ndarray(Float64Array.of(1, 2, 3, 4), [2, 2], "float64", Uint8Array.of(1, 0, 0, 1));
  const second = selectedRows(array, Uint8Array.of(0, 1));
  assertEquals([numbers(second.data), second.shape, [...second.valid!]], [[3, 4], [1, 2], [0, 1]]);
  assertEquals(selectedRows(ndarray(Float64Array.of(1, 2), [2], "float64")).shape, [2]);
  assertThrows(() => selectedRows(array, new Uint8Array(3)), TilewiseError, "3 positions");
});
