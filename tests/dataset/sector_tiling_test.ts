/** Tiles of frames in sectors: they cover a frame once, and each lies in one half of one sector. */

import { assert, assertEquals } from "@std/assert";
import { halfSectorOf, sectorTiles } from "../../src/dataset/storage/sectors/tiling.ts";
import { box } from "../../src/space/box.ts";

const FRAME = [1860, 2048];

Deno.test("tiles cover a frame exactly once, sector by sector, for any depth and size", () => {
  for (const [partitionFrames, bytes] of [[1, 2 ** 20], [3, 2 ** 18], [64, 2 ** 20], [64, 1000]] as const) {
    const { slices, tileShape, depth } = sectorTiles(FRAME, { partitionFrames, bytes })!;
    assert(depth <= partitionFrames && tileShape[0] === depth, `${depth}`);
    const seen = new Uint8Array(1860 * 2048);
    let last = -1;
    for (const { origin, shape } of slices) {
      const { sector, half } = halfSectorOf({ origin, shape }, FRAME)!;
      assert(8 * half + sector >= last && shape[0]! <= tileShape[1]!);
      last = 8 * half + sector;
      for (let y = origin[0]!; y < origin[0]! + shape[0]!; y++) {
        for (let x = origin[1]!; x < origin[1]! + shape[1]!; x++) seen[y * 2048 + x]!++;
      }
    }
    assert(seen.every((times) => times === 1));
  }
  assertEquals(sectorTiles([3720, 1024], { partitionFrames: 4, bytes: 2 ** 20 }), undefined);
});

Deno.test("parts of one half of a sector are known by their place", () => {
  const of = (y: number, x: number, height: number, width: number, frame = FRAME) =>
    halfSectorOf(box([y, x], [height, width]), frame);
  assertEquals(of(0, 0, 930, 256), { sector: 0, half: 0 });
  assertEquals(of(931, 1792, 3, 256), { sector: 7, half: 1 });
  for (
    const [y, x, height, width] of [[0, 16, 4, 256], [0, 0, 4, 255], [929, 0, 2, 256], [0, 0, 4, 2048], [
      5,
      0,
      0,
      256,
    ]]
  ) {
    assertEquals(of(y!, x!, height!, width!), undefined);
  }
  assertEquals(of(0, 0, 4, 256, [3720, 1024]), undefined);
});
