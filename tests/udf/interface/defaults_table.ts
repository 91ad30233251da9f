/**
 * Every parameter of every analysis: what the specification (section 6) says its default is, and the value that is
 * meant. Where they differ there is a reason.
 *
 * @module
 */

import type { Values } from "../../../src/analyses/analysis.ts";
import { latticePoints } from "../../../src/udf/builtin/blobfinder/lattice.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import type { Vector } from "../../../src/udf/builtin/blobfinder/options/lattice.ts";

/** What a default may depend on. */
export interface Size {
  /** Rows of a frame. */
  readonly h: number;
  /** Columns of a frame. */
  readonly w: number;
  /** The smaller of them. */
  readonly least: number;
  /** The lattice that was found in a first pass of the run without the parameter. */
  readonly lattice: { readonly zero: Vector; readonly a: Vector; readonly b: Vector };
}

/** One parameter of one analysis. */
export interface Row {
  /** The word of the analysis. */
  readonly word: string;
  /** The parameter. */
  readonly parameter: string;
  /** What the specification says; nothing: "". */
  readonly spec: string;
  /** The default, as the values that a user would give; a function of the size. Absent: it must be given. */
  readonly is?: unknown;
  /** Why it is not what the specification says, or what it is where that says nothing. */
  readonly reason?: string;
  /** Other parameters, with which the default is looked at. */
  readonly beside?: Values;
  /** Another value, which changes results; `"none does"` where nothing would. */
  readonly other?: unknown;
}

/** Radius of the disks: between two whole numbers. */
export const RADIUS = 3.5;

/** The lattice of the data, not the one that is found. */
export const CELL = { a: [16, 1.5], b: [-1, 17] } as const;

const HALVES = "half the size, not rounded (6.8)";
const OWN = "not in the specification";
const MUST = "there it must be given";

type Given = readonly [parameter: string, spec: string, is: unknown, more?: Partial<Row>];

function rows(word: string, ...given: readonly Given[]): Row[] {
  return given.map(([parameter, spec, is, more]) => ({ word, parameter, spec, is, ...more }));
}

function needed(word: string, ...parameters: readonly string[]): Row[] {
  return parameters.map((parameter) => ({ word, parameter, spec: MUST }));
}

const middle = (more: Partial<Row> = {}, spec: string = HALVES): Given[] => [
  ["cy", spec, ({ h }: Size) => h / 2, more],
  ["cx", spec, ({ w }: Size) => w / 2, more],
];

/** Radius around the middle that covers a frame. */
const covering = ({ h, w }: Size) => Math.ceil(Math.hypot(h / 2, w / 2)) + 1;

const HOLE: readonly Given[] = ["cy", "cx", "r"].map((name) => [
  name,
  "no disk is cut out (6.1)",
  () => ({}), // no disk
  { other: { cy: 20, cx: 21, r: 6 } },
]);

/** Radius of the bright disk where none is given. */
const bright = ({ least }: Size) => 0.3 * least / 2;

const DETECTORS: readonly Row[] = [
  ...rows("disk_detector", ...middle(), ["r", "0.3 · half the smaller side (6.5)", bright]),
  ...rows(
    "annular_detector",
    ...middle(),
    ["ri", "0.8 · outer (6.5)", ({ least }: Size) => 0.8 * least / 2],
    ["ro", "half the smaller side (6.5)", ({ least }: Size) => least / 2],
  ),
  ...rows("point_detector", ...middle()),
  ...rows(
    "rectangular_detector",
    ["y", "", ({ h }: Size) => Math.floor(h / 4), { reason: OWN }],
    ["x", "", ({ w }: Size) => Math.floor(w / 4), { reason: OWN }],
    ["height", "", ({ h }: Size) => Math.ceil(h / 2) - 1, { reason: OWN }],
    ["width", "", ({ w }: Size) => Math.ceil(w / 2) - 1, { reason: OWN }],
  ),
  ...needed("pixel_values", "at"),
];

const BRIGHT_DISK = "the bright disk reaches as far as the disk detector does";
const NAMED_RING = "rings in radii of the bright disk, as the field names them";

