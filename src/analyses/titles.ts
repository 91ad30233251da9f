/**
 * Titles of analyses and of their results, for people who choose among them.
 *
 * @module
 */

import { declaredBuffers } from "../udf/buffers/buffers.ts";
import type { Plan } from "../udf/plan/plan_facts.ts";
import { checkPlan } from "../udf/plan/given.ts";
import { findAnalysis } from "./words.ts";

/** The title of each analysis by its name. */
export const TITLES: Readonly<Record<string, string>> = {
  sum_frames: "Sum of all frames",
  sum_pixels: "Sum of each frame",
  standard_deviation: "Standard deviation",
  log_sum: "Sum of logarithms",
  pixel_values: "Single pixels",
  pick_frames: "Frames themselves",
  noop: "Reading alone",
  bf: "Bright field",
  abf: "Annular bright field",
  adf: "Annular dark field",
  haadf: "High-angle annular dark field",
  disk_detector: "Disk detector",
  annular_detector: "Ring detector",
  point_detector: "Point detector",
  rectangular_detector: "Rectangle detector",
  apply_masks: "Masks",
  centre_of_mass: "Centre of mass",
  radial_fourier: "Radial Fourier",
  fluctuation: "Fluctuation (FEM)",
  cluster_frames: "Regions that look alike",
  crystallinity: "Crystallinity",
  fft_of_sum: "Fourier transform of the sum",
  fft_of_frames: "Fourier transforms of frames",
  correlate_pattern: "Positions of disks",
  refine_lattice: "Lattice",
  strain_map: "Strain",
  integrate_peaks: "Sums in moving disks",
  feature_vector: "Sums in disks",
  expression: "Expression",
};

/** What a result is called; the unit of its numbers is among its `values`. */
export interface ResultTitle {
  /** What it is called. */
  readonly title: string;
  /** Names of its entries along the last dimension, where they have some; `vector`: components along y and x. */
  readonly entries?: readonly string[] | "vector";
  /** What is counted along its other dimensions beside those of the scan or the frame, such as `order`. */
  readonly counted?: readonly string[];
  /** Values of both signs, whose zero means something, angles, or names of regions, written as numbers. */
  readonly meaning?: "signed" | "angle" | "label";
  /** Its images are in hundredths: numbers near zero that people say in percent; of radians, 1 % is 10 mrad. */
  readonly percent?: true;
}

const PER_DISK = { counted: ["disk"] } as const;

const PER_PIXEL = { counted: ["pixel"] } as const;

const DISKS: Readonly<Record<string, ResultTitle>> = {
  centers: { title: "Pixel of highest correlation", ...PER_DISK, entries: ["y", "x"] },
  refineds: { title: "Positions between pixels", ...PER_DISK, entries: ["y", "x"] },
  peak_values: { title: "Highest correlation", ...PER_DISK },
  peak_elevations: { title: "How disks stand out", ...PER_DISK },
  zero: { title: "Origin of the lattice", entries: ["y", "x"] },
  a: { title: "First vector", entries: "vector" },
  b: { title: "Second vector", entries: "vector" },
  selector: { title: "Disks that belong to the lattice", ...PER_DISK },
  error: { title: "Mean distance from the lattice" },
  e_xx: { title: "εxx, extension along x", meaning: "signed", percent: true },
  e_yy: { title: "εyy, extension along y", meaning: "signed", percent: true },
  e_xy: { title: "εxy, shear", meaning: "signed", percent: true },
  theta: { title: "θ, rotation", meaning: "signed", percent: true },
};

const BY_ORDER = { counted: ["ring", "order"] } as const;

const FFT: Readonly<Record<string, ResultTitle>> = {
  fft: { title: "Phase and magnitude" },
  magnitude: { title: "Magnitude" },
};

