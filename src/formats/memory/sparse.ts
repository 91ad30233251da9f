/**
 * Sparse matrices in memory as data sets: rows as they lie, entries in any order after they were sorted by rows.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { cannot, TilewiseError } from "../../errors.ts";
import { inWords } from "../../options.ts";
import { newBuffer } from "../../sharing.ts";
import { type DType, dtypeInfo, dtypeOf, type TypedArray } from "../../space/dtype.ts";
import { checkedProduct, type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { fileDataset, wanted } from "../common/arrange.ts";
import { csrFacts, csrLayout } from "../raw/csr_layout.ts";
import { bytesSpec, sampleType } from "./array.ts";
import type { Arrangement, CooInput, CsrInput, IndexList } from "./inputs.ts";

/** Typed arrays of which kernels read columns as they lie. */
const AS_THEY_LIE = [Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array];

/**
 * The numbers as an array that kernels read; a copy only where they lie in another one. Refuses all that are no whole
 * numbers from 0 to `end − 1`; `what` names them in messages.
 */
function checkedIndices(list: IndexList, what: string, end: number, file: string): TypedArray {
  checkList(list, what, file);
  for (let i = 0; i < list.length; i++) {
    const index = Number(list[i]);
    if (Number.isInteger(index) && index >= 0 && index < end) continue;
    const text = `number ${i} of its ${what} is ${list[i]}; they go from 0 to ${end - 1}`;
    throw cannot("open", file, "invalid", text, { entry: i, expected: end - 1, found: String(list[i]) });
  }
  const isRead = AS_THEY_LIE.some((kind) => list instanceof kind);
  return isRead ? list as TypedArray : Uint32Array.from(list as ArrayLike<number>);
}

/** Refuses what is not a list of numbers. */
function checkList(list: IndexList, what: string, file: string): void {
  if (Array.isArray(list) || ArrayBuffer.isView(list) && !((list as ArrayBufferView) instanceof DataView)) {
    return;
  }
  const found = inWords(list);
  const text = `its ${what} must be a typed array or a list of numbers, not ${found}`;
  throw cannot("open", file, "invalid", text, { found });
}

/** An empty Float64Array of `length`, in memory that workers share where there is such. */
function sharedFloats(length: number): Float64Array {
  return new Float64Array(newBuffer(8 * length));
}

/** What was said of a matrix, with the name that messages have for it. */
type Said = Arrangement & { readonly name: string };

/** A matrix row by row: the entries of row `i` are number `rows[i]` to `rows[i + 1] − 1`. */
interface Rows {
  /** Row pointers. */
  readonly rows: Float64Array;
  /** Columns. */
  readonly indices: TypedArray;
  /** Samples. */
  readonly data: TypedArray;
}

/** The data set of a matrix that is given row by row. */
export function openCsr({ csr }: CsrInput, said: Said): StoredDataset {
  const { name } = said;
  const sig = frameOf(said);
  const dtype = sparseType(csr.data, said, csr.indices);
  const rows = rowPointers(csr.indptr, csr.data.length, name);
  const indices = checkedIndices(csr.indices, "indices", sizeOf(sig), name);
  return sparseSet({ rows, indices, data: csr.data }, dtype, sig, said, "CSR");
}

/** The data set of a matrix that is given entry by entry. */
export function openCoo({ coo }: CooInput, said: Said): StoredDataset {
  const { name, nav } = said;
  const sig = frameOf(said);
  const dtype = sparseType(coo.data, said, coo.columns, coo.rows);
  if (!nav) {
    const text =
      `Cannot open ${name} without nav: the rows of its entries do not say how many images there are`;
    throw new TilewiseError("invalid", text, { file: name });
  }
  const images = sizeOf(wanted(nav, "nav", name));
  const columns = checkedIndices(coo.columns, "columns", sizeOf(sig), name);
  const rows = checkedIndices(coo.rows, "rows", images, name);
  return sparseSet(sortedByRows(rows, columns, coo.data, images), dtype, sig, said, "COO");
}

/** Shape of a frame, which a matrix does not say. */
function frameOf({ sig, sigDims, name }: Said): Shape {
  if (sigDims !== undefined) {
    const text = `Cannot open ${name} with sigDims: a matrix has no dimensions to split; give nav and sig`;
    throw new TilewiseError("invalid", text, { file: name, found: sigDims });
  }
  if (!sig) {
    const text = `Cannot open ${name} without sig: its columns are flat pixels of frames of some shape`;
    throw new TilewiseError("invalid", text, { file: name });
  }
  const shape = wanted(sig, "sig", name);
  checkedProduct([...shape, 4], "columns of int32", 2 ** 33); // kernels count pixels in 32 bits, with sign
  return shape;
}

