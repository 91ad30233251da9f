/**
 * Adds the logarithms of all frames, to show weak reflections beside strong ones.
 *
 * @module
 */

import { kernel } from "../../kernels/registry.ts";
import { logarithm } from "../../space/functions/functions.ts";
import { mustBeReal } from "./runs.ts";
import type { Udf } from "../interface/udf.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * Σ log(I − min I + 1) over all frames, with the minimum of each frame; natural logarithm. Result `logsum`: float64,
 * shape of a frame.
 *
 * @returns the UDF, for a plan, `run` or an analysis of your own
 *
 * @example
 * ```ts
 * import { logSum, open, plan, run } from "@tilewise/tilewise";
 * import { assertAlmostEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 5), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const { dp } = await run(await plan(scan, { dp: logSum() }));
 * assertAlmostEquals(Math.max(...dp.logsum.data), Math.log(2) + Math.log(3));
 * ```
 * @category Analyses
 */
export function logSum(): UdfRef<{
  /** The logarithm of the samples, summed over all frames, per pixel. */
  logsum: "float64";
}> {
  return builtin("log_sum");
}

/**
 * The UDF behind `logSum`. It multiplies the arguments, as `product · 2^(512 powers)`, and takes one logarithm
 * per pixel at the end.
 */
export function logSumUdf(): Udf<{ logsum: "float64"; product: "float64"; powers: "float64" }> {
  return {
    name: "log_sum",
    buffers: {
      product: { kind: "sig", dtype: "float64", use: "private" },
      powers: { kind: "sig", dtype: "float64", use: "private" },
      logsum: { kind: "sig", dtype: "float64", use: "result", values: "unknown" },
    },
    inputDType: "native",
    raw: "kernels",
    kernels: ["log_product", "log_product_merge"],
    order({ nativeDType }) {
      mustBeReal(nativeDType, "sum the logarithm of", "log_sum");
      return "tree"; // products are rounded for all sample types
    },
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
