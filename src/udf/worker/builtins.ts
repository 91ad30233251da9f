/**
 * The UDFs that come with Tilewise, by the names that references and the command line use.
 *
 * A thread loads the module of a UDF when it first makes one: workers load only the modules that their run needs.
 *
 * @module
 */

/** Functions that make each UDF from its parameters, once its module is loaded. */
export const BUILTINS: Readonly<Record<string, () => Promise<unknown>>> = {
  annular: async () => (await import("../builtin/udfs/detectors.ts")).annular,
  com: async () => (await import("../builtin/udfs/centre_of_mass.ts")).com,
  correlate: async () => (await import("../builtin/blobfinder/correlate.ts")).correlateUdf,
  crystallinity: async () => (await import("../builtin/udfs/crystallinity.ts")).crystallinityUdf,
  disk: async () => (await import("../builtin/udfs/detectors.ts")).disk,
  expr: async () => (await import("../builtin/udfs/expression.ts")).expr,
  family: async () => (await import("../kernel_udf/families.ts")).family,
  fem: async () => (await import("../builtin/udfs/fluctuation.ts")).fem,
  fft_of_frames: async () => (await import("../builtin/udfs/fft_of.ts")).fft_of_frames,
  fft_of_sum: async () => (await import("../builtin/udfs/fft_of.ts")).fft_of_sum,
  integratepeaks: async () => (await import("../builtin/blobfinder/integrate_peaks.ts")).integrateUdf,
  kernel: async () => (await import("../kernel_udf/compiled.ts")).kernel,
  logsum: async () => (await import("../builtin/udfs/log_sum.ts")).logsum,
  map: async () => (await import("../builtin/udfs/map_frames.ts")).map,
  mask: async () => (await import("../builtin/udfs/apply_masks.ts")).mask,
  nothing: async () => (await import("../builtin/noop.ts")).nothing,
  pick: async () => (await import("../builtin/udfs/pick_frames.ts")).pick,
  pixels: async () => (await import("../builtin/udfs/pixel_values.ts")).pixels,
  point: async () => (await import("../builtin/udfs/detectors.ts")).point,
  radialfourier: async () => (await import("../builtin/udfs/radial_fourier.ts")).radialfourier,
  record: async () => (await import("../builtin/record.ts")).record,
  rectangle: async () => (await import("../builtin/udfs/detectors.ts")).rectangle,
  refinelattice: async () => (await import("../builtin/blobfinder/refine_lattice.ts")).refineUdf,
  ring: async () => (await import("../builtin/udfs/detectors.ts")).annular,
  stddev: async () => (await import("../builtin/udfs/standard_deviation.ts")).stddev,
  strainmap: async () => (await import("../builtin/blobfinder/strain_map.ts")).strainUdf,
  sum: async () => (await import("../builtin/udfs/sum_frames.ts")).sum,
  sumsig: async () => (await import("../builtin/udfs/sum_pixels.ts")).sumsig,
};
