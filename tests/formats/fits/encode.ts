/** Whole FITS files, with cards of all kinds. */

import { type CardValue, fitsHeader, isShifted, wholeBlocks } from "../../../src/sinks/fits/head.ts";
import { storedBytes } from "../../../src/sinks/rows/layout.ts";
import type { DType, TypedArray } from "../../../src/space/dtype.ts";
import type { Shape } from "../../../src/space/shape.ts";

/** The bytes of a file of dense samples. */
export function encodeFits(
  { buffer, byteOffset, byteLength }: TypedArray,
  shape: Shape,
  dtype: DType,
  cards: Readonly<Record<string, CardValue>> = {},
): Uint8Array<ArrayBuffer> {
  const head = fitsHeader(shape, dtype, cards), samples = new Uint8Array(buffer, byteOffset, byteLength);
  const file = new Uint8Array(head.length + wholeBlocks(byteLength));
  file.set(head);
  file.set(storedBytes(samples, { byteOrder: "big", isShifted: isShifted(dtype) }, dtype), head.length);
  return file;
}
