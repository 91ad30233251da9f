/**
 * Samples: data that are made on the spot, and of which the right answer is known.
 *
 * @module
 */

export { type DemoGeometry, demoGeometry, DemoScan, type DemoSpec, type DemoTruth } from "./scan.ts";
export { PYRAMID_CELLS, PYRAMID_SIDE, samplePyramid } from "./pyramid.ts";
