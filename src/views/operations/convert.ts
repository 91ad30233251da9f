/**
 * Samples as another type.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { KernelFamilies } from "../../kernels/families/families.ts";
import { hasKernel } from "../../kernels/exists.ts";
import { kernel } from "../../kernels/registry.ts";
import { needed } from "../../options/rules.ts";
import { type DType, DTYPES } from "../../space/dtype.ts";
import { dtypeName } from "../../space/rules.ts";
import { eachPlace } from "./lines.ts";
import { type OperationEntry, operationOf, type ViewOperation } from "./operation.ts";

/**
 * Options of {@link convert}.
 * @category Views
 */
export interface ConvertOptions<D extends DType = DType> {
  /** Type of the result. */
  readonly dtype: D;
}

/** See {@link convert}. */
export const CONVERT: OperationEntry<ConvertOptions, "row"> = {
  name: "convert",
  params: { dtype: needed(dtypeName) },
  kernels: ["convert_f64"],
  calls: ["from_f64"],
  usualRadius: 0,
  radius: () => 0,
  result: (_, { dtype }) => dtype,
  values: () => "same",
  check({ params: { dtype } }) {
    if (dtype !== "bool" && hasKernel("from_f64", dtype)) return;
    const expected = DTYPES.filter((type) => type !== "bool" && hasKernel("from_f64", type)).join(", ");
    const text = `convert() makes no samples of ${dtype}; it makes ${expected}`;
    throw new TilewiseError("unsupported", text, { option: "dtype", expected, found: dtype });
  },
  scratch: ({ tile }) => ({ row: 8 * tile.at(-1)! }),
  start({ kernels, dtype, params, scratch }) {
    const widen: KernelFamilies["convert_f64"] = kernel(kernels, "convert_f64", dtype);
    const narrow: KernelFamilies["from_f64"] = kernel(kernels, "from_f64", params.dtype);
    const row = scratch.at("row");
    return (view, out) => {
      const length = out.shape.at(-1)!;
      eachPlace(out.shape.slice(0, -1), view, out, (data, to) => {
        widen(row, data, length);
        narrow(to, row, length);
      });
    };
  },
};

/**
 * Every sample as the nearest one of another type: floats become the nearest integer, of two the even one; numbers
 * beyond the ends of an integer type become its ends, and NaN becomes 0.
 *
 * It takes all real samples (integers of 64 bits by way of float64), and makes integers of up to 32 bits, float32 and
 * float64.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { convert, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Float32Array.of(-3, 0.5, 1.5, 400), shape: [1, 4] });
 * await using context = createContext({ workers: 0 });
 * assertEquals((await mapViews(image, convert({ dtype: "uint8" }), { context })).data, Uint8Array.of(0, 0, 2, 255));
 * ```
 * @category Views
 */
export function convert<const D extends DType>(options: ConvertOptions<D>): ViewOperation<D> {
  return operationOf(CONVERT, options);
}
