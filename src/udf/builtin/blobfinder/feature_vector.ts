/**
 * Frames as vectors of a few numbers: one weighted sum per disk.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { roundHalfEven } from "../../../masks/frame.ts";
import { checkOptionNames } from "../../../options.ts";
import type { UdfRef } from "../../interface/udf_ref.ts";
import { applyMasks } from "../apply_masks.ts";
import { flatPoints } from "./lattice.ts";
import { FEATURE_OPTIONS, type FeatureOptions } from "./options/correlation.ts";
import type { MatchPattern } from "./options/patterns.ts";
import { patternMask, reachOf } from "./patterns.ts";

/**
 * The sum of each frame weighted by the pattern, centred on each peak. Result `intensity`: float64, shape
 * (…scan, peaks), as of {@link applyMasks} with one mask per peak.
 * @category Blob finding
 */
export function featureVector(options: FeatureOptions): UdfRef {
  checkOptionNames("featureVector()", options, FEATURE_OPTIONS);
  const { pattern, peaks } = options;
  const half = Math.ceil(reachOf(pattern) + 0.5);
  checkReach(pattern, half);
  const template = patternMask(pattern, [2 * half + 1, 2 * half + 1]);
  const points = flatPoints(peaks, "peaks");
  const stamps = Array.from({ length: points.length / 2 }, (_, mask) => ({
    mask,
    y: roundHalfEven(points[2 * mask]!) - half,
    x: roundHalfEven(points[2 * mask + 1]!) - half,
  }));
  return applyMasks({ masks: [{ make: "stampTemplates", template, stamps }] });
}

/**
 * Largest reach of a pattern, in pixels: its weights are made before the frames are known, and take 64 MiB at this
 * size.
 */
const MOST_REACH = 1447;

function checkReach(pattern: MatchPattern, half: number): void {
  if (half <= MOST_REACH) return;
  const text =
    `Cannot stamp a pattern that reaches ${half} pixels: it can reach ${MOST_REACH}; take applyMasks with ` +
    "disks instead";
  throw new TilewiseError("invalid", text, {
    option: "pattern",
    expected: MOST_REACH,
    found: reachOf(pattern),
  });
}
