/**
 * Rows of the kernels that assemble frames of detectors that are read out in pieces.
 *
 * @module
 */

import type { BufferContents, NumberParameter, Sizes } from "./common/describe.ts";
import { k2isRows, meanFrames, unfold } from "../twins/readout.ts";
import { numbers, rowLength, type RowParameters, type Rows, rows } from "./common/row.ts";

/** Sectors, folded frames, dark frames. */
export const READOUT: Rows<"k2is_rows" | "unfold" | "mean_frames"> = {
  k2is_rows: { reference: k2isRows, parameters: blockParameters },
  unfold: { reference: unfold, parameters: foldParameters },
  mean_frames: { reference: meanFrames, parameters: meanParameters },
};

function blockParameters(): RowParameters<"k2is_rows"> {
  const rowBytes = ({ rowLength, gap }: Sizes) => 32 * rowLength + gap;
  const blockBytes = ({ rows, gap }: Sizes) => 24 * rows + gap;
  const written = (sizes: Sizes) =>
    sizes.rows === 0 || sizes.rowLength === 0 ? 0 : sizes.rows * rowBytes(sizes) - sizes.gap;
  const read = (sizes: Sizes) => Math.max(0, sizes.rowLength * blockBytes(sizes) - sizes.gap);
  return {
    dst: {
      ...bytes(written), // bytes between rows are not changed
      parts: (sizes) => ({ bytes: 32 * sizes.rowLength, stride: rowBytes(sizes) }),
    },
    dstStride: rowBytes,
    src: {
      ...bytes(read),
      parts: (sizes) => ({ bytes: 24 * sizes.rows, stride: blockBytes(sizes) }),
    },
    blockStride: blockBytes,
    blocks: rowLength,
    rows,
  };
}

function foldParameters(): RowParameters<"unfold"> {
  const bin = ({ seed }: Sizes) => [1, 2, 4][seed % 3]!;
  const stored = ({ rows, rowLength }: Sizes) => 4 * rows * rowLength;
  return {
    dst: bytes((sizes) => stored(sizes) * bin(sizes)),
    src: bytes(stored),
    rows,
    width: rowLength,
    bin,
  };
}

function meanParameters(): RowParameters<"mean_frames"> {
  const many = ({ frames }: Sizes) => Math.max(1, frames);
  const stride = ({ pixels, gap }: Sizes) => 2 * pixels + gap;
  return {
    dst: numbers("float32", ({ pixels }) => pixels),
    src: {
      ...bytes((sizes) => many(sizes) * stride(sizes) - sizes.gap),
      parts: (sizes) => ({ bytes: 2 * sizes.pixels, stride: stride(sizes) }),
    },
    frames: many,
    stride,
    n: ({ pixels }) => pixels,
  };
}

const bytes = (count: NumberParameter): BufferContents => numbers("uint8", count);
