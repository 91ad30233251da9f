import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../src/errors.ts";
import { Slab } from "../../src/memory/slab.ts";
import { type Box, box, boxSize, isContiguous, wholeBox } from "../../src/space/box.ts";
import { type DType, dtypeInfo } from "../../src/space/dtype.ts";
import { fileOf, pixelRuns } from "../../src/dataset/layout/frame_part.ts";
import { FrameReader, type RawFrames } from "../../src/dataset/storage/reader.ts";
import { type FrameLayout, imageCount } from "../../src/dataset/layout/layout.ts";
import { readerBytes } from "../../src/dataset/storage/kinds.ts";
import { fakeLayout, sampleByte, Watch } from "./fake_files.ts";

const memory = new WebAssembly.Memory({ initial: 64, maximum: 64, shared: true });

/** A reader whose slab has exactly the bytes it says it takes; what lies beyond is guarded. */
async function readerOf(layout: FrameLayout, maxFrames: number, largest?: Box, watch = new Watch()) {
  const bytes = readerBytes(layout, maxFrames, largest);
  const guard = new Uint8Array(memory.buffer, 1024 + bytes, 4096).fill(0xee);
  const options = { maxFrames, openSource: watch.openSource, ...(largest ? { box: largest } : {}) };
  const reader = await FrameReader.open(layout, { ...options, slab: new Slab(memory, 1024, bytes) });
  const intact = () => guard.every((b) => b === 0xee);
  return { reader, intact };
}

function bytesOf({ pointer, frameStride, count, pixels, dtype }: RawFrames): number[][] {
  const length = pixels * dtypeInfo(dtype).itemSize;
  return Array.from(
    { length: count },
    (_, f) => Array.from(new Uint8Array(memory.buffer, pointer + f * frameStride, length)),
  );
}

function expected({ sigShape, dtype }: FrameLayout, images: number[], part: Box): number[][] {
  const { itemSize } = dtypeInfo(dtype);
  return images.map((image) =>
    pixelRuns(part, sigShape).flatMap(({ start, length }) =>
      Array.from({ length: length * itemSize }, (_, b) => sampleByte(image, start * itemSize + b))
    )
  );
}

// Property: any layout, images and parts.

const scan = fc.record({
  sigShape: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
  dtype: fc.constantFrom<DType[]>("uint8", "uint16", "float32", "complex128"),
  files: fc.array(fc.record({ images: fc.nat(5), headerBytes: fc.nat(5) }), { minLength: 1, maxLength: 4 }),
  frameHeaderBytes: fc.constantFrom(0, 0, 3, 9000),
  frameFooterBytes: fc.constantFrom(0, 0, 2),
  cuts: fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 3, maxLength: 3 }),
  picks: fc.array(fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }), { minLength: 1, maxLength: 3 }),
  exact: fc.boolean(),
});

function partOf(sigShape: readonly number[], cuts: [number, number][]): Box {
  const origin = sigShape.map((n, d) => cuts[d]![0] % n);
  return box(origin, origin.map((o, d) => 1 + cuts[d]![1] % (sigShape[d]! - o)));
}

for (const late of [false, true]) {
  Deno.test(`a ${late ? "late" : "prompt"} reader gives the samples of any part of any images`, async () => {
    await fc.assert(
      fc.asyncProperty(scan, async ({ cuts, picks, exact, ...init }) => {
        const layout = fakeLayout(init);
        const part = partOf(init.sigShape, cuts);
        const { reader, intact } = await readerOf(layout, 20, exact ? part : undefined, new Watch(late));
        for (const pick of picks) {
          const images = pick.flatMap((on, i) => on && i < imageCount(layout) ? [i] : []);
          const block = await reader.load(images, part);
          assertEquals([block.count, block.pixels], [images.length, boxSize(part)]);
          assertEquals(bytesOf(block), expected(layout, images, part));
        }
        assert(intact());
        await reader[Symbol.asyncDispose]();
      }),
      { numRuns: late ? 60 : 2000, seed: 21 },
    );
  });
}

// Which bytes are read.

