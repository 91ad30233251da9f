/** What every kind of storage must do; a new kind gets these tests by its entry in `samples.ts`. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { chunkFilter } from "../../../src/codecs/filters/registry.ts";
import { frameDecoder } from "../../../src/codecs/registry.ts";
import { type FrameLayout, imageCount } from "../../../src/dataset/layout/layout.ts";
import { kindOf, loadKinds, ownSources, readerBytes } from "../../../src/dataset/storage/kinds.ts";
import { FrameReader } from "../../../src/dataset/storage/reader.ts";
import { instantiateKernels, loadKernels } from "../../../src/kernels/wasm.ts";
import { Slab } from "../../../src/memory/slab.ts";
import { type Box, box, wholeBox } from "../../../src/space/box.ts";
import { dtypeInfo } from "../../../src/space/dtype.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../../src/space/shape.ts";
import { STORAGE_SAMPLES, type StorageSample } from "./samples.ts";

await loadKinds(); // these tests make layouts without opening anything

await loadKernels();

/** Bytes on both sides of a slab that no reader may touch. */
const GUARD = 1024;

/** A part of some images. */
interface Block {
  readonly images: readonly number[];
  readonly part: Box;
}

/** Reads blocks with one reader, in exactly the bytes that the kind says, and compares every sample. */
async function check(layout: FrameLayout, blocks: readonly Block[], { sample }: StorageSample) {
  const most = Math.max(...blocks.map(({ images }) => images.length));
  const largest = blocks[0]!.part;
  const bytes = readerBytes(layout, most, largest);
  const memory = new WebAssembly.Memory({ initial: Math.ceil((bytes + 2 * GUARD) / 65536) });
  const guards = [new Uint8Array(memory.buffer, 0, GUARD), new Uint8Array(memory.buffer, GUARD + bytes)];
  for (const guard of guards) guard.fill(0xee);
  await using reader = await FrameReader.open(layout, {
    slab: new Slab(memory, GUARD, bytes),
    maxFrames: most,
    box: largest,
    kernels: instantiateKernels(memory),
    decoderOf: frameDecoder,
    filterOf: chunkFilter,
  });
  for (const { images, part } of blocks) {
    const { pointer, frameStride, byteOrder, dtype } = await reader.load(images, part);
    const view = new DataView(memory.buffer);
    const read = readerOf(view, dtype, byteOrder === "little");
    images.forEach((image, f) => {
      for (let i = 0; i < sizeOf(part.shape); i++) {
        const at = unravel(i, part.shape).map((x, d) => x + part.origin[d]!);
        const found = read(pointer + f * frameStride + i * dtypeInfo(dtype).itemSize);
        const expected = sample(image, ravel(at, layout.sigShape));
        if (found !== expected) throw new Error(`image ${image} at ${at}: ${found}, not ${expected}`);
      }
    });
  }
  reader.recheck();
  assert(
    guards.every((guard) => guard.every((byte) => byte === 0xee)),
    "a reader writes outside of its slab",
  );
}

function readerOf(view: DataView, dtype: string, little: boolean): (at: number) => number {
  if (dtype === "bool" || dtype === "uint8") return (at) => view.getUint8(at);
  if (dtype === "int16") return (at) => view.getInt16(at, little);
  if (dtype === "uint16") return (at) => view.getUint16(at, little);
  if (dtype === "int32") return (at) => view.getInt32(at, little);
  throw new Error(`The samples of storage have ${dtype}: add it here`);
}

/** Parts of one shape of any images; small ones of frames of millions of pixels. */
function blocksOf({ sigShape, ...layout }: FrameLayout): fc.Arbitrary<Block[]> {
  const count = imageCount({ sigShape, ...layout }), most = isLarge(sigShape) ? 40 : Infinity;
  const shapes = fc.tuple(...sigShape.map((n) => fc.integer({ min: 1, max: Math.min(most, n) })));
  return shapes.chain((shape) => {
    const origins = fc.tuple(...sigShape.map((n, d) => fc.nat(n - shape[d]!)));
    const images = fc.uniqueArray(fc.nat(count - 1), { minLength: 1, maxLength: 5 });
    return fc.array(
      fc.record({
        images: images.map((list) => list.toSorted((a, b) => a - b)),
        part: origins.map((origin) => box(origin, shape)),
      }),
      { minLength: 1, maxLength: 4 },
    );
  });
}

function isLarge(sigShape: Shape): boolean {
  return sizeOf(sigShape) > 100_000;
}

for (const [kind, make] of Object.entries(STORAGE_SAMPLES)) {
  Deno.test(`${kind}: any part of any images, in the bytes that planners count`, async () => {
    for (const one of await make()) {
      const { layout } = one.dataset;
      assertEquals(layout.storage.kind, kind, one.what);
      const numRuns = isLarge(layout.sigShape) ? 5 : 60;
      const property = fc.asyncProperty(blocksOf(layout), (blocks) => check(layout, blocks, one));
      await fc.assert(property, { numRuns, seed: 5 });
    }
  });

  Deno.test(`${kind}: a layout is plain data, whose copy says the same`, async () => {
    for (const one of await make()) {
      const copy = structuredClone(one.dataset.layout);
      await check(copy, [{ images: [0], part: wholeBox(copy.sigShape) }], one);
      assertEquals(kindOf(copy).mapSources(copy.storage, (source) => source), copy.storage);
      assertEquals(ownSources(copy).length, ownSources(one.dataset.layout).length);
    }
  });

  Deno.test(`${kind}: what planners ask is in order`, async () => {
    for (const { dataset: { layout }, what } of await make()) {
      const { facts, storedBytes, entries, pitch, partitionPitch } = kindOf(layout);
      const count = imageCount(layout), list = () => Array.from({ length: count }, (_, i) => i);
      assert(facts(layout).words.length > 0 && pitch(layout) > 0 && partitionPitch(layout) > 0, what);
      assertEquals([storedBytes(layout, { count: 0, list: () => [] })], [0], what);
      const stored = [1, count].map((n) => storedBytes(layout, { count: n, list: () => list().slice(0, n) }));
      assert(stored[0]! >= 0 && stored[1]! >= stored[0]!, what);
      assert(entries(layout, count, { count, list }) >= 0, what);
      const small = box(layout.sigShape.map(() => 0), layout.sigShape.map(() => 1));
      const bytes = [readerBytes(layout, 1, small), readerBytes(layout, 1), readerBytes(layout, 5)];
      assertEquals(bytes.toSorted((a, b) => a - b), bytes, what);
    }
  });
}
