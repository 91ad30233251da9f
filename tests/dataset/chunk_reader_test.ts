import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { type ChunkLayout, heldBytes } from "../../src/dataset/layout/chunks.ts";
import type { FrameLayout } from "../../src/dataset/layout/layout.ts";
import { loadKinds, readerBytes } from "../../src/dataset/storage/kinds.ts";
import { FrameReader } from "../../src/dataset/storage/reader.ts";
import { TilewiseError } from "../../src/errors.ts";
import { openSpec } from "../../src/io/open.ts";
import type { ByteSource, SourceSpec } from "../../src/io/source/source.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { Slab } from "../../src/memory/slab.ts";
import { type Box, box } from "../../src/space/box.ts";
import { ravel, sizeOf, unravel } from "../../src/space/shape.ts";

await loadKinds(); // these tests make layouts without opening anything

await loadKernels();

/**
 * An array of uint16 counting up, stored in chunks; every third chunk is missing and reads as 7. `clipped`: chunks at the end
 * lack the rows that do not exist.
 */
function stored(shape: number[], chunk: number[], sig: number, xor = false, clipped = false): FrameLayout {
  const grid = shape.map((size, d) => Math.ceil(size / chunk[d]!));
  const cells = sizeOf(grid);
  const each = sizeOf(chunk);
  const samples = new Uint16Array(cells * each);
  const addresses = Float64Array.from({ length: cells }, (_, c) => c % 3 === 2 ? -1 : 10 + c * each * 2);
  for (let cell = 0; cell < cells; cell++) {
    const at = unravel(cell, grid);
    for (let i = 0; i < each; i++) {
      const place = unravel(i, chunk).map((x, d) => at[d]! * chunk[d]! + x);
      const inside = place.every((x, d) => x < shape[d]!);
      samples[cell * each + i] = (inside ? ravel(place, shape) : 60_000) ^ (xor ? 255 : 0);
    }
  }
  const bytes = new Uint8Array(10 + samples.byteLength);
  bytes.set(new Uint8Array(samples.buffer), 10);
  const chunks: ChunkLayout = {
    shape,
    chunk,
    itemSize: 2,
    addresses,
    sizes: new Uint32Array(cells).fill(each * 2),
    masks: new Uint32Array(cells),
    filters: xor ? [{ name: "xor", values: [255] }] : [],
    plainEdges: false,
    fill: Uint8Array.of(7, 0),
    ...(clipped ? { clipped } : {}),
  };
  if (clipped) { for (let cell = 0; cell < cells; cell++) chunks.sizes[cell] = heldBytes(chunks, cell); }
  const images = sizeOf(shape.slice(0, shape.length - sig));
  return {
    files: [{ source: { kind: "bytes", name: "chunks", bytes }, start: 0, end: images, headerBytes: 0 }],
    sigShape: shape.slice(shape.length - sig),
    dtype: "uint16",
    byteOrder: "little",
    frameHeaderBytes: 0,
    frameFooterBytes: 0,
    storedBytes: 2 * sizeOf(shape.slice(shape.length - sig)),
    storage: { kind: "chunks", chunks },
  };
}

function chunksOf({ storage }: FrameLayout): ChunkLayout {
  if (storage.kind !== "chunks") throw new Error(storage.kind);
  return storage.chunks;
}

/** What sample `place` must be. */
function expected({ shape, chunk }: ChunkLayout, place: number[]): number {
  const cell = ravel(
    place.map((x, d) => Math.floor(x / chunk[d]!)),
    shape.map((size, d) => Math.ceil(size / chunk[d]!)),
  );
  return cell % 3 === 2 ? 7 : ravel(place, shape);
}

async function readBlocks(layout: FrameLayout, blocks: number[][], part: Box): Promise<number[][]> {
  const memory = new WebAssembly.Memory({ initial: 64, maximum: 64 });
  const most = Math.max(...blocks.map(({ length }) => length));
  const slab = new Slab(memory, 1024, readerBytes(layout, most, part));
  const undo = (
    { input, output, values }: { input: Uint8Array; output: Uint8Array; values: readonly number[] },
  ) => {
    const words = new Uint16Array(input.slice().buffer).map((word) => word ^ values[0]!);
    output.set(new Uint8Array(words.buffer));
    return input.length;
  };
  const filterOf = () => Promise.resolve(undo);
  const options = { slab, kernels: instantiateKernels(memory), maxFrames: most, filterOf, box: part };
  await using reader = await FrameReader.open(layout, options);
  const found: number[][] = [];
  for (const images of blocks) {
    const { pointer, count, pixels } = await reader.load(images, part);
    found.push([...new Uint16Array(memory.buffer, pointer, count * pixels)]);
  }
  return found;
}

