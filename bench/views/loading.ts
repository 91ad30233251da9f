/**
 * Views from tiles of an image in memory, beside FastLoader's figures for the same work, and beside copying the image once
 * per copy that the views take: to a tile, and from there to a view.
 *
 * ```sh
 * deno run -A bench/views/loading.ts [--repeats N]
 * ```
 *
 * FastLoader 4.0.4, g++ 12 -O3, two cores, 8192 × 8192 u16 in memory, constant border, 4 views, 64 MB of tiles, one thread
 * that loads and two that copy: MB/s of the samples of central tiles. Machines differ; compare with the limit of this one.
 *
 * Tiles are loaded from a data set in memory (`tilewise`), or by a loader in TypeScript that copies them row by row
 * (`tilewise plain`),
 * on the thread that takes the views.
 *
 * @module
 */

import { open } from "../../mod.ts";
import { BytesSource, memoryOf } from "../../src/io/source/bytes.ts";
import { copierBetween } from "../../src/kernels/copiers.ts";
import { type Context, createContext } from "../../src/runner/context.ts";
import type { ViewsInput } from "../../src/views/tiles/loaders/origin.ts";
import type { TileLoader } from "../../src/views/tiles/loaders/tile_loader.ts";
import { type LoadingPlan, openViews, planLoading } from "../../src/views/tiles/open.ts";
import { runAlone } from "../sections/alone.ts";
import type { Section, SectionRow } from "../sections/section.ts";
import { measureTogether } from "../timing.ts";

const SIDE = 8192;
const BYTES = 2 * SIDE * SIDE;
const FASTLOADER: Readonly<Record<number, readonly number[]>> = {
  256: [2640, 990, 1600, 650],
  512: [5550, 2670, 2030, 2180],
  1024: [5400, 4110, 3330, 3400],
};
const RADII = [0, 1, 8, 64];

/** Tiles of the image, copied row by row. */
function loaderOf(image: Uint16Array, tile: number): TileLoader<"uint16"> {
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

async function planOf(input: ViewsInput, tile: number, radius: number, context: Context) {
  return await planLoading(input, { tile: [tile, tile], radius, cache: 64e6, ahead: 3, context });
}

/** Takes all views; the sum of the first samples of their tiles. */
async function pass(plan: LoadingPlan): Promise<number> {
  await using views = await openViews(plan);
  views.requestAll();
  let sum = 0;
  for await (using view of views) sum += Number(view.data[view.geometry.centralOffset]);
  return sum;
}

async function check(plan: LoadingPlan, image: Uint16Array, tile: number): Promise<void> {
  let expected = 0;
  for (let y = 0; y < SIDE; y += tile) {
    for (let x = 0; x < SIDE; x += tile) expected += image[y * SIDE + x]!;
  }
  const found = await pass(plan);
  if (found !== expected) throw new Error(`the views are wrong: ${found}, not ${expected}`);
}

/** Copies the image `times` times, a tile at a time, as one run each. */
function copying(image: Uint16Array, tile: number, times: number): () => void {
  const source = new BytesSource(new Uint8Array(image.buffer), "image").describe();
  const from = memoryOf(source.bytes)!;
  const bytes = 2 * tile * tile, pages = Math.ceil(64e6 / 65536);
  const to = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  new Uint8Array(to.buffer).fill(1);
  const copy = copierBetween(from, to);
  if (!copy) throw new Error("this platform has no modules with two memories");
  return () => {
    for (let i = 0; i < times; i++) {
      for (let at = 0, out = 0; at < BYTES; at += bytes, out = (out + bytes) % (60e6 - bytes)) {
        copy(out - out % 64, at, bytes, 1, 0, 0);
      }
    }
  };
}

async function rowsOf(
  image: Uint16Array,
  tile: number,
  radius: number,
  repeats: number,
): Promise<SectionRow[]> {
  await using context = createContext({ memory: "160MiB", workers: 0 }); // one for all passes: new memory is slow
  const plain = await planOf(loaderOf(image, tile), tile, radius, context);
  const simd = await planOf(await open({ data: image, shape: [SIDE, SIDE] }), tile, radius, context);
  for (const plan of [plain, simd]) await check(plan, image, tile);
  const limit = copying(image, tile, radius === 0 ? 1 : 2);
  const works = { limit, "tilewise plain": () => pass(plain), tilewise: () => pass(simd) };
  const timings = await measureTogether(works, { repeats });
  const name = `views from tiles of ${tile} × ${tile}, radius ${radius}`;
  const published = { fastLoader: FASTLOADER[tile]![RADII.indexOf(radius)]! / 1000 };
  return Object.entries(timings).map(([by, timing]) => ({ name, by, bytes: BYTES, ...published, ...timing }));
}

/**
 * Views from tiles of every size and radius: the limit, a loader in TypeScript, and a data set in memory. `fastLoader` has the
 * published GB/s of FastLoader.
 */
export const loadingSection: Section = async ({ repeats }) => {
  const image = new Uint16Array(SIDE * SIDE);
  for (let i = 0; i < image.length; i++) image[i] = i * 31 + (i >> 13);
  const rows: SectionRow[] = [];
  for (const tile of Object.keys(FASTLOADER).map(Number)) {
    for (const radius of RADII) rows.push(...await rowsOf(image, tile, radius, repeats));
  }
  return { rows, skipped: [], failures: [] };
};

if (import.meta.main) await runAlone(loadingSection);
