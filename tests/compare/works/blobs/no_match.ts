/**
 * Frames in which the peer has found a lattice and we have not.
 *
 * @module
 */

import { fromParam } from "../../data/arrays.ts";
import { numbersOf } from "../../compare.ts";
import type { Found } from "../../verdict/excuses.ts";
import type { MatchedPeaks } from "./on_line.ts";

/** Whether a comparison matches peaks to a lattice. */
export function isMatch(word: string): boolean {
  return word === "match" || word === "refine";
}

/** Whether number `i` says that we have no match where the peer has one: a lattice of NaN, a peak that is not selected. */
export function isNoMatch(found: Found, i: number): boolean {
  const { mismatch: { name, what, ours }, at: { word } } = found;
  if (!isMatch(word) || what !== "values" || !["zero", "a", "b", "selector", "error"].includes(name)) {
    return false;
  }
  const value = Number(ours!.data[i]);
  const isNothing = name === "selector" ? value === 0 : Number.isNaN(value);
  return isNothing && Number.isFinite(frameOf(found, i, "zero")[0]);
}

/** What the peer has found in the frame that number `i` of a result belongs to. */
function frameOf({ mismatch, theirs }: Found, i: number, name: string): Float64Array {
  const { error, [name]: array } = theirs!;
  const frames = error!.data.length; // one of each
  const frame = Math.floor(i * frames / mismatch.ours!.data.length);
  const each = array!.data.length / frames;
  return numbersOf(array!).subarray(frame * each, (frame + 1) * each);
}

/** The peaks of the frame that number `i` of a result belongs to, as the peer has them. */
export function peaksAt(found: Found, i: number): MatchedPeaks {
  const { word, params } = found.at;
  const selector = frameOf(found, i, "selector");
  if (word === "refine") {
    return {
      positions: frameOf(found, i, "refineds"),
      weights: frameOf(found, i, "peak_elevations"),
      selector,
    };
  }
  const [positions, weights] = [fromParam(params.positions!), fromParam(params.weights!)].map(numbersOf);
  return { positions: positions!, weights: weights!, selector };
}