Deno.test("any part of any images comes out of chunks as it went in", async () => {
  const dims = (rank: number) =>
    fc.tuple(
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: rank, maxLength: rank }),
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: rank, maxLength: rank }),
    );
  const cases = fc.integer({ min: 0, max: 2 }).chain((nav) =>
    fc.tuple(
      dims(nav + 2),
      fc.constant(nav),
      fc.boolean(),
      fc.boolean(),
      fc.array(fc.nat(1000), { maxLength: 5 }),
      fc.array(fc.nat(100), { minLength: 4, maxLength: 4 }),
    )
  );
  await fc.assert(
    fc.asyncProperty(cases, async ([[shape, chunk], nav, xor, clipped, wanted, corner]) => {
      const layout = stored(shape, chunk, 2, xor, clipped);
      const count = sizeOf(shape.slice(0, nav));
      const blocks = [
        Array.from({ length: count }, (_, i) => i),
        [0, count - 1],
        wanted.map((w) => w % count),
      ]
        .map((images) => [...new Set(images)].sort((a, b) => a - b)).filter(({ length }) => length > 0);
      const origin = [corner[0]! % shape[nav]!, corner[1]! % shape[nav + 1]!];
      const size = [
        1 + corner[2]! % (shape[nav]! - origin[0]!),
        1 + corner[3]! % (shape[nav + 1]! - origin[1]!),
      ];
      const found = await readBlocks(layout, blocks, box(origin, size));
      blocks.forEach((images, b) => {
        const values = images.flatMap((image) =>
          Array.from({ length: size[0]! * size[1]! }, (_, p) => {
            const [y, x] = unravel(p, size) as [number, number];
            const at = [...unravel(image, shape.slice(0, nav)), origin[0]! + y, origin[1]! + x];
            return expected(chunksOf(layout), at);
          })
        );
        assertEquals(found[b], values);
      });
    }),
    { seed: 4, numRuns: 150 },
  );
});

Deno.test("a chunk that gives too few bytes is refused with its place", async () => {
  const layout = stored([4, 4], [2, 2], 2);
  chunksOf(layout).sizes[1] = 6;
  const error = await assertRejects(() => readBlocks(layout, [[0]], box([0, 0], [4, 4])), TilewiseError);
  assertEquals([(error as TilewiseError).code, (error as TilewiseError).details.offset], ["malformed", 18]);
});

Deno.test("a chunk at the end may hold only the rows that exist, where the layout says so", async () => {
  const layout = stored([3, 4], [2, 4], 2, true, true);
  assertEquals([...chunksOf(layout).sizes], [16, 8]);
  assertEquals(await readBlocks(layout, [[0]], box([2, 1], [1, 2])), [[9, 10]]);
  chunksOf(layout).sizes[1] = 6;
  const error = await assertRejects(() => readBlocks(layout, [[0]], box([2, 1], [1, 2])), TilewiseError);
  assertEquals([(error as TilewiseError).details.expected, (error as TilewiseError).details.found], [8, 6]);
});

Deno.test("a part of a huge frame needs memory for the chunks that it touches", () => {
  const layout = stored([4, 4], [2, 2], 2);
  const chunks = { ...chunksOf(layout), shape: [100_000, 80_000], chunk: [1024, 1024] };
  const huge = { ...layout, sigShape: chunks.shape, storage: { kind: "chunks", chunks } } as const;
  const bytes = readerBytes(huge, 1, box([0, 0], [1024, 1024]));
  assert(bytes < 40 * 2 ** 20, `${bytes} bytes`);
});

