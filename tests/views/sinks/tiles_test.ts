/** Tiles of several chunks: those of a tile follow each other in the order in which chunks are written. */

import { assert, assertEquals } from "@std/assert";
import { type Shape, sizeOf } from "../../../src/space/shape.ts";
import { levelsOf } from "../../../src/sinks/chunks/levels.ts";
import {
  chunksPerTile,
  followEachOther,
  tileOfChunk,
  tilesOfChunks,
} from "../../../src/views/sinks/chunks/halves.ts";
import { zarrPlaces } from "../../../src/sinks/zarr/shards.ts";

const ROOM = { memory: 2 ** 29, workers: 1 };

/** Whether the chunks of every tile follow each other. */
function areRuns(counts: Shape, perFile: Shape | undefined, per: Shape): boolean {
  const keys = { format: 3, isGroup: false, ...(perFile ? { perShard: perFile } : {}) } as const;
  const levels = levelsOf(counts, counts.map(() => 1), [], 1);
  const seen = new Set<string>();
  let last = "";
  for (const { index } of zarrPlaces({ levels }, keys)) {
    const tile = tileOfChunk(index, per).join();
    if (tile !== last && seen.has(tile)) return false;
    seen.add(last = tile);
  }
  return true;
}

Deno.test("chunks of a tile follow each other, in a file and in shards, and nothing else is taken for it", () => {
  const sizes = [1, 2, 3, 4, 6];
  for (const a of sizes) {
    for (const b of sizes) {
      for (const perFile of [undefined, [1, 1], [2, 2], [4, 1], [3, 4], [8, 8]]) {
        const order = { chunk: [1, 1], counts: [a, b], ...(perFile ? { perFile } : {}) };
        for (const most of [1, 2, 3, 5, 12, 100]) {
          const per = chunksPerTile(order, 1, { memory: 64 * most, workers: 1 / 8 });
          const what = JSON.stringify({ ...order, most, per });
          assert(sizeOf(per) <= most && per.every((n, d) => n <= order.counts[d]!), what);
          assert(areRuns([a, b], perFile, per) && followEachOther(order, per), what);
        }
        for (const p of [1, 2, 3, 4]) {
          for (const q of [1, 2, 3, 4]) {
            if (followEachOther(order, [p, q])) {
              assert(areRuns([a, b], perFile, [p, q]), `${a},${b} ${p},${q}`);
            }
          }
        }
      }
    }
  }
});

Deno.test("tiles have about a mebibyte, less in a small budget, and there are some for every worker", () => {
  const image = { shape: [8192, 8192], dtype: "uint16", chunk: [256, 256] } as const;
  assertEquals(tilesOfChunks(image, ROOM), [[256, 2048], [256, 256]]);
  assertEquals(tilesOfChunks({ ...image, dtype: "float64" }, ROOM), [[256, 512], [256, 256]]);
  assertEquals(tilesOfChunks(image, { ...ROOM, memory: 2 ** 24 }), [[256, 512], [256, 256]]);
  assertEquals(tilesOfChunks(image, { ...ROOM, memory: 2 ** 20 }), [[256, 256]]);
  assertEquals(tilesOfChunks({ ...image, shape: [1024, 1024] }, ROOM), [[256, 512], [256, 256]]);
  const frames = { shape: [1000000, 16, 16], dtype: "uint16", chunk: [1, 16, 16] } as const;
  assertEquals(tilesOfChunks(frames, ROOM), [[2048, 16, 16], [1, 16, 16]]);
  assertEquals(tilesOfChunks({ ...image, perFile: [4, 6] }, ROOM), [[256, 1536], [256, 256]]);
});
