/**
 * Axes of DM5, which keeps the tags of DigitalMicrograph as groups: calibrations are listed as dimensions are, fastest first.
 *
 * ```
 * /ImageList/[0]/ImageData/Data   /ImageList/[0]/ImageData/Calibrations/Dimension/[0] {Scale Origin Units}
 *                                 /ImageList/[0]/ImageTags/Meta Data {Format Signal}
 * ```
 *
 * @module
 */

import type { AxisFacts } from "../../../space/axes.ts";
import { dmAxes, type DmAxis } from "../../dm/axes.ts";
import type { Found } from "../metadata/objects.ts";

/** The axes of an array with `count` dimensions in the group `parent`; `undefined` if that is no image of DM5. */
export function dm5Axes(parent: string, count: number, { groups }: Found): AxisFacts[] | undefined {
  const [, image] = /^(\/ImageList\/\[\d+\])\/ImageData$/.exec(parent) ?? [];
  if (image === undefined) return undefined;
  const told = (d: number) => groups.get(`${parent}/Calibrations/Dimension/[${d}]`);
  const more = told(count) ? 1 : 0; // as many as there are, or one too many: that is told
  const list = Array.from({ length: count + more }, (_, d): DmAxis => {
    const { Scale: scale, Origin: origin, Units: unit } = told(d) ?? {};
    return {
      scale: typeof scale === "number" ? scale : undefined,
      origin: typeof origin === "number" ? origin : undefined,
      unit: typeof unit === "string" ? unit : undefined,
    };
  });
  const { Format: format, Signal: signal } = groups.get(`${image}/ImageTags/Meta Data`) ?? {};
  return dmAxes(list, format, signal);
}
