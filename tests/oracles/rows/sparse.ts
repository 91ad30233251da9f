/**
 * Rows of the kernels that change the form of sparse tiles.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { BufferContents, NumberParameter, Sizes } from "./common/describe.ts";
import { csrCoo, csrCsc, csrCut, csrDense, csrRows, denseCsr } from "../twins/sparse.ts";
import { csr, csrOf, entries } from "./common/csr.ts";
import { list, numbers, pixels, type Rows } from "./common/row.ts";

/** The first pixel that is cut out, and the number of pixels: all, or a stretch in the middle. */
const first = ({ pixels, seed }: Sizes) => seed % 4 === 0 ? 0 : Math.floor(pixels / 3);
const some = (sizes: Sizes) => sizes.seed % 4 === 0 ? sizes.pixels : Math.floor(sizes.pixels / 2);

/** Forms of sparse tiles. */
export const SPARSE: Rows<"csr_rows" | "csr_dense" | "csr_cut" | "dense_csr" | "csr_csc" | "csr_coo"> = {
  csr_rows: {
    reference: csrRows,
    parameters: (dtype) => ({
      dst: numbers("int32", entries, "whole"),
      src: numbers(dtype, entries, (sizes) => spoilt(sizes, dtype)),
      indptr,
      frames,
      pixels,
      faults: numbers("int32", () => 2, ({ seed }) => seed % 5 === 0 ? [7, 2] : [0, 0]),
    }),
  },
  csr_dense: {
    reference: csrDense,
    parameters: (dtype) => {
      const stride = (sizes: Sizes) => some(sizes) * dtypeInfo(dtype).itemSize + sizes.gap;
      return {
        dst: {
          bytes: (sizes) => Math.max(0, sizes.frames * stride(sizes) - sizes.gap),
          parts: (sizes) => ({ bytes: stride(sizes) - sizes.gap, stride: stride(sizes) }),
          values: "any",
        },
        dstStride: stride,
        ...csr(dtype),
        first,
        pixels: some,
      };
    },
  },
  csr_cut: {
    reference: csrCut,
    parameters: (dtype) => ({ ...target(dtype, perFrame, entries), ...csr(dtype), first, pixels: some }),
  },
  dense_csr: {
    reference: denseCsr,
    parameters: (dtype) => {
      const { itemSize } = dtypeInfo(dtype);
      const stride = (sizes: Sizes) => sizes.pixels + sizes.gap;
      const length = (sizes: Sizes) => Math.max(0, sizes.frames * stride(sizes) - sizes.gap);
      return {
        ...target(dtype, perFrame, ({ frames, pixels }) => frames * pixels),
        data: {
          ...numbers(dtype, length, (sizes) => mostlyZeros(length(sizes), sizes.seed)),
          parts: (sizes) => ({ bytes: sizes.pixels * itemSize, stride: stride(sizes) * itemSize }),
        },
        frames,
        frameStride: (sizes) => stride(sizes) * itemSize,
        pixels,
      };
    },
  },
  csr_csc: {
    reference: csrCsc,
    parameters: (dtype) => ({
      ...target(dtype, ({ pixels }) => pixels + 1, entries),
      ...csr(dtype),
      pixels,
    }),
  },
  csr_coo: {
    reference: csrCoo,
    parameters: () => ({ rows: numbers("int32", entries, "whole"), indptr, frames }),
  },
};

const frames = (sizes: Sizes) => sizes.frames;
const perFrame = (sizes: Sizes) => sizes.frames + 1;
const indptr = list((sizes) => csrOf(sizes).indptr);

function mostlyZeros(length: number, seed: number): number[] {
  return Array.from({ length }, (_, i) => (i * 7 + seed) % 11 < 8 ? 0 : i % 251);
}

/** Indices, which in most calls include some that are out of range or out of order. */
function spoilt(sizes: Sizes, dtype: DType): number[] {
  const { indices } = csrOf(sizes);
  const far = dtypeInfo(dtype).kind === "u" ? 60000 : -1;
  return indices.map((index, e) => {
    if (sizes.seed % 3 === 0 && e % 17 === 11) return sizes.seed % 2 ? sizes.pixels : far;
    return sizes.seed % 3 === 1 && e % 19 === 7 ? Math.max(0, index - 40) : index;
  });
}

function target(
  dtype: DType,
  pointers: NumberParameter,
  length: NumberParameter,
): Record<"outIndptr" | "outIndices" | "outData", BufferContents> {
  return {
    outIndptr: numbers("int32", pointers, "whole"),
    outIndices: numbers("int32", length, "whole"),
    outData: numbers(dtype, length),
  };
}
