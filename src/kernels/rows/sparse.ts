/**
 * Rows of the kernels that change the form of sparse tiles.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import type { Parameter, Sizes } from "../families/describe.ts";
import { csrCoo, csrCsc, csrCut, csrDense, csrRows, denseCsr } from "../reference/sparse.ts";
import { csr, csrOf, entries, list, room } from "./common/csr.ts";
import type { FamilyRow } from "./common/row.ts";

/** The first of the pixels that are cut out, and how many: all, or a stretch in the middle. */
const first = ({ pixels, seed }: Sizes) => seed % 4 === 0 ? 0 : Math.floor(pixels / 3);
const some = (sizes: Sizes) => sizes.seed % 4 === 0 ? sizes.pixels : Math.floor(sizes.pixels / 2);

/** Forms of sparse tiles. */
export const SPARSE: {
  readonly csr_rows: FamilyRow<"csr_rows">;
  readonly csr_dense: FamilyRow<"csr_dense">;
  readonly csr_cut: FamilyRow<"csr_cut">;
  readonly dense_csr: FamilyRow<"dense_csr">;
  readonly csr_csc: FamilyRow<"csr_csc">;
  readonly csr_coo: FamilyRow<"csr_coo">;
} = {
  csr_rows: {
    reference: csrRows,
    parameters: (dtype, order) => [
      room("dst", "int32", entries),
      {
        name: "src",
        role: "in",
        dtype,
        order,
        bytes: (sizes) => entries(sizes) * dtypeInfo(dtype).itemSize,
        values: (sizes) => spoilt(sizes, dtype),
      },
      list("indptr", (sizes) => csrOf(sizes).indptr),
      (sizes) => sizes.frames,
      (sizes) => sizes.pixels,
      { ...room("faults", "int32", () => 2), values: ({ seed }) => seed % 5 === 0 ? [7, 2] : [0, 0] },
    ],
  },
  csr_dense: {
    reference: csrDense,
    parameters: (dtype) => {
      const stride = (sizes: Sizes) => some(sizes) * dtypeInfo(dtype).itemSize + sizes.gap;
      return [
        {
          ...room("dst", "uint8", (sizes) => Math.max(0, sizes.frames * stride(sizes) - sizes.gap)),
          parts: (sizes) => ({ bytes: stride(sizes) - sizes.gap, stride: stride(sizes) }),
          values: "any",
        },
        stride,
        ...csr(dtype),
        first,
        some,
      ];
    },
  },
  csr_cut: {
    reference: csrCut,
    parameters: (
      dtype,
    ) => [...target(dtype, ({ frames }) => frames + 1, entries), ...csr(dtype), first, some],
  },
  dense_csr: {
    reference: denseCsr,
    parameters: (dtype) => {
      const stride = (sizes: Sizes) => sizes.pixels + sizes.gap;
      const length = (sizes: Sizes) => Math.max(0, sizes.frames * stride(sizes) - sizes.gap);
      const { itemSize } = dtypeInfo(dtype);
      return [
        ...target(dtype, ({ frames }) => frames + 1, ({ frames, pixels }) => frames * pixels),
        {
          name: "data",
          role: "in",
          dtype,
          bytes: (sizes) => length(sizes) * itemSize,
          parts: (sizes) => ({ bytes: sizes.pixels * itemSize, stride: stride(sizes) * itemSize }),
          values: (sizes) =>
            Array.from({ length: length(sizes) }, (_, i) => (i * 7 + sizes.seed) % 11 < 8 ? 0 : i % 251),
        },
        (sizes) => sizes.frames,
        (sizes) => stride(sizes) * itemSize,
        (sizes) => sizes.pixels,
      ];
    },
  },
  csr_csc: {
    reference: csrCsc,
    parameters: (dtype) => [
      ...target(dtype, ({ pixels }) => pixels + 1, entries),
      ...csr(dtype),
      (sizes) => sizes.pixels,
    ],
  },
  csr_coo: {
    reference: csrCoo,
    parameters: () => [
      room("rows", "int32", entries),
      list("indptr", (sizes) => csrOf(sizes).indptr),
      (sizes) => sizes.frames,
    ],
  },
};

/** Indices, in most calls with some that are out of range or out of order. */
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
  pointers: (sizes: Sizes) => number,
  length: (sizes: Sizes) => number,
): Parameter[] {
  return [
    room("outIndptr", "int32", pointers),
    room("outIndices", "int32", length),
    { ...room("outData", dtype, length), values: "any" },
  ];
}
