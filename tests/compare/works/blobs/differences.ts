/**
 * What differs on purpose between our blob finding and the peer's, see `docs/decisions/0024-blob-finding.md`.
 *
 * @module
 */

import type { Difference } from "../../verdict/excuses.ts";
import { hasNothingAround } from "./centred.ts";
import { isOfCroppedTemplate } from "./cropped_template.ts";
import { isFlat, reachesOut } from "./maps.ts";
import { isMatch, isNoMatch, peaksAt } from "./no_match.ts";
import { isOnLine } from "./on_line.ts";
import { patternOf, type PatternParams } from "./patterns.ts";

/** The rows. */
export const BLOB_DIFFERENCES: readonly Difference[] = [
  {
    name: "flat cut-outs",
    reason:
      "where all pixels are alike a peak stays where it is expected; LiberTEM-blobfinder says the first pixel",
    covers: ({ mismatch: { name, what }, at: { data, word, params }, truth }, i) => {
      if (what !== "values" || !word.startsWith("correlate-")) return false;
      return isFlat(data, truth, word, params, entryOf(name, i));
    },
  },
  {
    name: "upsampled positions",
    reason:
      "LiberTEM-blobfinder interpolates with one half of the spectrum, which moves maxima; we interpolate with all of it",
    covers: ({ mismatch: { name, ours, theirs }, at: { params } }, i) => {
      const isUpsampled = params.upsample === true || typeof params.upsample === "number";
      return isUpsampled && name === "refineds" &&
        Math.abs(Number(ours?.data[i]) - Number(theirs?.data[i])) <= 1.55;
    },
  },
  {
    name: "peaks in the middle of three steps",
    reason:
      "a peak in the middle of 3 × 3 places has no place far enough to stand out from, and the elevation 0; " +
      "LiberTEM-blobfinder says infinity, with which no lattice can be fitted",
    covers: (found, i) => {
      const { mismatch: { name, ours, theirs }, at: { word, params } } = found;
      return word === "correlate-sparse" && params.steps === 1 && name === "peak_elevations" &&
        Number(ours?.data[i]) === 0 && Number(theirs?.data[i]) === Infinity && hasNothingAround(found, i);
    },
  },
  {
    name: "cropped templates",
    reason:
      "LiberTEM-blobfinder's sparse correlation crops cones with a ring that have no room from an even size to an odd one, " +
      "which moves them by a pixel; ours lie on the middle of a pixel",
    covers: (found, i) => {
      const { mismatch: { name, what }, at: { word } } = found;
      return what === "values" && word === "correlate-sparse" && isOfCroppedTemplate(found, entryOf(name, i));
    },
  },
  {
    name: "patterns that fill their window",
    reason:
      "sums over a pattern take all of it; LiberTEM-blobfinder cuts off what its window of 2 ⌈search⌉ pixels has no room for",
    covers: ({ mismatch: { what }, at: { word, params } }) => {
      if (what !== "values" || (word !== "integrate" && word !== "features")) return false;
      const pattern = patternOf(params.pattern as PatternParams);
      return "outer" in pattern && Math.ceil(pattern.search) < pattern.outer + 1;
    },
  },
  {
    name: "no match",
    reason: "where no lattice fits, the error is NaN like everything else; LiberTEM-blobfinder says infinity",
    covers: ({ mismatch: { name, ours, theirs }, at: { word } }, i) => {
      return isMatch(word) && name === "error" && Number.isNaN(Number(ours?.data[i])) &&
        theirs?.data[i] === Infinity;
    },
  },
  {
    name: "peaks on a line",
    reason:
      "peaks that do not span a lattice give none; LiberTEM-blobfinder gives the shortest vectors that fit them",
    covers: (found, i) => isNoMatch(found, i) && isOnLine(found.at.params, peaksAt(found, i)),
  },
  {
    name: "too few peaks in the second pass",
    reason:
      "a lattice needs as many peaks as it is asked for in both passes; LiberTEM-blobfinder counts them in the first one",
    covers: (found, i) => {
      const { params } = found.at;
      if (!isNoMatch(found, i) || params.match !== "fast") return false;
      const { minMatch = 3 } = params.options as { minMatch?: number };
      return Array.from(peaksAt(found, i).selector).filter((on) => on !== 0).length < minMatch;
    },
  },
  {
    name: "negative samples of sparse frames",
    reason:
      "LiberTEM-blobfinder's sparse correlation cannot take logarithms of sparse frames where 0 is not the least sample",
    covers: ({ mismatch: { what, text }, at: { word, data }, truth }) => {
      const isNegative = truth.present.some((position) => truth.samples(position).some((value) => value < 0));
      return what === "peer refused" && word === "correlate-sparse" && data.file === "raw_csr" &&
        isNegative &&
        /requires zero fill values/.test(text);
    },
  },
  {
    name: "cut-outs of sparse frames",
    reason:
      "LiberTEM-blobfinder leaves what an earlier frame had in a cut-out of a sparse frame where it reaches beyond the border",
    covers: ({ mismatch: { name, what }, at: { word, data, params } }, i) => {
      return what === "values" && word === "correlate-fast" && data.file === "raw_csr" &&
        reachesOut(data, params, entryOf(name, i));
    },
  },
];

/** The peak, counted over the scan, that number `i` of a result of a correlation belongs to. */
function entryOf(name: string, i: number): number {
  return name === "centers" || name === "refineds" ? Math.floor(i / 2) : i;
}
