/**
 * Assembling views of an image in memory: GB/s of the samples of tiles, without their halo, beside copying the same
 * samples without any order. One thread, four views in turn, a border of zeros.
 *
 * ```sh
 * deno run -A bench/views/assembly.ts [--repeats N] [--record]
 * ```
 *
 * @module
 */

import { instantiateKernels } from "../../src/kernels/wasm.ts";
import { BytesSource } from "../../src/io/source/bytes.ts";
import type { Shape } from "../../src/space/shape.ts";
import { TRAVERSALS } from "../../src/space/traversal.ts";
import type { PlainArray } from "../../src/views/array.ts";
import { ViewLoader } from "../../src/views/loader.ts";
import { layoutOf } from "../../src/views/plan.ts";
import { readArguments } from "../arguments.ts";
import { record } from "../record.ts";
import { type BenchRow, gbps, measureTogether, print } from "../timing.ts";

const SIDE = 8192;
const VIEWS = 4;
const TILES = [256, 512, 1024];
const RADII = [0, 1, 8, 64];

/** The image: samples count up, so that a wrong view is found. */
function image(): { readonly array: PlainArray; readonly samples: Uint16Array } {
  const samples = new Uint16Array(SIDE * SIDE);
  for (let i = 0; i < samples.length; i++) samples[i] = i;
  const source = new BytesSource(new Uint8Array(samples.buffer), "image").describe();
  const array = { source, offset: 0, shape: [SIDE, SIDE], dtype: "uint16", byteOrder: "little" } as const;
  return { array, samples };
}

/** Loads every view; where they lie. */
function loading(loader: ViewLoader, counts: Shape, step: number): () => Promise<void> {
  return async () => {
    let n = 0;
    for (const index of TRAVERSALS["row-major"](counts)) await loader.load(index, step * (n++ % VIEWS));
  };
}

/** Copies the bytes of all tiles, each as one run. */
function copying(from: Uint8Array, memory: WebAssembly.Memory, bytes: number, step: number): () => void {
  const to = new Uint8Array(memory.buffer);
  return () => {
    for (let at = 0, n = 0; at < from.length; at += bytes) {
      to.set(from.subarray(at, at + bytes), step * (n++ % VIEWS));
    }
  };
}

/** Compares one view with the image. */
function check(
  samples: Uint16Array,
  view: Uint16Array,
  tile: number,
  radius: number,
  [y, x]: [number, number],
): void {
  const side = tile + 2 * radius;
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const [sy, sx] = [y * tile - radius + row, x * tile - radius + column];
      const inside = sy >= 0 && sy < SIDE && sx >= 0 && sx < SIDE;
      const expected = inside ? samples[sy * SIDE + sx] : 0;
      if (view[row * side + column] !== expected) {
        throw new Error(`sample ${row}, ${column} of a view is wrong`);
      }
    }
  }
}

async function rowsOf(repeats: number): Promise<BenchRow[]> {
  const { array, samples } = image();
  const bytes = 2 * SIDE * SIDE;
  const rows: BenchRow[] = [];
  for (const tile of TILES) {
    for (const radius of RADII.filter((r) => 8 * r <= tile)) {
      const layout = layoutOf(array, { tile: [tile, tile], radius });
      const step = Math.ceil(layout.byteLength / 64) * 64;
      const pages = Math.ceil((VIEWS * step + 2 ** 20) / 2 ** 16);
      const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
      await using loader = await ViewLoader.open(layout, { kernels: instantiateKernels(memory) });
      for (const index of [[0, 0], [1, 1], [SIDE / tile - 1, 2]] as [number, number][]) {
        await loader.load(index, 0);
        check(samples, new Uint16Array(memory.buffer, 0, layout.byteLength / 2), tile, radius, index);
      }
      const { views, copies } = await measureTogether({
        views: loading(loader, layout.grid.counts, step),
        copies: copying(new Uint8Array(samples.buffer), memory, 2 * tile * tile, step),
      }, { repeats });
      const name = `views of ${tile} × ${tile}, radius ${radius}`;
      rows.push({ name, by: "limit", bytes, ...copies }, { name, by: "simd", bytes, ...views });
      const [limit, ours] = rows.slice(-2).map(gbps) as [number, number];
      print(`${name.padEnd(34)}${ours.toFixed(2)} GB/s of ${limit.toFixed(2)}: ${(ours / limit).toFixed(2)}`);
    }
  }
  return rows;
}

if (import.meta.main) {
  const { options } = readArguments(Deno.args, ["repeats"], ["record"]);
  const rows = await rowsOf(Number(options.repeats ?? 7));
  if (options.record) print(`kept in ${(await record("views", rows)).pathname}`);
}
