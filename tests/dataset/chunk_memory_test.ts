/** The memory of readers of chunks: very wide frames, and files that claim more than they hold. */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { deflateSync } from "node:zlib";
import { open, plan, run, sumPixels, udf } from "../../mod.ts";
import { StoredDataset } from "../../src/dataset/dataset.ts";
import type { ChunkFilterSpec } from "../../src/dataset/layout/chunks.ts";
import { frameLayout } from "../../src/dataset/layout/layout.ts";
import { loadKinds, readerBytes } from "../../src/dataset/storage/kinds.ts";
import { isTilewiseError } from "../../src/errors.ts";
import { RunContext } from "../../src/runner/context.ts";
import { wholeBox } from "../../src/space/box.ts";
import { type Shape, sizeOf } from "../../src/space/shape.ts";

await loadKinds(); // these tests make layouts without opening anything

const DEFLATE: ChunkFilterSpec = { name: "deflate", values: [] };
/** Tables of filters, and results. */
const SMALL = 2 ** 18;

/** An image of bytes in chunks, of which the first ones are `stored`. */
function image(
  shape: Shape,
  chunk: Shape,
  filters: readonly ChunkFilterSpec[],
  stored: readonly Uint8Array[],
): StoredDataset {
  const cells = sizeOf(shape.map((n, d) => Math.ceil(n / chunk[d]!)));
  const bytes = new Uint8Array(stored.reduce((sum, one) => sum + one.length, 0));
  const [addresses, sizes] = [new Float64Array(cells).fill(-1), new Uint32Array(cells)];
  let at = 0;
  for (const [cell, one] of stored.entries()) {
    bytes.set(one, at);
    [addresses[cell], sizes[cell]] = [at, one.length];
    at += one.length;
  }
  const layout = frameLayout({
    files: [{ source: { kind: "bytes", name: "chunks", bytes }, start: 0, end: 1, headerBytes: 0 }],
    sigShape: shape,
    dtype: "uint8",
    byteOrder: "little",
    storage: {
      kind: "chunks",
      chunks: {
        shape,
        chunk,
        itemSize: 1,
        addresses,
        sizes,
        masks: new Uint32Array(cells),
        filters,
        plainEdges: false,
      },
    },
  });
  return new StoredDataset({
    source: "chunks",
    array: "",
    navShape: [],
    layout,
    detection: { format: "chunks", why: [] },
  });
}

/** Sums tiles of any kind. */
const total = udf({
  name: "total",
  buffers: { sum: { kind: "nav", dtype: "float64" } },
  processTile({ data }, { sum }) {
    for (let i = 0; i < data.length; i++) sum[0]! += data[i]!;
  },
});

/** The sum of all samples, and the most bytes in leases. */
async function summed(dataset: StoredDataset): Promise<{ sum: number; peak: number }> {
  await using context = new RunContext({ memory: "512MiB", workers: 0 });
  const { it } = await run(await plan(dataset, { it: sumPixels() }, { context }));
  return { sum: it.intensity.data[0]!, peak: context.arena.peak };
}

/** As {@link summed}, by a function that takes any part of a frame. */
async function summedInParts(
  dataset: StoredDataset,
): Promise<{ sum: number; peak: number; explained: string }> {
  await using context = new RunContext({ memory: "512MiB", workers: 0 });
  const planned = await plan(dataset, { it: total }, { context });
  const { it } = await run(planned);
  return { sum: it.sum.data[0]!, peak: context.arena.peak, explained: planned.explain() };
}

Deno.test("frames that are very wide are read chunk by chunk, others in rows of chunks", async () => {
  const chunk = new Uint8Array(2 ** 20).map((_, i) => i % 7);
  const packed = deflateSync(chunk);
  const sum = chunk.reduce((all, one) => all + one, 0);
  const wide = await summedInParts(image([1024, 40 * 1024], [1024, 1024], [DEFLATE], Array(40).fill(packed)));
  assertEquals(wide.sum, 40 * sum);
  assert(wide.explained.includes("blocks of 1024 × 1024"), wide.explained);
  assert(wide.peak < 32 * 2 ** 20, wide.explained);
  const narrow = await summedInParts(image([4096, 2048], [1024, 1024], [DEFLATE], Array(8).fill(packed)));
  assertEquals(narrow.sum, 8 * sum);
});

Deno.test("chunks that were never written take no memory, and have the fill value", async () => {
  const chunk = deflateSync(new Uint8Array(2 ** 20).fill(3));
  const { sum, peak } = await summedInParts(image([3000, 20_000], [1024, 1024], [DEFLATE], [chunk]));
  assertEquals(sum, 3 * 2 ** 20);
  assert(peak < 128 * 2 ** 20, `${peak}`); // a row of chunks, and one chunk
});

Deno.test("decoding leases two chunks and what is stored, whatever a file claims", async () => {
  const side = 4096, chunk = side * side;
  for (
    const [name, filters, stored, most] of [
      ["a bomb", [DEFLATE], deflateSync(new Uint8Array(chunk)), 2],
      ["plain samples", [], new Uint8Array(chunk), 1],
      ["shuffled", [{ name: "shuffle", values: [2] }, DEFLATE], deflateSync(new Uint8Array(chunk)), 3],
    ] as const
  ) {
    const one = image([side, side], [side, side], filters, [stored]);
    const { sum, peak } = await summed(one);
    assertEquals(sum, 0, name);
    assert(peak <= most * chunk + stored.length + SMALL + 2 ** 20, `${name}: ${peak} for chunks of ${chunk}`);
    assert(readerBytes(one.layout, 1, wholeBox([side, side])) <= most * chunk + stored.length + SMALL, name);
  }
});

Deno.test("a chunk that its stored bytes cannot fill is refused before anything is written", async () => {
  const claim = image([4096, 4096], [4096, 4096], [DEFLATE], [deflateSync(new Uint8Array(1000))]);
  await assertRejects(() => summed(claim), Error, "at most");
});

const MALFORMED = new URL("../../../shared/data/malformed/", import.meta.url);

/** Names of damaged files; none where they are not at hand. */
function damaged(): string[] {
  try {
    return [...Deno.readDirSync(MALFORMED)].map(({ name }) => name);
  } catch {
    return [];
  }
}

Deno.test({
  name: "damaged files take no more than twice the memory of a chunk, and a little",
  ignore: damaged().length === 0, // the files are not part of this repository
  async fn() {
    let read = 0;
    for (const name of damaged()) {
      await using context = new RunContext({ memory: "512MiB", workers: 0 });
      try {
        const dataset = await open(decodeURIComponent(new URL(name, MALFORMED).pathname)) as StoredDataset;
        const { storage } = dataset.layout;
        const chunk = storage.kind === "chunks" ? sizeOf(storage.chunks.chunk) * storage.chunks.itemSize : 0;
        try {
          read++;
          await run(await plan(dataset, { total: sumPixels() }, { context }));
        } finally {
          assert(context.arena.peak <= 2 * chunk + 2 ** 22, `${name}: ${context.arena.peak} for ${chunk}`);
        }
      } catch (error) {
        if (!isTilewiseError(error)) throw error; // these are as they should be
      }
    }
    assert(read > 0);
  },
});
