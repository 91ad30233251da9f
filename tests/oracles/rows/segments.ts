/**
 * Rows of the kernels that undo what is done to strips and tiles.
 *
 * @module
 */

import { dtypeInfo } from "../../../src/space/dtype.ts";
import type { BufferContents, NumberParameter, Sizes } from "./common/describe.ts";
import { LZW_BYTES } from "../../../src/kernels/families/filters.ts";
import { lzw, lzwOld, packbits } from "../twins/filters/lzw.ts";
import { crc, floatRows, reverseBits, sumRows, transpose } from "../twins/filters/predict.ts";
import { numbers, pixels, rowLength, type RowParameters, type Rows, rows } from "./common/row.ts";
import { lzwOldPacked, lzwPacked, packbitsPacked } from "./common/segments_packed.ts";
import { unpacked } from "./filters.ts";

/** Strips and tiles. */
export const SEGMENTS: Rows<
  "lzw" | "lzw_old" | "packbits" | "sum_rows" | "float_rows" | "transpose" | "reverse_bits" | "crc"
> = {
  lzw: { reference: lzw, parameters: () => ({ ...unpacked(lzwPacked), tables: bytes(() => LZW_BYTES) }) },
  lzw_old: {
    reference: lzwOld,
    parameters: () => ({ ...unpacked(lzwOldPacked), tables: bytes(() => LZW_BYTES) }),
  },
  packbits: { reference: packbits, parameters: () => unpacked(packbitsPacked) },
  sum_rows: {
    reference: sumRows,
    parameters: (dtype) => ({
      dst: numbers(dtype, pixels),
      src: numbers(dtype, pixels),
      rows,
      width: rowLength,
      step,
    }),
  },
  float_rows: {
    reference: floatRows,
    parameters: (dtype) => planes(dtype === "uint8" ? oddSize : () => dtypeInfo(dtype).itemSize),
  },
  transpose: {
    reference: transpose,
    parameters: (dtype) => {
      const { itemSize } = dtypeInfo(dtype);
      const stride = (count: NumberParameter, gap: NumberParameter) => (sizes: Sizes) =>
        (count(sizes) + gap(sizes)) * itemSize;
      const [dstStride, srcStride] = [
        stride(rows, ({ gap }) => gap),
        stride(rowLength, ({ seed }) => seed % 5),
      ];
      return {
        dst: apart(rowLength, dstStride, (sizes) => rows(sizes) * itemSize),
        dstStride,
        src: apart(rows, srcStride, (sizes) => rowLength(sizes) * itemSize),
        srcStride,
        rows,
        columns: rowLength,
      };
    },
  },
  reverse_bits: {
    reference: reverseBits,
    parameters: () => ({ dst: bytes(pixels), src: bytes(pixels), n: pixels }),
  },
  crc: {
    reference: crc,
    parameters: () => ({
      out: numbers("uint32", () => 1),
      data: bytes(pixels),
      n: pixels,
      polynomial: ({ seed }) => seed % 2 ? 0x82f63b78 : 0xedb88320,
      tables: bytes(() => 8192),
    }),
  },
};

const bytes = (count: NumberParameter) => numbers("uint8", count);

/** Samples per pixel; often as many as have code of their own. */
const step = ({ seed }: Sizes) => 1 + [0, 1, 2, 3, 5, 7, 15, 16, 0, 2][seed % 10]!;

/** Rows of `used` bytes with gaps between them. */
function apart(count: NumberParameter, stride: NumberParameter, used: NumberParameter): BufferContents {
  return {
    ...bytes((sizes) => count(sizes) * stride(sizes)),
    parts: (sizes) => ({ bytes: used(sizes), stride: stride(sizes) }),
  };
}

function oddSize({ seed }: Sizes): number {
  return 1 + seed % 9;
}

function planes(size: NumberParameter): RowParameters<"float_rows"> {
  const all = bytes((sizes) => sizes.pixels * size(sizes));
  const spare = bytes((sizes) => sizes.rowLength * size(sizes));
  return { dst: all, src: all, rows, width: rowLength, size, step, spare };
}
