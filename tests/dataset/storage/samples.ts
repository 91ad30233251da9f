/**
 * Data sets of each kind of storage, with what their samples are. A kind without one is a type error.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { npyHeader } from "../../../src/sinks/npy/npy_header.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import type { Storage } from "../../../src/dataset/layout/storage.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { ravel, unravel } from "../../../src/space/shape.ts";
import { numbers, sha256 } from "../../formats/read_all.ts";
import { k2Files, k2List, k2Sample } from "../../formats/k2is/k2is_data.ts";
import { csrScan, sparseCounts } from "../../udf/csr_data.ts";
import { goldenScan, memoryScan } from "../../udf/data.ts";

/** A data set and its samples. */
export interface StorageSample {
  /** What is special about it. */
  readonly what: string;
  /** The data set. */
  readonly dataset: StoredDataset;
  /** Sample `pixel` of image `image`. */
  readonly sample: (image: number, pixel: number) => number;
}

/** Files made with h5py; `tests/data/hdf5/expected.json` has digests of what it reads from them. */
const HDF5 = new URL("../../data/hdf5/", import.meta.url);
const EXPECTED: Record<string, Record<string, readonly [unknown, digest: string]>> = JSON.parse(
  Deno.readTextFileSync(new URL("expected.json", HDF5)),
);

/** By the tags of kinds of storage. */
export const STORAGE_SAMPLES: {
  readonly [K in Storage["kind"]]: () => Promise<readonly StorageSample[]>;
} = {
  "contiguous": async () => [
    { what: "plain frames", dataset: goldenScan(), sample: golden },
    {
      what: "big-endian frames with headers",
      dataset: memoryScan(Array.from({ length: 240 }, (_, k) => golden(0, k)), [3, 4], [4, 5], "int32", {
        order: "big",
        frameHeaderBytes: 7,
      }),
      sample: golden,
    },
    await packedBits(),
  ],
  "scan-first": async () => [await fortranFrames()],
  "chunks": async () => [
    await fromHdf5("filters.h5", "/bitshuffle_blocks"),
    await fromZarr("keyed.zarr", "/"),
    await fromZarr("sharded.zarr", "/"),
    await fromZarr("v3.zip", "nested"),
  ],
  virtual: async () => [await fromHdf5("virtual.h5", "/modules"), await fromHdf5("virtual.h5", "/deep")],
  "sectors": async () => [{
    what: "sectors of a K2 camera",
    dataset: await open(k2List(k2Files({ images: 3 })), { nav: [3] }),
    sample: (image, pixel) => k2Sample(image, Math.floor(pixel / 2048), pixel % 2048),
  }],
  "sparse": () => {
    const counts = sparseCounts(33, 77);
    const dataset = csrScan(counts, [3, 11], [7, 11], "uint16");
    return Promise.resolve([{ what: "rows of entries", dataset, sample: (f, p) => counts[f * 77 + p]! }]);
  },
};

/** The golden scan: frames of 20 pixels. */
function golden(image: number, pixel: number): number {
  const k = image * 20 + pixel;
  return (7 * k * k + 3 * k) % 31;
}

/** Frames of one bit per pixel. */
async function packedBits(): Promise<StorageSample> {
  const bytes = Uint8Array.from({ length: 6 * 12 }, (_, i) => (i * 37) & 255);
  const dataset = await open(bytes, { format: "raw", bits: 1, nav: [6], sig: [4, 24] });
  return { what: "packed bits", dataset, sample: (f, p) => (bytes[f * 12 + (p >> 3)]! >> (p & 7)) & 1 };
}

/** An array whose first dimension is the fastest in the file. */
async function fortranFrames(): Promise<StorageSample> {
  const shape = [5, 6, 7, 3], value = (flat: number) => (flat * 389) & 0x7fff;
  const header = npyHeader("int16", shape);
  const at = new TextDecoder("ascii").decode(header).indexOf("False");
  header.set(new TextEncoder().encode("True "), at);
  const data = new Int16Array(5 * 6 * 7 * 3);
  for (let flat = 0; flat < data.length; flat++) {
    data[ravel(unravel(flat, shape).reverse(), shape.toReversed())] = value(flat);
  }
  const file = Uint8Array.from([...header, ...new Uint8Array(data.buffer)]);
  return { what: "Fortran order", dataset: await open(file), sample: (f, p) => value(f * 21 + p) };
}

/** An array of a file; the digest of all of its samples is that of h5py. */
function fromHdf5(file: string, array: string): Promise<StorageSample> {
  return from(file, array, HDF5, EXPECTED[file]![array]![1]);
}

/** Stores made with zarr-python, likewise. */
const ZARR = new URL("../../data/zarr/", import.meta.url);
const ZARR_EXPECTED: Record<string, Record<string, readonly [string, number[], digest: string]>> = JSON.parse(
  Deno.readTextFileSync(new URL("expected.json", ZARR)),
);

function fromZarr(file: string, array: string): Promise<StorageSample> {
  return from(file, array, ZARR, ZARR_EXPECTED[file]![array]![2]);
}

async function from(file: string, array: string, folder: URL, digest: string): Promise<StorageSample> {
  const dataset = await open(new URL(file, folder), { array, allowMissing: true });
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  assertEquals(sha256(bytes), digest);
  const samples = numbers(bytes, dataset.layout.dtype), pixels = samples.length / dataset.frames;
  return { what: `${file}${array}`, dataset, sample: (f, p) => Number(samples[f * pixels + p]) };
}
