/**
 * The rest of observations: beams, rows as sources of a hypercube, and the parts of observations and skies.
 *
 * Names of this entry may change in any version: `docs/decisions/0126-stable-and-unstable.md`.
 *
 * @example The files of a beam are named by a pattern
 * ```ts
 * import { readBeam } from "@tilewise/tilewise/unstable/observations";
 * import { assertRejects } from "@std/assert";
 *
 * await assertRejects(() => readBeam("beam_$(corr)_$(reim).fits"), Error, "beam_xx_re.fits");
 * ```
 *
 * @module
 */

export type {
  Antenna,
  ObservationScales,
  Receptor,
  RowSamples,
  StoredColumn,
} from "../../observations/observation.ts";
export type { Brightness } from "../../observations/meaning/correlations.ts";
export type { BeamAxes } from "../../observations/beam.ts";
export { type Beam, readBeam, type ReadBeamOptions } from "../../observations/beam.ts";
export { fromObservation, type FromObservationOptions } from "../../observations/provider.ts";
export type {
  GaussianComponent,
  SersicComponent,
  SkyComponent,
  SkyPosition,
  Spectrum,
} from "../../skies/component.ts";
