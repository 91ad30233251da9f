/**
 * What differs on purpose, a row each with its reason. A number that differs is excused only by a row that covers it;
 * a row that never covers anything is reported, so that none outlives its reason.
 *
 * @module
 */

import type { NDArray } from "../../../src/space/ndarray.ts";
import { fullMask } from "../../../src/space/valid.ts";
import type { Difference } from "./excuses.ts";
import { type Case, isComplex, product } from "../data/spec.ts";
import type { Truth } from "../data/truth.ts";
import { BLOB_DIFFERENCES } from "../works/blobs/differences.ts";
import { NO_PIXEL } from "./no_pixel.ts";
import { singleMaskErrors } from "../works/masks.ts";
import { isTrueValue } from "../works/true_values.ts";

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
    name: "points outside of frames that are not there",
    reason:
      "a point outside of the frame is refused whether there is a frame or not; LiberTEM refuses it with the first frame",
    covers: ({ mismatch: { what, text }, at: { word }, truth }) => {
      const isOutside = /The point .* lies outside of frames/.test(text);
      return what === "refused" && word === "point" && isOutside && truth.present.length === 0;
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
    name: "normalised radial bins",
    reason:
      "the weights of a normalised bin add up to 1; LiberTEM sets the pixel at the centre after it has divided by their sum",
    covers: ({ mismatch: { name, what, ours }, at: { word, params } }, i) => {
      if (what !== "values" || word !== "generators" || params.name !== "radialBins") return false;
      const { normalize } = params.options as { normalize: boolean };
      const isInnermost = i < product(ours!.shape.slice(-2));
      return normalize && isInnermost && (name === "mask" || name === "sparse");
    },
  },
  {
    name: "masks with a row too many",
    reason:
      "a mask has the shape of the frame; LiberTEM counts rows between fractions (`np.ogrid[-y:n - y]`), where rounding may " +
      "make one more",
    covers: ({ mismatch: { what, ours, theirs }, at: { word } }) =>
      word === "generators" && what === "shape" && ours?.shape.length === theirs?.shape.length &&
      ours!.shape.every((n, d) => [n, n + 1].includes(theirs!.shape[d]!)),
  },
  {
    name: "rectangles beside the frame",
    reason:
      "a rectangle that ends above or to the left of the frame has no pixel, which we refuse; in LiberTEM a negative end " +
      "counts from behind",
    covers: ({ mismatch: { what, code, text }, at: { word, params } }) => {
      if (word !== "rectangle" && params.name !== "rectangular") return false;
      const { y, x, height, width } = (word === "rectangle" ? params : params.options) as Record<
        string,
        number
      >;
      const isBeside = Math.max(y!, y! + height!) < 0 || Math.max(x!, x! + width!) < 0;
      return what === "refused" && code === "invalid" && isBeside && /have no pixel/.test(text);
    },
  },
  {
    name: "the usual disk of narrow frames",
    reason:
      "a disk that nobody gives has a pixel in frames of any size; in LiberTEM it has none where they are narrow and its " +
      "centre lies between pixels",
    covers: (found, i) => {
      const { word, params: { r }, data: { sig } } = found.at;
      const isNarrow = 0.3 * (Math.min(...sig) / 2) < Math.SQRT1_2;
      return word === "disk" && r === undefined && isNarrow && isTrueValue(found, i);
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
    name: "boxes of frames of three dimensions",
    reason:
      "LiberTEM reads other pixels where tiles are boxes of a frame of three dimensions, which a UDF asks for or excluded " +
      "pixels lead to; ours are what the samples say",
    covers: (found, i) => {
      const { word, params: { depth = 1, totalBytes }, data: { sig }, run } = found.at;
      const areAsked = word === "own-moments" && Number(totalBytes) < 8 * Number(depth) * product(sig);
      const isCut = areAsked || (run.corrections?.excluded.length ?? 0) > 0;
      return sig.length > 2 && isCut && isTrueValue(found, i);
    },
  },
  {
    name: "NaN outside of a mask",
    reason:
      "a pixel that a mask leaves out does not count where masks are sparse, whatever it holds; dense ones multiply it " +
      "by 0. Which are which, each side decides for itself",
    covers: ({ mismatch: { ours, theirs }, at: { word, data } }, i) => {
      const isMask = ["masks", "masks-double", "disk", "ring", "point", "rectangle"].includes(word);
      const isNaN = (array: NDArray | undefined) => Number.isNaN(Number(array?.data[i]));
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
  NO_PIXEL,
  ...BLOB_DIFFERENCES,
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
