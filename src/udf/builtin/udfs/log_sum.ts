/**
 * The UDF that adds logarithms.
 *
 * @module
 */

import { logarithm } from "../../../space/functions/functions.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { Udf } from "../../interface/udf.ts";

/**
 * The UDF behind `logSum`. It multiplies the arguments, as `product · 2^(512 powers)`, and takes one logarithm
 * per pixel at the end.
 */
export function logsum(): Udf<{ logsum: "float64"; product: "float64"; powers: "float64" }> {
  return {
    name: "logsum",
    buffers: {
      product: { kind: "sig", dtype: "float64", use: "private" },
      powers: { kind: "sig", dtype: "float64", use: "private" },
      logsum: { kind: "sig", dtype: "float64", use: "result", values: "unknown" },
    },
    inputDType: "native",
    raw: "kernels",
    kernels: ["log_product", "log_product_merge"],
    order: () => "tree", // products are rounded for all sample types
    processFrame({ raw, pixels }, { product, powers }, { kernels }) {
      const multiply = kernel(kernels, "log_product", raw.dtype, raw.byteOrder);
      multiply(product.byteOffset, powers.byteOffset, raw.pointer, pixels);
    },
    merge(into, from, { kernels }) {
      kernels.exports.log_product_merge_f64(
        into.product.byteOffset,
        into.powers.byteOffset,
        from.product.byteOffset,
        from.powers.byteOffset,
        into.product.length,
      );
    },
    results({ product, powers }) {
      const unscaled = (x: number, p: number) => x < 1 ? 0 : logarithm(x) + 512 * Math.LN2 * powers[p]!;
      return { logsum: product.map(unscaled) };
    },
  };
}
