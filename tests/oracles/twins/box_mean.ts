/**
 * Reference kernel of the box filter.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo, floatOf } from "../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../src/kernels/families/families.ts";
import { reader } from "../../../src/memory/sample_reader.ts";
import { doubles, writer } from "./samples.ts";

/**
 * `out[y][x] = mean of data[y … y + 2·radiusY][x … x + 2·radiusX]`: sums along columns from the top, then along rows
 * from the left.
 */
export function boxMean(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["box_mean"] {
  const read = reader(memory, dtype, order);
  const { get, set } = doubles(memory);
  const write = writer(memory, floatOf(dtype));
  const resultSize = dtypeInfo(floatOf(dtype)).itemSize;
  const { itemSize } = dtypeInfo(dtype);
  return (out, outStride, data, rowStride, rows, rowLength, radiusY, radiusX, columns) => {
    const [height, width] = [2 * radiusY + 1, 2 * radiusX + 1];
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < rowLength + 2 * radiusX; x++) {
        const sample = (r: number) => read(data + (y + r) * rowStride + x * itemSize);
        set(columns + 8 * x, sum(height, sample));
      }
      for (let x = 0; x < rowLength; x++) {
        const mean = sum(width, (i) => get(columns + 8 * (x + i))) / (height * width);
        write(out + y * outStride + resultSize * x, mean);
      }
    }
  };
}

function sum(count: number, term: (i: number) => number): number {
  let total = 0;
  for (let i = 0; i < count; i++) total += term(i);
  return total;
}
