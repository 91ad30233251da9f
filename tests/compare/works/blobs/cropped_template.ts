/**
 * What the peer's sparse correlation finds where it crops a template.
 *
 * It makes cones with a ring on images of an even size, 2 ⌈outer⌉ + 2 pixels, and correlates with the 2 ⌈search⌉ + 1
 * pixels around a peak. Where the template is larger it loses one row and one column more behind than in front, so that
 * its centre lies a pixel beside the peak.
 *
 * @module
 */

import * as blobs from "../../../../src/udf/builtin/blobfinder/mod.ts";
import { numbersOf } from "../../compare.ts";
import type { Found } from "../../verdict/excuses.ts";
import { type CorrelateParams, halfEven } from "./correlate_params.ts";
import { scene, sparseMaps } from "./maps.ts";
import { patternOf } from "./patterns.ts";
import { peakBounds, type Picture } from "./plain.ts";

/** Whether the peer has found for peak number `entry` what a template finds that is cropped so. */
export function isOfCroppedTemplate({ at: { data, params }, truth, theirs }: Found, entry: number): boolean {
  const { pattern, peaks, steps } = params as CorrelateParams;
  const made = patternOf(pattern);
  if (made.kind !== "radial-gradient-background-subtraction" || !isCropped(made)) return false;
  const position = Math.floor(entry / peaks.length);
  if (!truth.present.includes(position)) return false;
  const [y, x] = peaks[entry % peaks.length]!.map(halfEven) as [number, number];
  const map = sparseMaps(made, steps, croppedMask)(scene({ data, truth }, position), [y, x]);
  if (map === "constant") return false;
  const bounds = peakBounds(map);
  const value = numbersOf(theirs!.peak_values!)[entry]!;
  const centre = numbersOf(theirs!.centers!).subarray(2 * entry, 2 * entry + 2);
  const { top, place } = highest(map);
  const isThere = [y, x].every((peak, d) => centre[d] === peak + place[d]! - steps);
  return Math.abs(value - top) <= bounds.value && (isThere || bounds.center === Infinity);
}

/** The size of the peer's template. */
function templateSize({ outer }: { readonly outer: number }): number {
  return 2 * Math.ceil(outer) + 2;
}

function isCropped(pattern: blobs.GradientBackgroundPattern): boolean {
  return templateSize(pattern) > 2 * Math.ceil(pattern.search) + 1;
}

/** The template as the peer has it, in the middle of an image of `side` pixels. */
function croppedMask(pattern: blobs.MatchPattern, side: number): Float64Array {
  const size = templateSize(pattern as blobs.GradientBackgroundPattern);
  const template = blobs.patternMask(pattern, [size, size]).data;
  const kept = 2 * Math.ceil(pattern.search) + 1;
  const [before, margin] = [Math.floor((size - kept) / 2), (side - kept) / 2];
  const out = new Float64Array(side * side);
  for (let y = 0; y < kept; y++) {
    for (let x = 0; x < kept; x++) {
      out[(margin + y) * side + margin + x] = Number(template[(before + y) * size + before + x]);
    }
  }
  return out;
}

function highest(
  { data, width }: Picture,
): { readonly top: number; readonly place: readonly [number, number] } {
  const at = data.reduce((best, value, i) => value > data[best]! ? i : best, 0);
  return { top: data[at]!, place: [Math.floor(at / width), at % width] };
}
