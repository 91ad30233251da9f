/**
 * Reads the row pointers of a sparse matrix and checks that they can be right.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type ByteSource, readBytes } from "../../io/source/source.ts";
import { newBuffer } from "../../sharing.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";

/** Numbers per read. */
const PIECE = 2 ** 17;

/** The row pointers in `source`, in memory that workers share where there is such. */
export async function readIndptr(
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
  const { itemSize, kind } = dtypeInfo(dtype);
  const high = (i: number) => kind === "i" ? view.getInt32(i, little) : view.getUint32(i, little);
  const read = {
    1: (i: number) => kind === "i" ? view.getInt8(i) : view.getUint8(i),
    2: (i: number) => kind === "i" ? view.getInt16(i, little) : view.getUint16(i, little),
    4: high,
    8: (i: number) => high(little ? i + 4 : i) * 2 ** 32 + view.getUint32(little ? i : i + 4, little),
  }[itemSize as 1 | 2 | 4 | 8];
  for (let i = 0; i < n; i++) rows[at + i] = read(i * itemSize);
}

function check(rows: Float64Array, file: string, itemSize: number): void {
  for (let i = 0, before = 0; i < rows.length; before = rows[i++]!) {
    if (rows[i]! >= before && rows[i]! <= Number.MAX_SAFE_INTEGER) continue;
    const text = `Cannot read ${file}: row pointer ${i} is ${
      rows[i]
    }, after ${before}; row pointers ascend from 0`;
    throw new TilewiseError("malformed", text, {
      file,
      offset: i * itemSize,
      expected: before,
      found: rows[i]!,
    });
  }
}
