/**
 * The measurement equation of radio interferometry: the complex phase of point sources, as a kernel of a hypercube.
 *
 * @module
 */

export {
  PHASE_ARRAYS,
  type PhaseConvention,
  phaseKernel,
  type PhaseOptions,
  SPEED_OF_LIGHT,
} from "./phase.ts";
