/**
 * Assembling views of an image in memory, on one thread, into four places in turn, with a border of zeros, beside two
 * limits of the machine: copying as many bytes without any order, and copying the rows of the views from where they lie.
 * The first is what memory gives at best; the second is what it gives for reads of so many bytes, so far apart.
 *
 * ```sh
 * deno run -A bench/views/assembly.ts [--repeats N]
 * ```
 *
 * @module
 */

import { BytesSource, memoryOf } from "../../src/io/source/bytes.ts";
import { copierBetween } from "../../src/kernels/copiers.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import type { CopyRows } from "../../src/memory/copy_box.ts";
import { type DType, dtypeInfo, typedArray } from "../../src/space/dtype.ts";
import { ravel, type Shape, showShape, sizeOf, unravel } from "../../src/space/shape.ts";
import { TRAVERSALS } from "../../src/space/traversal.ts";
import type { PlainArray } from "../../src/views/array.ts";
import { geometryOf } from "../../src/views/geometry.ts";
import { ViewLoader } from "../../src/views/loader.ts";
import { layoutOf } from "../../src/views/plan.ts";
import type { ViewLayout } from "../../src/views/plan.ts";
import { runAlone } from "../sections/alone.ts";
import type { Section, SectionRow } from "../sections/section.ts";
import { measureTogether } from "../timing.ts";

await loadKernels();

/** Views that exist at a time. */
const VIEWS = 4;
const BYTES = 2 ** 27;

interface Case {
  readonly dtype: DType;
  readonly shape: Shape;
  readonly tile: Shape;
  readonly radii: readonly number[];
}

const IMAGE = [8192, 8192];
const CASES: readonly Case[] = [
  { dtype: "uint16", shape: IMAGE, tile: [256, 256], radii: [0, 1, 8, 32] },
  { dtype: "uint16", shape: IMAGE, tile: [512, 512], radii: [0, 1, 8, 64] },
  { dtype: "uint16", shape: IMAGE, tile: [1024, 1024], radii: [0, 1, 8, 64] },
  { dtype: "uint8", shape: [16384, 8192], tile: [512, 512], radii: [0, 8, 64] },
  { dtype: "float32", shape: [4096, 8192], tile: [512, 512], radii: [0, 8, 64] },
  { dtype: "uint16", shape: [128, 512, 1024], tile: [32, 128, 128], radii: [0, 1, 4] },
];

/** An image whose samples count up, so that a wrong view is found. */
function imageOf({ dtype, shape }: Case): PlainArray {
  const samples = typedArray(dtype, new ArrayBuffer(BYTES), 0, sizeOf(shape)) as Uint16Array;
  for (let i = 0; i < samples.length; i++) samples[i] = i % 65521;
  const source = new BytesSource(new Uint8Array(samples.buffer), "image").describe();
  return { source, offset: 0, shape, dtype, byteOrder: "little" };
}

/** Where the views of a case go. */
interface Places {
  readonly memory: WebAssembly.Memory;
  readonly step: number;
}

/** Calls `one` for every tile, with the place of its view. */
function* tiles({ grid }: ViewLayout, { step }: Places): Generator<readonly [index: Shape, to: number]> {
  let n = 0;
  for (const index of TRAVERSALS["row-major"](grid.counts)) yield [index, step * (n++ % VIEWS)];
}

/** Copies as many bytes as all views have, each view as one run of the image. */
function copying(layout: ViewLayout, places: Places, copy: CopyRows): () => void {
  const { byteLength } = layout;
  return () => {
    let at = 0;
    for (const [, to] of tiles(layout, places)) {
      copy(to, at, byteLength, 1, 0, 0);
      at = (at + byteLength) % (BYTES - byteLength);
    }
  };
}

