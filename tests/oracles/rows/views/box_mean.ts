/**
 * Row of the box filter.
 *
 * @module
 */

import { type DType, dtypeInfo, floatOf } from "../../../../src/space/dtype.ts";
import type { Sizes } from "../common/describe.ts";
import { boxMean } from "../../twins/box_mean.ts";
import { numbers, rowLength, type RowParameters, type Rows, rows } from "../common/row.ts";

/** Means of windows. */
export const BOX_MEAN: Rows<"box_mean"> = { box_mean: { reference: boxMean, parameters } };

function parameters(dtype: DType): RowParameters<"box_mean"> {
  const { itemSize } = dtypeInfo(dtype);
  const { itemSize: meanSize } = dtypeInfo(floatOf(dtype));
  const rowStride = (sizes: Sizes) => width(sizes) * itemSize + sizes.gap;
  const outStride = ({ rowLength, gap }: Sizes) => meanSize * (rowLength + gap);
  return {
    out: {
      bytes: (sizes) => Math.max(0, sizes.rows * outStride(sizes) - meanSize * sizes.gap),
      parts: (sizes) => ({ bytes: meanSize * sizes.rowLength, stride: outStride(sizes) }),
      values: "whole",
    },
    outStride,
    data: {
      bytes: (sizes) => (sizes.rows + 2 * radiusY(sizes)) * rowStride(sizes) - sizes.gap,
      parts: (sizes) => ({ bytes: width(sizes) * itemSize, stride: rowStride(sizes) }),
      values: "any",
    },
    rowStride,
    rows,
    rowLength,
    ry: radiusY,
    rx: radiusX,
    columns: numbers("float64", width, "whole"),
  };
}

const radiusY = ({ seed }: Sizes) => seed % 4;
const radiusX = ({ seed }: Sizes) => Math.floor(seed / 4) % 5;
const width = (sizes: Sizes) => sizes.rowLength + 2 * radiusX(sizes);
