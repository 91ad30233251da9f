/**
 * The UDFs that come with Tilewise, by their names: those of their files and functions, and the words of the command line.
 *
 * A thread loads the module of a UDF when it first makes one: workers load only the modules that their run needs.
 *
 * @module
 */

// deno-fmt-ignore: written by `deno task build`
const DECLARED = {
  annular_detector: async () => (await import("../builtin/detectors.ts")).annularDetectorUdf,
  apply_masks: async () => (await import("../builtin/masks/any.ts")).applyMasksUdf,
  centre_of_mass: async () => (await import("../builtin/centre_of_mass.ts")).centreOfMassUdf,
  correlate_pattern: async () => (await import("../builtin/blobfinder/correlate_pattern.ts")).correlatePatternUdf,
  crystallinity: async () => (await import("../builtin/crystallinity.ts")).crystallinityUdf,
  disk_detector: async () => (await import("../builtin/detectors.ts")).diskDetectorUdf,
  expression: async () => (await import("../builtin/expression/udf.ts")).expressionUdf,
  fft_of_frames: async () => (await import("../builtin/fft_of.ts")).fftOfFramesUdf,
  fft_of_sum: async () => (await import("../builtin/fft_of.ts")).fftOfSumUdf,
  fluctuation: async () => (await import("../builtin/fluctuation.ts")).fluctuationUdf,
  integrate_peaks: async () => (await import("../builtin/blobfinder/integrate_peaks.ts")).integratePeaksUdf,
  log_sum: async () => (await import("../builtin/log_sum.ts")).logSumUdf,
  map_frames: async () => (await import("../builtin/map_frames.ts")).mapFramesUdf,
  noop: async () => (await import("../builtin/noop.ts")).noopUdf,
  pick_frames: async () => (await import("../builtin/pick_frames.ts")).pickFramesUdf,
  pixel_values: async () => (await import("../builtin/pixel_values.ts")).pixelValuesUdf,
  point_detector: async () => (await import("../builtin/detectors.ts")).pointDetectorUdf,
  radial_fourier: async () => (await import("../builtin/radial_fourier.ts")).radialFourierUdf,
  record_frames: async () => (await import("../builtin/record_frames.ts")).recordFramesUdf,
  rectangular_detector: async () => (await import("../builtin/detectors.ts")).rectangularDetectorUdf,
  refine_lattice: async () => (await import("../builtin/blobfinder/refine_lattice.ts")).refineLatticeUdf,
  standard_deviation: async () => (await import("../builtin/standard_deviation.ts")).standardDeviationUdf,
  strain_map: async () => (await import("../builtin/blobfinder/strain_map.ts")).strainMapUdf,
  sum_frames: async () => (await import("../builtin/sum_frames.ts")).sumFramesUdf,
  sum_pixels: async () => (await import("../builtin/sum_pixels.ts")).sumPixelsUdf,
};

/** Functions that make each UDF from its parameters, once its module is loaded. */
export const BUILTINS: Readonly<Record<string, () => Promise<unknown>>> = {
  ...DECLARED,
  family: async () => (await import("../kernel_udf/families.ts")).family,
  kernel: async () => (await import("../kernel_udf/compiled.ts")).kernel,
};