/** Bright and dark field: words that the specification does not have, for its disk and its ring. */
const BRIGHT_DARK: readonly Row[] = [
  ...rows("bf", ...middle(), ["r", "0.3 · half the smaller side (6.5)", bright]),
  ...([["abf", 0.5, 1], ["adf", 1, undefined], ["haadf", 2, undefined]] as const).flatMap((
    [word, inner, outer],
  ) =>
    rows(
      word,
      ...middle(),
      ["r", "", bright, { reason: BRIGHT_DISK, other: 5 }],
      ["ri", "", (size: Size) => inner * bright(size), { reason: NAMED_RING, other: 5 }],
      ["ro", "", (size: Size) => outer ? outer * bright(size) : size.least / 2, {
        reason: NAMED_RING,
        other: 18,
      }],
    )
  ),
];

const CIRCULAR = { make: "circular", r: 8 }, BINS = { make: "radialBins" };
const ORDERS = { make: "radialFourierMasks", bins: 2, ro: 20 };
const CONE = { make: "radialGradientBackgroundSubtraction", r: 8, ro: 12 };

const MASKS: readonly Row[] = [
  ...needed("apply_masks", "file", "make", "r", "y", "x", "height", "width", "at"),
  ...rows(
    "apply_masks",
    ...middle({ beside: CIRCULAR, reason: "a centre must be given there; the one of the detectors" }, MUST),
    ["ri", "0 (6.4)", 0, { beside: { ...BINS, bins: 3, ro: 20 } }],
    ["ro", "bounding radius (6.4)", covering, { beside: { ...BINS, bins: 3 } }],
    ["bins", "round(outer − inner) (6.2)", 17, { beside: { ...BINS, ri: 3, ro: 20 }, other: 5 }],
    ["bins", "round(outer − inner), half to even (6.2)", 16, {
      beside: { ...BINS, ri: 3.5, ro: 20 },
      other: 5,
    }],
    ["normalize", "no (6.2)", false, { beside: { ...BINS, bins: 3 } }],
    ["maxOrder", "24 (6.4)", 24, { beside: ORDERS, other: 5 }],
    ["antialiased", "no (6.2)", false, { beside: CIRCULAR }],
    ["antialiased", "no (6.2)", false, { beside: { make: "ring", ri: 4, ro: 9 } }],
    ["delta", "1 (6.6)", 1, { beside: CONE }],
    ["stretchY", "no ellipse (6.2)", 1, { beside: CONE }],
    ["angle", "no ellipse (6.2)", 0, { beside: { ...CONE, stretchY: 1.5 } }],
    ["shifts", "none (6.2)", [0, 0], { beside: CIRCULAR }],
    ["useSparse", "auto (6.2)", "auto", {
      beside: { ...CIRCULAR, antialiased: true },
      other: "none does",
    }],
    ["dtype", "result type of masks and samples (6.2)", () => "float64", {
      beside: CIRCULAR,
      other: "float32",
      reason: "results are float64 where LiberTEM has float32: counts are exact",
    }],
  ),
];

const NEEDED_RING = "the analysis needs its ring there; that of the ring detector";

