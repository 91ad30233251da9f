/**
 * Damaged metadata of HDF5 files: a bit that is not what it was is found by a checksum, or changes nothing. The files
 * are those of `tests/data/hdf5_latest`, in which every structure occurs that has a checksum.
 *
 * @module
 */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { lookup3 } from "../../../src/sinks/hdf5/lookup3.ts";
import { openAll } from "../../../src/formats/open.ts";
import { describedBy, flipFile, latest } from "./hdf5_flips.ts";
import { failure } from "../helpers.ts";

/** Structures with checksums, and files that have them. */
const STRUCTURES: Readonly<Record<string, string>> = {
  "\u2030HDF": "superblock_2.h5", // byte 0x89, as the decoder shows it,
  OHDR: "headers.h5",
  OCHK: "headers.h5",
  BTHD: "trees.h5",
  BTIN: "trees.h5",
  BTLF: "groups.h5",
  FRHP: "groups.h5",
  FHIB: "groups.h5",
  FHDB: "groups.h5",
  FAHD: "fixed.h5",
  FADB: "fixed.h5",
  EAHD: "extensible.h5",
  EAIB: "extensible.h5",
  EASB: "extensible.h5",
  EADB: "extensible.h5",
  SMTB: "../hdf5/shared.h5",
};

/** Files, and how many bits of them are flipped; `deno task soak --only flips` flips many more. */
const FILES: readonly (readonly [name: string, bits: number])[] = [
  ["headers.h5", 2500],
  ["superblock_2.h5", 5000],
  ["virtual.h5", 1500],
  ["groups.h5", 500],
  ["fixed.h5", 500],
  ["extensible.h5", 500],
  ["trees.h5", 500],
  ["extensible_pages.h5", 60],
  ["deep.h5", 250],
];

for (const [name, most] of FILES) {
  Deno.test(`${name}: a flipped bit of its metadata is an error, or changes neither values nor shape`, async () => {
    const { refused, different } = await flipFile(name, most);
    assertEquals(different, []);
    assert(refused > most / 50 || refused > 1000, `${refused} were refused`);
  });
}

for (const [signature, name] of Object.entries(STRUCTURES)) {
  const shown = signature.replace(/[^\w]/g, "");
  Deno.test(`a damaged structure ${shown} of ${name} is named with its place and both checksums`, async () => {
    const bytes = latest(name);
    const text = new TextDecoder("latin1").decode(bytes);
    const at = text.indexOf(signature);
    assert(at >= 0);
    const errors = new Set<string>();
    for (let next = at; next < Math.min(at + 200, bytes.length); next++) { // some bytes say how long it is
      bytes[next]! ^= 16;
      const found = await describedBy(bytes);
      bytes[next]! ^= 16;
      if (!(found instanceof TilewiseError) || found.details.offset !== at) continue;
      if (!/checksum is 0x[0-9a-f]{8}, that of its \d+ bytes is 0x[0-9a-f]{8}/.test(found.message)) continue;
      assertEquals([found.code, found.details.file], ["malformed", "scan.h5"]);
      assert(/^0x/.test(`${found.details.expected}`) && found.details.expected !== found.details.found);
      errors.add(found.message);
    }
    assert(errors.size >= 5, [...errors].join("\n"));
  });
}

Deno.test("a damaged checksum is damage, too", async () => {
  const bytes = latest("superblock_2.h5");
  bytes[512 + 44]! ^= 1;
  const error = await failure(openAll(bytes), "malformed");
  assert(/at byte 512, the superblock is damaged: its checksum is 0x/.test(error.message), error.message);
});

Deno.test("files of the old format have no checksums: a flipped bit never ends in a foreign error", async () => {
  for (const name of ["../hdf5/external.h5", "../hdf5/velox.h5", "../hdf5/py4dstem.h5", "../hdf5/odd.h5"]) {
    const bytes = latest(name);
    const step = Math.max(1, Math.floor(bytes.length * 8 / 150)) | 1;
    for (let n = 0; n < 8 * bytes.length; n += step) {
      bytes[n >> 3]! ^= 1 << (n & 7);
      await describedBy(bytes); // fails with what is not an error of ours
      bytes[n >> 3]! ^= 1 << (n & 7);
    }
  }
});

Deno.test("the checksum is lookup3, as its author's test says", () => {
  const of = (text: string) => lookup3(new TextEncoder().encode(text)).toString(16);
  assertEquals([of(""), of("Four score and seven years ago")], ["deadbeef", "17770551"]);
  for (let length = 0; length < 40; length++) { // no byte goes unseen
    const bytes = new Uint8Array(length);
    const sums = new Set([lookup3(bytes)]);
    for (let at = 0; at < length; at++) {
      bytes[at] = 1;
      sums.add(lookup3(bytes));
      bytes[at] = 0;
    }
    assertEquals(sums.size, length + 1);
  }
});
