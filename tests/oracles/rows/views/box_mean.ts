/**
 * Row of the box filter.
 *
 * @module
 */

import { dtypeInfo } from "../../../../src/space/dtype.ts";
import type { Sizes } from "../common/describe.ts";
import { boxMean } from "../../twins/box_mean.ts";
import { numbers, rowLength, type Rows, rows } from "../common/row.ts";

/** Means of windows. */
export const BOX_MEAN: Rows<"box_mean"> = {
  box_mean: {
    reference: boxMean,
    parameters: (dtype) => {
      const { itemSize } = dtypeInfo(dtype);
      const rowStride = (sizes: Sizes) => width(sizes) * itemSize + sizes.gap;
      return {
        out: {
          bytes: (sizes) => Math.max(0, sizes.rows * outStride(sizes) - 4 * sizes.gap),
          parts: (sizes) => ({ bytes: 4 * sizes.rowLength, stride: outStride(sizes) }),
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
    },
  },
};

const radiusY = ({ seed }: Sizes) => seed % 4;
const radiusX = ({ seed }: Sizes) => Math.floor(seed / 4) % 5;
const width = (sizes: Sizes) => sizes.rowLength + 2 * radiusX(sizes);
const outStride = ({ rowLength, gap }: Sizes) => 4 * (rowLength + gap);
