/**
 * The UDFs of virtual detectors: sums over one mask.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { checkOptionNames } from "../../../options.ts";
import { type Shape, showShape } from "../../../space/shape.ts";
import type { Udf } from "../../interface/udf.ts";
import type { MaskMakers } from "../masks/makers.ts";
import { ONE_RING } from "../masks/ring.ts";
import { type MaskParts, type MaskTypes, maskUdf } from "../masks/udf.ts";
import type { Mask } from "../masks/mask.ts";
import {
  ANNULAR_OPTIONS,
  type AnnularDetectorOptions,
  type DetectorCentre,
  DISK_OPTIONS,
  type DiskDetectorOptions,
  POINT_OPTIONS,
  RECTANGLE_OPTIONS,
  type RectangularDetectorOptions,
} from "../detectors.ts";

/** The UDF behind `diskDetector`. */
export function disk(options: DiskDetectorOptions = {}): Udf<MaskTypes, MaskParts> {
  checkOptionNames("diskDetector()", options, DISK_OPTIONS);
  return detector("disk", (shape) => {
    const usual = Math.max(0.3 * (Math.min(...shape) / 2), Math.SQRT1_2); // a pixel is left in the smallest frames
    return { ...centreOf(options, shape), ro: options.r ?? usual };
  });
}

/** The UDF behind `annularDetector`. */
export function annular(options: AnnularDetectorOptions = {}): Udf<MaskTypes, MaskParts> {
  checkOptionNames("annularDetector()", options, ANNULAR_OPTIONS);
  return detector("annular", (shape) => {
    const { ro = Math.min(...shape) / 2 } = options;
    return { ...centreOf(options, shape), ro, ri: options.ri ?? 0.8 * ro };
  });
}

/** The UDF behind `pointDetector`. */
export function point(options: DetectorCentre = {}): Udf<MaskTypes, MaskParts> {
  checkOptionNames("pointDetector()", options, POINT_OPTIONS);
  return detector("point", (shape) => {
    const { cy, cx } = centreOf(options, shape);
    const [y, x] = [Math.trunc(cy), Math.trunc(cx)];
    if (y >= 0 && y < shape[0]! && x >= 0 && x < shape[1]!) return { cy: y, cx: x, ro: 0 };
    const text = `The point (${cy}, ${cx}) lies outside of frames of ${showShape(shape)}`;
    const option = y >= 0 && y < shape[0]! ? "cx" : "cy";
    throw new TilewiseError("invalid", text, { udf: "point", option, found: `${cy}, ${cx}` });
  });
}

/** The UDF behind `rectangularDetector`. */
export async function rectangle(
  options: RectangularDetectorOptions = {},
): Promise<Udf<MaskTypes, MaskParts>> {
  checkOptionNames("rectangularDetector()", options, RECTANGLE_OPTIONS);
  const { ANY_MASKS } = await import("./apply_masks.ts");
  const mask = ([rows, columns]: Shape): Mask => {
    const [y = Math.floor(rows! / 4), x = Math.floor(columns! / 4)] = [options.y, options.x];
    const { height = Math.ceil(rows! / 2) - 1, width = Math.ceil(columns! / 2) - 1 } = options;
    return { make: "rectangular", y, x, height, width };
  };
  return detector("rectangle", mask, ANY_MASKS);
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
    const text = `The ${name} detector needs frames of 2 dimensions; these are ${showShape(sigShape)}`;
    throw new TilewiseError("invalid", text, { udf: name });
  };
  return maskUdf({ name, masks, single: true, makers });
}
