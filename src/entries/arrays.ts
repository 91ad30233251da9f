/**
 * Arrays (samples with a shape, a dtype and a valid mask), boxes and sizes.
 *
 * @example
 * ```ts
 * import { ndarray, parseDType } from "@tilewise/tilewise/arrays";
 * import { validRun } from "@tilewise/tilewise/unstable/arrays";
 * import { assertEquals } from "@std/assert";
 *
 * const image = ndarray(Float32Array.of(1, 2, 3, 4), [2, 2], parseDType("<f4"));
 * assertEquals([image.shape, image.dtype], [[2, 2], "float32"]);
 * ```
 *
 * @module
 */

export { type Box, box } from "../space/box.ts";
export { type ArrayOf, type DType, dtypeOf, parseDType, type TypedArray, zeros } from "../space/dtype.ts";
export { type NDArray, ndarray } from "../space/ndarray.ts";
export { asNumbers, combineInto, type FloatArray, type NumberArray } from "../space/numbers.ts";
export type { Shape } from "../space/shape.ts";
export { read } from "../udf/run/read.ts";
