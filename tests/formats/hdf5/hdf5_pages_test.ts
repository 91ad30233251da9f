/** The pages of HDF5 files that are kept: few reads where one follows the other, and no more memory than was said. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Hdf5File, PAGE_BYTES, Pages } from "../../../src/formats/hdf5/metadata/file.ts";
import { BytesSource } from "../../../src/io/source/bytes.ts";

const COUNT = 300;

/** A file whose pages begin with their numbers, and the reads of it; those with numbers in `failing` fail. */
function counted(failing: number[] = []) {
  const bytes = new Uint8Array(COUNT * PAGE_BYTES - 100);
  for (let page = 0; page < COUNT; page++) new DataView(bytes.buffer).setUint32(page * PAGE_BYTES, page);
  const reads: [page: number, count: number][] = [];
  const source = new class extends BytesSource {
    override readInto(into: Uint8Array, at: number): void {
      reads.push([at / PAGE_BYTES, Math.ceil(into.length / PAGE_BYTES)]);
      if (failing.includes(reads.length)) throw new Error("no luck");
      super.readInto(into, at);
    }
  }(bytes);
  return { pages: new Pages(source, undefined), reads };
}

const numberOf = (page: Uint8Array) => new DataView(page.buffer, page.byteOffset).getUint32(0);

Deno.test("pages that follow each other are read several at once, others one by one", async () => {
  const { pages, reads } = counted();
  for (const page of [7, 0, 1, 2, 3, 4, 5, 6, 7, 8, 100, 101, 50, COUNT - 2, COUNT - 1]) {
    assertEquals(numberOf(await pages.get(page)), page);
    assertEquals(numberOf(pages.atHand(page)!), page);
  }
  assertEquals(reads, [[7, 1], [0, 1], [1, 2], [3, 4], [8, 1], [100, 1], [101, 2], [50, 1], [298, 1], [
    299,
    1,
  ]]);
});

Deno.test("the page used longest ago is dropped first, however pages are read", async () => {
  const { pages, reads } = counted();
  await pages.get(0);
  for (let page = 127; page > 0; page--) await pages.get(page);
  assertEquals(reads.length, 128);
  pages.atHand(0);
  pages.atHand(127);
  await pages.get(COUNT - 1);
  const seen = [0, 127, 126, 125].map((page) => pages.atHand(page) && numberOf(pages.atHand(page)!));
  assertEquals(seen, [0, 127, undefined, 125]);
  for (let page = 0; page < COUNT; page++) await pages.get(page);
  assert(reads.length < 128 + 60, `${reads.length} reads`);
  let kept = 0;
  for (let page = 0; page < COUNT; page++) kept += pages.atHand(page) ? 1 : 0;
  assertEquals(kept, 128);
});

Deno.test("a page that could not be read is asked for again", async () => {
  const { pages, reads } = counted([1, 3]);
  await assertRejects(() => pages.get(5), Error, "no luck");
  assertEquals([numberOf(await pages.get(5)), reads.length], [5, 2]);
  pages.prefetch(9);
  pages.prefetch(-1);
  pages.prefetch(COUNT);
  await assertRejects(() => pages.get(9), Error, "no luck");
  assertEquals([numberOf(await pages.get(9)), reads.length], [9, 4]);
});

Deno.test("a structure may lie on several pages", async () => {
  const bytes = new Uint8Array(14 * PAGE_BYTES).map((_, i) => i * 7 + (i >> 8));
  bytes.set(await Deno.readFile(new URL("../../data/axes/nion.h5", import.meta.url)));
  const file = await Hdf5File.open(new BytesSource(bytes));
  for (const pages of [0.5, 1, 1.5, 2, 7.5, 8.5, 9]) {
    for (const start of [2 * PAGE_BYTES - 1, 2 * PAGE_BYTES, 3 * PAGE_BYTES + 9]) {
      const { bytes: found } = await file.read(start, pages * PAGE_BYTES);
      assertEquals(found.length, pages * PAGE_BYTES);
      assert(found.every((byte, i) => byte === bytes[start + i]), `${pages} pages from ${start}`);
    }
  }
});
