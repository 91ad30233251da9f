/**
 * Raw CSR: sparse frames in three plain files, described by a TOML file beside them.
 *
 * ```toml
 * [params]
 * filetype = "raw_csr"
 * nav_shape = [256, 256]
 * sig_shape = [512, 512]
 *
 * [raw_csr]
 * indptr_file = "rows.bin"      # first entry of each frame, and the number of entries
 * indptr_dtype = "<i8"
 * indices_file = "columns.bin"  # flat pixel of each entry
 * indices_dtype = "<i4"
 * data_file = "values.bin"      # sample of each entry
 * data_dtype = "<u2"
 * ```
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { cannot, isTilewiseError, TilewiseError } from "../../errors.ts";
import { fileDataset } from "../common/arrange.ts";
import type { FormatInput } from "../common/format.ts";
import { patternAxes } from "../common/kinds.ts";
import type { OpenOptions } from "../common/options.ts";
import { MOST_TOML_BYTES } from "./format.ts";
import { type CsrArray, csrFacts, csrLayout } from "./csr_layout.ts";
import { type CsrFile, csrSidecar } from "./csr_sidecar.ts";
import { type ByteSource, readBytes, readUpTo } from "../../io/source/source.ts";
import { newBuffer } from "../../sharing.ts";
import { numberReader } from "../../memory/sample_reader.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import { checkedProduct } from "../../space/shape.ts";

/** Numbers per read. */
const PIECE = 2 ** 17;

/** The row pointers in `source`, in memory that workers share where there is such. */
async function readIndptr(
  { source, dtype, byteOrder }: { source: ByteSource; dtype: DType; byteOrder: ByteOrder },
  signal?: AbortSignal,
): Promise<Float64Array> {
  const { itemSize } = dtypeInfo(dtype);
  const count = source.size / itemSize;
  if (!Number.isInteger(count) || count < 2) {
    const text =
      `Cannot read ${source.name}: ${source.size} bytes are no two or more row pointers of ${dtype}`;
    const code = Number.isInteger(count) ? "malformed" : "truncated";
    throw new TilewiseError(code, text, { file: source.name, found: source.size });
  }
  const rows = new Float64Array(newBuffer(8 * count));
  for (let at = 0; at < count; at += PIECE) {
    const n = Math.min(PIECE, count - at);
    const bytes = await readBytes(source, at * itemSize, n * itemSize, signal);
    copy(rows, at, n, new DataView(bytes.buffer), dtype, byteOrder === "little");
  }
  check(rows, source.name, itemSize);
  return rows;
}

function copy(
  rows: Float64Array,
  at: number,
  n: number,
  view: DataView,
  dtype: DType,
  little: boolean,
): void {
  const { itemSize } = dtypeInfo(dtype), read = numberReader(dtype)!;
  for (let i = 0; i < n; i++) rows[at + i] = read(view, i * itemSize, little);
}

function check(rows: Float64Array, file: string, itemSize: number): void {
  for (let i = 0, before = 0; i < rows.length; before = rows[i++]!) {
    if (rows[i]! >= before && rows[i]! <= Number.MAX_SAFE_INTEGER) continue;
    const text = `row pointer ${i} is ${rows[i]}, after ${before}; row pointers ascend from 0`;
    throw cannot("read", file, "malformed", text, {
      offset: i * itemSize,
      expected: before,
      found: rows[i]!,
    });
  }
}

/** A file of the matrix, opened. */
interface Opened extends CsrFile {
  readonly source: ByteSource;
}

/** The sparse frames that a description names. */
export async function open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]> {
  return [await openCsr(input, options)];
}

async function openCsr(input: FormatInput, options: OpenOptions): Promise<StoredDataset> {
  const { name } = input;
  const bytes = await readUpTo(input.source, 0, MOST_TOML_BYTES + 1, options.signal);
  const sidecar = await csrSidecar(bytes, name);
  const files = [sidecar.indptr, sidecar.indices, sidecar.data];
  const [indptr, indices, data] = await Promise.all(files.map((file, i) => openFile(input, file, i + 1)));
  const entries = Math.min(entriesOf(indices!), entriesOf(data!));
  const rows = await readIndptr(indptr!, options.signal);
  checkEntries(rows, indices!, data!);
  const images = rows.length - 1;
  const { navShape, sigShape } = sidecar;
  checkedProduct([...sigShape, dtypeInfo(data!.dtype).itemSize], "a frame");
  const layout = csrLayout(rows, arrayOf(indices!), arrayOf(data!), sigShape);
  const surplus = entries - rows[images]!;
  return fileDataset(input, {
    images,
    navShape,
    sigShape,
    layout,
    warnings: (given) => [
      ...given.warnings,
      ...(surplus > 0 ? [`${surplus} entries after the last row belong to no frame`] : []),
    ],
    axes: patternAxes,
    metadata: { ...csrFacts(rows, sigShape) },
  }, options);
}

function arrayOf({ source, dtype, byteOrder }: Opened): CsrArray {
  return { source: source.describe(), dtype, byteOrder };
}

/** A file by its name in the description; of four that were given as bytes, number `place`. */
async function openFile(input: FormatInput, file: CsrFile, place: number): Promise<Opened> {
  try {
    return { ...file, source: await input.openBeside(file.path) };
  } catch (error) {
    const nameless = input.given.length === 4 && input.given.every((one) => one.describe().kind === "bytes");
    if (!nameless || !isTilewiseError(error, "not-found")) throw error;
    return { ...file, source: input.given[place]! };
  }
}

function entriesOf({ source, dtype }: { source: ByteSource; dtype: DType; byteOrder: ByteOrder }): number {
  return Math.floor(source.size / dtypeInfo(dtype).itemSize);
}

function checkEntries(rows: Float64Array, ...files: readonly Opened[]): void {
  const needed = rows.at(-1)!;
  for (const { source, dtype } of files) {
    const expected = needed * dtypeInfo(dtype).itemSize;
    if (source.size >= expected) continue;
    const text = `its ${needed} entries of ${dtype} take ${expected} bytes, it has ${source.size}`;
    throw cannot("read", source.name, "truncated", text, { expected, found: source.size });
  }
}