const DIFFRACTION: readonly Row[] = [
  ...rows(
    "centre_of_mass",
    ["cy", "UDF ⌊height / 2⌋, analysis height / 2 (6.3)", ({ h }: Size) => Math.floor(h / 2), {
      reason: "as the UDF, which has all of these parameters",
    }],
    ["cx", "UDF ⌊width / 2⌋, analysis width / 2 (6.3)", ({ w }: Size) => Math.floor(w / 2), {
      reason: "as the UDF, which has all of these parameters",
    }],
    ["r", "all (6.3)", Infinity, { other: 9 }],
    ["ri", "all (6.3)", 0, { other: 4 }],
    ["ri", "no inner disk (6.3)", 0, { beside: { r: 9, cy: 20, cx: 21 }, other: 4 }],
    ["scanRotation", "0 (6.3)", 0, { other: 30 }],
    ["flipY", "no (6.3)", false],
    ["regression", "−1 (6.3)", -1, { other: 1 }],
    ["guess", "a call of its own (6.3)", false],
  ),
  ...rows(
    "radial_fourier",
    ...middle({ beside: { ri: 3, ro: 15 } }),
    ["ri", "0 (6.4)", 0],
    ["ro", "bounding radius (6.4)", covering],
    ["bins", "1 (6.4)", 1, { other: 3 }],
    ["maxOrder", "24 (6.4)", 24, { other: 7 }],
    ["channels", "all are derived (6.4)", true],
  ),
  ...rows(
    "fluctuation",
    ...middle({ reason: NEEDED_RING }, MUST),
    ["ri", MUST, ({ least }: Size) => 0.8 * least / 2, { reason: NEEDED_RING }],
    ["ro", MUST, ({ least }: Size) => least / 2, { reason: NEEDED_RING, other: 15 }],
  ),
  ...needed("cluster_frames", "n"),
  ...rows(
    "cluster_frames",
    ["features", MUST, 15, { beside: { n: 3 }, reason: MUST, other: 4 }],
    ["minDistance", MUST, 1, { beside: { n: 3, features: 4 }, reason: MUST, other: 9 }],
    ...middle({ beside: { n: 3, features: 4, ri: 9, ro: 14 }, reason: MUST }, MUST),
    ["ri", MUST, 0, { beside: { n: 3, features: 9, ro: 9 }, reason: MUST, other: 7 }],
    ["ro", MUST, ({ least }: Size) => least / 2, {
      beside: { n: 3, features: 9, ri: 6 },
      reason: MUST,
      other: 12,
    }],
  ),
];

const FOURIER: readonly Row[] = [
  ...needed("crystallinity", "ri", "ro"),
  ...rows(
    "crystallinity",
    ...HOLE.map(([name, spec, is, more]): Given => [name, spec, is, {
      ...more,
      beside: { ri: 2, ro: 9 },
    }]),
  ),
  ...rows("fft_of_sum", ...HOLE),
  ...rows("fft_of_frames", ...HOLE),
];

const CONE_WITH_RING = { pattern: "radial-gradient-background-subtraction" };

/** What a disk looks like, for the word of an analysis; `other`: of what does not change sums of weights. */
function patterns(word: string, pattern: string, beside: Values, other?: "none does"): Row[] {
  const given = { radius: RADIUS, ...beside };
  const inert = other ? { other } : {};
  return [
    ...needed(word, "radius"),
    ...rows(
      word,
      ["pattern", MUST, pattern, { beside: given, reason: MUST, other: "radial-gradient" }],
      ["search", "2 r (6.6)", 2 * RADIUS, { beside: { ...given, pattern: "circular" }, ...inert }],
      ["search", "2 r, or outer (6.6)", 8, {
        beside: { ...given, pattern: "background-subtraction", outer: 8 },
        ...inert,
        ...(other ? {} : { other: 10 }),
      }],
      ["outer", "1.5 r (6.6)", 1.5 * RADIUS, { beside: { ...given, pattern: "background-subtraction" } }],
      ["delta", "1 (6.6)", 1, { beside: { ...given, ...CONE_WITH_RING } }],
    ),
  ];
}

const FOUND = "a lattice is found by clustering (6.6)";
const ITS_OWN_SEARCH = "found by a search of our own in the sum of all frames";

/** The lattice, and which of its points count. */
function lattices(word: string, beside: Values = {}): Row[] {
  const given = { radius: RADIUS, ...beside };
  const whole = ({ lattice }: Size) => lattice;
  const off = { zero: [20, 21], a: [13, 0], b: [0, 19] };
  return rows(
    word,
    ...(["zero", "a", "b"] as const).map((name): Given => [name, FOUND, whole, {
      beside: given,
      reason: ITS_OWN_SEARCH,
      other: off,
    }]),
    ["margin", "", () => Math.ceil(RADIUS), { beside: given, reason: OWN, other: 14 }],
    ["minRadius", "", 0, { beside: given, reason: OWN, other: 3 }],
    ["maxRadius", "", Infinity, { beside: given, reason: OWN, other: 18 }],
  );
}

const pointsOf = ({ h, w, lattice }: Size) =>
  latticePoints(lattice, { frame: [h, w], margin: Math.ceil(RADIUS) });

