/**
 * Real files that are cut off or changed: they end in a typed error or in data sets that make sense, whatever the
 * damage is. (HDF5 has tests of its own.)
 *
 * @module
 */

import { assert } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { isTilewiseError, type TilewiseError } from "../../../src/errors.ts";
import { openAllStored as openAll, type OpenInput, type OpenOptions } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { type Entry, formatIdOf, needSamples, optionsOf, pathOf, READABLE } from "./samples.ts";

/** Opens and reads everything that is small; anything but a typed error comes through. */
async function attempt(input: OpenInput, options: OpenOptions): Promise<TilewiseError | StoredDataset[]> {
  try {
    const found = await openAll(input, options);
    for (const dataset of found) {
      const bytes = dataset.byteLength;
      if (bytes > 0 && bytes <= 2 ** 16) await readBox(dataset, wholeBox(dataset.shape));
    }
    return found;
  } catch (error) {
    if (isTilewiseError(error) && error.code !== "corrupt") return error;
    throw error;
  }
}

function named({ file }: Entry, bytes: Uint8Array<ArrayBuffer>): File {
  return new File([bytes], file.replace(/^.*\//, ""));
}

/** Formats whose description is in the one file that holds the samples. */
const whole = READABLE.filter((entry) =>
  !["hdf5", "ripple", "frms6", "k2is", "tiff", "zarr", "casacore"].includes(formatIdOf(entry)) &&
  !/\.(xml|gz)$/.test(entry.file) && entry.expect === "read"
);

/** Files that may end after any frame, or in tags after the last sample. */
const OPEN_ENDED = ["tvips", "mib", "raw", "dm", "seq", "empad"];

needSamples("damaged sample files");
for (const entry of whole) {
  Deno.test(`${entry.file}: cut at 50 places it is refused, or says that frames are missing`, async () => {
    const bytes = await Deno.readFile(pathOf(entry));
    const options = optionsOf(entry);
    const all = await attempt(named(entry, bytes), options);
    assert(!isTilewiseError(all), String(all));
    for (let i = 0; i < 50; i++) {
      const found = await attempt(named(entry, bytes.slice(0, Math.floor(i * bytes.length / 50))), options);
      if (isTilewiseError(found)) continue;
      const [some, full] = [found, all].map((list) => list.reduce((sum, { images }) => sum + images, 0));
      assert(OPEN_ENDED.includes(formatIdOf(entry)) && some! <= full!, `cut at place ${i}: ${found}`);
    }
  });
}

/** The smallest files of each format: a changed byte is most likely to matter there. */
const headed = whole.filter((entry) => formatIdOf(entry) !== "raw");
const small = Object.values(Object.groupBy(headed, formatIdOf)).flatMap((entries) =>
  entries!.toSorted((a, b) => sizeOf(a) - sizeOf(b)).slice(0, 2)
);

function sizeOf(entry: Entry): number {
  return Deno.statSync(pathOf(entry)).size;
}

for (const entry of small) {
  Deno.test(`${entry.file}: with single bytes of its head changed it is refused or read`, async () => {
    const bytes = await Deno.readFile(pathOf(entry));
    const head = Math.min(bytes.length, 1200);
    for (let at = 0; at < head; at += Math.ceil(head / 200)) {
      for (const value of [0, 0xff, bytes[at]! ^ 1]) {
        const damaged = bytes.slice();
        damaged[at] = value;
        await attempt(named(entry, damaged), optionsOf(entry));
      }
    }
  });
}
