/**
 * Damaged bytes for the filters that are not kernels alone: they must end in bytes or in a typed error, soon, and write
 * nothing outside.
 *
 * @module
 */

import { chunkFilter } from "../../src/codecs/filters/registry.ts";
import { isTilewiseError } from "../../src/errors.ts";
import { CASES, undo } from "../codecs/filters/undo.ts";
import { LIMITS, type Outcome } from "./attempt.ts";
import { apply, mutations } from "./mutate.ts";
import { measured } from "./clock.ts";

/** Filters whose stored bytes have a form that can be wrong. */
export const FILTERS: readonly string[] = [
  ...["jpeg", "ccitt", "lzma", "lerc", "webp", "ycbcr", "gzip", "LZ4", "deflate", "packbits-bool"],
  ...["predictor-2", "predictor-3", "unpack-bits", "widen-float", "transpose", "delta"],
];

/** One call of a filter with damaged input, by the seed. */
export async function attemptFilter(name: string, seed: number): Promise<Outcome> {
  const first = await once(name, seed);
  return first.problem?.startsWith("it took") ? await once(name, seed) : first; // a busy machine? once more
}

async function once(name: string, seed: number): Promise<Outcome> {
  const cases = CASES.filter(({ filter }) => filter === name);
  const one = cases[seed % cases.length]!;
  const stored = Uint8Array.fromBase64(one.stored), room = Uint8Array.fromBase64(one.plain).length;
  const damaged = apply(stored, mutations(stored.length, seed));
  const spent = measured();
  let end = "read";
  let problem: string | undefined;
  try {
    await undo(await chunkFilter(name), one, damaged, room + seed % 3);
  } catch (error) {
    if (isTilewiseError(error) && error.code !== "corrupt") end = error.code;
    else problem = error instanceof Error ? `${error.stack}` : String(error);
  }
  const { milliseconds } = spent();
  if (milliseconds > LIMITS.milliseconds) problem ??= `it took ${Math.round(milliseconds)} ms`;
  return { end: problem ? "wrong" : end, milliseconds, ...(problem === undefined ? {} : { problem }) };
}
