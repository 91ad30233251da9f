import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { frameBlocks, readBox } from "../../../src/cli/inputs/frames.ts";
import { StoredDataset } from "../../../src/dataset/dataset.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { box } from "../../../src/space/box.ts";
import { type Shape, sizeOf, unravel } from "../../../src/space/shape.ts";

/** A big-endian 16-bit data set in memory: image `i` has samples `i · pixels …`, after a header of 3 bytes. */
function dataset(navShape: Shape, sigShape: Shape, images: number, syncOffset = 0): StoredDataset {
  const pixels = sizeOf(sigShape);
  const bytes = new Uint8Array(5 + images * (3 + 2 * pixels));
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < images * pixels; i++) {
    view.setUint16(5 + (Math.floor(i / pixels) + 1) * 3 + 2 * i, i % 65536);
  }
  return new StoredDataset({
    source: "memory",
    detection: { format: "raw", why: [] },
    navShape,
    syncOffset,
    layout: {
      files: [{ source: { kind: "bytes", name: "memory", bytes }, start: 0, end: images, headerBytes: 5 }],
      sigShape,
      dtype: "uint16",
      byteOrder: "big",
      frameHeaderBytes: 3,
      frameFooterBytes: 0,
      storedBytes: 2 * pixels,
      storage: { kind: "contiguous" },
    },
  });
}

const shapes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 });

Deno.test("blocks together are all samples in C order, also where a frame is larger than a block", async () => {
  for (
    const [images, sig] of [[500, [3, 4]], [2, [2000, 1500]], [2, [3_000_000]], [1, [2_500_000, 1]]] as const
  ) {
    let [samples, wrong] = [0, 0];
    for await (const { data } of frameBlocks(dataset([images], sig, images))) {
      for (const value of data as Uint16Array) if (value !== samples++ % 65536) wrong++;
    }
    assertEquals([samples, wrong], [images * sizeOf(sig), 0]);
  }
});

Deno.test("every box of every data set holds the samples it should", async () => {
  const cases = fc.tuple(shapes, shapes, fc.integer({ min: -3, max: 3 }), fc.infiniteStream(fc.nat(1000)));
  await fc.assert(
    fc.asyncProperty(cases, async ([nav, sig, syncOffset, numbers]) => {
      const next = (below: number) => numbers.next().value! % below;
      const whole = [...nav, ...sig];
      const origin = whole.map((n) => next(n));
      const shape = whole.map((n, d) => 1 + next(n - origin[d]!));
      const images = sizeOf(nav) - next(2);
      const array = await readBox(dataset(nav, sig, images, syncOffset), box(origin, shape));
      for (let i = 0; i < sizeOf(shape); i++) {
        const at = unravel(i, shape).map((k, d) => k + origin[d]!);
        const flat = (index: readonly number[], sizes: Shape) =>
          index.reduce((sum, k, d) => sum * sizes[d]! + k, 0);
        const image = flat(at.slice(0, nav.length), nav) + syncOffset;
        const exists = image >= 0 && image < images;
        const expected = exists ? image * sizeOf(sig) + flat(at.slice(nav.length), sig) : 0;
        assertEquals(array.data[i], expected);
        const position = Math.floor(i / sizeOf(shape.slice(nav.length)));
        assertEquals(array.valid?.[position] ?? 1, exists ? 1 : 0);
      }
    }),
    { numRuns: 120, seed: 9 },
  );
});

Deno.test("more than can be held is refused before anything is read", async () => {
  const huge = dataset([40_000], [200, 200], 1);
  await assertRejects(
    () => readBox(huge, box([0, 0, 0], [40_000, 200, 200])),
    TilewiseError,
    "pick a smaller box",
  );
});

Deno.test("reading stops when it is told to", async () => {
  const signal = AbortSignal.abort();
  const read = async () => {
    for await (const _ of frameBlocks(dataset([4], [2, 2], 4), { signal }));
  };
  await assertRejects(read, TilewiseError, "Cancelled");
});
