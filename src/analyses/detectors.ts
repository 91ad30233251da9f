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
import { type Analysis, CENTRE, INTENSITY, number, type ParametersOf } from "./analysis.ts";
import { BRIGHT_DARK } from "./bright_dark.ts";
import { MASKS } from "./masks.ts";

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
