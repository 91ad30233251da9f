/**
 * Small arrays in every layout, chunk index, filter, type and order of bytes of HDF5, made with h5py, with what h5py reads from
 * them: whole, and in parts.
 *
 * @module
 */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { type Box, box, wholeBox } from "../../../src/space/box.ts";
import { Random } from "../../compare/data/random.ts";
import { sha256 } from "../read_all.ts";

const FOLDER = new URL("../../data/hdf5_layouts/", import.meta.url);
const EXPECTED: Record<string, Record<string, [shape: number[], dtype: string, digest: string]>> = JSON.parse(
  Deno.readTextFileSync(new URL("expected.json", FOLDER)),
);

async function bytesOf(dataset: StoredDataset, part = wholeBox(dataset.shape)): Promise<Uint8Array> {
  const { data } = await readBox(dataset, part);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** A part of an array that is not the whole. */
function partOf(shape: readonly number[], random: Random): Box {
  const below = (n: number) => Math.floor(n * random.next());
  const counts = shape.map((n) => 1 + below(n));
  return box(shape.map((n, d) => below(n - counts[d]! + 1)), counts);
}

/** The bytes of a part, by plain loops. */
function cutOut(whole: Uint8Array, shape: readonly number[], { origin, shape: [z, y, x] }: Box): Uint8Array {
  const [depth, height, width] = shape as [number, number, number],
    each = whole.length / (depth * height * width);
  const rows: number[] = [];
  for (let i = 0; i < z!; i++) {
    for (let j = 0; j < y!; j++) {
      const start = each * (((origin[0]! + i) * height + origin[1]! + j) * width + origin[2]!);
      rows.push(...whole.subarray(start, start + each * x!));
    }
  }
  return Uint8Array.from(rows);
}

for (const [file, arrays] of Object.entries(EXPECTED)) {
  Deno.test(`${file}: every array has the samples that h5py reads, whole and in parts`, async () => {
    const found = new Map((await openAll(new URL(file, FOLDER))).map((one) => [one.array, one]));
    const random = new Random("parts of hdf5", file);
    for (const [name, [shape, dtype, digest]] of Object.entries(arrays)) {
      const shown = found.get(name);
      assert(shown, `${name} is there`);
      const dataset = shown.stored ?? shown; // h5py reads in the order of storage
      const whole = await bytesOf(dataset);
      assertEquals([dataset.shape, dataset.dtype, sha256(whole).slice(0, 16)], [shape, dtype, digest], name);
      for (let i = 0; i < 2; i++) {
        const part = partOf(shape, random);
        assertEquals(
          await bytesOf(dataset, part),
          cutOut(whole, shape, part),
          `${name} ${JSON.stringify(part)}`,
        );
      }
    }
  });
}

Deno.test("any of 1250 names leads to its array, with the attributes in its header", async () => {
  for (const array of ["/first", ...[0, 1, 9, 617, 1000, 1249].map((k) => `/names/${k}`)]) {
    const { shape, metadata } = await open(new URL("links.h5", FOLDER), { array });
    const attributes = { "fact 0": 0, "fact 1": 1, "fact 2": 2, "fact 3": 3 };
    assertEquals([shape, { ...metadata }.attributes], [[1, 2, 3], attributes], array);
  }
});
