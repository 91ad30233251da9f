/**
 * The words of analyses in older addresses.
 *
 * @module
 */

/** The names of analyses by their other words; the table of analyses has the same, but is part of the library, which comes later. */
export const OLD_WORDS: Readonly<Record<string, string>> = {
  sum: "sum_frames",
  sumsig: "sum_pixels",
  stddev: "standard_deviation",
  logsum: "log_sum",
  pixels: "pixel_values",
  pick: "pick_frames",
  disk: "disk_detector",
  annular: "annular_detector",
  ring: "annular_detector",
  point: "point_detector",
  rectangle: "rectangular_detector",
  mask: "apply_masks",
  masks: "apply_masks",
  com: "centre_of_mass",
  radialfourier: "radial_fourier",
  fem: "fluctuation",
  fft: "fft_of_sum",
  fftpick: "fft_of_frames",
  correlate: "correlate_pattern",
  refinelattice: "refine_lattice",
  strainmap: "strain_map",
  integrate: "integrate_peaks",
  featurevector: "feature_vector",
  cluster: "cluster_frames",
  expr: "expression",
};

/** The name of the analysis that a word means. */
export function analysisName(word: string): string {
  return Object.hasOwn(OLD_WORDS, word) ? OLD_WORDS[word]! : word;
}
