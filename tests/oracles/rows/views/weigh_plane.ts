/**
 * Row of two passes of weighted sums in one.
 *
 * @module
 */

import { dtypeInfo } from "../../../../src/space/dtype.ts";
import type { Sizes } from "../common/describe.ts";
import { weighPlane } from "../../twins/views/weigh.ts";
import { numbers, type Rows } from "../common/row.ts";

/** Weighted sums down columns and across rows. */
export const WEIGH_PLANE: Rows<"weigh_plane"> = {
  weigh_plane: {
    reference: weighPlane,
    parameters: (dtype) => {
      const { itemSize } = dtypeInfo(dtype);
      const rowStride = (s: Sizes) => width(s) * itemSize + s.gap;
      return {
        out: {
          bytes: (s) => rows(s) * outStride(s) - s.gap,
          parts: (s) => ({ bytes: 4 * columns(s), stride: outStride(s) }),
          values: "any",
        },
        outStride,
        data: {
          bytes: (s) => (rows(s) + down(s) - 1) * rowStride(s) - s.gap,
          parts: (s) => ({ bytes: width(s) * itemSize, stride: rowStride(s) }),
          values: "any",
        },
        rowStride,
        rows,
        n: columns,
        downWeights: numbers("float32", (s) => (down(s) + 1) / 2, "finite"),
        down,
        acrossWeights: numbers("float32", (s) => (across(s) + 1) / 2, "finite"),
        across,
        between: numbers("float32", (s) => 4 * width(s)),
      };
    },
  },
};

const rows = (s: Sizes) => Math.max(4, s.rows);
const columns = (s: Sizes) => Math.max(4, s.rowLength);
const down = ({ seed }: Sizes) => 1 + 2 * (seed % 10);
const across = ({ seed }: Sizes) => 1 + 2 * (Math.floor(seed / 10) % 7);
const width = (s: Sizes) => columns(s) + across(s) - 1;
const outStride = (s: Sizes) => 4 * columns(s) + s.gap;
