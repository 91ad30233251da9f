/**
 * The centre of mass of every frame, which shows how the electric field deflects the beam.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../options.ts";
import { GEOMETRY, reach } from "../../masks/geometry.ts";
import { either, finite, list, number, truth } from "../../options/rules.ts";
import { arrayValue } from "../../space/rules.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";
import type { ComRegression } from "./com/field.ts";

/**
 * The dtypes of the results of {@link centreOfMass}; derivatives exist only for scans that have neighbours in both
 * directions.
 * @category Analyses
 */
export type CentreTypes = {
  /** Centre of mass of each frame, y and x. */
  readonly raw_com: "float64";
  /** Its shift from the centre, y and x. */
  readonly raw_shifts: "float64";
  /** The shift after all corrections, y and x. */
  readonly field: "float64";
  /** Component y of the field. */
  readonly field_y: "float64";
  /** Component x of the field. */
  readonly field_x: "float64";
  /** Magnitude of the field. */
  readonly magnitude: "float64";
  /** Divergence of the field; only of scans with two dimensions. */
  readonly divergence?: "float64";
  /** Curl of the field; only of scans with two dimensions. */
  readonly curl?: "float64";
  /** The field in the unit of the detector, y and x; only where the data set knows that unit. */
  readonly calibrated?: "float64";
  /** The plane that was subtracted from the field: three rows of y and x. */
  readonly regression: "float64";
};

/**
 * Parameters of {@link centreOfMass}; lengths in pixels.
 * @category Analyses
 */
export interface CentreOfMassOptions {
  /** Row of the reference centre. Default: half the height, rounded down. */
  readonly cy?: number;
  /** Column of the reference centre. Default: half the width, rounded down. */
  readonly cx?: number;
  /** Only pixels with `r' ≤ r` around the reference centre count. Default: all. */
  readonly r?: number;
  /** Only pixels with `r' > ri` count. The default 0 includes all, also the centre. */
  readonly ri?: number;
  /**
   * Rotates shifts on the detector into directions of the scan, in degrees; positive: clockwise in the picture, with y
   * pointing down. That is minus `dataset.instrument.scanRotation`, if nothing else turns the patterns. Default 0.
   */
  readonly scanRotation?: number;
  /** Whether to change the sign of y, before the rotation. Default false. */
  readonly flipY?: boolean;
  /**
   * What is subtracted from the field: −1 nothing, 0 its mean over the processed positions, 1 the plane that fits it
   * best, or a given plane as rows `[[y, x], [∂y/∂row, ∂x/∂row], [∂y/∂column, ∂x/∂column]]`. Default −1.
   */
  readonly regression?: ComRegression;
}

/** The names of the options. */
export const COM_OPTIONS: OptionNames<CentreOfMassOptions> = {
  cy: GEOMETRY.cy,
  cx: GEOMETRY.cx,
  r: reach,
  ri: GEOMETRY.ri,
  scanRotation: finite,
  flipY: truth,
  regression: either("-1, 0, 1 or three rows of (y, x)", number, list, arrayValue),
};

/**
 * Centre of mass of every frame. Results over the scan, float64, in pixels, y before x: `raw_com` (…scan, 2) is the
 * centre of mass, `raw_shifts` (…scan, 2) its difference from the reference centre, `field` (…scan, 2) this difference
 * after flip, rotation and regression, `field_y`, `field_x` its components, `magnitude` its length. Scans of two
 * dimensions with at least 2 positions each also have `divergence` = ∂y/∂row + ∂x/∂column and `curl` = ∂y/∂column −
 * ∂x/∂row, by central differences, one-sided at the borders, NaN next to positions that were not processed.
 * Where the data set says the scale and the unit of the detector, such as 1/nm or mrad, `calibrated` (…scan, 2) is the field in it.
 * `regression` (3, 2) is the plane that was subtracted. A frame without counts has the reference centre.
 *
 * @example
 * ```ts
 * import { centreOfMass, open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(0, 1, 0, 3), { format: "raw", dtype: "uint8", nav: [1], sig: [2, 2] });
 * const { com } = await run(await plan(scan, { com: centreOfMass() }));
 * assertEquals([...com.raw_com.data], [0.75, 1]);
 * ```
 * @category Analyses
 */
export function centreOfMass(options: CentreOfMassOptions = {}): UdfRef<CentreTypes> {
  checkOptionNames("centreOfMass()", options, COM_OPTIONS);
  return builtin("com", { ...options } as Record<string, never>);
}
