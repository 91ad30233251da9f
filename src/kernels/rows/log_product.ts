/**
 * Rows of the products behind sums of logarithms.
 *
 * @module
 */

import { dtypeInfo } from "../../space/dtype.ts";
import type { BufferParameter, Sizes } from "../families/describe.ts";
import { logProduct, logProductMerge } from "../reference/log_product.ts";
import { accumulator, type FamilyRow, pixels } from "./common/row.ts";

/** Products, and their union. */
export const LOG_PRODUCT: {
  readonly log_product: FamilyRow<"log_product">;
  readonly log_product_merge: FamilyRow<"log_product_merge">;
} = {
  log_product: {
    reference: logProduct,
    parameters: (dtype, order) => [
      products("product"),
      accumulator("powers", (sizes) => sizes.pixels),
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
  log_product_merge: {
    reference: logProductMerge,
    parameters: () => [
      products("productA"),
      accumulator("powersA", (sizes) => sizes.pixels),
      products("productB"),
      accumulator("powersB", (sizes) => sizes.pixels),
      pixels,
    ],
  },
};

/** Products at all stages: not begun, begun, large, infinite, NaN. */
function products(name: string): BufferParameter {
  const stages = [0, 1, 2.5, 1e9, 2 ** 511, 2 ** 512 * (1 - 2 ** -53), Infinity, NaN, 7e100];
  return {
    name,
    role: "inout",
    dtype: "float64",
    bytes: (sizes) => 8 * sizes.pixels,
    values: ({ pixels, seed }: Sizes) =>
      Array.from({ length: pixels }, (_, p) => seed === 5 ? 1.5 : stages[(p * 5 + seed) % stages.length]!),
  };
}
