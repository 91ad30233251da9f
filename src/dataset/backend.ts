/**
 * Array back ends: the forms in which a tile can be given to a function.
 *
 * @module
 */

/**
 * The form of the samples of a tile, a matrix of frames × pixels: `dense` all samples; `csr`, `csc`, `coo` only those
 * that are not zero, frame by frame, pixel by pixel, or each with both its coordinates.
 * @category Tiles
 */
export type Backend = "dense" | "csr" | "csc" | "coo";

/**
 * Back ends that leave zeros out.
 * @category Tiles
 */
export type SparseBackend = Exclude<Backend, "dense">;

/**
 * Where a back end keeps its arrays.
 * @category Tiles
 */
export type DeviceClass = "cpu";
