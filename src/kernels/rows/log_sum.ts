/**
 * Row of the sum of logarithms.
 *
 * @module
 */

import { dtypeInfo } from "../../space/dtype.ts";
import { logSum } from "../reference/log_sum.ts";
import { accumulator, ALL, type FamilyRow, pixels } from "./row.ts";

/** Sums of logarithms. */
export const LOG_SUM: { readonly log_sum: FamilyRow<"log_sum"> } = {
  log_sum: {
    dtypes: ALL,
    orders: true,
    reference: logSum,
    parameters: (dtype, order) => [
      accumulator("acc", (sizes) => sizes.pixels),
      {
        name: "data",
        role: "in",
        dtype,
        order,
        bytes: (sizes) => sizes.pixels * dtypeInfo(dtype).itemSize,
        values: "any",
      },
      pixels,
    ],
  },
};