const four = { sigShape: [4, 8], dtype: "uint16", frameHeaderBytes: 8, frameFooterBytes: 4 } as const;

Deno.test("consecutive images of a file are one read, with headers and footers between them", async () => {
  const layout = fakeLayout({ ...four, files: [{ images: 4, headerBytes: 16 }, { images: 2 }] });
  const watch = new Watch();
  const { reader } = await readerOf(layout, 6, undefined, watch);
  const block = await reader.load([0, 1, 2, 3, 4, 5]);
  assertEquals(watch.reads.map(({ at, length }) => [at, length]), [[24, 3 * 76 + 64], [8, 76 + 64]]);
  assertEquals(block.frameStride, 76);
});

Deno.test("a sparse selection reads nothing of what lies between", async () => {
  const layout = fakeLayout({ sigShape: [100], files: [{ images: 1000 }] });
  const watch = new Watch();
  const { reader } = await readerOf(layout, 8, undefined, watch);
  const block = await reader.load([3, 4, 500, 999]);
  assertEquals(watch.reads.map(({ at, length }) => [at, length]), [[300, 200], [50000, 100], [99900, 100]]);
  assertEquals(bytesOf(block), expected(layout, [3, 4, 500, 999], wholeBox([100])));
});

Deno.test("slabs of rows are read alone, unless little lies between", async () => {
  const large = fakeLayout({ sigShape: [64, 256], files: [{ images: 3 }] });
  const rows = box([16, 0], [16, 256]);
  const watch = new Watch();
  const { reader } = await readerOf(large, 3, rows, watch);
  await reader.load([0, 1, 2], rows);
  assertEquals(watch.reads.map(({ length }) => length), [4096, 4096, 4096]);
  const small = fakeLayout({ sigShape: [8, 16], files: [{ images: 3 }] });
  const joined = await readerOf(small, 3, box([2, 0], [2, 16]), watch);
  await joined.reader.load([0, 1, 2]);
  assertEquals(watch.reads.slice(3).map(({ length }) => length), [2 * 128 + 32]);
});

Deno.test("parts with holes are gathered in pieces, or run by run when the holes are large", async () => {
  const gathered = fakeLayout({ sigShape: [300, 4000], files: [{ images: 2 }] });
  const columns = box([0, 100], [300, 50]);
  const watch = new Watch();
  const { reader, intact } = await readerOf(gathered, 2, columns, watch);
  assert(readerBytes(gathered, 2, columns) < 300_000);
  assertEquals(bytesOf(await reader.load([0, 1], columns)), expected(gathered, [0, 1], columns));
  assert(intact() && watch.reads.every(({ length }) => length <= 256 * 1024));
  assertEquals(watch.reads.length, 2 * 5);
  const wide = fakeLayout({ sigShape: [3, 20000], files: [{ images: 1 }] });
  const direct = await readerOf(wide, 1, box([0, 5], [3, 10]), watch);
  await direct.reader.load([0]);
  assertEquals(watch.reads.slice(10).map(({ at, length }) => [at, length]), [[5, 10], [20005, 10], [
    40005,
    10,
  ]]);
});

Deno.test("a reader answers at once when the source does, and needs no new block", async () => {
  const layout = fakeLayout({ ...four, files: [{ images: 4 }] });
  const { reader } = await readerOf(layout, 2);
  assert(reader.load([0, 1]) instanceof Promise, "the first read opens the file");
  await new Promise((resolve) => setTimeout(resolve, 1));
  const block = reader.load([2, 3]);
  assert(!(block instanceof Promise));
  assertEquals(bytesOf(block), expected(layout, [2, 3], wholeBox([4, 8])));
  assertEquals(reader.load([0, 1]), block);
});

Deno.test("one file per frame: at most 32 files are open", async () => {
  const layout = fakeLayout({ sigShape: [5], files: Array.from({ length: 50 }, () => ({ images: 1 })) });
  const watch = new Watch(true);
  const { reader } = await readerOf(layout, 50, undefined, watch);
  const images = Array.from({ length: 50 }, (_, i) => i);
  assertEquals(bytesOf(await reader.load(images)), expected(layout, images, wholeBox([5])));
  assertEquals([watch.mostOpen, watch.opened], [32, 50]);
  assertEquals(
    bytesOf(await reader.load(images.slice(20))),
    expected(layout, images.slice(20), wholeBox([5])),
  );
  assertEquals(watch.opened, 50, "those that were used last are still open");
  await reader[Symbol.asyncDispose]();
  assertEquals(watch.open, 0);
});

