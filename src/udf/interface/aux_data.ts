/**
 * Auxiliary data: arrays that come with a UDF and are cut like its buffers, such as one shift per frame.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, inWords, type OptionNames } from "../../options.ts";
import { oneOf } from "../../options/rules.ts";
import { type ArrayOf, type DType, type DTypeOf, dtypeOf, type TypedArray } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { dtypeName, isArray, shapeFrom } from "../../space/rules.ts";
import type { Shape } from "../../space/shape.ts";

/**
 * An array that a UDF sees cut like a buffer of the same kind.
 * @category User-defined functions
 */
export interface AuxSpec<D extends DType = DType> {
  /** What one entry belongs to: a position of the scan, a pixel, or the whole result. */
  readonly kind: "nav" | "sig" | "single";
  /** The numbers, all entries one after another; `nav` data have one entry per position of the whole scan. */
  readonly data: ArrayOf<D>;
  /** Type of the numbers. */
  readonly dtype: D;
  /** Shape of one entry. Default: a number. */
  readonly extraShape?: Shape;
}

/**
 * Options of {@link auxData}.
 * @category User-defined functions
 */
export interface AuxOptions<D extends DType = DType> {
  /** What one entry belongs to. Default `nav`. */
  readonly kind?: "nav" | "sig" | "single";
  /** Type of the numbers. Default: that of the array. */
  readonly dtype?: D;
  /** Shape of one entry. Default: a number. */
  readonly extraShape?: Shape;
}

// deno-fmt-ignore: written by `deno task build`
const AUX_OPTIONS: OptionNames<AuxOptions> = {
  kind: oneOf("nav", "sig", "single"), dtype: dtypeName, extraShape: shapeFrom(0, "[2]"),
};

/**
 * Makes auxiliary data that can be passed as a parameter of a UDF; the UDF passes it on with `aux: () => ({ shift:
 * params.shift })`. The numbers do not travel with the parameters: they are stored once in shared memory, where
 * `context.aux` shows them.
 *
 * @param array numbers, shared by all workers
 * @param options over what the data lie: positions, pixels, or neither; and their type
 * @returns what a UDF declares
 *
 * @example One shift per frame
 * ```ts
 * import { auxData } from "@tilewise/tilewise/udf";
 * import { assertEquals } from "@std/assert";
 * const shift = auxData(new Float32Array(2 * 12), { extraShape: [2] });
 * assertEquals([shift.kind, shift.dtype], ["nav", "float32"]);
 * ```
 * @category User-defined functions
 */
export function auxData<D extends DType>(
  array: TypedArray | NDArray,
  options: AuxOptions<D> & {
    /** Type of the numbers. */
    readonly dtype: D;
  },
): AuxSpec<D>;
/** Auxiliary data from an array with a shape, in the dtype of the array. */
export function auxData<D extends DType>(array: NDArray<D>, options?: Omit<AuxOptions, "dtype">): AuxSpec<D>;
/** Auxiliary data from a typed array. */
export function auxData<A extends TypedArray>(
  array: A,
  options?: Omit<AuxOptions, "dtype">,
): AuxSpec<DTypeOf<A>>;
/** Auxiliary data from an array of either kind. */
export function auxData(array: TypedArray | NDArray, options?: AuxOptions): AuxSpec;
export function auxData(array: TypedArray | NDArray, options: AuxOptions = {}): AuxSpec {
  checkOptionNames("auxData()", options, AUX_OPTIONS);
  const { kind = "nav", dtype, extraShape = [] } = options;
  if (!ArrayBuffer.isView(array) && !isArray(array)) {
    const text = `auxData() takes a typed array or an array with a shape, not ${inWords(array)}`;
    throw new TilewiseError("invalid", text, { found: inWords(array) });
  }
  const data = ArrayBuffer.isView(array) ? array : array.data;
  const own = ArrayBuffer.isView(array) ? dtypeOf(array) : array.dtype;
  const spec: AuxSpec = { kind, data, dtype: dtype ?? own, extraShape };
  MADE.add(spec);
  return spec;
}

const MADE = new WeakSet<object>();

/** Whether {@link auxData} has made `value`. */
export function isAuxData(value: object): value is AuxSpec {
  return MADE.has(value);
}
