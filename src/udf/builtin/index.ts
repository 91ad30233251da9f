/**
 * The UDFs that come with Tilewise, by the names that references and the command line use.
 *
 * @module
 */

export { mask } from "./apply_masks.ts";
export { correlateUdf as correlate } from "./blobfinder/correlate.ts";
export { integrateUdf as integratepeaks } from "./blobfinder/integrate_peaks.ts";
export { refineUdf as refinelattice } from "./blobfinder/refine_lattice.ts";
export { strainUdf as strainmap } from "./blobfinder/strain_map.ts";
export { com } from "./centre_of_mass.ts";
export { annular, annular as ring, disk, point, rectangle } from "./detectors.ts";
export { crystallinityUdf as crystallinity } from "./crystallinity.ts";
export { fft_of_frames, fft_of_sum } from "./fft_of.ts";
export { fem } from "./fluctuation.ts";
export { expr } from "./expression.ts";
export { logsum } from "./log_sum.ts";
export { map } from "./map_frames.ts";
export { nothing } from "./noop.ts";
export { pick } from "./pick_frames.ts";
export { radialfourier } from "./radial_fourier.ts";
export { pixels } from "./pixel_values.ts";
export { record } from "./record.ts";
export { stddev } from "./standard_deviation.ts";
export { sum } from "./sum_frames.ts";
export { sumsig } from "./sum_pixels.ts";
export { kernel } from "../kernel_udf/compiled.ts";
export { family } from "../kernel_udf/families.ts";
