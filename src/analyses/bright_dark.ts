/**
 * Bright and dark field by their names: disk and ring detectors around the bright disk of the direct beam.
 *
 * With h, half the smaller side of the frame, and the bright disk of radius r as large as detectors usually show it:
 *
 * ```
 * 0 ──────────── r/2 ──────── r ──────────── 2r ─────────────── h     r = 0.3 h unless it is given
 * └─────────── bf ────────────┘└───────────── adf ──────────────┘
 *                 └── abf ────┘               └───── haadf ─────┘
 * ```
 *
 * @module
 */

import type { AnnularDetectorOptions } from "../udf/builtin/detectors.ts";
import { builtin, type UdfRef } from "../udf/interface/udf_ref.ts";
import { WordError } from "./word_error.ts";
import {
  type Analysis,
  type AnalysisContext,
  CENTRE,
  INTENSITY,
  number,
  type Parameter,
  type Values,
} from "./analysis.ts";

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
export const BRIGHT_DARK: readonly Analysis[] = [
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
