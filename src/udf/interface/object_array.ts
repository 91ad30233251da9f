/**
 * Arrays of JSON values.
 *
 * @module
 */

import type { Shape } from "../../space/shape.ts";
import type { JsonValue } from "./objects.ts";

/**
 * An array of JSON values: the result of an object buffer.
 * @category Results
 */
export interface ObjectArray {
  /** The values in row-major order; `null` where nothing was computed. */
  readonly data: readonly JsonValue[];
  /** Sizes, slowest dimension first. */
  readonly shape: Shape;
  /** Which entries are valid; absent: all. */
  readonly valid?: Uint8Array;
}
