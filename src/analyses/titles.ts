/**
 * Titles of analyses and of their results, for people who choose among them.
 *
 * @module
 */

/** The title of each analysis by its name. */
export const TITLES: Readonly<Record<string, string>> = {
  sum: "Sum of all frames",
  sumsig: "Sum of each frame",
  stddev: "Standard deviation",
  logsum: "Sum of logarithms",
  pixels: "Single pixels",
  pick: "Frames themselves",
  noop: "Reading alone",
  bf: "Bright field",
  abf: "Annular bright field",
  adf: "Annular dark field",
  haadf: "High-angle annular dark field",
  disk: "Disk detector",
  annular: "Ring detector",
  point: "Point detector",
  rectangle: "Rectangle detector",
  mask: "Masks",
  com: "Centre of mass",
  radialfourier: "Radial Fourier",
  fem: "Fluctuation (FEM)",
  cluster: "Regions that look alike",
  crystallinity: "Crystallinity",
  fft: "Fourier transform of the sum",
  fftpick: "Fourier transforms of frames",
  correlate: "Positions of disks",
  refinelattice: "Lattice",
  strainmap: "Strain",
  integrate: "Sums in moving disks",
  featurevector: "Sums in disks",
  expr: "Expression",
};

/** What a result is called; the unit of its numbers is among its `values`. */
export interface ResultTitle {
  /** What it is called. */
  readonly title: string;
  /** Names of its entries along the last dimension, where they have some; `vector`: components along y and x. */
  readonly entries?: readonly string[] | "vector";
  /** What is counted along its other dimensions beside those of the scan or the frame, such as `order`. */
  readonly counted?: readonly string[];
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
  e_xx: { title: "Extension along x" },
  e_yy: { title: "Extension along y" },
  e_xy: { title: "Shear" },
  theta: { title: "Rotation" },
};

const BY_ORDER = { counted: ["ring", "order"] } as const;

const FFT: Readonly<Record<string, ResultTitle>> = {
  fft: { title: "Phase and magnitude" },
  magnitude: { title: "Magnitude" },
};

/** Titles of results by analysis; others are called as they are written. */
const RESULTS: Readonly<Record<string, Readonly<Record<string, ResultTitle>>>> = {
  stddev: {
    sum: { title: "Sum" },
    mean: { title: "Mean" },
    var: { title: "Variance" },
    std: { title: "Standard deviation" },
    num_frames: { title: "Number of frames" },
  },
  logsum: { logsum: { title: "Sum of logarithms" } },
  noop: { seen: { title: "Frames that were read" } },
  com: {
    raw_com: { title: "Centre of mass", entries: ["y", "x"] },
    raw_shifts: { title: "Shift from the reference", entries: "vector" },
    field: { title: "Field", entries: "vector" },
    field_y: { title: "Field along y" },
    field_x: { title: "Field along x" },
    magnitude: { title: "Length of the field" },
    calibrated: { title: "Field in the unit of the detector", entries: "vector" },
    divergence: { title: "Divergence" },
    curl: { title: "Curl" },
    regression: { title: "Plane that was subtracted" },
  },
  radialfourier: {
    intensity: { title: "Coefficients", ...BY_ORDER },
    absolute: { title: "Magnitude", ...BY_ORDER },
    phase: { title: "Phase", ...BY_ORDER },
    normalised: { title: "Magnitude, by that of order 0", ...BY_ORDER },
    dominant: { title: "Strongest order", counted: ["ring"] },
  },
  cluster: {
    labels: { title: "Regions" },
    features: { title: "Pixels that are compared", ...PER_PIXEL },
    centroids: { title: "Mean of each region" },
    pixels: { title: "Places of the pixels" },
    scale: { title: "Mean of each pixel" },
    deviation: { title: "Standard deviation" },
  },
  fft: FFT,
  fftpick: FFT,
  correlate: DISKS,
  refinelattice: DISKS,
  strainmap: DISKS,
  integrate: { integration: { title: "Sums in disks", ...PER_DISK } },
  featurevector: { intensity: { title: "Sums in disks", ...PER_DISK } },
  mask: { intensity: { title: "Masks", counted: ["mask"] } },
  pixels: { intensity: { title: "Single pixels", ...PER_PIXEL } },
  expr: { value: { title: "Expression" } },
};

/** The result that is looked at first, of analyses that have several. */
const FIRST: Readonly<Record<string, string>> = {
  stddev: "std",
  com: "field",
  radialfourier: "absolute",
  fft: "magnitude",
  fftpick: "magnitude",
  correlate: "refineds",
  refinelattice: "error",
  strainmap: "e_xx",
};

/** The result of an analysis that is looked at first; absent: the first one. */
export function firstResult(analysis: string): string | undefined {
  return FIRST[analysis];
}

/**
 * The title of result `name` of an analysis.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(resultTitle("com", "curl"), { title: "Curl" });
 * assertEquals(resultTitle("disk", "intensity"), { title: "Disk detector" });
 * assertEquals(resultTitle("expr", "bright"), { title: "bright" });
 * ```
 */
export function resultTitle(analysis: string, name: string): ResultTitle {
  const known = RESULTS[analysis]?.[name];
  if (known) return known;
  const title = TITLES[analysis];
  return { title: name === "intensity" && title !== undefined ? title : name };
}
