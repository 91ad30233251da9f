/**
 * Virtual detectors of the usual forms: disk, ring, point, rectangle.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { GEOMETRY } from "../../masks/geometry.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import type { Mask, MaskMakers } from "./masks/mask.ts";
import { ONE_RING } from "./masks/ring.ts";
import { type MaskParts, type MaskTypes, udfOfMasks } from "./masks/udf.ts";
import type { Udf } from "../interface/udf.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * The centre of a detector.
 * @category Analyses
 */
export interface DetectorCentre {
  /** Row of the centre, in pixels. Default: half the height. */
  readonly cy?: number;
  /** Column of the centre, in pixels. Default: half the width. */
  readonly cx?: number;
}

/**
 * Parameters of {@link diskDetector}.
 * @category Analyses
 */
export interface DiskDetectorOptions extends DetectorCentre {
  /** Radius, included, in pixels. Default: 0.3 times half the smaller side of the frame, √½ at least. */
  readonly r?: number;
}

/**
 * Parameters of {@link annularDetector}.
 * @category Analyses
 */
export interface AnnularDetectorOptions extends DetectorCentre {
  /** Outer radius, included, in pixels. Default: half the smaller side of the frame. */
  readonly ro?: number;
  /** Inner radius, excluded, in pixels. Default: 0.8 times the outer one. */
  readonly ri?: number;
}

/**
 * Parameters of {@link rectangularDetector}, in pixels. Default: the middle half of height and width, from
 * (⌊height / 4⌋, ⌊width / 4⌋).
 * @category Analyses
 */
export interface RectangularDetectorOptions {
  /** Row of a corner. */
  readonly y?: number;
  /** Column of that corner. */
  readonly x?: number;
  /** Rows to the opposite corner, whose pixel belongs to the rectangle; negative: upwards. */
  readonly height?: number;
  /** Columns to the opposite corner; negative: to the left. */
  readonly width?: number;
}

const { cy, cx, r, ri, ro, y, x, height, width } = GEOMETRY;

const CENTRE = { cy, cx };

/** The names of the options. */
const POINT_OPTIONS: OptionNames<DetectorCentre> = CENTRE;

/** The names of the options. */
const DISK_OPTIONS: OptionNames<DiskDetectorOptions> = { ...CENTRE, r };

/** The names of the options. */
const RECTANGLE_OPTIONS: OptionNames<RectangularDetectorOptions> = { y, x, height, width };

/**
 * The dtypes of the results of all detectors; complex for complex frames.
 * @category Analyses
 */
export type DetectorTypes = {
  /** The sum over the detector, one number per frame. */
  readonly intensity: "float64" | "complex128";
};

/** The names of the options of rings. */
export const ANNULAR_OPTIONS: OptionNames<AnnularDetectorOptions> = { ...CENTRE, ro, ri };

/**
 * A disk detector: the sum of each frame over `r' ≤ r` around (cy, cx). Result `intensity`, float64.
 *
 * @param options centre and radius in pixels
 * @returns the UDF, for a plan, `run` or an analysis of your own
 *
 * @example
 * ```ts
 * import { diskDetector, open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const frame = new Uint8Array(9).fill(1);
 * const scan = await open(frame, { format: "raw", dtype: "uint8", nav: [1], sig: [3, 3] });
 * const { bright } = await run(await plan(scan, { bright: diskDetector({ cy: 1, cx: 1, r: 1 }) }));
 * assertEquals([...bright.intensity.data], [5]);
 * ```
 * @category Analyses
 */
export function diskDetector(options: DiskDetectorOptions = {}): UdfRef<DetectorTypes> {
  checkOptionNames("diskDetector()", options, DISK_OPTIONS);
  return builtin("disk_detector", { ...options });
}

/**
 * An annular detector: the sum of each frame over `ri < r ≤ ro` around (cy, cx). Result `intensity`, float64.
 *
 * @param options centre, inner and outer radius in pixels
 * @returns the UDF, for a plan, `run` or an analysis of your own
 *
 * @example
 * ```ts
 * import { annularDetector, open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const frame = new Uint8Array(9).fill(1);
 * const scan = await open(frame, { format: "raw", dtype: "uint8", nav: [1], sig: [3, 3] });
 * const { dark } = await run(await plan(scan, { dark: annularDetector({ cy: 1, cx: 1, ri: 0, ro: 1 }) }));
 * assertEquals([...dark.intensity.data], [4]);
 * ```
 * @category Analyses
 */
export function annularDetector(options: AnnularDetectorOptions = {}): UdfRef<DetectorTypes> {
  checkOptionNames("annularDetector()", options, ANNULAR_OPTIONS);
  return builtin("annular_detector", { ...options });
}

