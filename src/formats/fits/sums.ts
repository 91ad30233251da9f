/**
 * The checksums of a unit: `DATASUM` of its samples, `CHECKSUM` of header and samples together.
 *
 * Both are sums of big-endian words of 32 bits, whose carries are added at the lower end. `CHECKSUM` is chosen such that the sum
 * of all words is one without zeros.
 *
 * Source: FITS standard 4.0, section 4.4.2.7 and appendix J.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type ByteSource, ownSpecs, readBytes } from "../../io/source/source.ts";
import type { Unit } from "./units.ts";

/** Most bytes of samples in a file that are read for their sums alone. */
export const MOST_SUMMED: number = 2 ** 26;
/** Bytes that are read at once. */
const PIECE = 2 ** 20;
/** A sum without zeros. */
const ONES = 0xffffffff;

/**
 * Compares the sums of a unit; the warning about a header that was changed. Samples are summed up where `isSmall`, and the file
 * is at hand. Errors: `malformed` for samples that are not those that were written.
 */
export async function verifySums(
  source: ByteSource,
  { cards, start, end, number }: Unit,
  isSmall: boolean,
  signal?: AbortSignal,
): Promise<string[]> {
  const told = /^\s*(\d{1,10})\s*$/.exec(cards.text("DATASUM"))?.[1];
  const sum = told === undefined ? undefined : Number(told);
  const hasSum = cards.text("CHECKSUM").trim().length === 16;
  const isNear = !ownSpecs(source.describe()).some(({ kind }) => kind === "http");
  const canSum = isSmall && isNear && end <= source.size && (sum !== undefined || hasSum);
  const found = canSum ? await sumOf(source, start, end, signal) : undefined;
  if (sum !== undefined && found !== undefined && !isSame(sum, found)) {
    const text =
      `Cannot read ${source.name}: the samples of unit ${number} have the checksum ${found}, its DATASUM ` +
      `is ${sum}: they are not those that were written`;
    throw new TilewiseError("malformed", text, { file: source.name, offset: start, expected: sum, found });
  }
  const samples = sum ?? found;
  if (!hasSum || samples === undefined) return [];
  const header = await sumOf(source, cards.offset, cards.end, signal);
  if (isSame(added(header, samples), ONES)) return [];
  return [
    `The header of unit ${number} is not the one that its CHECKSUM was made of: it was changed, or is damaged`,
  ];
}

/** Zeros and ones are the same to such sums. */
function isSame(a: number, b: number): boolean {
  return a % ONES === b % ONES;
}

function added(a: number, b: number): number {
  const sum = a + b;
  return sum > ONES ? sum - ONES : sum;
}

/** The sum of the bytes from `start` to `end`; zeros follow where they are not whole words. */
async function sumOf(source: ByteSource, start: number, end: number, signal?: AbortSignal): Promise<number> {
  let sum = 0;
  for (let at = start; at < end; at += PIECE) {
    const bytes = await readBytes(source, at, Math.min(PIECE, end - at), signal);
    const whole = bytes.length % 4 === 0 ? bytes : padded(bytes);
    const view = new DataView(whole.buffer, whole.byteOffset, whole.length);
    let part = 0; // 2^18 words at most: exact
    for (let i = 0; i < whole.length; i += 4) part += view.getUint32(i);
    sum = added(sum, part % ONES);
  }
  return sum;
}

function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  whole.set(bytes);
  return whole;
}