// Errors.

Deno.test("whichever read fails, the error comes through, after all other reads have ended", async () => {
  const layout = fakeLayout({ ...four, files: [{ images: 9 }, { images: 2 }] });
  const images = [0, 2, 3, 5, 8, 9, 10];
  for (const late of [false, true]) {
    for (let failAt = 0; failAt < 5; failAt++) {
      const watch = new Watch(late);
      const { reader } = await readerOf(layout, 7, undefined, watch);
      watch.failAt = failAt;
      await assertRejects(async () => await reader.load(images), Error, `read ${failAt} failed`);
      assertEquals(watch.underWay, 0);
      watch.failAt = -1;
      assertEquals(bytesOf(await reader.load(images)), expected(layout, images, wholeBox([4, 8])));
    }
  }
});

Deno.test("a file that ends early is a typed error", async () => {
  const layout = fakeLayout({ ...four, files: [{ images: 2 }] });
  const longer = { ...layout, files: [{ ...layout.files[0]!, end: 3 }] };
  const { reader } = await readerOf(longer, 3);
  const error = await assertRejects(async () => await reader.load([1, 2]), TilewiseError);
  assertEquals([error.code, error.details.file], ["truncated", "file 0"]);
});

Deno.test("an aborted signal ends a read", async () => {
  const { reader } = await readerOf(fakeLayout({ ...four, files: [{ images: 2 }] }), 2);
  const error = await assertRejects(
    async () => await reader.load([0], undefined, AbortSignal.abort()),
    TilewiseError,
  );
  assertEquals(error.code, "aborted");
});

Deno.test("wrong images, parts and layouts are refused", async () => {
  const layout = fakeLayout({ ...four, files: [{ images: 4 }] });
  const { reader } = await readerOf(layout, 2, box([0, 0], [2, 8]));
  const refused = (images: number[], part: Box | undefined, words: string) =>
    assertThrows(() => reader.load(images, part), TilewiseError, words);
  refused([2, 1], undefined, "must ascend");
  refused([1, 1], undefined, "must ascend");
  refused([3, 4], undefined, "there are 4");
  refused([-1], undefined, "must ascend");
  refused([0, 1, 2], undefined, "made for 2");
  refused([0], box([3, 0], [2, 8]), "Cannot read the part");
  refused([0], box([0], [2]), "Cannot read the part");
  assertThrows(
    () => readerBytes(layout, 1, box([0, 0], [5, 8])),
    TilewiseError,
    "Cannot read the part",
  );
  await assertRejects(() => readerOf({ ...layout, storedBytes: 63 }, 1), TilewiseError, "63 bytes per frame");
});

Deno.test("a slice is one run exactly when it is contiguous", () => {
  const whole = [3, 2, 4];
  for (
    const shape of [[1, 1, 2], [2, 2, 4], [1, 2, 4], [1, 2, 3], [2, 1, 4], [3, 2, 4], [3, 1, 1], [1, 1, 4]]
  ) {
    const slice = box([0, 0, 0], shape);
    assertEquals(pixelRuns(slice, whole).length === 1, isContiguous(slice, whole), `${shape}`);
  }
  assertEquals(pixelRuns(box([0, 1, 0], [2, 1, 4]), whole), [{ start: 4, length: 4 }, {
    start: 12,
    length: 4,
  }]);
});

Deno.test("a file is found by any of its images", () => {
  const files = [0, 3, 4, 9].map((start, i, all) => ({ start, end: all[i + 1] ?? 12, headerBytes: 0 }));
  assertEquals(Array.from({ length: 12 }, (_, i) => fileOf(files, i)), [0, 0, 0, 1, 2, 2, 2, 2, 2, 3, 3, 3]);
});