/** Titles of results by analysis; others are called as they are written. */
const RESULTS: Readonly<Record<string, Readonly<Record<string, ResultTitle>>>> = {
  standard_deviation: {
    sum: { title: "Sum" },
    mean: { title: "Mean" },
    var: { title: "Variance" },
    std: { title: "Standard deviation" },
    num_frames: { title: "Number of frames" },
  },
  log_sum: { logsum: { title: "Sum of logarithms" } },
  noop: { seen: { title: "Frames that were read" } },
  centre_of_mass: {
    raw_com: { title: "Centre of mass", entries: ["y", "x"] },
    raw_shifts: { title: "Shift from the reference", entries: "vector" },
    field: { title: "Field", entries: "vector" },
    field_y: { title: "Field along y", meaning: "signed" },
    field_x: { title: "Field along x", meaning: "signed" },
    magnitude: { title: "Length of the field" },
    calibrated: { title: "Field in the unit of the detector", entries: "vector" },
    divergence: { title: "Divergence", meaning: "signed" },
    curl: { title: "Curl", meaning: "signed" },
    regression: { title: "Plane that was subtracted" },
  },
  radial_fourier: {
    intensity: { title: "Coefficients", ...BY_ORDER },
    absolute: { title: "Magnitude", ...BY_ORDER },
    phase: { title: "Phase", ...BY_ORDER, meaning: "angle" },
    normalised: { title: "Magnitude, by that of order 0", ...BY_ORDER },
    dominant: { title: "Strongest order", counted: ["ring"], meaning: "label" },
  },
  cluster_frames: {
    labels: { title: "Regions", meaning: "label" },
    features: { title: "Pixels that are compared", ...PER_PIXEL },
    centroids: { title: "Mean of each region" },
    pixels: { title: "Places of the pixels" },
    scale: { title: "Mean of each pixel" },
    deviation: { title: "Standard deviation" },
  },
  fft_of_sum: FFT,
  fft_of_frames: FFT,
  correlate_pattern: DISKS,
  refine_lattice: DISKS,
  strain_map: DISKS,
  integrate_peaks: { integration: { title: "Sums in disks", ...PER_DISK } },
  feature_vector: { intensity: { title: "Sums in disks", ...PER_DISK } },
  apply_masks: { intensity: { title: "Masks", counted: ["mask"] } },
  pixel_values: { intensity: { title: "Single pixels", ...PER_PIXEL } },
  expression: { value: { title: "Expression" } },
};

/** The result that is looked at first, of analyses that have several. */
const FIRST: Readonly<Record<string, string>> = {
  standard_deviation: "std",
  centre_of_mass: "field",
  radial_fourier: "absolute",
  fft_of_sum: "magnitude",
  fft_of_frames: "magnitude",
  correlate_pattern: "refineds",
  refine_lattice: "error",
  strain_map: "e_xx",
};

/** Results that are seen together; the others of that analysis say how far they can be believed. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  strain_map: ["e_xx", "e_yy", "e_xy", "theta"],
};

/** The results of an analysis that are seen together, the one that is looked at first before the others; none of most. */
export function seenTogether(analysis: string): readonly string[] {
  return TOGETHER[nameOf(analysis)] ?? [];
}

/** The name of the analysis that a word means. */
function nameOf(word: string): string {
  return findAnalysis(word)?.name ?? word;
}

/** The result of an analysis that is looked at first; absent: the first one. */
export function firstResult(analysis: string): string | undefined {
  return FIRST[nameOf(analysis)];
}

/**
 * The title of result `name` of an analysis.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(resultTitle("centre_of_mass", "curl"), { title: "Curl", meaning: "signed" });
 * assertEquals(resultTitle("disk_detector", "intensity"), { title: "Disk detector" });
 * assertEquals(resultTitle("expression", "bright"), { title: "bright" });
 * ```
 */
export function resultTitle(analysis: string, name: string): ResultTitle {
  const known = RESULTS[nameOf(analysis)]?.[name];
  if (known) return known;
  const title = TITLES[nameOf(analysis)];
  return { title: name === "intensity" && title !== undefined ? title : name };
}

// What the results of a plan run along: the scan, the frame, or neither.

/** What the first dimensions of a result are: those of the scan, those of the frame, or others. */
export type ResultKind = "scan" | "frame" | "other";

const KINDS = { nav: "scan", sig: "frame", single: "other" } as const;

/** The kinds of the results of UDF `key` by name, as far as the UDF declares them. */
export function resultKinds(plan: Plan, key: string): Readonly<Record<string, ResultKind>> {
  checkPlan("resultKinds()", plan);
  const planned = plan.udfs.find((one) => one.key === key);
  if (!planned) return {};
  const own = declaredBuffers(planned.udf, planned.meta);
  const derived = planned.derivations.flatMap(({ declared }) => declared);
  return Object.fromEntries(
    [...own, ...derived].map(([name, { kind, compressed }]) =>
      [name, kind === "nav" && compressed ? "other" : KINDS[kind]] as const
    ),
  );
}
