/**
 * Samples: data that are made on the spot, and of which the right answer is known.
 *
 * @module
 */

export { demoGeometry, type DemoGeometry, DemoScan, type DemoSpec, type DemoTruth } from "./scan.ts";
