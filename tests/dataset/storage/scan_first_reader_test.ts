import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../../src/errors.ts";
import { Slab } from "../../../src/memory/slab.ts";
import { type Box, box, wholeBox } from "../../../src/space/box.ts";
import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import { type Shape, sizeOf, unravel } from "../../../src/space/shape.ts";
import { FrameReader } from "../../../src/dataset/storage/reader.ts";
import type { FrameLayout } from "../../../src/dataset/layout/layout.ts";
import { loadKinds, readerBytes } from "../../../src/dataset/storage/kinds.ts";
import { Watch } from "../fake_files.ts";

await loadKinds(); // these tests make layouts without opening anything

const memory = new WebAssembly.Memory({ initial: 512, maximum: 512, shared: true });

/** The byte `b` of the sample at flat row-major position `flat` of the whole array. */
const value = (flat: number, b: number) => (flat * 31 + (flat >> 8) * 5 + b * 101) & 255;

/** An array of `navShape` and `sigShape`, written in Fortran order by walking over the file. */
function fortranLayout(
  navShape: Shape,
  sigShape: Shape,
  dtype: DType,
  headerBytes: number,
  pixels?: "C",
): FrameLayout {
  const shape = [...navShape, ...sigShape];
  const fastest = shape.map((_, d) => d);
  if (pixels) fastest.push(...fastest.splice(navShape.length).reverse());
  const { itemSize } = dtypeInfo(dtype);
  const bytes = new Uint8Array(headerBytes + sizeOf(shape) * itemSize).fill(255);
  const at = shape.map(() => 0);
  for (let i = 0; i < sizeOf(shape); i++) {
    const flat = at.reduce((sum, c, d) => sum * shape[d]! + c, 0);
    for (let b = 0; b < itemSize; b++) bytes[headerBytes + i * itemSize + b] = value(flat, b);
    for (const d of fastest) {
      if (++at[d]! < shape[d]!) break;
      at[d] = 0;
    }
  }
  const end = sizeOf(navShape);
  return {
    files: [{ source: { kind: "bytes", name: "f", bytes }, start: 0, end, headerBytes }],
    sigShape,
    dtype,
    byteOrder: "big",
    frameHeaderBytes: 0,
    frameFooterBytes: 0,
    storedBytes: sizeOf(sigShape) * itemSize,
    storage: { kind: "scan-first", navShape, ...(pixels ? { pixels } : {}) },
  };
}

async function check(layout: FrameLayout, images: number[], part: Box, watch = new Watch()): Promise<void> {
  const bytes = readerBytes(layout, images.length, part);
  const guard = new Uint8Array(memory.buffer, 1024 + bytes, 1024).fill(0xee);
  const slab = new Slab(memory, 1024, bytes);
  const options = { slab, maxFrames: images.length, box: part, openSource: watch.openSource };
  await using reader = await FrameReader.open(layout, options);
  const { pointer, frameStride, pixels, byteOrder } = await reader.load(images, part);
  const { itemSize } = dtypeInfo(layout.dtype);
  assertEquals([frameStride, byteOrder], [pixels * itemSize, "big"]);
  const found = new Uint8Array(memory.buffer, pointer, images.length * frameStride);
  const frame = sizeOf(layout.sigShape);
  let next = 0;
  for (const image of images) {
    for (let p = 0; p < frame; p++) {
      const at = unravel(p, layout.sigShape);
      if (at.some((c, d) => c < part.origin[d]! || c >= part.origin[d]! + part.shape[d]!)) continue;
      for (let b = 0; b < itemSize; b++, next++) {
        if (found[next] !== value(image * frame + p, b)) {
          throw new Error(`image ${image}, pixel ${at}, byte ${b}`);
        }
      }
    }
  }
  assertEquals(next, found.length);
  assert(guard.every((b) => b === 0xee));
}

