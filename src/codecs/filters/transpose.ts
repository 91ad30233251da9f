/**
 * Undoes the order of dimensions in which a chunk is stored.
 *
 * @module
 */

import type { Kernels } from "../../kernels/bind.ts";
import { sizeOf, stridesOf } from "../../space/shape.ts";
import { type ChunkFilter, filterError } from "./common/filter.ts";

const NAME = "transpose";

/** One dimension of the result: its length, and samples from one to the next in the input and in the output. */
interface Dimension {
  readonly length: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Puts dimensions back into their order. Values: bytes of a sample, rank, the shape of the chunk as it is stored, and which
 * dimension of the array each of them is: `order` of the Zarr codec `transpose`; `rank − 1, …, 0` for chunks in order F.
 */
export const transpose: ChunkFilter = ({ kernels, input, output, values }) => {
  const [size = 1, rank = 0] = values;
  const [shape, order] = [values.slice(2, 2 + rank), values.slice(2 + rank, 2 + 2 * rank)];
  const bytes = sizeOf(shape) * size;
  if (order.toSorted((a, b) => a - b).some((d, i) => d !== i) || order.length !== rank) {
    throw filterError(NAME, `${order.join(", ")} is not an order of ${rank} dimensions`);
  }
  if (input.length !== bytes || bytes > output.length) {
    throw filterError(NAME, `${input.length} bytes are not the ${bytes} of a chunk`, {
      expected: bytes,
      found: input.length,
    });
  }
  const unit = [8, 4, 2, 1].find((unit) => size % unit === 0)!;
  const within = size / unit; // samples of odd sizes are a dimension of their own
  const dims = dimensionsOf([...shape, within], [...order, rank]);
  if (bytes > 0) move(kernels, output.byteOffset, input.byteOffset, unit, dims);
  return bytes;
};

/** The dimensions of the result; those that stay together are one. */
function dimensionsOf(shape: readonly number[], order: readonly number[]): Dimension[] {
  const stored = stridesOf(shape);
  const lengths: number[] = [], from: number[] = [];
  order.forEach((d, i) => {
    lengths[d] = shape[i]!;
    from[d] = stored[i]!;
  });
  const to = stridesOf(lengths);
  const dims: Dimension[] = [];
  lengths.forEach((length, d) => {
    if (length === 1) return;
    const last = dims.at(-1);
    if (last && last.from === length * from[d]!) {
      dims[dims.length - 1] = { length: last.length * length, from: from[d]!, to: to[d]! };
    } else dims.push({ length, from: from[d]!, to: to[d]! });
  });
  return dims;
}

/** Copies samples of `unit` bytes, two dimensions in each call of a kernel. */
function move(kernels: Kernels, dst: number, src: number, unit: number, dims: Dimension[]): void {
  const { exports } = kernels;
  const one = { length: 1, from: 1, to: 1 };
  const last = dims.pop() ?? one;
  if (last.from === 1) { // rows stay rows
    const rows = dims.pop() ?? one;
    return each(dims, (from, to) => {
      const [target, source] = [dst + to * unit, src + from * unit];
      exports.copy_rows_u8(
        target,
        rows.to * unit,
        source,
        rows.from * unit,
        rows.length,
        last.length * unit,
      );
    });
  }
  const column = dims.splice(dims.findIndex((dim) => dim.from === 1), 1)[0]!;
  const turn = exports[`transpose_u${8 * unit as 8 | 16 | 32 | 64}`];
  each(dims, (from, to) => {
    turn(dst + to * unit, column.to * unit, src + from * unit, last.from * unit, last.length, column.length);
  });
}

/** Calls `work` for all places of `dims`. */
function each(dims: readonly Dimension[], work: (from: number, to: number) => void): void {
  const at = dims.map(() => 0);
  for (let n = sizeOf(dims.map(({ length }) => length)); n > 0; n--) {
    work(
      at.reduce((sum, i, d) => sum + i * dims[d]!.from, 0),
      at.reduce((sum, i, d) => sum + i * dims[d]!.to, 0),
    );
    for (let d = dims.length - 1; d >= 0 && ++at[d]! === dims[d]!.length; d--) at[d] = 0;
  }
}
