/**
 * An array as Zarr stores it.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";
import type { ArrayToWrite } from "../array.ts";

/** An array, and what Zarr needs to know of it. */
export interface ZarrResult extends ArrayToWrite {
  /** Samples per chunk. */
  readonly chunk: Shape;
  /** Type of the samples of the source: the range of its values is that of the usual contrast. */
  readonly source?: DType;
  /** Whether it has no dimensions; `shape` has one of one sample then. */
  readonly isScalar?: true;
}
