/** The pages of HDF5 files that are kept: few reads where one follows the other, and no more memory than was said. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { PAGE_BYTES, Pages } from "../../../src/formats/hdf5/metadata/pages.ts";
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
