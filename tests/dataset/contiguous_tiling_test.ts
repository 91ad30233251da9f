import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { isContiguous } from "../../src/space/box.ts";
import type { Shape } from "../../src/space/shape.ts";
import { negotiate, type NegotiationRequest } from "../../src/dataset/tiling/negotiate.ts";

const any = { name: "any order", method: "tile", contiguous: true } as const;

function ask(sigShape: Shape, more: Partial<NegotiationRequest> = {}): NegotiationRequest {
  return {
    sigShape,
    partitionFrames: 256,
    dtype: "uint16",
    readDType: "uint16",
    needsDecode: false,
    udfs: [any],
    ...more,
  };
}

const ROWS: readonly [string, NegotiationRequest, Shape][] = [
  ["small frames come several at a time", ask([256, 256]), [8, 256, 256]],
  ["the depth is a power of two", ask([200, 200]), [8, 200, 200]],
  ["a frame of the target comes alone", ask([512, 1024]), [1, 512, 1024]],
  ["a large frame comes in equal slabs", ask([2048, 2048]), [1, 256, 2048]],
  ["slabs are of about the same height", ask([1000, 1024]), [1, 500, 1024]],
  ["a partition bounds the depth", ask([16, 16], { partitionFrames: 7 }), [7, 16, 16]],
  ["rows stay whole", ask([4, 1 << 20]), [1, 1, 1 << 20]],
  ["one signal dimension is cut where it must", ask([1 << 21]), [1, 1 << 19]],
  ["planes first", ask([4, 1024, 512]), [1, 1, 1024, 512]],
  ["excluded pixels want whole frames", ask([2048, 2048], { excluded: [[5, 5]] }), [1, 2048, 2048]],
  ["so does a function that says so", ask([2048, 2048], { udfs: [any, { ...any, wholeFrames: true }] }), [
    1,
    2048,
    2048,
  ]],
  ["so does one that works by frame", ask([2048, 2048], { udfs: [{ ...any, method: "frame" }] }), [
    1,
    2048,
    2048,
  ]],
  ["so does a data set that decodes whole frames", ask([2048, 2048], { baseShape: [2048, 2048] }), [
    1,
    2048,
    2048,
  ]],
  ["the target is of stored bytes", ask([256, 256], { readDType: "float64", needsDecode: true }), [
    8,
    256,
    256,
  ]],
  ["the target can be set", ask([256, 256], { targetBytes: 4 << 20 }), [32, 256, 256]],
];

for (const [name, request, expected] of ROWS) {
  Deno.test(`contiguous tiles: ${name}`, () => assertEquals(negotiate(request).tileShape, expected));
}

Deno.test("one function with another wish, and the usual rules hold", () => {
  const other = { name: "other", method: "tile", totalBytes: "bestFit" } as const;
  assertEquals(negotiate(ask([256, 256], { udfs: [any, other] })).tileShape, [64, 32, 256]);
  const whole = { ...any, wholeFrames: true };
  assertEquals(negotiate(ask([256, 256], { udfs: [whole, other] })).tileShape, [8, 256, 256]);
});

Deno.test("contiguous tiles are one stretch of the file and no larger than asked", () => {
  const sigShape = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(sigShape, fc.integer({ min: 1, max: 9000 }), (shape, targetBytes) => {
      const { slices, depth, tileShape } = negotiate(ask(shape, { targetBytes }));
      assert(slices.every((slice) => isContiguous(slice, shape)));
      assert(depth === 1 || slices.length === 1);
      const bytes = 2 * tileShape.reduce((product, n) => product * n, 1);
      const row = 2 * shape.at(-1)!;
      assert(bytes <= Math.max(targetBytes, shape.length === 1 ? 2 : row), `${tileShape} at ${targetBytes}`);
    }),
    { numRuns: 2000, seed: 7 },
  );
});
