import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { frameLayout } from "../../src/dataset/layout/layout.ts";
import { loadKinds, readerBytes } from "../../src/dataset/storage/kinds.ts";
import { scanFirstBands, scanFirstTiles } from "../../src/dataset/storage/scan_first/kind.ts";
import { Transposer } from "../../src/dataset/storage/scan_first/order.ts";
import { FrameReader } from "../../src/dataset/storage/reader.ts";
import { planPartitions } from "../../src/dataset/tiling/partition.ts";
import { Slab } from "../../src/memory/slab.ts";
import { Watch } from "./fake_files.ts";

await loadKinds(); // these tests make layouts without opening anything

Deno.test("samples are transposed alike for all sizes, at all places", () => {
  const buffer = new ArrayBuffer(8192);
  const bytes = new Uint8Array(buffer);
  const part = fc.nat(7);
  const item = fc.constantFrom(1, 2, 4, 8, 16);
  const run = (pixels: number, images: number, gap: number, lag: number, skew: number, size: number) => {
    const src = 16 * skew + size * lag, srcStride = (images + gap) * size;
    const dst = 4096 + size * gap, dstStride = (pixels + lag) * size;
    bytes.forEach((_, i) => bytes[i] = i * 7 + (i >> 8) * 3);
    const expected = bytes.slice();
    for (let image = 0; image < images; image++) {
      for (let b = 0; b < pixels * size; b++) {
        const from = src + Math.floor(b / size) * srcStride + image * size + b % size;
        expected[dst + image * dstStride + b] = bytes[from]!;
      }
    }
    new Transposer(buffer, size).move({ src, srcStride, dst, dstStride, pixels, images });
    assertEquals(bytes, expected);
  };
  fc.assert(fc.property(part, part, part, part, part, item, run), { numRuns: 2000 });
});

/** Reads all tiles of a scan, partition by partition; the bytes that were asked for. */
async function bytesRead(navShape: readonly number[], bytes: number): Promise<number> {
  const frames = navShape.reduce((n, m) => n * m), sigShape = [16, 12];
  const source = { kind: "bytes", name: "f", bytes: new Uint8Array(frames * 384) } as const;
  const files = [{ source, start: 0, end: frames, headerBytes: 0 }];
  const layout = frameLayout({ files, sigShape, dtype: "uint16", storage: { kind: "scan-first", navShape } });
  const plan = planPartitions({ frames, frameBytes: 384, ...scanFirstBands(frames) });
  const { depth, slices } = scanFirstTiles(layout, { partitionFrames: plan.framesEach, bytes })!;
  const watch = new Watch();
  const box = slices[0]!;
  const bytesFor = readerBytes(layout, depth, box);
  const memory = new WebAssembly.Memory({ initial: 64 });
  const slab = new Slab(memory, 1024, bytesFor);
  const reading = { slab, maxFrames: depth, box, openSource: watch.openSource };
  await using reader = await FrameReader.open(layout, reading);
  for (const { start, stop } of plan.partitions) {
    const images = Array.from({ length: stop - start }, (_, i) => start + i);
    for (const slice of slices) await reader.load(images, slice);
  }
  return watch.reads.reduce((sum, { length }) => sum + length, 0);
}

Deno.test("tiles in Fortran order read the file once per partition, of which there are four", async () => {
  assert(await bytesRead([64, 128], 65536) <= 4 * 64 * 128 * 384);
  assert(await bytesRead([8192], 65536) <= 4 * 64 * 128 * 384);
  assert(await bytesRead([128, 128], 65536) <= 4 * 128 * 128 * 384);
});

Deno.test("a tile in Fortran order has rows of all frames of a partition, as long as it stays small", () => {
  const source = { kind: "file", path: "f", size: 2 ** 40 } as const;
  const tile = (sigShape: number[], partitionFrames: number, bytes: number) => {
    const files = [{ source, start: 0, end: partitionFrames, headerBytes: 0 }];
    const storage = { kind: "scan-first", navShape: [partitionFrames] } as const;
    const layout = frameLayout({ files, sigShape, dtype: "uint16", storage });
    return scanFirstTiles(layout, { partitionFrames, bytes })!;
  };
  assertEquals(tile([256, 256], 2048, 2 ** 20).tileShape, [2048, 1, 256]);
  assertEquals(tile([256, 256], 2048, 2 ** 18).tileShape, [2048, 1, 256]);
  assertEquals(tile([256, 256], 2048, 2 ** 16).tileShape, [1024, 1, 256]); // eight times the bytes, no more
  assertEquals(tile([100, 256], 128, 2 ** 20).tileShape, [128, 15, 256]); // 7 slabs of about the same height
  assertEquals(tile([100], 128, 2 ** 20).tileShape, [128, 100]);
  assertEquals(tile([2, 3, 4], 128, 2 ** 20).slices.length, 1);
  assertEquals(tile([4096, 4096], 1024, 2 ** 20).tileShape, [1024, 1, 4096]);
});

Deno.test("no slabs of rows where every read is a request", () => {
  const source = { kind: "http", url: "http://a/f", size: 144 } as const;
  const files = [{ source, start: 0, end: 9, headerBytes: 0 }];
  const storage = { kind: "scan-first", navShape: [9] } as const;
  const layout = frameLayout({ files, sigShape: [4, 4], dtype: "uint8", storage });
  assertEquals(scanFirstTiles(layout, { partitionFrames: 9, bytes: 2 ** 20 }), undefined);
});
