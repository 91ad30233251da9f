/** Blocks: bands are runs of the array, cover it once, and a run has places for all that a traversal leaves open. */

import { assert, assertEquals } from "@std/assert";
import { gridOf, isContiguous, tileBox } from "../../../src/space/box.ts";
import { ravel, type Shape, sizeOf } from "../../../src/space/shape.ts";
import { orderOf, type Traversal, TRAVERSALS } from "../../../src/space/traversal.ts";
import { blockBox, blockNumber, blocksOf, mostOpen, placeInBlock } from "../../../src/views/map/blocks.ts";

const CASES: readonly (readonly [shape: Shape, tile: Shape])[] = [
  [[10], [4]],
  [[7, 9], [3, 4]],
  [[7, 9], [1, 4]],
  [[5, 3], [20, 1]],
  [[3, 12, 5], [1, 4, 2]],
  [[3, 12, 5], [2, 4, 2]],
  [[2, 3, 4, 5], [1, 1, 3, 2]],
  [[2, 3, 4, 5], [1, 1, 1, 1]],
];

Deno.test("bands are whole rows, one run of the array each, and follow one another", () => {
  for (const [shape, tile] of CASES) {
    const layout = blocksOf(gridOf(shape, tile), "bands");
    let next = 0;
    for (let number = 0; number < sizeOf(layout.counts); number++) {
      const band = blockBox(layout, number);
      assert(
        isContiguous(band, shape) && band.shape.at(-1) === (shape.length > 1 ? shape.at(-1) : band.shape[0]),
      );
      assertEquals(ravel(band.origin, shape), next, `${shape} ${tile}`);
      next += sizeOf(band.shape);
    }
    assertEquals(next, sizeOf(shape));
  }
});

Deno.test("every sample of a tile has its place in the block of the tile, and none is shared", () => {
  for (const [shape, tile] of CASES) {
    for (const kind of ["bands", "tiles"] as const) {
      const layout = blocksOf(gridOf(shape, tile), kind);
      const seen = new Set<string>();
      for (const index of TRAVERSALS["row-major"](layout.grid.counts)) {
        const box = tileBox(layout.grid, index);
        const number = blockNumber(layout, index);
        const { offset, strides } = placeInBlock(layout, index, box, "uint16");
        for (const at of TRAVERSALS["row-major"](box.shape)) {
          const place = at.reduce((sum, i, d) => sum + i * strides[d]!, offset);
          const block = blockBox(layout, number);
          const expected = ravel(at.map((i, d) => box.origin[d]! + i - block.origin[d]!), block.shape);
          assertEquals(place, 2 * expected);
          seen.add(`${number} ${place}`);
        }
      }
      assertEquals(seen.size, sizeOf(shape), `${shape} ${tile} ${kind}`);
    }
  }
});

Deno.test("as many blocks are open at a time as a traversal leaves behind", () => {
  const open = (shape: Shape, tile: Shape, traversal: Traversal) =>
    mostOpen(blocksOf(gridOf(shape, tile), "bands"), orderOf(traversal));
  for (const [shape, tile] of CASES) assertEquals(open(shape, tile, "row-major"), 1);
  assertEquals(open([7, 9], [3, 4], "snake"), 1);
  assertEquals(open([3, 12, 5], [1, 4, 2], "snake"), 3); // the second image begins with its last band
  assertEquals(open([3, 12, 5], [2, 4, 2], "snake"), 1); // bands are all of two images
  assertEquals(mostOpen(blocksOf(gridOf([3, 12, 5], [1, 4, 2]), "tiles"), orderOf("snake")), 1);
});
