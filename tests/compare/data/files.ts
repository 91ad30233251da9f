/**
 * Writes a data set in the way that its description says, and opens it.
 *
 * @module
 */

import { npyHeader } from "../../../src/sinks/npy/npy_header.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import { mibPieces } from "../../formats/mib/mib_files.ts";
import { type DType, dtypeInfo, type TypedArray, zeros } from "../../../src/space/dtype.ts";
import { csrFiles } from "../../udf/csr_data.ts";
import { type DataSpec, product } from "./spec.ts";
import { valuesOf } from "./values.ts";

/** Writes the files of `data` into `folder`; the path that both sides open (HDF5 is made by the peer, from a `.npy`). */
export async function writeData(data: DataSpec, folder: string): Promise<string> {
  const path = `${folder}/${FILE_NAMES[data.file]}`;
  const samples = stored(valuesOf(data), data.dtype);
  if (data.file === "raw") await Deno.writeFile(path, bytesOf(samples, data));
  else if (data.file === "mib") await writeMibFile(path, samples, data);
  else if (data.file === "raw_csr") await writeCsr(folder, path, data);
  else await Deno.writeFile(`${folder}/data.npy`, npyFile(samples, data));
  return path;
}

const FILE_NAMES: Readonly<Record<DataSpec["file"], string>> = {
  raw: "data.raw",
  npy: "data.npy",
  mib: "data.mib",
  hdf5: "data.h5",
  "hdf5-chunks": "data.h5",
  raw_csr: "data.toml",
};

/** Opens the file of `data`. */
export async function openData(data: DataSpec, path: string): Promise<StoredDataset> {
  const { nav, sig, dtype, byteOrder, syncOffset } = data;
  const raw = { format: "raw", dtype, byteOrder, sig } as const;
  const options: Readonly<Record<DataSpec["file"], OpenOptions>> = {
    raw,
    npy: { sigDims: sig.length },
    mib: {},
    hdf5: { array: "/data", sigDims: sig.length },
    "hdf5-chunks": { array: "/data", sigDims: sig.length },
    raw_csr: {},
  };
  return await open(path, { ...options[data.file], nav, syncOffset });
}

/** Numbers as samples of a type. */
export function stored(values: Float64Array, dtype: DType): TypedArray {
  const samples = zeros(dtype, values.length / (dtypeInfo(dtype).kind === "c" ? 2 : 1));
  samples.set(values as never);
  return samples;
}

/** The bytes of samples in the order of the file. */
function bytesOf(samples: TypedArray, { dtype, byteOrder }: DataSpec): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.buffer as ArrayBuffer);
  const { unitSize } = dtypeInfo(dtype);
  for (let at = 0; byteOrder === "big" && at < bytes.length; at += unitSize) {
    bytes.subarray(at, at + unitSize).reverse();
  }
  return bytes;
}

/** A `.npy` whose scan has the shape of the data set if it has as many images, else one dimension. */
function npyFile(samples: TypedArray, data: DataSpec): Uint8Array<ArrayBuffer> {
  const nav = product(data.nav) === data.images ? data.nav : [data.images];
  const header = npyHeader(data.dtype, [...nav, ...data.sig]);
  if (data.byteOrder === "big") header[header.indexOf("<".charCodeAt(0))] = ">".charCodeAt(0);
  const bytes = bytesOf(samples, data);
  const file = new Uint8Array(header.length + bytes.length);
  file.set(header);
  file.set(bytes, header.length);
  return file;
}

async function writeMibFile(path: string, samples: TypedArray, { images, sig }: DataSpec): Promise<void> {
  const pixels = product(sig);
  const frames = Array.from({ length: images }, (_, f) => samples.slice(f * pixels, (f + 1) * pixels));
  using file = await Deno.create(path);
  for await (const piece of mibPieces(frames as Uint8Array[], { sig: [sig[0]!, sig[1]!] })) {
    await file.write(piece);
  }
}

async function writeCsr(folder: string, path: string, data: DataSpec): Promise<void> {
  const { indptr, indices, data: entries } = csrFiles(valuesOf(data), product(data.sig), data.dtype);
  const { kind, itemSize } = dtypeInfo(data.dtype);
  const files = { indptr, indices, data: entries };
  const types = { indptr: "<i8", indices: "<i4", data: `<${kind}${itemSize}` };
  const lines = Object.entries(types).flatMap(([name, type]) => [
    `${name}_file = "${name}.bin"`,
    `${name}_dtype = "${type}"`,
  ]);
  for (const [name, bytes] of Object.entries(files)) await Deno.writeFile(`${folder}/${name}.bin`, bytes);
  const shapes = [`nav_shape = [${data.nav}]`, `sig_shape = [${data.sig}]`];
  await Deno.writeTextFile(
    path,
    ["[params]", 'filetype = "raw_csr"', ...shapes, "", "[raw_csr]", ...lines, ""].join("\n"),
  );
}
