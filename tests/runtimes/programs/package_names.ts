/** What the programs use of the package, which they know by the names of its entries alone. */

export {
  annularDetector,
  centreOfMass,
  createContext,
  defineUdf,
  expression,
  open,
  plan,
  run,
  standardDeviation,
  sumFrames,
  TilewiseError,
  udf,
} from "@tilewise/tilewise";
export { hypercube, planTiles } from "@tilewise/tilewise/hypercube";
export { PHASE_ARRAYS, phaseKernel } from "@tilewise/tilewise/unstable/rime";
export { useWorker } from "@tilewise/tilewise/run";
export { usePackages } from "@tilewise/tilewise/unstable/formats";
export { workerPool } from "@tilewise/tilewise/unstable/run";
export { arrayOf } from "@tilewise/tilewise/unstable/views";
export { boxMean, mapViews } from "@tilewise/tilewise/views";
