/**
 * HDF5 files that are damaged end in a typed error or in samples, soon and in little memory.
 *
 * @module
 */

import { assert } from "@std/assert";
import { isTilewiseError, type TilewiseError } from "../../src/errors.ts";
import { openAll } from "../../src/formats/open.ts";
import { readBox } from "../../src/cli/frames.ts";
import { wholeBox } from "../../src/space/box.ts";
import { ENTRIES } from "./samples.ts";

const FOLDER = new URL("../../../shared/data/", import.meta.url);

/** Opens and reads everything; what fails must be a typed error, and not take long. */
async function attempt(bytes: Uint8Array): Promise<TilewiseError | undefined> {
  const started = performance.now();
  try {
    for (const dataset of await openAll(bytes)) {
      if (dataset.byteLength <= 2 ** 22 && dataset.byteLength > 0) {
        await readBox(dataset, wholeBox(dataset.shape));
      }
    }
    return undefined;
  } catch (error) {
    if (isTilewiseError(error) && error.code !== "corrupt") return error;
    throw error;
  } finally {
    const spent = performance.now() - started;
    assert(spent < 5000, `it took ${spent} ms`); // 250 ms are meant; a busy machine may take its time
  }
}

const SMALL = [
  "hdf5/implicit_index_datasets.hdf5",
  "hdf5/w_missing_chunks_fill.h5",
  "hdf5/h5ex_d_blosc.h5",
  "hdf5/w_zstd.h5",
  "emd/example_axis_len_1.emd",
  "hdf5/fletcher32_datasets_latest.hdf5",
];

for (const file of SMALL) {
  const ignore = ENTRIES.length === 0; // ../shared is not beside this checkout

  Deno.test({
    name: `${file}: cut at 200 places it is refused`,
    ignore,
    fn: async () => {
      const bytes = await Deno.readFile(new URL(file, FOLDER));
      for (let i = 0; i < 200; i++) assert(await attempt(bytes.slice(0, Math.floor(i * bytes.length / 200))));
    },
  });

  Deno.test({
    name: `${file}: with single bytes changed it is refused or read`,
    ignore,
    fn: async () => {
      const bytes = await Deno.readFile(new URL(file, FOLDER));
      const step = Math.max(1, Math.floor(bytes.length / 400));
      for (let at = 0; at < bytes.length; at += step) {
        for (const value of [0, 0xff, bytes[at]! ^ 1]) {
          const damaged = bytes.slice();
          damaged[at] = value;
          await attempt(damaged);
        }
      }
    },
  });
}
