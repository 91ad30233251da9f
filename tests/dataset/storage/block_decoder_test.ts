import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { FrameDecoder, FramesToDecode } from "../../../src/codecs/codec.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { instantiateKernels, loadKernels } from "../../../src/kernels/wasm.ts";
import { Slab } from "../../../src/memory/slab.ts";
import { type Box, box, wholeBox } from "../../../src/space/box.ts";
import { pixelRuns } from "../../../src/dataset/layout/frame_part.ts";
import { FrameReader, type RawFrames } from "../../../src/dataset/storage/reader.ts";
import type { FrameLayout } from "../../../src/dataset/layout/layout.ts";
import { readerBytes } from "../../../src/dataset/storage/kinds.ts";
import { fakeLayout, sampleByte, Watch } from "../fake_files.ts";

await loadKernels();

const memory = new WebAssembly.Memory({ initial: 8, maximum: 8, shared: true });
const kernels = instantiateKernels(memory);

/** Stored bytes become samples of 16 bits: the byte plus what the layout says. */
class Widen implements FrameDecoder {
  jobs = 0;
  decode({ dst, src, frames, srcStride, storedBytes, params }: FramesToDecode): void {
    this.jobs++;
    const bytes = new Uint8Array(memory.buffer);
    const out = new Uint16Array(memory.buffer, dst);
    for (let f = 0; f < frames; f++) {
      for (let i = 0; i < storedBytes; i++) {
        out[f * storedBytes + i] = bytes[src + f * srcStride + i]! + Number(params.plus);
      }
    }
  }
}

const stored = fakeLayout({
  sigShape: [4, 6],
  files: [{ images: 3, headerBytes: 5 }, { images: 6 }],
  frameHeaderBytes: 3,
});
const layout: FrameLayout = {
  ...stored,
  dtype: "uint16",
  byteOrder: "big",
  storage: { kind: "contiguous", codec: { id: "widen", params: { plus: 1000 } } },
};

async function setUp(largest?: Box) {
  const [watch, decoder] = [new Watch(), new Widen()];
  const bytes = readerBytes(layout, 5, largest);
  const reader = await FrameReader.open(layout, {
    slab: new Slab(memory, 1024, bytes),
    maxFrames: 5,
    openSource: watch.openSource,
    kernels,
    decoderOf: (id) => id === "widen" ? Promise.resolve(decoder) : Promise.reject(new Error(id)),
    ...(largest ? { box: largest } : {}),
  });
  return { reader, watch, decoder };
}

function samplesOf({ pointer, frameStride, count, pixels }: RawFrames): number[][] {
  return Array.from(
    { length: count },
    (_, f) => [...new Uint16Array(memory.buffer, pointer + f * frameStride, pixels)],
  );
}

function expected(images: number[], part: Box): number[][] {
  return images.map((image) =>
    pixelRuns(part, [4, 6]).flatMap(({ start, length }) =>
      Array.from({ length }, (_, i) => 1000 + sampleByte(image, start + i))
    )
  );
}

Deno.test("encoded frames come decoded, little endian, whole or in part", async () => {
  const columns = box([1, 2], [3, 2]);
  for (const part of [wholeBox([4, 6]), box([1, 0], [2, 6]), columns]) {
    const { reader } = await setUp(part === columns ? columns : undefined);
    for (const images of [[0, 1, 2, 3, 4], [1, 5, 8], [7]]) {
      const block = await reader.load(images, part);
      assertEquals([block.dtype, block.byteOrder], ["uint16", "little"]);
      assertEquals(samplesOf(block), expected(images, part));
    }
  }
});

Deno.test("parts of the same frames are read and decoded once", async () => {
  const { reader, watch, decoder } = await setUp();
  for (let row = 0; row < 4; row++) {
    const part = box([row, 0], [1, 6]);
    assertEquals(samplesOf(await reader.load([1, 2, 4], part)), expected([1, 2, 4], part));
  }
  assertEquals([decoder.jobs, watch.reads.length], [1, 2]);
  assert(!(reader.load([1, 2, 4]) instanceof Promise));
  assertEquals(samplesOf(await reader.load([1, 2, 3])), expected([1, 2, 3], wholeBox([4, 6])));
  assertEquals(decoder.jobs, 2);
});

Deno.test("after a failed read the block is read again", async () => {
  const { reader, watch } = await setUp();
  await reader.load([0, 1]);
  watch.failAt = 1;
  await assertRejects(async () => await reader.load([2]), Error, "read 1 failed");
  assertEquals(samplesOf(await reader.load([0, 1])), expected([0, 1], wholeBox([4, 6])));
});

Deno.test("a reader without the codec, or made for a part without holes, says so", async () => {
  const slab = new Slab(memory, 1024, 100_000);
  const error = await assertRejects(
    async () => await (await FrameReader.open(layout, { slab, maxFrames: 1 })).load([0]),
    TilewiseError,
  );
  assertEquals(error.code, "invalid");
  const { reader } = await setUp();
  assertThrows(() => reader.load([0], box([0, 0], [4, 5])), TilewiseError, "another shape");
});