/** Copies the rows of all views as they lie in the image; at its ends, of a box inside of it. */
function copyingRows({ array, ...layout }: ViewLayout, places: Places, copy: CopyRows): () => void {
  const { shape } = layout;
  const { itemSize } = dtypeInfo(array.dtype);
  const rank = shape.length, width = shape.at(-1)! * itemSize, height = shape.at(-2)!;
  const planes = sizeOf(shape.slice(0, -2)), stride = array.shape.at(-1)! * itemSize;
  const plane = stride * array.shape.at(-2)!;
  const boxes = [...tiles({ array, ...layout }, places)].map(([index, to]) => {
    const { start } = geometryOf(layout.grid, layout.halo, index, false);
    const first = start.map((s, d) => Math.min(Math.max(0, s), array.shape[d]! - shape[d]!));
    return [ravel(first, array.shape) * itemSize, to] as const;
  });
  if (rank > 3) throw new Error("two or three dimensions");
  return () => {
    for (const [from, to] of boxes) {
      for (let z = 0; z < planes; z++) {
        copy(to + z * height * width, from + z * plane, width, height, width, stride);
      }
    }
  };
}

function loading(loader: ViewLoader, layout: ViewLayout, places: Places): () => Promise<void> {
  return async () => {
    for (const [index, to] of tiles(layout, places)) await loader.load(index, to);
  };
}

/** Compares the view of tile `index` with the image. */
async function check(
  loader: ViewLoader,
  { array, grid, halo, shape }: ViewLayout,
  { memory }: Places,
  index: Shape,
): Promise<void> {
  await loader.load(index, 0);
  const view = typedArray(array.dtype, memory.buffer, 0, sizeOf(shape)) as Uint16Array;
  const { start } = geometryOf(grid, halo, index, false);
  const expected = typedArray(array.dtype, new ArrayBuffer(view.byteLength), 0, view.length) as Uint16Array;
  for (let i = 0; i < view.length; i++) {
    const at = unravel(i, shape).map((p, d) => start[d]! + p);
    const inside = at.every((p, d) => p >= 0 && p < array.shape[d]!);
    expected[i] = inside ? ravel(at, array.shape) % 65521 : 0;
    if (view[i] !== expected[i]) throw new Error(`sample ${i} of the view of tile ${index} is wrong`);
  }
}

async function rowsOf(
  array: PlainArray,
  tile: Shape,
  radius: number,
  repeats: number,
): Promise<SectionRow[]> {
  const layout = layoutOf(array, { tile, radius });
  const step = Math.ceil(layout.byteLength / 64) * 64;
  const pages = Math.ceil((VIEWS * step + 2 ** 20) / 2 ** 16);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const places = { memory, step };
  await using loader = await ViewLoader.open(layout, { kernels: instantiateKernels(memory) });
  const { counts } = layout.grid;
  for (const index of [counts.map(() => 0), counts.map(() => 1), counts.map((n) => n - 1)]) {
    await check(loader, layout, places, index);
  }
  const source = array.source.kind === "bytes" ? memoryOf(array.source.bytes) : undefined;
  const copy = source && copierBetween(source, memory);
  const works: Record<string, () => unknown> = {
    ...(copy
      ? { limit: copying(layout, places, copy), "copy of the rows": copyingRows(layout, places, copy) }
      : {}),
    tilewise: loading(loader, layout, places),
  };
  const timings = await measureTogether(works, { repeats });
  const name = `views of ${showShape(tile)} ${array.dtype}, radius ${radius}`;
  const bytes = sizeOf(counts) * layout.byteLength;
  return Object.entries(timings).map(([by, timing]) => ({ name, by, bytes, ...timing }));
}

/** Views of every case, beside the two limits. Bytes are those of the views, with their halo. */
export const assemblySection: Section = async ({ repeats }) => {
  const rows: SectionRow[] = [];
  for (const one of CASES) {
    const array = imageOf(one);
    for (const radius of one.radii) rows.push(...await rowsOf(array, one.tile, radius, repeats));
  }
  return { rows, skipped: [], failures: [] };
};

if (import.meta.main) await runAlone(assemblySection);
