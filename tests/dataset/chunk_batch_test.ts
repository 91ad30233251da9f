/**
 * Chunks from sources that answer late: the samples are those of any other source, requests are few and several at a
 * time, nothing is under way when a read has ended.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { FrameLayout } from "../../src/dataset/layout/layout.ts";
import { loadKinds, readerBytes } from "../../src/dataset/storage/kinds.ts";
import { FrameReader } from "../../src/dataset/storage/reader.ts";
import { TilewiseError } from "../../src/errors.ts";
import { BytesSource } from "../../src/io/source/bytes.ts";
import type { ByteSource } from "../../src/io/source/source.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { Slab } from "../../src/memory/slab.ts";
import { wholeBox } from "../../src/space/box.ts";
import { mulberry32 } from "../kernels/call.ts";

await loadKinds(); // these tests make layouts without opening anything

await loadKernels();

/** A source that answers late, and what it was asked. */
class LateSource extends BytesSource {
  requests = 0;
  readBytes = 0;
  underWay = 0;
  most = 0;
  constructor(bytes: Uint8Array, private readonly failing: number = -1) {
    super(bytes);
  }
  override async readInto(into: Uint8Array, at: number): Promise<void> {
    const number = this.requests++;
    this.readBytes += into.length;
    this.most = Math.max(this.most, ++this.underWay);
    await new Promise((resolve) => setTimeout(resolve, number % 3));
    this.underWay--;
    if (number === this.failing) throw new TilewiseError("io", "by plan");
    super.readInto(into, at);
  }
}

interface Scan {
  readonly layout: FrameLayout;
  readonly bytes: Uint8Array;
}

/** Frames of one chunk each, `gap` bytes apart, in the order that `seed` says (0: that of the frames). */
function scan(frames: number, side: number, gap: number, seed: number): Scan {
  const each = side * side;
  const random = mulberry32(seed);
  const order = Array.from({ length: frames }, (_, f) => seed === 0 ? f : random());
  const rank = order.map((_, f) => f).sort((a, b) => order[a]! - order[b]!);
  const addresses = new Float64Array(frames);
  const bytes = new Uint8Array(frames * (each + gap));
  rank.forEach((frame, place) => {
    addresses[frame] = place * (each + gap);
    bytes.fill(frame % 251, addresses[frame], addresses[frame] + each);
  });
  const layout: FrameLayout = {
    files: [{
      source: { kind: "blob", name: "scan", blob: new Blob([]) },
      start: 0,
      end: frames,
      headerBytes: 0,
    }],
    sigShape: [side, side],
    dtype: "uint8",
    byteOrder: "little",
    frameHeaderBytes: 0,
    frameFooterBytes: 0,
    storedBytes: each,
    storage: {
      kind: "chunks",
      chunks: {
        shape: [frames, side, side],
        chunk: [1, side, side],
        itemSize: 1,
        addresses,
        sizes: new Uint32Array(frames).fill(each),
        masks: new Uint32Array(frames),
        filters: [],
        plainEdges: false,
      },
    },
  };
  return { layout, bytes };
}

/** Reads blocks of images, and checks each sample. */
async function check({ layout }: Scan, source: ByteSource, blocks: readonly (readonly number[])[]) {
  const most = Math.max(...blocks.map(({ length }) => length));
  const needed = readerBytes(layout, most);
  const memory = new WebAssembly.Memory({ initial: Math.ceil((needed + 4096) / 65536) });
  const slab = new Slab(memory, 1024, needed);
  const openSource = () => Promise.resolve(source);
  const filterOf = () => Promise.reject(new Error("there are no filters"));
  const kernels = instantiateKernels(memory);
  await using reader = await FrameReader.open(layout, {
    slab,
    kernels,
    maxFrames: most,
    filterOf,
    openSource,
  });
  for (const images of blocks) {
    const { pointer, pixels } = await reader.load(images, wholeBox(layout.sigShape));
    images.forEach((image, i) => {
      const frame = new Uint8Array(memory.buffer, pointer + i * pixels, pixels);
      assert(frame.every((sample) => sample === image % 251), `image ${image}`);
    });
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

Deno.test("any images of any order and distance come from late sources as they are", async () => {
  const cases = fc.record({
    frames: fc.integer({ min: 1, max: 60 }),
    side: fc.integer({ min: 1, max: 9 }),
    gap: fc.constantFrom(0, 3, 5000, 70_000),
    seed: fc.nat(9),
    picks: fc.array(fc.array(fc.nat(59), { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ frames, side, gap, seed, picks }) => {
      const made = scan(frames, side, gap, seed);
      const blocks = picks.map((own) => [...new Set(own.map((n) => n % frames))].sort((a, b) => a - b));
      const source = new LateSource(made.bytes);
      await check(made, source, blocks);
      assertEquals(source.underWay, 0);
      if (blocks.length === 1) assert(source.requests <= blocks[0]!.length);
    }),
    { seed: 3, numRuns: 60 },
  );
});

Deno.test("thousands of tiny chunks take a few requests, also where they lie in another order", async () => {
  const blocks = range(0, 10).map((b) => range(400 * b, 400 * (b + 1)));
  for (const seed of [0, 1]) {
    const made = scan(4000, 8, 16, seed);
    const source = new LateSource(made.bytes);
    await check(made, source, blocks);
    assert(source.requests <= 20, `${source.requests} requests`);
    assert(source.readBytes <= 4 * 4000 * 64 * 2, `${source.readBytes} bytes`);
  }
});

Deno.test("chunks far apart are asked for one by one, eight at a time", async () => {
  const made = scan(60, 4, 100_000, 2);
  const source = new LateSource(made.bytes);
  await check(made, source, [range(0, 60)]);
  assertEquals([source.requests, source.most], [60, 8]);
  assertEquals(source.readBytes, 60 * 16);
});

Deno.test("whichever request fails, the error comes when nothing is under way, and another try succeeds", async () => {
  const made = scan(30, 4, 100_000, 2);
  for (const failing of range(0, 30)) {
    const source = new LateSource(made.bytes, failing);
    const code = await check(made, source, [range(0, 30)]).then(() => undefined, (error) => error.code);
    assertEquals([code, source.underWay], ["io", 0]);
  }
  const source = new LateSource(made.bytes, 12);
  const { layout } = made;
  const needed = readerBytes(layout, 30);
  const memory = new WebAssembly.Memory({ initial: Math.ceil((needed + 4096) / 65536) });
  await using reader = await FrameReader.open(layout, {
    slab: new Slab(memory, 1024, needed),
    kernels: instantiateKernels(memory),
    maxFrames: 30,
    filterOf: () => Promise.reject(new Error("there are no filters")),
    openSource: () => Promise.resolve(source),
  });
  const images = range(0, 30);
  await Promise.resolve(reader.load(images)).then(
    () => assert(false),
    ({ code }) => assertEquals(code, "io"),
  );
  const { pointer } = await reader.load(images);
  assertEquals(images.map((image) => new Uint8Array(memory.buffer, pointer)[16 * image]), images);
});
