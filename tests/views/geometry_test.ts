/** The algebra of views against recorded views, also beyond 2^32 samples. */

import { assertEquals, assertThrows } from "@std/assert";
import { boxEnd, type Grid, gridOf } from "../../src/space/box.ts";
import { haloOf, type Radius } from "../../src/space/halo.ts";
import type { Shape } from "../../src/space/shape.ts";
import { geometryOf } from "../../src/views/geometry.ts";
import { golden, type GoldenCase } from "./golden.ts";

/** The geometry of the whole view of tile `index`. */
const viewGeometry = (grid: Grid, radius: Radius, index: Shape) =>
  geometryOf(grid, haloOf(radius, grid.shape), index, false);

for (const file of ["views-1d", "views-2d", "views-3d", "views-border", "views-large"]) {
  const cases = golden<GoldenCase>(file);
  Deno.test({
    name: `geometry: ${file}`,
    ignore: !cases, // the recordings are not part of the repository
    fn() {
      for (const { fullDims, tileDims, radii, nbTilesDims, views } of cases!) {
        const grid = gridOf(fullDims[0]!, tileDims[0]!);
        assertEquals(grid.counts, nbTilesDims[0]!);
        for (const view of views) {
          const found = viewGeometry(grid, radii, view.index);
          assertEquals(
            {
              viewDims: found.shape,
              minPos: found.inside.origin,
              maxPos: boxEnd(found.inside),
              minTileIndex: found.tiles.origin,
              maxTileIndex: boxEnd(found.tiles),
              frontFill: found.front,
              backFill: found.back,
              centralPos: found.tile.origin,
              tileRealDims: found.tile.shape,
              centralOffset: found.centralOffset,
            },
            {
              viewDims: view.viewDims,
              minPos: view.minPos,
              maxPos: view.maxPos,
              minTileIndex: view.minTileIndex,
              maxTileIndex: view.maxTileIndex,
              frontFill: view.frontFill,
              backFill: view.backFill,
              centralPos: view.centralPos,
              tileRealDims: view.tileRealDims,
              centralOffset: view.centralOffset,
            },
          );
        }
      }
    },
  });
}

Deno.test("geometry: a radius beyond the tile, and beyond the array", () => {
  const far = viewGeometry(gridOf([3], [2]), [5], [1]);
  assertEquals([far.inside, far.front, far.back, far.tiles], [
    { origin: [0], shape: [3] },
    [3],
    [6],
    { origin: [0], shape: [2] },
  ]);
});

Deno.test("geometry: positions stay whole numbers close to 2^53", () => {
  const n = 2 ** 53 - 1;
  const last = viewGeometry(gridOf([n], [1000]), [1], [Math.floor(n / 1000)]);
  assertEquals(boxEnd(last.inside), [n]);
  assertEquals(last.tiles.origin, [Math.floor(n / 1000) - 1]);
});

Deno.test("geometry: there is no tile outside of the grid", () => {
  const grid = gridOf([5, 7], [2, 3]);
  for (const index of [[3, 0], [0, -1], [0.5, 0], [0]]) {
    assertThrows(() => viewGeometry(grid, [1, 1], index), Error, "the grid has 3 × 3 tiles");
  }
});
