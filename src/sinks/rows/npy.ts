/**
 * Writes NumPy's `.npy`: any samples, any shape.
 *
 * @module
 */

import { npyHeader } from "../npy/npy_header.ts";
import { targetNamed } from "../registry.ts";
import { plainLayout, type RowTarget } from "./layout.ts";

/** NumPy arrays. */
export const npyTarget: RowTarget = {
  ...targetNamed("npy"),
  hasMask: true,
  takesNothing: true,
  keeps: {},
  layout: ({ nav, sig, dtype }) => plainLayout(npyHeader(dtype, [...nav, ...sig])),
};
