/**
 * Writes an image as the first unit of a FITS file.
 *
 * Source: FITS standard 4.0, sections 3 and 4.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type DType, dtypeInfo, type TypedArray } from "../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { BLOCK_BYTES, CARD_BYTES, type CardValue } from "./cards.ts";

/** BITPIX of the types that FITS has without a shift. */
const BITPIX: Readonly<Partial<Record<DType, number>>> = {
  uint8: 8,
  int16: 16,
  int32: 32,
  int64: 64,
  float32: -32,
  float64: -64,
};

/** Keywords that follow from the array. */
const OWN = /^(SIMPLE|BITPIX|NAXIS\d*|EXTEND|END|BZERO|BSCALE|CONTINUE)$/;

/**
 * A whole file for dense samples in row-major order. Errors: `unsupported` for sample types that FITS does not have,
 * `invalid` for keywords that it cannot hold.
 *
 * @param cards further cards, such as those of world coordinates
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const file = encodeFits(Float32Array.of(1, 2), [1, 2], "float32", { CTYPE1: "RA---SIN" });
 * assertEquals(file.length, 2 * 2880);
 * assertEquals(new DataView(file.buffer).getFloat32(2880 + 4), 2);
 * ```
 */
export function encodeFits(
  data: TypedArray,
  shape: Shape,
  dtype: DType,
  cards: Readonly<Record<string, CardValue>> = {},
): Uint8Array<ArrayBuffer> {
  const head = fitsHeader(shape, dtype, cards);
  const { itemSize } = dtypeInfo(dtype);
  const bytes = sizeOf(shape) * itemSize;
  if (data.byteLength !== bytes) {
    const text = `Cannot write ${showShape(shape)} ${dtype} as FITS: that takes ${bytes} bytes, there are ` +
      `${data.byteLength}`;
    throw new TilewiseError("invalid", text, { expected: bytes, found: data.byteLength });
  }
  const file = new Uint8Array(head.length + wholeBlocks(bytes));
  file.set(head);
  file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), head.length);
  swap(file.subarray(head.length, head.length + bytes), itemSize);
  return file;
}

/** The header of an image, in whole blocks. */
export function fitsHeader(
  shape: Shape,
  dtype: DType,
  cards: Readonly<Record<string, CardValue>> = {},
): Uint8Array<ArrayBuffer> {
  const bitpix = BITPIX[dtype];
  if (bitpix === undefined) {
    const known = Object.keys(BITPIX).join(", ");
    const text = `Cannot write samples of ${dtype} as FITS: it has ${known}`;
    throw new TilewiseError("unsupported", text, { expected: known, found: dtype });
  }
  const sides = shape.map((_, d): [string, number] => [`NAXIS${d + 1}`, shape[shape.length - 1 - d]!]);
  const all: [string, CardValue][] = [
    ["SIMPLE", true],
    ["BITPIX", bitpix],
    ["NAXIS", shape.length],
    ...sides,
    ...Object.entries(cards),
  ];
  return headerOf(all, 3 + sides.length);
}

/** A header of cards, of which the first `own` ones follow from the samples, in whole blocks. */
export function headerOf(
  cards: readonly (readonly [string, CardValue])[],
  own: number,
): Uint8Array<ArrayBuffer> {
  const text = cards.map(([keyword, value], i) => card(keyword, value, i >= own)).join("") +
    "END".padEnd(CARD_BYTES);
  return new TextEncoder().encode(text.padEnd(wholeBlocks(text.length)));
}

function card(keyword: string, value: CardValue, given: boolean): string {
  const text = `${keyword.padEnd(8)}= ${shown(value)}`;
  const isPlain = /^[A-Z0-9_-]{1,8}$/.test(keyword) && !(given && OWN.test(keyword));
  if (isPlain && text.length <= CARD_BYTES && /^[ -~]*$/.test(text)) return text.padEnd(CARD_BYTES);
  const message =
    `Cannot write the card ${keyword} = ${value}: keywords have up to 8 of A-Z, 0-9, _ and -, values up ` +
    `to 68 characters of ASCII, and the sizes are not to be given`;
  throw new TilewiseError("invalid", message, { found: keyword });
}

function shown(value: CardValue): string {
  if (value === null) return "";
  if (typeof value === "string") return `'${value.replaceAll("'", "''").padEnd(8)}'`;
  if (typeof value === "boolean") return (value ? "T" : "F").padStart(20);
  if (!Number.isFinite(value)) {
    throw new TilewiseError("invalid", `Cannot write ${value} in a header of FITS`);
  }
  return String(value).toUpperCase().padStart(20);
}

/** Bytes of the blocks that so many bytes take. */
export function wholeBlocks(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/** To big endian, in place. */
export function swap(bytes: Uint8Array, itemSize: number): void {
  for (let at = 0; at < bytes.length; at += itemSize) bytes.subarray(at, at + itemSize).reverse();
}
