/** Numbers of arrays whose type is known at run time alone. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { type DType, DTYPES, isArrayOf, zeros } from "../../src/space/dtype.ts";
import { arraysOf } from "../../src/space/ndarray.ts";
import {
  asNumbers,
  combineInto,
  copyNumbers,
  fillNumbers,
  isBig,
  setNumber,
  zerosLike,
} from "../../src/space/numbers.ts";

const isWide = (dtype: DType) => dtype === "int64" || dtype === "uint64";

Deno.test("numbers of every dtype are set, filled, copied and read as numbers", () => {
  for (const dtype of DTYPES) {
    const array = zeros(dtype, 3);
    assertEquals([dtype, isBig(array)], [dtype, isWide(dtype)]);
    fillNumbers(array, 1);
    setNumber(array, 1, 0n);
    setNumber(array, 2, 5);
    assertEquals([...asNumbers(array)].slice(0, 3), [1, 0, 5]);
    assertEquals(asNumbers(array) === array, !isWide(dtype));
    const copy = zerosLike(array, array.length);
    assertEquals(copy.constructor, array.constructor);
    copyNumbers(copy, array);
    fillNumbers(copy, 7n, 0, 1);
    assertEquals([...asNumbers(copy)].slice(0, 3), [7, 0, 5]);
  }
});

Deno.test("bigints are not copied to numbers, nor the other way", () => {
  assertThrows(() => copyNumbers(new Float64Array(1), BigInt64Array.of(1n)), TypeError, "Cannot copy");
  assertThrows(() => copyNumbers(new BigInt64Array(1), Float64Array.of(1)), TypeError, "Cannot copy");
});

Deno.test("arrays are combined in place, and only with as many values", () => {
  const into = Float64Array.of(1, 5, NaN);
  combineInto(into, [3, 4, 2], Math.max);
  assertEquals([...into], [3, 5, NaN]);
  const error = assertThrows(() => combineInto(into, [1], Math.max), TilewiseError, "as many");
  assertEquals([error.code, error.details.expected, error.details.found], ["invalid", 3, 1]);
});

Deno.test("arrays by name are of the dtypes that are asked for, or refused by name", () => {
  const given = { sums: new Float64Array(2), flags: new Uint8Array(1) };
  assert(arraysOf(given, { sums: "float64", flags: "bool" }).sums === given.sums);
  assert(isArrayOf(given.flags, "uint8") && !isArrayOf(given.flags, "int8"));
  const odd = assertThrows(() => arraysOf(given, { sums: "float32" }), TilewiseError, '"sums" must be');
  assertEquals(odd.code, "invalid");
  assertThrows(() => arraysOf(given, { more: "float32" }), TilewiseError, '"more" must be');
});
