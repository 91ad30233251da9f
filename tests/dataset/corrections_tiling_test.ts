import { assert, assertEquals } from "@std/assert";
import { adjustForExcluded, clearSize } from "../../src/dataset/tiling/negotiate.ts";
import type { Shape } from "../../src/space/shape.ts";
import { bordersAreClear } from "./clear_borders.ts";

const SIZES: readonly [number[], number, number, number, number][] = [
  [[5], 64, 1, 8, 8],
  [[5, 6], 64, 1, 1, 4],
  [[100, 101, 7, 8], 256, 1, 1, 3],
  [[31, 32], 64, 1, 32, 33],
  [[31, 32], 64, 4, 32, 28],
  [[31, 32], 64, 8, 16, 24],
];

for (const [forbidden, sig, base, target, expected] of SIZES) {
  Deno.test(`clear size for borders ${forbidden} of ${sig}, base ${base}, near ${target} is ${expected}`, () => {
    assertEquals(clearSize(forbidden, sig, base, target), expected);
  });
}

const WHOLE: readonly [number[][], Shape, Shape, Shape, Shape][] = [
  [[[0, 0]], [64, 64], [1, 64], [1, 64], [2, 64]],
  [[[10, 10]], [64, 64], [1, 64], [1, 64], [3, 64]],
  [[[10, 1], [20, 2], [30, 3]], [64, 64], [16, 64], [8, 64], [16, 64]],
  [[[7, 3]], [64, 64], [8, 8], [8, 8], [16, 8]],
  [[[100, 7], [31, 200]], [256, 256], [1, 256], [1, 256], [3, 256]],
];

for (const [excluded, sig, tile, base, expected] of WHOLE) {
  Deno.test(`tiles of ${tile} with excluded ${excluded.join(" and ")} become ${expected}`, () => {
    assertEquals(adjustForExcluded(tile, sig, base, excluded), expected);
  });
}

Deno.test("every pair of excluded pixels in every small row gets clear borders", () => {
  for (let sig = 1; sig <= 14; sig++) {
    for (let base = 1; base <= sig; base++) {
      for (let first = 0; first < sig; first++) {
        for (let second = first; second < sig; second++) {
          const excluded = [[first], [second]];
          const [size] = adjustForExcluded([base], [sig], [base], excluded);
          assert(bordersAreClear([size!], [sig], excluded), `${size} of ${sig} with ${excluded}`);
          assert(size === sig || size! % base === 0);
        }
      }
    }
  }
});

Deno.test("many excluded coordinates make the dimension whole", () => {
  const excluded = Array.from({ length: 30 }, (_, i) => [2 * i, 5]);
  assertEquals(adjustForExcluded([1, 64], [64, 64], [1, 64], excluded), [64, 64]);
});
