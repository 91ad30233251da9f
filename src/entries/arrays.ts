/**
 * Arrays (samples with a shape, a dtype and a valid mask), boxes and sizes.
 *
 * @example
 * ```ts
 * import { ndarray, parseDType, validRun } from "@tilewise/tilewise/arrays";
 * import { assertEquals } from "@std/assert";
 *
 * const image = ndarray(Float32Array.of(1, 2, 3, 4), [2, 2], parseDType("<f4"));
 * assertEquals([image.shape, image.dtype], [[2, 2], "float32"]);
 * ```
 *
 * @module
 */

import "../threads.ts";

export { type Box, box } from "../space/box.ts";
export * from "../space/dtype.ts";
export * from "../space/ndarray.ts";
export {
  type ArrayFunctions,
  asNumbers,
  combineInto,
  copyNumbers,
  type FloatArray,
  isBig,
  type NumberArray,
} from "../space/numbers.ts";
export type { Shape } from "../space/shape.ts";
export { formatBytes, parseBytes } from "../space/size.ts";
export * from "../space/valid.ts";
export { read, type ReadSelection } from "../udf/run/read.ts";
