import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../src/errors.ts";
import { isDense, samplesOf, stridedView, viewBox, viewOf } from "../../src/memory/strided.ts";
import { box } from "../../src/space/box.ts";
import { flipped, transposed } from "./views.ts";

const numbers = Int16Array.from({ length: 24 }, (_, i) => i);
const cube = () => viewOf(numbers, "int16", [2, 3, 4]);

Deno.test("a view is never outside its memory", () => {
  const strides = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 2, maxLength: 2 });
  const shapes = fc.array(fc.nat(4), { minLength: 2, maxLength: 2 });
  fc.assert(
    fc.property(fc.integer({ min: -5, max: 70 }), shapes, strides, (pointer, shape, [a, b]) => {
      const [h, w] = [shape[0]!, shape[1]!];
      let inside = true;
      for (let y = 0; y < h; y++) {
        for (let x = 0; x < w; x++) {
          const at = pointer + y * a! + x * b!;
          inside &&= at >= 0 && at + 2 <= 64;
        }
      }
      const make = () => stridedView(new ArrayBuffer(64), pointer, "int16", shape, [a!, b!]);
      if (inside) make();
      else assertEquals(assertThrows(make, TilewiseError).code, "invalid");
    }),
    { seed: 11, numRuns: 3000 },
  );
});

Deno.test("a view of something else than counts is refused", () => {
  const { buffer } = numbers;
  const wrong = [
    () => stridedView(buffer, 0.5, "int16", [1]),
    () => stridedView(buffer, 0, "int16", [1], [1.5]),
    () => stridedView(buffer, 0, "int16", [1], []),
    () => stridedView(buffer, 0, "int16", [-1]),
    () => viewOf(numbers, "int16", [5, 5]),
    () => viewOf(numbers, "int16", [2]),
    () => viewBox(cube(), box([0, 0, 1], [2, 3, 4])),
  ];
  for (const make of wrong) assertThrows(make, TilewiseError);
});

Deno.test("boxes, other orders and mirrors are views of the same samples", () => {
  assertEquals([...samplesOf(viewBox(cube(), box([1, 1, 1], [1, 2, 2])))], [17, 18, 21, 22]);
  assertEquals([...samplesOf(transposed(viewBox(cube(), box([0, 0, 0], [1, 2, 3])), [2, 0, 1]))], [
    0,
    4,
    1,
    5,
    2,
    6,
  ]);
  assertEquals([...samplesOf(flipped(viewBox(cube(), box([0, 2, 0], [2, 1, 2])), 2))], [9, 8, 21, 20]);
  assertEquals([...samplesOf(flipped(flipped(cube(), 1), 1))], [...numbers]);
});

Deno.test("dense samples are the memory itself, others a copy", () => {
  const dense = samplesOf(viewBox(cube(), box([1, 0, 0], [1, 3, 4])));
  assert(dense.buffer === numbers.buffer && dense.byteOffset === 24);
  assert(samplesOf(viewBox(cube(), box([0, 0, 0], [2, 3, 3]))).buffer !== numbers.buffer);
  assert(samplesOf(stridedView(numbers.buffer, 1, "int16", [2])).buffer !== numbers.buffer);
  assertEquals(samplesOf(stridedView(numbers.buffer, 48, "int16", [0])).length, 0);
});

Deno.test("dense is what has no gaps; a dimension of one sample has none", () => {
  const { buffer } = numbers;
  assert(isDense(cube()) && isDense(stridedView(buffer, 0, "int16", [1, 4], [999, 2])));
  assert(!isDense(transposed(cube(), [1, 0, 2])) && !isDense(flipped(cube(), 0)));
  assert(!isDense(stridedView(buffer, 0, "int16", [2, 3], [8, 2])));
  assert(isDense(stridedView(buffer, 0, "int16", [])));
});

Deno.test("complex samples are pairs", () => {
  const pairs = new Float32Array([1, 2, 3, 4, 5, 6]);
  const view = viewOf(pairs, "complex64", [3]);
  assertEquals([...samplesOf(flipped(view, 0))], [5, 6, 3, 4, 1, 2]);
});
