/**
 * Views from tiles of an image in memory: assembly beside FastLoader's figures for the same work.
 *
 *     deno run -A bench/views/loading.ts
 *
 * FastLoader 4.0.4, g++ 12 -O3, two cores, 8192 × 8192 u16 in memory, constant border, 4 views, 64 MB of tiles, one thread
 * that loads and two that copy: MB/s of the samples of central tiles. Machines differ; compare with the row `copy`.
 */

import { createContext } from "../../src/runner/context.ts";
import type { Shape } from "../../src/space/shape.ts";
import { openViews } from "../../src/views/tiles/views.ts";
import type { TileLoader } from "../../src/views/tiles/loaders/tile_loader.ts";

const SIDE = 8192;
const FASTLOADER: Readonly<Record<string, readonly number[]>> = {
  256: [2640, 990, 1600, 650],
  512: [5550, 2670, 2030, 2180],
  1024: [5400, 4110, 3330, 3400],
};
const RADII = [0, 1, 8, 64];

const image = new Uint16Array(new SharedArrayBuffer(SIDE * SIDE * 2));
for (let i = 0; i < image.length; i++) image[i] = i * 31 + (i >> 13);

/** Tiles of the image, copied row by row. */
function loader(tile: number): TileLoader<"uint16"> {
  return {
    dtype: "uint16",
    levels: [{ shape: [SIDE, SIDE], tile: [tile, tile] }],
    load([y = 0, x = 0], _level, target) {
      for (let row = 0; row < tile; row++) {
        const from = (y * tile + row) * SIDE + x * tile;
        target.set(image.subarray(from, from + tile), row * tile);
      }
    },
  };
}

/** One context for all passes: memory that was never touched is slow. */
await using context = createContext({ memory: "160MiB", workers: 0 });

async function pass(tile: number, radius: number): Promise<{ mbs: number; loads: number; copy: number }> {
  await using views = await openViews(loader(tile), { radius, cache: 64e6, ahead: 3, context });
  const started = performance.now();
  views.requestAll();
  let sum = 0;
  for await (using view of views) sum += view.data[view.geometry.centralOffset]!;
  const took = performance.now() - started;
  check(sum, [tile, tile]);
  const { tiles, time } = views.statistics();
  return { mbs: SIDE * SIDE * 2 / took / 1000, loads: tiles.loads, copy: time.copying };
}

function check(sum: number, [height = 1, width = 1]: Shape): void {
  let expected = 0;
  for (let y = 0; y < SIDE; y += height) {
    for (let x = 0; x < SIDE; x += width) expected += image[y * SIDE + x]!;
  }
  if (sum !== expected) throw new Error(`the views are wrong: ${sum}, not ${expected}`);
}

function limit(): number {
  const to = new Uint16Array(new SharedArrayBuffer(SIDE * SIDE * 2));
  let best = Infinity;
  for (let i = 0; i < 5; i++) {
    const started = performance.now();
    to.set(image);
    best = Math.min(best, performance.now() - started);
  }
  return SIDE * SIDE * 2 / best / 1000;
}

console.log(`copy of the image: ${limit().toFixed(0)} MB/s`);
for (const tile of [256, 512, 1024]) {
  for (const [i, radius] of RADII.entries()) {
    let best = { mbs: 0, loads: 0, copy: 0 };
    for (let run = 0; run < 3; run++) {
      const one = await pass(tile, radius);
      if (one.mbs > best.mbs) best = one;
    }
    const { mbs, loads, copy } = best;
    const theirs = FASTLOADER[tile]![i];
    console.log(
      `tile ${tile}, r ${radius}: ${mbs.toFixed(0)} MB/s (FastLoader ${theirs}); ${loads} loads, ${
        copy.toFixed(0)
      } ms of copies`,
    );
  }
}
