/**
 * Rows of the products that are used for sums of logarithms.
 *
 * @module
 */

import { logProduct, logProductMerge } from "../twins/log_product.ts";
import { accumulator, numbers, pixels, type Rows } from "./common/row.ts";

/** Products, and their merge. */
export const LOG_PRODUCT: Rows<"log_product" | "log_product_merge"> = {
  log_product: {
    reference: logProduct,
    parameters: (dtype) => ({
      product: products,
      powers: accumulator(pixels),
      data: numbers(dtype, pixels),
      pixels,
    }),
  },
  log_product_merge: {
    reference: logProductMerge,
    parameters: () => ({
      productA: products,
      powersA: accumulator(pixels),
      productB: products,
      powersB: accumulator(pixels),
      pixels,
    }),
  },
};

const STAGES = [0, 1, 2.5, 1e9, 2 ** 511, 2 ** 512 * (1 - 2 ** -53), Infinity, NaN, 7e100];

/** Products in all states: not started, started, large, infinite, NaN. */
const products = numbers(
  "float64",
  pixels,
  ({ pixels, seed }) =>
    Array.from({ length: pixels }, (_, p) => seed === 5 ? 1.5 : STAGES[(p * 5 + seed) % STAGES.length]!),
);
