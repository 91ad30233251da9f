/**
 * Rows of the kernels that put together frames of detectors that are read out in pieces.
 *
 * @module
 */

import type { BufferParameter, Parameter, Sizes } from "../families/describe.ts";
import { k2isRows, meanFrames, unfold } from "../reference/readout.ts";
import type { FamilyRow } from "./common/row.ts";

/** Sectors, folded frames, dark frames. */
export const READOUT: {
  readonly k2is_rows: FamilyRow<"k2is_rows">;
  readonly unfold: FamilyRow<"unfold">;
  readonly mean_frames: FamilyRow<"mean_frames">;
} = {
  k2is_rows: { reference: k2isRows, parameters: blockParameters },
  unfold: { reference: unfold, parameters: foldParameters },
  mean_frames: { reference: meanFrames, parameters: meanParameters },
};

function blockParameters(): Parameter[] {
  const rowBytes = ({ rowLength, gap }: Sizes) => 32 * rowLength + gap;
  const blockBytes = ({ rows, gap }: Sizes) => 24 * rows + gap;
  const written = (sizes: Sizes) =>
    sizes.rows === 0 || sizes.rowLength === 0 ? 0 : sizes.rows * rowBytes(sizes) - sizes.gap;
  const read = (sizes: Sizes) => Math.max(0, sizes.rowLength * blockBytes(sizes) - sizes.gap);
  return [
    {
      ...buffer("dst", "inout", written), // what lies between rows stays
      parts: (sizes) => ({ bytes: 32 * sizes.rowLength, stride: rowBytes(sizes) }),
    },
    rowBytes,
    {
      ...buffer("src", "in", read),
      parts: (sizes) => ({ bytes: 24 * sizes.rows, stride: blockBytes(sizes) }),
    },
    blockBytes,
    ({ rowLength }) => rowLength,
    ({ rows }) => rows,
  ];
}

function foldParameters(): Parameter[] {
  const bin = ({ seed }: Sizes) => [1, 2, 4][seed % 3]!;
  const stored = ({ rows, rowLength }: Sizes) => 4 * rows * rowLength;
  return [
    buffer("dst", "out", (sizes) => stored(sizes) * bin(sizes)),
    buffer("src", "in", stored),
    ({ rows }) => rows,
    ({ rowLength }) => rowLength,
    bin,
  ];
}

function meanParameters(): Parameter[] {
  const many = ({ frames }: Sizes) => Math.max(1, frames);
  const stride = ({ pixels, gap }: Sizes) => 2 * pixels + gap;
  return [
    { name: "dst", role: "out", dtype: "float32", bytes: ({ pixels }) => 4 * pixels, values: "any" },
    {
      ...buffer("src", "in", (sizes) => many(sizes) * stride(sizes) - sizes.gap),
      parts: (sizes) => ({ bytes: 2 * sizes.pixels, stride: stride(sizes) }),
    },
    many,
    stride,
    ({ pixels }) => pixels,
  ];
}

function buffer(
  name: string,
  role: BufferParameter["role"],
  bytes: BufferParameter["bytes"],
): BufferParameter {
  return { name, role, dtype: "uint8", bytes, values: "any" };
}
