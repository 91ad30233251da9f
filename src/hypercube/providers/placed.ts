/**
 * Arrays of a tile in the memory of a run.
 *
 * @module
 */

import { type DType, typedArray } from "../../space/dtype.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";

/** The place of an array of a tile; plain data for the worker. */
export interface CubeArray {
  /** Address of the first sample. */
  readonly pointer: number;
  /** Sizes in this tile. */
  readonly shape: Shape;
  /** Type of the samples. */
  readonly dtype: DType;
}

/** The samples of an array in memory. */
export function viewOf(memory: WebAssembly.Memory, { pointer, shape, dtype }: CubeArray): NDArray {
  return ndarray(typedArray(dtype, memory.buffer, pointer, sizeOf(shape)), shape, dtype);
}
