/**
 * Samples: data that are made on the spot, and of which the right answer is known.
 *
 * @module
 */

export { DemoScan } from "./scan.ts";
export { PYRAMID_CELLS, PYRAMID_SIDE, samplePyramid } from "./pyramid.ts";
