/**
 * HDF5 files whose user block was put in front, changed or taken away after they were written: addresses count from the
 * superblock that is found, whatever it says of its place. What h5py reads of them is in `expected.json`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { openAllStored as openAll } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { failure, join } from "../helpers.ts";
import { sha256 } from "../read_all.ts";

interface Expected {
  readonly userBlock: number;
  readonly arrays: Readonly<Record<string, [number[], string]>>;
}

const FOLDER = new URL("../../data/hdf5_moved/", import.meta.url);
const EXPECTED: Record<string, Expected> = JSON.parse(
  Deno.readTextFileSync(new URL("expected.json", FOLDER)),
);
const bytesOf = (name: string) => Deno.readFileSync(new URL(name, FOLDER));
/** What the files of the folder name. */
const BESIDE = ["frames.bin", "added_0.h5"].map((name) => new File([bytesOf(name)], name));

async function digestOf(dataset: StoredDataset): Promise<string> {
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

async function compare(
  datasets: readonly StoredDataset[],
  { arrays }: Expected,
  what: string,
): Promise<void> {
  assertEquals(datasets.map(({ array }) => array).toSorted(), Object.keys(arrays).toSorted(), what);
  for (const dataset of datasets) {
    assertEquals(
      [dataset.shape, await digestOf(dataset)],
      arrays[dataset.array],
      `${dataset.array}, ${what}`,
    );
  }
}

for (const [name, expected] of Object.entries(EXPECTED)) {
  Deno.test(`${name}, with its superblock at byte ${expected.userBlock}, has the samples that h5py reads`, async () => {
    await compare(await openAll(new URL(name, FOLDER)), expected, name);
  });
}

for (const [name, expected] of Object.entries(EXPECTED).filter(([name]) => name.startsWith("added"))) {
  Deno.test(`${name} is the same behind a block of any size that a file may have, and behind none`, async () => {
    const stored = bytesOf(name).subarray(expected.userBlock);
    for (const size of [0, 512, 1024, 2048, 4096, 2 ** 18]) {
      const moved = new File([join(new Uint8Array(size).fill(0x20), stored)], "moved.h5");
      await compare(await openAll([moved, ...BESIDE]), expected, `behind ${size} bytes`);
    }
  });

  Deno.test(`${name} is as long as its superblock says, counted from where that is`, async () => {
    for (const size of [0, 512, 4096]) {
      const moved = join(new Uint8Array(size), bytesOf(name).subarray(expected.userBlock));
      const cut = new File([moved.subarray(0, -1)], "cut.h5");
      const { message } = await failure(openAll([cut, ...BESIDE]), "truncated");
      assert(message.includes(`ends at byte ${moved.length}, but it has ${moved.length - 1}`), message);
      await compare(
        await openAll([new File([join(moved, new Uint8Array(9))], "x.h5"), ...BESIDE]),
        expected,
        "",
      );
    }
  });
}
