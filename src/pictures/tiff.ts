/**
 * Writes results as TIFF files: one page per image, not compressed, as image viewers and ImageJ read them.
 *
 * @module
 */

import { tiffPages } from "../codecs/tiff_pages.ts";
import { TilewiseError } from "../errors.ts";
import { dtypeInfo, typedArray } from "../space/dtype.ts";
import { type NDArray, ndarray } from "../space/ndarray.ts";
import { fillNumbers } from "../space/numbers.ts";
import { showShape, sizeOf } from "../space/shape.ts";
import { denseData } from "./npy.ts";
import { numberReader, validity } from "./numbers.ts";

/**
 * The bytes of a TIFF with the samples as they are: the last two dimensions are the image, all dimensions before them are pages.
 * Entries that are not valid are NaN; whole numbers of which some are not valid become float64. The shape is kept in the
 * description, so that readers can restore it.
 *
 * Errors: `invalid` (an array without samples).
 */
export function* tiffPieces(array: NDArray): Generator<Uint8Array> {
  const { shape, valid } = array;
  if (sizeOf(shape) === 0) {
    const text = `Cannot write an array of ${showShape(shape)} as TIFF: it has no samples`;
    throw new TilewiseError("invalid", text);
  }
  const hasHoles = valid?.some((v) => v === 0) ?? false;
  const written = hasHoles && !"fc".includes(dtypeInfo(array.dtype).kind) ? asNumbers(array) : array;
  const { dtype } = written;
  const { itemSize, unitSize } = dtypeInfo(dtype);
  const { head, footerBytes, header } = tiffPages(shape, dtype);
  const isValid = hasHoles ? validity(array) : () => true;
  const { buffer, byteOffset } = denseData(written);
  const page = sizeOf(shape.slice(-2));
  const [most, units] = [Math.floor(PIECE / itemSize), itemSize / unitSize];
  yield head;
  for (let n = 0, pages = sizeOf(shape) / page; n < pages; n++) {
    yield header(n);
    for (let first = n * page, count = 0; first < (n + 1) * page; first += count) {
      count = Math.min(most, (n + 1) * page - first);
      const bytes = new Uint8Array(buffer, byteOffset + first * itemSize, count * itemSize).slice();
      const samples = typedArray(dtype, bytes.buffer, 0, count);
      for (let i = 0; hasHoles && i < count; i++) {
        if (!isValid(first + i)) fillNumbers(samples, NaN, i * units, (i + 1) * units);
      }
      yield bytes;
    }
    if (footerBytes > 0) yield new Uint8Array(footerBytes);
  }
}

/** Bytes per piece, at most. */
const PIECE = 2 ** 20;

/** The samples as float64, NaN where they are not valid. */
function asNumbers(array: NDArray): NDArray {
  const numbers = new Float64Array(sizeOf(array.shape));
  numberReader(array)(0, numbers);
  return ndarray(numbers, array.shape, "float64");
}
