import { assert, assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { gridOf, tileBox, tileBoxes } from "../../src/space/box.ts";
import { ravel, sizeOf, unravel } from "../../src/space/shape.ts";

Deno.test("the tiles of a grid hold every sample once, for every size up to 6 and tile up to 4", () => {
  for (let n = 0; n <= 6; n++) {
    for (let m = 0; m <= 4; m++) {
      for (let tile = 1; tile <= 4; tile++) {
        const grid = gridOf([n, m], [tile, 2]);
        const seen = new Uint8Array(n * m);
        for (const { origin, shape } of tileBoxes(grid)) {
          assert(shape.every((size, d) => size > 0 && size <= grid.tile[d]!));
          for (let i = 0; i < sizeOf(shape); i++) {
            seen[ravel(unravel(i, shape).map((p, d) => p + origin[d]!), [n, m])]! += 1;
          }
        }
        assertEquals(seen, new Uint8Array(n * m).fill(1));
      }
    }
  }
});

Deno.test("tiles come in row-major order and start at multiples of their size", () => {
  const grid = gridOf([5, 7], [2, 3]);
  const origins = [...tileBoxes(grid)].map(({ origin }) => origin);
  assertEquals(origins, [[0, 0], [0, 3], [0, 6], [2, 0], [2, 3], [2, 6], [4, 0], [4, 3], [4, 6]]);
  assertEquals(tileBox(grid, [2, 2]), { origin: [4, 6], shape: [1, 1] });
});

Deno.test("what cannot be cut is refused", () => {
  for (
    const [shape, tile] of [[[4], [0]], [[4], [-1]], [[4], [1.5]], [[4], [NaN]], [[4, 4], [2]], [[-4], [2]], [
      [0.5],
      [2],
    ]]
  ) {
    assertEquals(assertThrows(() => gridOf(shape!, tile!), TilewiseError).code, "invalid");
  }
});
