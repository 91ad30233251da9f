/**
 * Puts corrections into the arena: dark frame and gain map in the order in which tiles show pixels, and for each tile
 * the list of its pixels to patch.
 *
 * @module
 */

import { type CorrectedDType, type Corrections, pairedPlan, patchPlan } from "../../dataset/corrections.ts";
import type { Box } from "../../space/box.ts";
import { dtypeInfo, type TypedArray, zeros } from "../../space/dtype.ts";
import { asNumbers } from "../../space/numbers.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { ravel, type Shape, sizeOf } from "../../space/shape.ts";
import type { PlacedCorrections, PlacedSlice } from "../worker/corrector.ts";
import type { UdfPlan } from "../plan/plan_facts.ts";
import { type PixelRun, pixelRuns, toSliceOrder } from "../buffers/slice_order.ts";

/** Copies an array to shared memory and gives its address. */
type PlaceArray = (array: TypedArray, label: string) => number;

/** The corrections of `plan` in shared memory, if it has any. */
export function placeCorrections(
  { corrections, nativeDType, scheme: { slices }, dataset: { sigShape } }: UdfPlan,
  place: PlaceArray,
): PlacedCorrections | undefined {
  if (!corrections) return undefined;
  const dtype = nativeDType as CorrectedDType;
  const isComplex = dtypeInfo(dtype).kind === "c";
  const { dark, gain } = corrections;
  const complexGain = gain !== undefined && dtypeInfo(gain.dtype).kind === "c";
  const runs = pixelRuns(slices, sigShape);
  const placed = (map: NDArray | undefined, label: string, pair: MapPair) =>
    map ? place(ordered(mapOf(map, dtype, pair), runs, sizeOf(sigShape)), label) : 0;
  const firsts = runs ? firstsInOrder(slices) : slices.map(({ origin }) => ravel(origin, sigShape));
  return {
    dtype,
    dark: placed(dark, "dark frame", "complex"),
    gain: placed(gain, "gain map", complexGain ? "complex" : "both"),
    complexGain,
    slices: slices.map((box, s): PlacedSlice => {
      const pixels = { pixel: firsts[s]!, pixels: sizeOf(box.shape) };
      const patch = placePatch(corrections, sigShape, box, isComplex, place);
      return patch ? { ...pixels, patch } : pixels;
    }),
  };
}

function placePatch(
  corrections: Corrections,
  sigShape: Shape,
  box: Box,
  isComplex: boolean,
  place: PlaceArray,
): PlacedSlice["patch"] {
  const found = patchPlan(corrections, sigShape, box);
  if (found.count === 0) return undefined;
  const { plan, count } = isComplex ? pairedPlan(found) : found;
  return { pointer: place(plan, "patch"), count };
}

/** The first pixel of each slice, if the pixels of all slices are stored one slice after another. */
function firstsInOrder(slices: readonly Box[]): number[] {
  let next = 0;
  return slices.map(({ shape }) => (next += sizeOf(shape)) - sizeOf(shape));
}

/** Reorders `map` slice by slice, for tiles that are boxes with gaps between their rows; changes `map`. */
function ordered(map: TypedArray, runs: readonly PixelRun[] | undefined, pixels: number): TypedArray {
  if (runs) toSliceOrder(runs, map, map.length / pixels);
  return map;
}

/** What a real number becomes as a pair: a complex number, or a factor for both parts. */
type MapPair = "complex" | "both";

/** A dark frame or gain map in the type of corrected samples; complex numbers as pairs. */
function mapOf({ data, dtype }: NDArray, corrected: CorrectedDType, pair: MapPair): TypedArray {
  const numbers = asNumbers(data);
  const isPair = dtypeInfo(dtype).kind === "c" || dtypeInfo(corrected).kind !== "c";
  const pixels = dtypeInfo(dtype).kind === "c" ? numbers.length / 2 : numbers.length;
  const placed = zeros(corrected, pixels);
  if (isPair) placed.set(numbers);
  else {
    for (let p = 0; p < pixels; p++) {
      placed[2 * p] = numbers[p]!;
      if (pair === "both") placed[2 * p + 1] = numbers[p]!;
    }
  }
  return placed;
}
