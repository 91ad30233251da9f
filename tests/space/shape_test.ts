import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../src/errors.ts";
import {
  checkedProduct,
  parseShape,
  ravel,
  sameShape,
  showShape,
  sizeOf,
  stridesOf,
  unravel,
} from "../../src/space/shape.ts";

const EDGES = [8, 16, 31, 32, 33].flatMap((k) => [2 ** k - 1, 2 ** k, 2 ** k + 1]).concat([
  0,
  1,
  2,
  3,
  2 ** 53 - 1,
]);
const factors = fc.array(fc.constantFrom(...EDGES), { maxLength: 40 });
const limit = fc.constantFrom(0, 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER);

Deno.test("a product is exact or refused, at every edge", () => {
  fc.assert(
    fc.property(factors, limit, (factors, limit) => {
      const exact = factors.reduce((product, factor) => product * BigInt(factor), 1n);
      const found = (() => {
        try {
          return checkedProduct(factors, "it", limit);
        } catch (error) {
          assert(error instanceof TilewiseError && error.code === "overflow");
          return "overflow";
        }
      })();
      assertEquals(found, exact <= BigInt(limit) || exact === 0n ? Number(exact) : "overflow");
    }),
    { seed: 6, numRuns: 20_000 },
  );
});

Deno.test("what is not a count has no product", () => {
  for (const bad of [-1, 0.5, NaN, Infinity, 2 ** 53]) {
    for (const factors of [[bad], [0, bad], [bad, 0], [3, bad, 2]]) {
      assertEquals(assertThrows(() => checkedProduct(factors, "it"), TilewiseError).code, "overflow");
    }
  }
});

Deno.test("flat indices and positions are each other's inverse, in row-major order", () => {
  for (const shape of [[], [1], [5], [2, 3], [3, 1, 2], [2, 3, 4, 2]]) {
    const strides = stridesOf(shape);
    let last: number[] = [];
    for (let flat = 0; flat < sizeOf(shape); flat++) {
      const position = unravel(flat, shape);
      assertEquals(ravel(position, shape), flat);
      assertEquals(position.reduce((sum, p, d) => sum + p * strides[d]!, 0), flat);
      assert(position.every((p, d) => p >= 0 && p < shape[d]!));
      const at = position.findIndex((p, d) => p !== last[d]);
      assert(flat === 0 || position[at]! > last[at]!);
      last = position;
    }
  }
});

Deno.test("shapes are written and read", () => {
  for (const shape of [[1], [256, 256], [3, 0, 5]]) assertEquals(parseShape(showShape(shape)), shape);
  for (const text of ["2x3", "2X3", "2×3", "2,3", " 2 x 3 "]) assertEquals(parseShape(text), [2, 3]);
  assertEquals(showShape([]), "scalar");
  for (const text of ["", "x", "2x", "-2x3", "2.5x3", "2 3", "axb", "2x3x"]) {
    assertThrows(() => parseShape(text, "nav"), TilewiseError, "nav");
  }
});

Deno.test("shapes are the same in every dimension or not at all", () => {
  assert(sameShape([2, 3], [2, 3]) && sameShape([], []));
  assert(!sameShape([2, 3], [3, 2]) && !sameShape([2], [2, 1]) && !sameShape([2, 1], [2]));
});
