/**
 * Virtual detectors: disk, ring, point, rectangle, and masks of any form.
 *
 * @module
 */

import type {
  AnnularDetectorOptions,
  DetectorCentre,
  DiskDetectorOptions,
  RectangularDetectorOptions,
} from "../udf/builtin/detectors.ts";
import { builtin, type UdfRef } from "../udf/interface/udf_ref.ts";
import {
  type Analysis,
  type AnalysisContext,
  CENTRE,
  INTENSITY,
  number,
  type Parameter,
  type ParametersOf,
  type Values,
} from "./analysis.ts";
import { MASKS } from "./masks.ts";
import { WordError } from "./word_error.ts";

// Bright and dark field by their names: disk and ring detectors around the bright disk of the direct beam.
//
// With h, half the smaller side of the frame, and the bright disk of radius r as large as detectors usually show it:
//
// ```
// 0 ──────────── r/2 ──────── r ──────────── 2r ─────────────── h     r = 0.3 h unless it is given
// └─────────── bf ────────────┘└───────────── adf ──────────────┘
//                 └── abf ────┘               └───── haadf ─────┘
// ```

/** Radius of the bright disk where none is given, in half sides of the frame. */
const BRIGHT = 0.3;

const RADIUS = number("radius of the bright disk", `${BRIGHT} × half the smaller side`);

const NOTE = [
  "Nothing is known of the microscope here: measure r in the sum of all frames (tilewise run sum), and give it.",
];

/** A ring around the beam, in radii of the bright disk; without `outer` it reaches to the edge of the frame. */
interface Ring {
  readonly name: string;
  readonly help: string;
  readonly inner: number;
  readonly outer?: number;
}

const RINGS: readonly Ring[] = [
  { name: "abf", help: "annular bright field: the outer half of the bright disk", inner: 0.5, outer: 1 },
  { name: "adf", help: "annular dark field: all around the bright disk", inner: 1 },
  {
    name: "haadf",
    help: "high-angle annular dark field: from twice the radius of the bright disk on",
    inner: 2,
  },
];

/** The analyses. */
const BRIGHT_DARK: readonly Analysis[] = [
  {
    name: "bf",
    group: "Detectors",
    help: "bright field: the bright disk",
    notes: NOTE,
    parameters: { ...CENTRE, r: RADIUS },
    results: INTENSITY,
    example: "bf:r=20",
    make: (values, facts) => ({
      ref: builtin("disk_detector", { ...values, r: brightRadius(values, facts) }),
    }),
  },
  ...RINGS.map((ring): Analysis => ({
    name: ring.name,
    group: "Detectors",
    help: ring.help,
    notes: NOTE,
    parameters: { ...CENTRE, r: RADIUS, ...radiiOf(ring) },
    results: INTENSITY,
    example: `${ring.name}:r=20`,
    make: (values, facts) => ({ ref: ringDetector(ring, values, facts) }),
  })),
];

function radiiOf({ inner, outer }: Ring): Readonly<
  Record<Exclude<keyof AnnularDetectorOptions, "cy" | "cx">, Parameter>
> {
  const times = (factor: number) => factor === 1 ? "r" : `${factor} × r`;
  return {
    ri: number("inner radius, excluded", times(inner)),
    ro: number("outer radius, included", outer === undefined ? "half the smaller side" : times(outer)),
  };
}

function ringDetector({ name, inner, outer }: Ring, values: Values, facts: AnalysisContext): UdfRef {
  const { r: _, ...given } = values;
  const bright = brightRadius(values, facts);
  const reach = outer === undefined ? halfSide(facts) : outer * bright;
  const ring = { ri: inner * bright, ro: reach, ...given } as Required<AnnularDetectorOptions>;
  if (ring.ri < ring.ro) return builtin("annular_detector", { ...ring });
  throw new WordError(
    `the ring of ${name} would reach from ri=${ring.ri} to ro=${ring.ro} px; give a smaller r, or ri and ro`,
  );
}

function brightRadius({ r }: Values, facts: AnalysisContext): number {
  return r === undefined ? BRIGHT * halfSide(facts) : Number(r);
}

function halfSide({ dataset: { sigShape } }: AnalysisContext): number {
  return Math.min(...sigShape) / 2;
}

const DISK: ParametersOf<DiskDetectorOptions> = {
  ...CENTRE,
  r: number("radius, included", "0.3 × half the smaller side"),
};

/** The parameters of a ring. */
export const RING: ParametersOf<AnnularDetectorOptions> = {
  ...CENTRE,
  ri: number("inner radius, excluded", "0.8 × ro"),
  ro: number("outer radius, included", "half the smaller side"),
};

const POINT: ParametersOf<DetectorCentre> = CENTRE;

const RECTANGLE: ParametersOf<RectangularDetectorOptions> = {
  y: number("row of a corner", "⌊height / 4⌋"),
  x: number("column of that corner", "⌊width / 4⌋"),
  height: number("rows to the opposite corner, which belongs to it, too", "⌈height / 2⌉ − 1"),
  width: number("columns to the opposite corner", "⌈width / 2⌉ − 1"),
};

/** The analyses. */
export const DETECTORS: readonly Analysis[] = [
  ...BRIGHT_DARK,
  {
    name: "disk_detector",
    aliases: ["disk"],
    group: "Detectors",
    help: "disk detector: sum of each frame over r pixels around a centre",
    parameters: DISK,
    results: INTENSITY,
    example: "disk_detector:cy=64,cx=64,r=20",
  },
  {
    name: "annular_detector",
    aliases: ["annular", "ring"],
    group: "Detectors",
    help: "ring detector: sum of each frame from ri to ro",
    parameters: RING,
    results: INTENSITY,
    example: "annular_detector:ri=20,ro=60",
  },
  {
    name: "point_detector",
    aliases: ["point"],
    group: "Detectors",
    help: "one pixel of each frame",
    parameters: POINT,
    results: INTENSITY,
    example: "point_detector:cy=64,cx=64",
  },
  {
    name: "rectangular_detector",
    aliases: ["rectangle"],
    group: "Detectors",
    help: "rectangle detector",
    parameters: RECTANGLE,
    results: INTENSITY,
    example: "rectangular_detector:y=10,x=20,height=8,width=8",
  },
  MASKS,
];
