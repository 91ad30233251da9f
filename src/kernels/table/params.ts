/**
 * Parameters that families of several kinds share.
 *
 * @module
 */

import type { Params } from "./common/types.ts";

/** The frames of a tile. */
export const FRAMES = { data: "in T", frames: "i32", frameStride: "usize" } as const satisfies Params;

/** Where sums go. */
export const SUMS = { out: "inout float64", outStride: "usize" } as const satisfies Params;

/** How many masks there are, and how far apart they lie. */
export const MASKS = { maskCount: "i32", maskStride: "usize" } as const satisfies Params;

/** Runs of pixels. */
export const RUNS = { runs: "in int32", count: "i32" } as const satisfies Params;
