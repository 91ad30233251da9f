/**
 * Brings rows of a sparse matrix whose columns do not ascend into canonical form: sorted, and entries with the same
 * place added up. Few files need it.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { SourceSpec } from "../../../io/source/source.ts";
import { type DType, isExact, type TypedArray, typedArray } from "../../../space/dtype.ts";
import type { CsrBlock } from "./csr_block.ts";

/** Rewrites `block` in place. A sum that the type of the samples cannot hold is an error. */
export function canonicalRows(
  buffer: ArrayBufferLike,
  { indptr: pointer, indices: columns, data: samples, frames }: CsrBlock,
  dtype: DType,
  source: SourceSpec,
  images: readonly number[],
): void {
  const indptr = new Int32Array(buffer as ArrayBuffer, pointer, frames + 1);
  const indices = new Int32Array(buffer as ArrayBuffer, columns, indptr[frames]);
  const data = typedArray(dtype, buffer, samples, indptr[frames]!);
  let next = 0;
  for (let f = 0, from = 0; f < frames; f++) {
    const to = indptr[f + 1]!;
    const first = next;
    const row = indices.slice(from, to);
    const values = data.slice(from, to);
    for (const e of sortedOrder(row)) {
      if (next > first && indices[next - 1] === row[e]) {
        add(data, next - 1, values[e]!, dtype, source, images[f]!);
      } else {
        indices[next] = row[e]!;
        data[next++] = values[e]!;
      }
    }
    from = to;
    indptr[f + 1] = next;
  }
}

/** Numbers of the entries of a row by column; those with the same column stay in their order. */
function sortedOrder(row: Int32Array): Iterable<number> {
  const keys = Float64Array.from(row, (column, e) => column * row.length + e).sort();
  return keys.map((key) => key % row.length);
}

function add(
  data: TypedArray,
  at: number,
  value: number | bigint,
  dtype: DType,
  source: SourceSpec,
  image: number,
): void {
  const sum = typeof value === "bigint" ? data[at] as bigint + value : Number(data[at]) + value;
  data[at] = dtype === "bool" ? Math.min(1, Number(sum)) : sum;
  if (dtype === "bool" || !isExact(dtype) || data[at] === sum) return;
  const file = source.kind === "file" ? source.path : source.kind === "http" ? source.url : source.name;
  const text =
    `Cannot read ${file}: entries of image ${image} with the same place add up to ${sum}, which is more ` +
    `than ${dtype} holds`;
  throw new TilewiseError("malformed", text, { file, found: String(sum) });
}
