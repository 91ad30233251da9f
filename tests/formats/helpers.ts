/**
 * Small sources for the tests of formats.
 *
 * @module
 */

import "../fences/mod.ts";
import { type ErrorCode, isTilewiseError, type TilewiseError } from "../../src/errors.ts";
import { ascii, join } from "./bytes.ts";
import { type MibFrame, type MibOptions, mibPieces } from "./mib/mib_files.ts";

export { ascii, join };

/** Bytes 0, 1, 2 … */
export function counting(length: number, first = 0): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => first + i);
}

/** A MIB file in memory; sample p of frame f is `f * 100 + p`. */
export async function mibBytes(
  count: number,
  options: MibOptions,
  make: (length: number) => MibFrame = (length) => new Uint16Array(length),
  first = 1,
): Promise<Uint8Array<ArrayBuffer>> {
  const pixels = options.sig[0] * options.sig[1];
  const frames = Array.from(
    { length: count },
    (_, f) => make(pixels).map((_, p) => (f + first - 1) * 100 + p),
  );
  return join(...await Array.fromAsync(mibPieces(frames as MibFrame[], options, first)));
}

/** What `work` fails with, which must be a typed error of that code. */
export async function failure<C extends ErrorCode>(
  work: Promise<unknown>,
  code: C,
): Promise<TilewiseError<C>> {
  const error = await work.then(() => new Error("it did not fail"), (cause) => cause);
  if (isTilewiseError(error, code)) return error;
  throw error;
}
