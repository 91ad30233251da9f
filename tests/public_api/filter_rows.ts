/** Misspelt options of filters over views. */

import type { Row } from "./rows.ts";
import * as tilewise from "./tilewise.ts";

type Filter = readonly [
  call: string,
  run: (options: never) => unknown,
  options: object,
  wrong: string,
  meant: string,
];

const FILTERS: readonly Filter[] = [
  ["gaussian", (o) => tilewise.gaussian(o), { sigma: 2, trunkate: 3 }, "trunkate", "truncate"],
  ["laplacianOfGaussian", (o) => tilewise.laplacianOfGaussian(o), { Sigma: 2 }, "Sigma", "sigma"],
  ["gaussianGradient", (o) => tilewise.gaussianGradient(o), { sigma: 2, dType: "int8" }, "dType", "dtype"],
  ["sobel", (o) => tilewise.sobel(o), { axes: 1 }, "axes", "axis"],
  ["prewitt", (o) => tilewise.prewitt(o), { Axis: 1 }, "Axis", "axis"],
  ["scharr", (o) => tilewise.scharr(o), { radii: 1 }, "radii", "radius"],
  ["laplacian", (o) => tilewise.laplacian(o), { Radius: 1 }, "Radius", "radius"],
  ["unsharp", (o) => tilewise.unsharp(o), { sigma: 1, ammount: 2 }, "ammount", "amount"],
  ["median", (o) => tilewise.median(o), { footPrint: [[1]] }, "footPrint", "footprint"],
  ["percentile", (o) => tilewise.percentile(o), { percent: 5, radii: 1 }, "radii", "radius"],
  ["localVariance", (o) => tilewise.localVariance(o), { Radius: 1 }, "Radius", "radius"],
  ["localDeviation", (o) => tilewise.localDeviation(o), { Radius: 1 }, "Radius", "radius"],
  ["localThreshold", (o) => tilewise.localThreshold(o), { ofset: 1 }, "ofset", "offset"],
  ["morphologicalGradient", (o) => tilewise.morphologicalGradient(o), { radii: 1 }, "radii", "radius"],
  ["opening", (o) => tilewise.opening(o), { radii: 1 }, "radii", "radius"],
  ["closing", (o) => tilewise.closing(o), { Radius: 1 }, "Radius", "radius"],
  ["whiteTopHat", (o) => tilewise.whiteTopHat(o), { radii: 1 }, "radii", "radius"],
  ["blackTopHat", (o) => tilewise.blackTopHat(o), { Radius: 1 }, "Radius", "radius"],
  ["correlate", (o) => tilewise.correlate(o), { weight: [1] }, "weight", "weights"],
  ["convolve", (o) => tilewise.convolve(o), { weights: [1], Dtype: "int8" }, "Dtype", "dtype"],
];

/** One misspelt option per filter. */
export const FILTER_ROWS: readonly Row[] = FILTERS.map(([call, run, options, wrong, meant]) => {
  return { call, run, options, wrong, meant };
});