Deno.test("chunks of several rows of the scan are decoded once, and fetched together where they lie together", async () => {
  for (const [shape, chunk] of [[[8, 10, 6, 6], [4, 4, 3, 3]], [[3, 20, 6, 6], [1, 5, 6, 6]]] as const) {
    const layout = stored([...shape], [...chunk], 2, true);
    const memory = new WebAssembly.Memory({ initial: 64, maximum: 64 });
    const slab = new Slab(memory, 1024, readerBytes(layout, 8));
    let fetched = 0, decoded = 0;
    const openSource = async (spec: SourceSpec) => {
      const source = await openSpec(spec);
      const read = source.readInto.bind(source);
      const readInto: ByteSource["readInto"] = (target, at, signal) => {
        fetched++;
        return read(target, at, signal);
      };
      return Object.assign(source, { readInto });
    };
    const undo = ({ input, output }: { input: Uint8Array; output: Uint8Array }) => {
      decoded++;
      output.set(input);
      return input.length;
    };
    const filterOf = () => Promise.resolve(undo);
    const options = { slab, kernels: instantiateKernels(memory), maxFrames: 8, filterOf, openSource };
    await using reader = await FrameReader.open(layout, options);
    const frames = shape[0] * shape[1];
    for (let at = 0; at < frames; at += 8) {
      await reader.load(Array.from({ length: Math.min(8, frames - at) }, (_, i) => at + i));
    }
    assertEquals(decoded, chunksOf(layout).addresses.filter((address) => address >= 0).length);
    assert(fetched < decoded, `${fetched} reads for ${decoded} chunks`);
  }
});

Deno.test("blocks of whole chunks keep few of them, and decode each once", async () => {
  const shape = [4, 4096, 4096], chunk = [2, 512, 512], cells = 2 * 8 * 8;
  const one = stored(chunk, chunk, 2, true), chunks = chunksOf(one);
  const addresses = new Float64Array(cells).fill(10), sizes = new Uint32Array(cells).fill(chunks.sizes[0]!);
  const storage = { kind: "chunks", chunks: { ...chunks, shape, addresses, sizes } } as const;
  const files = [{ ...one.files[0]!, end: 4 }], rows = box([0, 0], [512, 4096]);
  const layout = { ...one, sigShape: [4096, 4096], storedBytes: 2 ** 25, storage, files };
  const bytes = readerBytes(layout, 2, rows);
  assert(bytes < 28 * 2 ** 20, `${bytes} bytes, where the chunks of two frames have ${64 * 2 ** 20}`);
  const memory = new WebAssembly.Memory({ initial: 448 });
  let decoded = 0;
  const undo = ({ input, output }: { input: Uint8Array; output: Uint8Array }) => {
    decoded++;
    output.set(input);
    return input.length;
  };
  const slab = new Slab(memory, 1024, bytes), kernels = instantiateKernels(memory);
  const options = { slab, kernels, maxFrames: 2, box: rows, filterOf: () => Promise.resolve(undo) };
  await using reader = await FrameReader.open(layout, options);
  for (const first of [0, 2]) {
    for (let row = 0; row < 4096; row += 512) {
      await reader.load([first, first + 1], box([row, 0], [512, 4096]));
    }
  }
  assertEquals(decoded, cells);
  assert(readerBytes(layout, 3, rows) > 64 * 2 ** 20, "blocks that share chunks keep those of a frame");
});

Deno.test("large chunks without filters are read to where they are needed, and are right after others were fetched", async () => {
  const layout = stored([500, 300], [200, 170], 2); // 68 000 bytes per chunk, two chunks were never written
  const expectedRow = (row: number) =>
    Array.from({ length: 300 }, (_, x) => expected(chunksOf(layout), [row, x]) % 2 ** 16);
  for (const row of [0, 199, 250, 499]) {
    assertEquals(await readBlocks(layout, [[0], [0]], box([row, 0], [1, 300])), [
      expectedRow(row),
      expectedRow(row),
    ]);
  }
  chunksOf(layout).sizes[3] = 67_998;
  const error = await assertRejects(() => readBlocks(layout, [[0]], box([250, 0], [1, 300])), TilewiseError);
  assertEquals([(error as TilewiseError).code, (error as TilewiseError).details.offset], [
    "malformed",
    204_010,
  ]);
});
