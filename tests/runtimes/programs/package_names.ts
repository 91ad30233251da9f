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
export { PHASE_ARRAYS, phaseKernel } from "@tilewise/tilewise/rime";
export { useWorker, workerPool } from "@tilewise/tilewise/run";
export { arrayOf, boxMean, mapViews } from "@tilewise/tilewise/views";