/** How disks are looked for. */
function correlation(word: string, upsample: boolean, why: Partial<Row> = {}): Row[] {
  const radius = { radius: RADIUS };
  const sparse = { ...radius, method: "sparse" };
  return rows(
    word,
    ["method", "three methods (6.6)", "fast", { beside: radius, reason: MUST, other: "full" }],
    ["steps", MUST, 2, { beside: sparse, reason: MUST, other: 3 }],
    ["steps", MUST, 3, { beside: { ...sparse, pattern: "circular" }, reason: MUST, other: 2 }],
    ["upsample", "an option (6.6)", upsample, { beside: radius, ...why }],
    ["shifts", "none (6.2)", [0, 0], { beside: radius }],
  );
}

/** How a lattice is fitted. */
function fitting(word: string): Row[] {
  const beside = { radius: RADIUS };
  const sixth = ({ lattice: { a, b } }: Size) =>
    Math.min(3, Math.min(Math.hypot(...a), Math.hypot(...b)) / 6);
  return rows(
    word,
    ["indices", "", (size: Size) => pointsOf(size).indices, {
      beside,
      reason: OWN,
      other: [[0, 0], [0, 1], [1, 0]],
    }],
    ["match", "two ways (6.6)", "fast", {
      beside: { ...beside, tolerance: 0.1 }, // leaves some out
      reason: MUST,
      other: "affine",
    }],
    ["tolerance", "3 px (6.6)", sixth, {
      beside,
      reason: "3 px, or a sixth of the shorter vector if that is less: peaks fit small cells by chance",
      other: 0.05,
    }],
    ["minWeight", "0.1 (6.6)", 0.1, { beside, other: 1000 }],
    ["minMatch", "3 (6.6)", 3, { beside, other: 100 }],
  );
}

const LATTICE: readonly Row[] = [
  ...["correlate_pattern", "refine_lattice", "strain_map"].flatMap((word) => [
    ...patterns(word, "background-subtraction", {}),
    ...lattices(word),
    ...correlation(
      word,
      word === "strain_map",
      word === "strain_map" ? { reason: "a centre of mass is drawn to whole pixels" } : {},
    ),
  ]),
  ...fitting("refine_lattice"),
  ...fitting("strain_map"),
  ...rows(
    "correlate_pattern",
    ["peaks", MUST, (size: Size) => pointsOf(size).peaks, {
      beside: { radius: RADIUS },
      reason: MUST,
      other: [[20, 20]],
    }],
  ),
  ...rows(
    "strain_map",
    ["upsample", "an option (6.6)", false, {
      beside: { radius: RADIUS, method: "sparse" },
      other: "none does", // it is refused
    }],
    ["reference", "", "median", { beside: { radius: RADIUS }, reason: OWN, other: "mean" }],
    ["region", "", () => ndarray(new Uint8Array(9).fill(1), [3, 3], "bool"), {
      beside: { radius: RADIUS },
      reason: OWN,
      other: ndarray(Uint8Array.of(0, 1, 0, 0, 0, 0, 0, 0, 0), [3, 3], "bool"),
    }],
    ["form", "", "polar", { beside: { radius: RADIUS }, reason: OWN, other: "infinitesimal" }],
  ),
  ...needed("integrate_peaks", "positions"),
  ...patterns("integrate_peaks", "circular", {
    positions: ndarray(Float64Array.from({ length: 36 }, (_, i) => 5 + 7 * i % 31), [3, 3, 2, 2], "float64"),
  }, "none does"),
  ...patterns("feature_vector", "circular", { peaks: [[20, 20], [9, 31]] }, "none does"),
  ...lattices("feature_vector"),
  ...rows("feature_vector", ["peaks", MUST, (size: Size) => pointsOf(size).peaks, {
    beside: { radius: RADIUS },
    reason: MUST,
    other: [[20, 20]],
  }]),
];

/** All rows. */
export const DEFAULTS: readonly Row[] = [
  ...DETECTORS,
  ...BRIGHT_DARK,
  ...MASKS,
  ...DIFFRACTION,
  ...FOURIER,
  ...LATTICE,
];
