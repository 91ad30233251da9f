/**
 * Array back ends: the forms in which a tile can be given to a function.
 *
 * @module
 */

/**
 * The form of the samples of a tile, a matrix of frames × pixels. `dense`: all samples. Only samples that are not zero: `csr`
 * frame by frame, `csc` pixel by pixel, `coo` each with both coordinates.
 * @category Tiles
 */
export type Backend = "dense" | "csr" | "csc" | "coo";

/**
 * Where a back end keeps its arrays.
 * @category Tiles
 */
export type DeviceClass = "cpu";
