/**
 * The headers of units of a FITS file: cards of 80 characters, in whole blocks.
 *
 * Source: FITS standard 4.0, sections 3 and 4.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";

/** Bytes of a block: headers and samples take whole ones. */
export const BLOCK_BYTES = 2880;

/** Characters of a card. */
export const CARD_BYTES = 80;

/** A value of a card; `null` where the card has none. */
export type CardValue = string | number | boolean | null;

/** Types of samples that FITS has, with or without a shift. */
export const FITS_TYPES: readonly DType[] = [
  ...(["bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"] as const),
  ...(["float32", "float64"] as const),
];

/** Keywords that follow from the array. */
const OWN = /^(SIMPLE|BITPIX|NAXIS\d*|EXTEND|END|BZERO|BSCALE|CONTINUE)$/;

/** Whether samples are stored shifted by half of their range: FITS has bytes without a sign, and other integers with one. */
export function isShifted(dtype: DType): boolean {
  const { kind, itemSize } = dtypeInfo(dtype);
  return dtype === "int8" || (kind === "u" && itemSize > 1);
}

/**
 * The header of an image. Errors: `unsupported` for sample types that FITS does not have, `invalid` for cards that it cannot
 * hold.
 *
 * @param cards further cards, such as those of world coordinates
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = new TextDecoder().decode(fitsHeader([2, 3], "uint16", { CTYPE1: "x" }));
 * assertEquals(text.length, 2880);
 * assertEquals(/BZERO   =\s+(\d+)/.exec(text)?.[1], "32768");
 * ```
 */
export function fitsHeader(
  shape: Shape,
  dtype: DType,
  cards: Readonly<Record<string, CardValue>> = {},
): Uint8Array<ArrayBuffer> {
  if (!FITS_TYPES.includes(dtype)) {
    const known = FITS_TYPES.join(", ");
    const text = `Cannot write samples of ${dtype} as FITS: it has ${known}`;
    throw new TilewiseError("unsupported", text, { expected: known, found: dtype });
  }
  const { kind, itemSize } = dtypeInfo(dtype), bits = 8 * itemSize;
  const own: [string, CardValue][] = [
    ["SIMPLE", true],
    ["BITPIX", kind === "f" ? -bits : bits],
    ["NAXIS", shape.length],
    ...shape.toReversed().map((size, i): [string, number] => [`NAXIS${i + 1}`, size]),
    ...isShifted(dtype)
      ? [["BSCALE", 1], ["BZERO", dtype === "int8" ? -128 : 2 ** (bits - 1)]] satisfies [string, number][]
      : [],
  ];
  return headerOf([...own, ...Object.entries(cards)], own.length);
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
  const digits = Number.isInteger(value) && Math.abs(value) < 2 ** 64 ? BigInt(value) : value; // all of 2⁶³
  return String(digits).toUpperCase().padStart(20);
}

/** Bytes of the blocks that so many bytes take. */
export function wholeBlocks(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}
