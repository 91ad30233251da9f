/**
 * HDF5 files of many writers, with independently computed values, and files that are damaged: they end in a typed
 * error or in samples, soon and in little memory.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { isTilewiseError, type TilewiseError } from "../../src/errors.ts";
import { open, openAll } from "../../src/formats/open.ts";
import { readBox } from "../../src/cli/frames.ts";
import { wholeBox } from "../../src/space/box.ts";
import { sha256 } from "./read_all.ts";

interface Entry {
  readonly file: string;
  readonly format: string;
  readonly expect: string;
  readonly arrays: {
    name: string;
    shape: number[];
    nav_shape: number[];
    sig_shape: number[];
    sha256_all?: string;
  }[];
}

const FOLDER = new URL("../../../shared/data/", import.meta.url);
const entries = loadEntries().filter(({ format }) => ["hdf5", "nexus", "hspy", "emd"].includes(format));

function loadEntries(): Entry[] {
  try {
    return JSON.parse(Deno.readTextFileSync(new URL("expectations.json", FOLDER))).entries;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

async function bytesOf(input: URL | Uint8Array, array?: string): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for (const dataset of await openAll(input, array === undefined ? {} : { array })) {
    const { data } = dataset.byteLength === 0
      ? { data: new Uint8Array(0) }
      : await readBox(dataset, wholeBox(dataset.shape));
    found.push([dataset.array, sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))]);
  }
  return found;
}

for (const entry of entries) {
  Deno.test(`${entry.file} has the expected arrays`, async () => {
    const input = new URL(entry.file, FOLDER);
    const found = new Map(await bytesOf(input));
    const datasets = new Map((await openAll(input)).map((dataset) => [dataset.array, dataset]));
    for (const { name, sha256_all, ...shapes } of entry.arrays) {
      if (sha256_all === undefined) continue; // no numbers
      const { shape, navShape, sigShape } = datasets.get(name)!;
      assertEquals([shape, navShape, sigShape], [shapes.shape, shapes.nav_shape, shapes.sig_shape]);
      assertEquals(found.get(name), sha256_all, name);
    }
  });
}

Deno.test({
  name: "an HDF5 file that has been cut off is refused at once",
  ignore: entries.length === 0, // ../shared is not beside this checkout
  fn: async () => {
    const error = await open(new URL("malformed/truncated.h5", FOLDER)).catch((cause) => cause);
    assert(isTilewiseError(error, "truncated"), String(error));
    assertEquals([error.details.expected, error.details.found], [29944, 20000]);
  },
});

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
  const ignore = entries.length === 0; // ../shared is not beside this checkout

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
