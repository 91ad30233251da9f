/**
 * Samples as another type.
 *
 * @module
 */

import type { OptionNames } from "../../options.ts";
import type { KernelFamilies } from "../../kernels/families/families.ts";
import { kernel } from "../../kernels/registry.ts";
import { needed, oneOf } from "../../options/rules.ts";
import { firstUnfit, mustCast, unfit } from "../../space/cast.ts";
import { type DType, dtypeInfo, unitsOf, unitType } from "../../space/dtype.ts";
import { dtypeName } from "../../space/rules.ts";
import { eachLine } from "./lines.ts";
import { type OperationEntry, operationOf, type PlacedSamples, type ViewOperation } from "./operation.ts";

/**
 * Options of {@link convert}.
 * @category Views
 */
export interface ConvertOptions<D extends DType = DType> {
  /** Type of the result. */
  readonly dtype: D;
  /** What becomes of samples that do not fit: `clip` as said below, or `refuse`, an error with the place of one. Default `clip`. */
  readonly beyond?: "clip" | "refuse";
}

const NAMES: OptionNames<ConvertOptions> = { dtype: needed(dtypeName), beyond: oneOf("clip", "refuse") };

/** See {@link convert}. */
export const CONVERT: OperationEntry<ConvertOptions, "row"> = {
  name: "convert",
  params: NAMES,
  kernels: [], // complex samples are pairs of those that have kernels
  calls: ["convert_f32", "convert_f64", "from_f64"],
  usualRadius: 0,
  radius: () => 0,
  result: (_, { dtype }) => dtype,
  values: () => "same",
  check: ({ dtype, params }) => mustCast("samples", dtype, params.dtype),
  scratch: ({ dtype, tile }) => ({ row: 8 * unitsOf(dtype) * tile.at(-1)! }),
  start({ kernels, dtype, params: { dtype: wanted, beyond }, scratch }) {
    const widen: KernelFamilies["convert_f64"] = kernel(kernels, "convert_f64", unitType(dtype));
    const narrow: KernelFamilies["from_f64"] = kernel(kernels, "from_f64", unitType(wanted));
    const [row, units] = [scratch.at("row"), unitsOf(dtype)];
    if (wanted === "float32" && (dtype === "int64" || dtype === "uint64")) { // rounded once, and all fit
      const single: KernelFamilies["convert_f32"] = kernel(kernels, "convert_f32", dtype);
      return (view, out) => eachLine(view, out, (data, to, n) => single(to, data, n));
    }
    return (view, out, { origin }) => {
      const length = units * out.shape.at(-1)!;
      eachLine(view, out, (data, to) => {
        widen(row, data, length);
        const numbers = new Float64Array(kernels.memory.buffer, row, length);
        const bad = beyond === "refuse" ? firstUnfit(numbers, wanted) : -1;
        if (bad >= 0) {
          const at = to + Math.floor(bad / units) * dtypeInfo(wanted).itemSize;
          throw unfit("the result", numbers[bad]!, placeOf(at, out, origin), wanted);
        }
        narrow(to, row, length);
      });
    };
  },
};

/** The indices of the sample at an address of a tile that begins at `origin`. */
function placeOf(address: number, { pointer, strides }: PlacedSamples, origin: readonly number[]): number[] {
  let rest = address - pointer;
  return origin.map((first, d) => {
    const steps = Math.floor(rest / strides[d]!);
    rest -= steps * strides[d]!;
    return first + steps;
  });
}

/**
 * Every sample as the nearest one of another type: floats become the nearest integer, of two the even one; numbers
 * beyond the ends of an integer type become its ends, and NaN becomes 0.
 *
 * It takes all samples, and makes integers of up to 32 bits, float32 and float64 of
 * real ones, complex64 and complex128 of complex ones.
 *
 * @param options the type, and what becomes of samples beyond its range
 * @returns the operation, for a chain, a plan or `mapViews`
 * @throws {TilewiseError} `invalid` for a sample that does not fit, if `beyond` is `refuse`
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
