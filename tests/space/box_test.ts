import { assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { type Box, box, boxEnd, boxSize, isContiguous, wholeBox } from "../../src/space/box.ts";
import { ravel, unravel } from "../../src/space/shape.ts";

/** All boxes inside `whole`, the empty ones included. */
function* boxes(whole: readonly number[]): Generator<Box> {
  const [n = 0, ...rest] = whole;
  if (whole.length === 0) return yield box([], []);
  for (const inner of boxes(rest)) {
    for (let start = 0; start <= n; start++) {
      for (let size = 0; start + size <= n; size++) {
        yield box([start, ...inner.origin], [size, ...inner.shape]);
      }
    }
  }
}

/** The flat indices of the samples in a box. */
function samples({ origin, shape }: Box, whole: readonly number[]): number[] {
  const count = shape.reduce((product, n) => product * n, 1);
  return Array.from(
    { length: count },
    (_, i) => ravel(unravel(i, shape).map((p, d) => p + origin[d]!), whole),
  );
}

Deno.test("a box is contiguous when its samples follow each other", () => {
  for (const whole of [[6], [3, 3], [2, 3, 2], [1, 3, 2], [2, 1, 3], [2, 2, 1]]) {
    for (const part of boxes(whole)) {
      const flat = samples(part, whole);
      const runs = flat.every((at, i) => i === 0 || at === flat[i - 1]! + 1);
      if (boxSize(part) > 0) assertEquals([part, isContiguous(part, whole)], [part, runs]);
    }
  }
});

Deno.test("boxes have an end and a size, and cover arrays", () => {
  const one = box([1, 2], [3, 4]);
  assertEquals([boxEnd(one), boxSize(one)], [[4, 6], 12]);
  assertEquals(wholeBox([3, 4]), box([0, 0], [3, 4]));
  assertEquals([boxSize(box([1, 1], [3, 0])), boxSize(box([], []))], [0, 1]);
});

Deno.test("a box has one origin and one size a dimension", () => {
  assertEquals(assertThrows(() => box([0], [1, 2]), TilewiseError).code, "invalid");
});