Deno.test("frames in Fortran order: any scan, frame, type, images and part", async () => {
  const sizes = (max: number) => fc.array(fc.integer({ min: 1, max }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      sizes(5),
      sizes(5),
      fc.constantFrom<DType[]>("uint8", "uint16", "float32", "float64", "complex128"),
      fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 3, maxLength: 3 }),
      fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
      fc.nat(7),
      fc.constantFrom(undefined, "C" as const),
      async (nav, sig, dtype, cuts, picks, header, pixels) => {
        const images = [...new Set(picks.map((n) => n % sizeOf(nav)))].sort((a, b) => a - b);
        const origin = sig.map((n, d) => cuts[d]![0] % n);
        const part = box(origin, origin.map((o, d) => 1 + cuts[d]![1] % (sig[d]! - o)));
        await check(fortranLayout(nav, sig, dtype, header, pixels), images, part);
      },
    ),
    { numRuns: 500, seed: 13 },
  );
});

Deno.test("long scans: only the stretch of the wanted images is read, in bounded pieces", async () => {
  const layout = fortranLayout([30000], [3, 2], "uint16", 10);
  const watch = new Watch();
  await check(layout, [100, 101, 102, 29999], wholeBox([3, 2]), watch);
  assertEquals(watch.reads.length, 2 * 6);
  assert(watch.reads.every(({ length }) => length <= 6));
  const all = Array.from({ length: 30000 }, (_, i) => i);
  const whole = new Watch();
  await check(layout, all, wholeBox([3, 2]), whole);
  assertEquals(whole.reads.length, 2, "one read a column of the frame");
});

Deno.test("an array larger than the scratch buffer passes through in pieces", async () => {
  const layout = fortranLayout([300, 200], [9, 5], "uint8", 0);
  const watch = new Watch();
  const images = Array.from({ length: 400 }, (_, i) => 3 * i);
  await check(layout, images, box([1, 1], [8, 3]), watch);
  assert(watch.reads.every(({ length }) => length <= 2 ** 20));
  await check(fortranLayout([700_000], [2, 1], "uint16", 0), [0, 349_999, 699_999], wholeBox([2, 1]));
});

Deno.test("images that follow each other are served from one block, which a failure empties", async () => {
  const layout = fortranLayout([5, 8], [3, 4], "uint16", 0);
  const watch = new Watch();
  const slab = new Slab(memory, 1024, readerBytes(layout, 4));
  await using reader = await FrameReader.open(layout, { slab, maxFrames: 4, openSource: watch.openSource });
  const at = (block: { pointer: number }) => new Uint8Array(memory.buffer, block.pointer, 24).slice();
  const frame = (image: number) =>
    Uint8Array.from({ length: 24 }, (_, i) => value(image * 12 + (i >> 1), i & 1));
  for (let image = 0; image < 40; image += 4) {
    assertEquals(at(await reader.load([image, image + 1, image + 2, image + 3])), frame(image));
  }
  const once = watch.reads.length;
  assertEquals(at(await reader.load([3, 7])), frame(3));
  assert(watch.reads.length > once);
  watch.failAt = watch.reads.length + 1;
  await assertRejects(async () => await reader.load([0, 1]), Error, "failed");
  assertEquals(at(await reader.load([0, 1])), frame(0));
  assertEquals(once, 4, "one read a column of the frame");
});

Deno.test("what no format has is refused", async () => {
  const layout = fortranLayout([4], [2, 2], "uint8", 0);
  const slab = new Slab(memory, 1024, 10_000);
  const refused = (odd: Partial<FrameLayout>) =>
    assertRejects(
      () => FrameReader.open({ ...layout, ...odd }, { slab, maxFrames: 1 }),
      TilewiseError,
      "Fortran",
    );
  await refused({ frameHeaderBytes: 4 });
  await refused({ storage: { kind: "scan-first", navShape: [5] } });
  await refused({ files: [layout.files[0]!, layout.files[0]!] });
});
