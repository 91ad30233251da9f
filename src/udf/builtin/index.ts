/**
 * The UDFs that come with Tilewise, by the names that references and the command line use.
 *
 * A thread loads the module of a UDF when it first makes one: workers load what their run needs, and nothing of the others.
 *
 * @module
 */

/** What makes each UDF of its parameters, once its module is loaded. */
export const BUILTINS: Readonly<Record<string, () => Promise<unknown>>> = {
  annular: async () => (await import("./detectors.ts")).annular,
  com: async () => (await import("./centre_of_mass.ts")).com,
  correlate: async () => (await import("./blobfinder/correlate.ts")).correlateUdf,
  crystallinity: async () => (await import("./crystallinity.ts")).crystallinityUdf,
  disk: async () => (await import("./detectors.ts")).disk,
  expr: async () => (await import("./expression.ts")).expr,
  family: async () => (await import("../kernel_udf/families.ts")).family,
  fem: async () => (await import("./fluctuation.ts")).fem,
  fft_of_frames: async () => (await import("./fft_of.ts")).fft_of_frames,
  fft_of_sum: async () => (await import("./fft_of.ts")).fft_of_sum,
  integratepeaks: async () => (await import("./blobfinder/integrate_peaks.ts")).integrateUdf,
  kernel: async () => (await import("../kernel_udf/compiled.ts")).kernel,
  logsum: async () => (await import("./log_sum.ts")).logsum,
  map: async () => (await import("./map_frames.ts")).map,
  mask: async () => (await import("./apply_masks.ts")).mask,
  nothing: async () => (await import("./noop.ts")).nothing,
  pick: async () => (await import("./pick_frames.ts")).pick,
  pixels: async () => (await import("./pixel_values.ts")).pixels,
  point: async () => (await import("./detectors.ts")).point,
  radialfourier: async () => (await import("./radial_fourier.ts")).radialfourier,
  record: async () => (await import("./record.ts")).record,
  rectangle: async () => (await import("./detectors.ts")).rectangle,
  refinelattice: async () => (await import("./blobfinder/refine_lattice.ts")).refineUdf,
  ring: async () => (await import("./detectors.ts")).annular,
  stddev: async () => (await import("./standard_deviation.ts")).stddev,
  strainmap: async () => (await import("./blobfinder/strain_map.ts")).strainUdf,
  sum: async () => (await import("./sum_frames.ts")).sum,
  sumsig: async () => (await import("./sum_pixels.ts")).sumsig,
};
