/**
 * The UDFs that come with Tilewise, by the names that references and the command line use.
 *
 * A thread loads the module of a UDF when it first makes one: workers load only the modules that their run needs.
 *
 * @module
 */

/** Functions that make each UDF from its parameters, once its module is loaded. */
export const BUILTINS: Readonly<Record<string, () => Promise<unknown>>> = {
  annular: async () => (await import("../builtin/detectors.ts")).annular,
  com: async () => (await import("../builtin/centre_of_mass.ts")).com,
  correlate: async () => (await import("../builtin/blobfinder/correlate.ts")).correlateUdf,
  crystallinity: async () => (await import("../builtin/crystallinity.ts")).crystallinityUdf,
  disk: async () => (await import("../builtin/detectors.ts")).disk,
  expr: async () => (await import("../builtin/expression/udf.ts")).expr,
  family: async () => (await import("../kernel_udf/families.ts")).family,
  fem: async () => (await import("../builtin/fluctuation.ts")).fem,
  fft_of_frames: async () => (await import("../builtin/fft_of.ts")).fft_of_frames,
  fft_of_sum: async () => (await import("../builtin/fft_of.ts")).fft_of_sum,
  integratepeaks: async () => (await import("../builtin/blobfinder/integrate_peaks.ts")).integrateUdf,
  kernel: async () => (await import("../kernel_udf/compiled.ts")).kernel,
  logsum: async () => (await import("../builtin/log_sum.ts")).logsum,
  map: async () => (await import("../builtin/map_frames.ts")).map,
  mask: async () => (await import("../builtin/apply_masks.ts")).mask,
  nothing: async () => (await import("../builtin/noop.ts")).nothing,
  pick: async () => (await import("../builtin/pick_frames.ts")).pick,
  pixels: async () => (await import("../builtin/pixel_values.ts")).pixels,
  point: async () => (await import("../builtin/detectors.ts")).point,
  radialfourier: async () => (await import("../builtin/radial_fourier.ts")).radialfourier,
  record: async () => (await import("../builtin/record.ts")).record,
  rectangle: async () => (await import("../builtin/detectors.ts")).rectangle,
  refinelattice: async () => (await import("../builtin/blobfinder/refine_lattice.ts")).refineUdf,
  ring: async () => (await import("../builtin/detectors.ts")).annular,
  stddev: async () => (await import("../builtin/standard_deviation.ts")).stddev,
  strainmap: async () => (await import("../builtin/blobfinder/strain_map.ts")).strainUdf,
  sum: async () => (await import("../builtin/sum_frames.ts")).sum,
  sumsig: async () => (await import("../builtin/sum_pixels.ts")).sumsig,
};