/**
 * One pixel of each frame: the pixel at (cy, cx), with fractions cut off. Result `intensity`, float64.
 *
 * @param options the pixel
 * @returns the UDF, for a plan, `run` or an analysis of your own
 *
 * @example
 * ```ts
 * import { open, plan, pointDetector, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const { left } = await run(await plan(scan, { left: pointDetector({ cy: 0, cx: 0 }) }));
 * assertEquals([...left.intensity.data], [1, 3]);
 * ```
 * @category Analyses
 */
export function pointDetector(options: DetectorCentre = {}): UdfRef<DetectorTypes> {
  checkOptionNames("pointDetector()", options, POINT_OPTIONS);
  return builtin("point_detector", { ...options });
}

/**
 * The sum of each frame over a rectangle, including both corners. Result `intensity`, float64.
 *
 * @param options the rectangle in pixels
 * @returns the UDF, for a plan, `run` or an analysis of your own
 *
 * @example
 * ```ts
 * import { open, plan, rectangularDetector, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const frame = Uint8Array.of(1, 2, 3, 4, 5, 6);
 * const scan = await open(frame, { format: "raw", dtype: "uint8", nav: [1], sig: [2, 3] });
 * const left = rectangularDetector({ y: 0, x: 0, height: 1, width: 1 });
 * assertEquals([...(await run(await plan(scan, { left }))).left.intensity.data], [1 + 2 + 4 + 5]);
 * ```
 * @category Analyses
 */
export function rectangularDetector(options: RectangularDetectorOptions = {}): UdfRef<DetectorTypes> {
  checkOptionNames("rectangularDetector()", options, RECTANGLE_OPTIONS);
  return builtin("rectangular_detector", { ...options });
}

/** The UDF behind `diskDetector`. */
export function diskDetectorUdf(options: DiskDetectorOptions = {}): Udf<MaskTypes, MaskParts> {
  checkOptionNames("diskDetector()", options, DISK_OPTIONS);
  return detector("disk_detector", (shape) => {
    const usual = Math.max(0.3 * (Math.min(...shape) / 2), Math.SQRT1_2); // a pixel is left in the smallest frames
    return { ...centreOf(options, shape), ro: options.r ?? usual };
  });
}

/** The UDF behind `annularDetector`. */
export function annularDetectorUdf(options: AnnularDetectorOptions = {}): Udf<MaskTypes, MaskParts> {
  checkOptionNames("annularDetector()", options, ANNULAR_OPTIONS);
  return detector("annular_detector", (shape) => {
    const { ro = Math.min(...shape) / 2 } = options;
    return { ...centreOf(options, shape), ro, ri: options.ri ?? 0.8 * ro };
  });
}

/** The UDF behind `pointDetector`. */
export function pointDetectorUdf(options: DetectorCentre = {}): Udf<MaskTypes, MaskParts> {
  checkOptionNames("pointDetector()", options, POINT_OPTIONS);
  return detector("point_detector", (shape) => {
    const { cy, cx } = centreOf(options, shape);
    const [y, x] = [Math.trunc(cy), Math.trunc(cx)];
    if (y >= 0 && y < shape[0]! && x >= 0 && x < shape[1]!) return { cy: y, cx: x, ro: 0 };
    const text = `The point (${cy}, ${cx}) lies outside of frames of ${showShape(shape)}`;
    const option = y >= 0 && y < shape[0]! ? "cx" : "cy";
    throw new TilewiseError("invalid", text, { udf: "point_detector", option, found: `${cy}, ${cx}` });
  });
}

/** The UDF behind `rectangularDetector`. */
export async function rectangularDetectorUdf(
  options: RectangularDetectorOptions = {},
): Promise<Udf<MaskTypes, MaskParts>> {
  checkOptionNames("rectangularDetector()", options, RECTANGLE_OPTIONS);
  const { ANY_MASKS } = await import("./masks/any.ts");
  const mask = ([rows, columns]: Shape): Mask => {
    const [y = Math.floor(rows! / 4), x = Math.floor(columns! / 4)] = [options.y, options.x];
    const { height = Math.ceil(rows! / 2) - 1, width = Math.ceil(columns! / 2) - 1 } = options;
    return { make: "rectangular", y, x, height, width };
  };
  return detector("rectangular_detector", mask, ANY_MASKS);
}

function centreOf({ cy, cx }: DetectorCentre, [height, width]: Shape): { cy: number; cx: number } {
  return { cy: cy ?? height! / 2, cx: cx ?? width! / 2 };
}

function detector(
  name: string,
  mask: (sigShape: Shape) => Mask,
  makers: MaskMakers = ONE_RING,
): Udf<MaskTypes, MaskParts> {
  const masks = ({ sigShape }: { readonly sigShape: Shape }) => {
    if (sigShape.length === 2) return [mask(sigShape)];
    const text = `The ${name.replace("_", " ")} needs frames of 2 dimensions; these are ${
      showShape(sigShape)
    }`;
    throw new TilewiseError("invalid", text, { udf: name });
  };
  return udfOfMasks({ name, masks, single: true, makers });
}
