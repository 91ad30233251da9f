/**
 * What differs on purpose, a row each with its reason. A number that differs is excused only by a row that covers it;
 * a row that never covers anything is reported, so that none outlives its reason.
 *
 * @module
 */

import type { NdArray } from "../../src/space/ndarray.ts";
import { fullMask } from "../../src/space/valid.ts";
import type { Difference } from "./excuses.ts";
import { type Case, isComplex, product } from "./spec.ts";
import type { Truth } from "./truth.ts";
import { isFlat, reachesOut } from "./works/blobs/maps.ts";
import { isMatch, isNoMatch, peaksAt } from "./works/blobs/no_match.ts";
import { isOnLine } from "./works/blobs/on_line.ts";
import { singleMaskErrors } from "./works/masks.ts";
import { isTrueSum } from "./works/true_sums.ts";
import { patternOf, type PatternParams } from "./works/blobs/patterns.ts";

/** The rows. */
export const DIFFERENCES: readonly Difference[] = [
  {
    name: "blank positions",
    reason:
      "a position without an image is not valid with us, and shows NaN, or 0 where there is none; LiberTEM computes " +
      "as if it were all zeros",
    covers: ({ mismatch: { what, ours }, truth }, i) => {
      if (what === "valid") return isBlank(truth, i, fullMask(ours!).length);
      return what === "values" && isBlank(truth, i, ours!.data.length) && !Number(ours!.data[i]);
    },
  },
  {
    name: "beside blank positions",
    reason:
      "derivatives of a field are NaN beside a position without an image; LiberTEM takes a shift of 0 there",
    covers: ({ mismatch: { name, ours }, at, truth }, i) => {
      return hasBlanks(truth) && isCom(at) && /divergence|curl/.test(name) &&
        Number.isNaN(Number(ours?.data[i]));
    },
  },
  {
    name: "derivatives where nothing is selected",
    reason:
      "a position that is not selected has no divergence and curl; LiberTEM's analysis shows what its neighbours give",
    covers: ({ mismatch: { name }, at: { word }, truth }, i) => {
      return word === "com-analysis" && /divergence|curl/.test(name) && !truth.selected.includes(i);
    },
  },
  {
    name: "regression over blank positions",
    reason:
      "positions without an image do not take part in a regression; in LiberTEM they do, with a shift of 0",
    covers: ({ mismatch: { name, what }, at: { word, params }, truth }) => {
      const isFit = params.regression === 0 || params.regression === 1;
      return hasBlanks(truth) && word === "com" && isFit && what === "values" && !name.startsWith("raw");
    },
  },
  {
    name: "regression over nothing",
    reason: "without any position there is nothing to subtract, which is 0 with us and NaN in LiberTEM",
    covers: ({ mismatch: { name, theirs }, at: { word }, truth }, i) => {
      return truth.selected.length === 0 && word === "com" && name === "regression" &&
        Number.isNaN(Number(theirs?.data[i]));
    },
  },
  {
    name: "scans that are not two-dimensional",
    reason:
      "LiberTEM's centre of mass and point detector need a scan of two dimensions; with us any scan will do",
    covers: ({ mismatch: { what, text }, at: { data } }) => {
      return what === "peer refused" && data.nav.length !== 2 &&
        /2D nav shape|two navigation dimensions|AxisError/.test(text);
    },
  },
  {
    name: "planes through nothing",
    reason: "a plane needs a scan of two dimensions; LiberTEM does not look where no frame is selected",
    covers: ({ mismatch: { what, text }, at: { word, data }, truth }) => {
      return what === "refused" && word === "com" && data.nav.length !== 2 && truth.selected.length === 0 &&
        /Cannot subtract a plane/.test(text);
    },
  },
  {
    name: "scans of one line",
    reason:
      "LiberTEM cannot take derivatives along a single line and gives nothing; with us only the derivatives are missing",
    covers: ({ mismatch: { what, text }, at: { word, data } }) => {
      return what === "peer refused" && word === "com" && data.nav.includes(1) &&
        /too small to calculate/.test(text);
    },
  },
  {
    name: "radial Fourier of other scans",
    reason:
      "LiberTEM's radial Fourier analysis needs a scan of two dimensions and at least one frame; with us any will do",
    covers: ({ mismatch: { what, name }, at: { word, data }, truth }) => {
      if (word !== "radialfourier") return false;
      if (what === "peer refused") return data.nav.length !== 2 || truth.selected.length === 0;
      return name === "dominant" && data.nav.length > 2; // its limits go to the wrong axis, if they fit at all
    },
  },
  {
    name: "dominant order in a region",
    reason:
      "a weak order is dominant nowhere; in LiberTEM positions outside of a region, which are NaN, spoil that limit",
    covers: ({ mismatch: { name, ours }, at: { word, run } }, i) => {
      return word === "radialfourier" && name === "dominant" && run.roi !== undefined && ours?.data[i] === 0;
    },
  },
  {
    name: "flat cut-outs",
    reason:
      "where all pixels are alike a peak stays where it is expected; LiberTEM-blobfinder says the first pixel",
    covers: ({ mismatch: { name, what }, at: { data, word, params }, truth }, i) => {
      if (what !== "values" || !word.startsWith("correlate-")) return false;
      const entry = name === "centers" || name === "refineds" ? Math.floor(i / 2) : i;
      return isFlat(data, truth, word, params, entry);
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
    name: "normalised radial bins",
    reason:
      "the weights of a normalised bin add up to 1; LiberTEM sets the pixel at the centre after it has divided by their sum",
    covers: ({ mismatch: { name, ours }, at: { word, params } }, i) => {
      if (word !== "generators" || params.name !== "radialBins") return false;
      const { normalize } = params.options as { normalize: boolean };
      const isInnermost = i < product(ours!.shape.slice(-2));
      return normalize && isInnermost && (name === "mask" || name === "sparse");
    },
  },
  {
    name: "rectangles beside the frame",
    reason:
      "a rectangle that ends above or to the left of the frame has no pixel; in LiberTEM a negative end counts from behind",
    covers: ({ mismatch: { ours }, at: { word, params } }, i) => {
      if (word !== "rectangle" && params.name !== "rectangular") return false;
      const { y, x, height, width } = (word === "rectangle" ? params : params.options) as Record<
        string,
        number
      >;
      const isBeside = Math.max(y!, y! + height!) < 0 || Math.max(x!, x! + width!) < 0;
      return isBeside && Number(ours?.data[i]) === 0;
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
    name: "peaks without weight",
    reason:
      "a peak of weight 0 does not belong to a lattice; LiberTEM-blobfinder says that all belong to an affine one",
    covers: ({ mismatch: { name, ours, theirs }, at: { word, params } }, i) => {
      const isLess = Number(ours?.data[i]) === 0 && Number(theirs?.data[i]) === 1;
      return isMatch(word) && params.match === "affine" && name === "selector" && isLess;
    },
  },
  {
    name: "whole partitions with blank positions",
    reason:
      "LiberTEM's UDFs that take whole partitions fail where positions have no image; ours get the frames that there are",
    covers: ({ mismatch: { what }, at }) => {
      const { nav, images, syncOffset } = at.data;
      return what === "peer refused" && takesPartitions(at) && (syncOffset !== 0 || images < product(nav));
    },
  },
  {
    name: "whole partitions of HDF5 files",
    reason:
      "LiberTEM's UDFs that take whole partitions fail for some chunks of HDF5 files, and for regions of them",
    covers: ({ mismatch: { what, text }, at }) => {
      const isKnown = at.run.roi !== undefined || /invalid nav_shape|tile_slice/.test(text);
      return what === "peer refused" && takesPartitions(at) && at.data.file.startsWith("hdf5") && isKnown;
    },
  },
  {
    name: "cut-outs of sparse frames",
    reason:
      "LiberTEM-blobfinder leaves what an earlier cut-out had where one of a sparse frame reaches beyond the border",
    covers: ({ mismatch: { what }, at: { word, data, params } }) => {
      return what === "values" && word === "correlate-fast" && data.file === "raw_csr" &&
        reachesOut(data, params);
    },
  },
  {
    name: "complex centre of mass",
    reason: "a centre of mass weighted by complex numbers means nothing; we refuse it and say so",
    covers: ({ mismatch: { what, text }, at }) => {
      return what === "refused" && isCom(at) && isComplex(at.data) && /they must be real/.test(text);
    },
  },
  {
    name: "corrected sparse frames",
    reason: "LiberTEM does not correct frames of raw CSR; Tilewise makes them dense and does",
    covers: ({ mismatch: { what }, at: { data, run } }) => {
      return what === "peer refused" && data.file === "raw_csr" && run.corrections !== undefined;
    },
  },
  {
    name: "masks whose weights float32 holds",
    reason:
      "masks of 64-bit types with weights that float32 holds as they are, such as whole numbers, are multiplied as fast as " +
      "those of float32, with its rounding, where float32 holds the samples, too; LiberTEM goes by the type of the masks",
    covers: ({ mismatch: { what, ours, theirs }, at: { word, data, params }, truth }, i) => {
      if (word !== "masks-double" || what !== "values") return false;
      const errors = singleMaskErrors(data, truth, params);
      const found = Number(ours?.data[i]) - Number(theirs?.data[i]);
      const entry = errors && Math.floor(i * errors.length / ours!.data.length);
      return entry !== undefined && Math.abs(found) <= errors![entry]!;
    },
  },
  {
    name: "tiles with holes in frames of three dimensions",
    reason:
      "LiberTEM reads other pixels where a tile is a box of a frame of three or more dimensions, to which excluded pixels " +
      "lead, even without a dark frame; ours are the sums of the samples",
    covers: ({ mismatch: { name, what, ours }, at: { word, data, run }, truth }, i) => {
      const cut = data.sig.length > 2 && (run.corrections?.excluded.length ?? 0) > 0;
      return cut && what === "values" && isTrueSum(`${word} ${name}`, Number(ours?.data[i]), i, truth);
    },
  },
  {
    name: "empty parts of HDF5 files",
    reason: "LiberTEM fails where a region or a sync offset leaves nothing of a part of an HDF5 file",
    covers: ({ mismatch: { what, text }, at: { data } }) => {
      return what === "peer refused" && data.file.startsWith("hdf5") && /array of size 0/.test(text);
    },
  },
  {
    name: "sparse files without an entry",
    reason:
      "LiberTEM maps the files of sparse frames, which it cannot do when all samples are 0 and they are empty",
    covers: ({ mismatch: { what, text }, at: { data } }) => {
      return what === "peer refused" && data.file === "raw_csr" && /cannot mmap an empty file/.test(text);
    },
  },
  {
    name: "NaN outside of a mask",
    reason:
      "a pixel that a mask leaves out does not count where masks are sparse, whatever it holds; dense ones multiply it " +
      "by 0. Which are which, each side decides for itself",
    covers: ({ mismatch: { ours, theirs }, at: { word, data } }, i) => {
      const isMask = ["masks", "masks-double", "disk", "ring", "point", "rectangle"].includes(word);
      const isNaN = (array: NdArray | undefined) => Number.isNaN(Number(array?.data[i]));
      return isMask && data.pattern === "special" && isNaN(ours) !== isNaN(theirs);
    },
  },
  {
    name: "NaN in sums of logarithms",
    reason: "a NaN does not count for the minimum of its frame, so that only its own pixel is lost",
    covers: ({ mismatch: { theirs }, at: { word, data } }, i) => {
      return word === "logsum" && data.pattern === "special" && Number.isNaN(Number(theirs?.data[i]));
    },
  },
];

function hasBlanks({ selected, present }: Truth): boolean {
  return present.length < selected.length;
}

function takesPartitions({ word, params }: Case): boolean {
  return word === "own-wholePartitions" || params.method === "partition";
}

function isCom({ word }: Case): boolean {
  return word === "com" || word === "com-analysis";
}

/** Whether number `i` of a result over the scan, which has `length` numbers, belongs to a blank position. */
function isBlank({ frames, selected, present }: Truth, i: number, length: number): boolean {
  const position = Math.floor(i * frames / length);
  return selected.includes(position) && !present.includes(position);
}