/** The type of the samples; every entry has one of each list. */
function sparseType(data: TypedArray, { dtype, name }: Said, ...lists: readonly IndexList[]): DType {
  const type = sampleType(data, dtype, name);
  if (dtypeInfo(type).kind === "c") {
    const text = `its entries are ${type}; sparse frames have real samples`;
    throw cannot("open", name, "unsupported", text, { found: type });
  }
  for (const list of lists) {
    checkList(list, "places", name);
    if (list.length === data.length) continue;
    const text = `it has ${data.length} samples and ${list.length} places; an entry has one of each`;
    throw cannot("open", name, "invalid", text, { expected: data.length, found: list.length });
  }
  return type;
}

/** Row pointers: whole numbers that ascend from 0 to at most the number of entries. */
function rowPointers(indptr: IndexList, entries: number, file: string): Float64Array {
  checkList(indptr, "indptr", file);
  const rows = sharedFloats(indptr.length);
  for (let i = 0; i < indptr.length; i++) {
    const [pointer, before] = [Number(indptr[i]), i > 0 ? rows[i - 1]! : 0];
    rows[i] = pointer;
    if (Number.isInteger(pointer) && pointer >= before && pointer <= entries) continue;
    const text = `number ${i} of its indptr is ${indptr[i]}, after ${before}; row pointers ` +
      `ascend to the number of entries, which is ${entries}`;
    throw cannot("open", file, "invalid", text, { entry: i, expected: entries, found: String(indptr[i]) });
  }
  if (rows.length >= 2) return rows;
  const text = `its indptr has ${rows.length} numbers; it has one more than there are images`;
  throw cannot("open", file, "invalid", text, { found: rows.length });
}

function sparseSet(
  { rows, indices, data }: Rows,
  dtype: DType,
  sigShape: Shape,
  said: Said,
  form: string,
): StoredDataset {
  const { name } = said;
  const images = rows.length - 1;
  const surplus = data.length - rows[images]!;
  const byteOrder = "little";
  const why = [`${data.length} entries of frames of ${showShape(sigShape)}, as ${form}`];
  return fileDataset({ name, source: { name }, detection: { format: "memory", why } }, {
    images,
    sigShape,
    layout: csrLayout(
      rows,
      { source: bytesSpec(indices, `indices of ${name}`), dtype: dtypeOf(indices), byteOrder },
      { source: bytesSpec(data, name), dtype, byteOrder },
      sigShape,
    ),
    warnings: (given) => [
      ...given.warnings,
      ...(surplus > 0 ? [`${surplus} entries after the last row belong to no frame`] : []),
    ],
    metadata: { ...csrFacts(rows, sigShape) },
  }, said);
}

/**
 * The entries row by row, those of a row in the order in which they came. Where the rows ascend already nothing is
 * copied; otherwise columns and samples are, to memory that workers share.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const sorted = sortedByRows(Int32Array.of(2, 0, 2), Int32Array.of(5, 6, 7), Uint8Array.of(1, 2, 3), 3);
 * assertEquals([...sorted.rows], [0, 1, 1, 3]);
 * assertEquals([[...sorted.indices], [...sorted.data]], [[6, 5, 7], [2, 1, 3]]);
 * ```
 */
export function sortedByRows(
  rowOf: TypedArray,
  columns: TypedArray,
  data: TypedArray,
  images: number,
): Rows {
  const rows = sharedFloats(images + 1);
  let ascends = true;
  for (let e = 0, before = 0; e < rowOf.length; e++) {
    const row = Number(rowOf[e]);
    ascends &&= row >= before;
    before = row;
    rows[row + 1]!++;
  }
  for (let i = 0; i < images; i++) rows[i + 1]! += rows[i]!;
  if (ascends) return { rows, indices: columns, data };
  const [indices, samples] = [sharedLike(columns), sharedLike(data)];
  const next = rows.slice();
  for (let e = 0; e < rowOf.length; e++) {
    const to = next[Number(rowOf[e])]!++;
    indices[to] = columns[e]!;
    samples[to] = data[e]!;
  }
  return { rows, indices, data: samples };
}

/** A new array of the same kind and length, in memory that workers share where there is such. */
function sharedLike(array: TypedArray): TypedArray {
  const buffer = newBuffer(array.byteLength);
  return new (array.constructor as new (buffer: ArrayBufferLike) => TypedArray)(buffer);
}
