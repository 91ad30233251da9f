/**
 * The rest of arrays: rules of dtypes, bits of valid masks, sizes as text.
 *
 * Names of this entry may change in any version: `docs/decisions/0126-stable-and-unstable.md`.
 *
 * @example The dtype that holds the values of two others
 * ```ts
 * import { resultType } from "@tilewise/tilewise/unstable/arrays";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(resultType("float32", "uint16"), "float32");
 * ```
 *
 * @module
 */

export { type ArrayTypes, type ByteOrder, type DTypeOf, resultType } from "../../space/dtype.ts";
export { zeroArray } from "../../space/ndarray.ts";
export type { ArrayFunctions } from "../../space/numbers.ts";
export { formatBytes, parseBytes } from "../../space/size.ts";
export {
  fullMask,
  type Maskable,
  type MaskInput,
  type NestedBits,
  selectedRows,
  validBox,
  validRun,
} from "../../space/valid.ts";
export type { ReadSelection } from "../../udf/run/read.ts";
