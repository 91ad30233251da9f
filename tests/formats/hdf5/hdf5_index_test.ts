/** Chunk indices of HDF5 files: every chunk is found, and every bit of their structures lies under a checksum. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { openStored as open } from "../../../src/formats/open.ts";
import { chunksOf } from "../chunks_of.ts";
import { flipIndex, INDICES, latest, structuresOf } from "./hdf5_flips.ts";

Deno.test("chunks far into an array without limit are found: those in pages of their index", async () => {
  const bytes = latest("extensible_pages.h5");
  const { addresses } = chunksOf(await open(bytes, { array: "/paged" }));
  const written = Array.from(addresses.entries()).filter(([, address]) => address >= 0);
  assertEquals(written.map(([cell]) => cell), Array.from({ length: 10 }, (_, i) => 139_990 + i));
  assertEquals(written.map(([, address]) => bytes[address]), new Array(10).fill(3));
});

for (const [name, path, whats] of INDICES) {
  Deno.test(`a flipped bit of any structure of the chunk index of ${path} in ${name} is refused`, async () => {
    const found = (await structuresOf(latest(name), path)).map(({ what }) => what);
    assertEquals(new Set(found), new Set(whats)); // all of them are there to be flipped
    const { flips, refused, different } = await flipIndex(name, path, 400);
    assertEquals(different, []);
    assertEquals(refused, flips);
    assert(flips >= 400);
  });
}

Deno.test("a B-tree of chunks has inner nodes below inner nodes, each with its checksum", async () => {
  const bytes = latest("deep.h5");
  for (const path of ["/plain", "/packed"]) {
    const structures = await structuresOf(bytes, path);
    const signature = (at: number) => new TextDecoder().decode(bytes.subarray(at, at + 4));
    const inner = structures.filter(({ at }) => signature(at) === "BTIN");
    const leaves = structures.filter(({ at }) => signature(at) === "BTLF");
    assert(inner.length >= 3 && leaves.length >= 9, `${inner.length} inner nodes, ${leaves.length} leaves`);
    const { addresses } = chunksOf(await open(bytes, { array: path }));
    assert(addresses.length === 90 && addresses.every((address) => address > 0));
  }
});
