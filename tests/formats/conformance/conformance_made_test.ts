/**
 * Files that are made here pass the conformance suite, too: virtual and external HDF5, sparse frames, packed bits,
 * several files, headers between frames.
 *
 * @module
 */

import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import {
  openAllStored as openAll,
  type OpenInput,
  type OpenOptions,
  openStored as open,
} from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { csrFiles } from "../../udf/csr_data.ts";
import { counts } from "../../udf/data.ts";
import { formatConformance, kindOf } from "./conformance.ts";
import { ascii, join } from "../helpers.ts";
import { ALL_CASES } from "../../suite/cases.ts";
import { sha256 } from "../read_all.ts";

const HDF5 = new URL("../../data/hdf5/", import.meta.url);

async function withContexts(
  work: (contexts: { inline: Context; workers: Context }) => Promise<void>,
): Promise<void> {
  await using inline = createContext({ memory: 2 ** 27, workers: 0 });
  await using workers = createContext({ memory: 2 ** 27, workers: 2 });
  await work({ inline, workers });
}

const opener = (source: OpenInput, base: OpenOptions) => (options: OpenOptions) =>
  open(source, { ...base, ...options });

async function bytesOf(dataset: StoredDataset): Promise<Uint8Array<ArrayBuffer>> {
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
}

Deno.test("HDF5 files made by h5py: all arrays of frames", async (test) => {
  const expected: Record<string, Record<string, [number[], string]>> = JSON.parse(
    Deno.readTextFileSync(new URL("expected.json", HDF5)),
  );
  const met = new Set<string>();
  await withContexts(async (contexts) => {
    for (const [file, arrays] of Object.entries(expected)) {
      for (const dataset of await openAll(new URL(file, HDF5))) {
        const [shape, digest] = arrays[dataset.array] ?? [];
        if (!shape || dataset.frames < 2 || dataset.sigShape.length < 2 || dataset.pixels === 0) continue;
        assertEquals(sha256(await bytesOf(dataset.stored ?? dataset)), digest);
        const bytes = await bytesOf(dataset);
        const again = met.has(kindOf(dataset)) && !ALL_CASES;
        met.add(kindOf(dataset));
        await test.step(`${file} ${dataset.array}`, async () => {
          const array = opener(new URL(file, HDF5), { array: dataset.array });
          await formatConformance(array, bytes, { ...contexts, again });
        });
      }
    }
  });
});

const [NAV, SIG] = [[4, 5], [6, 9]] as const;
const VALUES = counts(20 * 54, 11, 4000).map((v) => v > 20 ? v : 0);
const DECODED = new Uint8Array(Uint16Array.from(VALUES).buffer);

Deno.test("sparse frames", async () => {
  const { indptr, indices, data } = csrFiles(VALUES, 54, "uint16");
  const toml = [
    "[params]",
    'filetype = "raw_csr"',
    `nav_shape = [${NAV}]`,
    `sig_shape = [${SIG}]`,
    "[raw_csr]",
    'indptr_file = "p.bin"',
    'indptr_dtype = "<i8"',
    'indices_file = "i.bin"',
    'indices_dtype = "<i4"',
    'data_file = "d.bin"',
    'data_dtype = "<u2"',
  ].join("\n");
  const files = [
    new File([toml], "scan.toml"),
    new File([indptr], "p.bin"),
    new File([indices], "i.bin"),
    new File([data], "d.bin"),
  ];
  await withContexts((contexts) => formatConformance(opener(files, {}), DECODED, contexts));
});

Deno.test("packed samples of 12 bits", async () => {
  const packed = new Uint8Array(20 * 81); // 54 samples of 12 bits are 81 bytes
  VALUES.forEach((value, i) => {
    const [frame, bit] = [Math.floor(i / 54), 12 * (i % 54)];
    for (let b = 0; b < 12; b++) {
      if (value >> b & 1) packed[frame * 81 + (bit + b >> 3)]! |= 1 << (bit + b & 7);
    }
  });
  const options = { format: "raw", bits: 12, nav: NAV, sig: SIG };
  await withContexts((contexts) => formatConformance(opener(packed, options), DECODED, contexts));
});

Deno.test("big-endian frames with headers and footers in several files", async () => {
  const frame = (f: number) => {
    const view = new DataView(new ArrayBuffer(108));
    for (let i = 0; i < 54; i++) view.setUint16(2 * i, VALUES[f * 54 + i]!);
    return join(ascii("frame"), new Uint8Array(view.buffer), ascii("end"));
  };
  const file = (first: number, end: number) =>
    join(ascii("a header"), ...Array.from({ length: end - first }, (_, i) => frame(first + i)));
  const options: OpenOptions = {
    format: "raw",
    dtype: ">u2",
    nav: NAV,
    sig: SIG,
    headerBytes: 8,
    frameHeaderBytes: 5,
    frameFooterBytes: 3,
  };
  const files = [file(0, 3), file(3, 14), file(14, 20)];
  await withContexts((contexts) => formatConformance(opener(files, options), DECODED, contexts));
});
