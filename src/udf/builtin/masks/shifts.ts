/**
 * Masks that move from frame to frame: which part of a frame overlaps which part of a mask.
 *
 * A shift of (y, x) moves masks down and to the right by whole pixels, the nearest ones. Weights that leave the frame are lost, and
 * zeros move in.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { roundHalfEven } from "../../../masks/frame.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import { asNumbers } from "../../../space/numbers.ts";
import { ravel, sameShape, type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import { auxData, type AuxSpec } from "../../interface/aux_data.ts";
import type { UdfMeta } from "../../interface/udf.ts";
import { type MaskSteps, type MaskWeights, packed } from "./packed.ts";

/**
 * Shifts of masks, y before x: one for all frames, or one per frame as an array (…scan, 2) or auxiliary data.
 * @category Analyses
 */
export type MaskShifts = readonly number[] | NDArray | AuxSpec;

/** Whether shifts differ from frame to frame. */
function movesByFrame(shifts: MaskShifts | undefined): shifts is NDArray | AuxSpec {
  return shifts !== undefined && "data" in shifts;
}

/** Shifts as a parameter: an array becomes auxiliary data, whose numbers do not travel with the parameters. */
export function travellingShifts(shifts: MaskShifts): readonly number[] | AuxSpec {
  if (!movesByFrame(shifts)) return shifts;
  return auxData(shifts.data, { dtype: shifts.dtype, extraShape: entryOf(shifts) });
}

/** The last dimension of an array, or the shape of an entry. */
function entryOf(shifts: NDArray | AuxSpec): Shape {
  return "shape" in shifts ? shifts.shape.slice(-1) : shifts.extraShape ?? [];
}

/** The common shift of all frames as integers. */
function wholeShift(shifts: readonly number[], { sigShape }: UdfMeta): Int32Array {
  if (shifts.length === sigShape.length) {
    const shift = whole(shifts);
    if (sigShape.every((n, d) => Math.abs(shift[d]!) < n)) return shift;
    const found = shifts.join(", ");
    const text = `Cannot shift masks by (${found}): no pixel of them is left in frames of ${
      showShape(sigShape)
    }`;
    throw new TilewiseError("invalid", text, {
      option: "shifts",
      expected: `less than ${showShape(sigShape)}`,
      found,
    });
  }
  const text = `Cannot shift masks by ${shifts.length} numbers: frames have ${sigShape.length} dimensions`;
  throw new TilewiseError("invalid", text, {
    option: "shifts",
    expected: sigShape.length,
    found: shifts.length,
  });
}

/** The shifts of all frames as integers. */
function frameShifts(shifts: NDArray | AuxSpec, { navShape, sigShape }: UdfMeta): AuxSpec<"int32"> {
  const entry = [sigShape.length];
  const found = "shape" in shifts ? shifts.shape : [...navShape, ...entryOf(shifts)];
  if (!sameShape(found, [...navShape, ...entry]) || shifts.data.length !== sizeOf(found)) {
    const wanted = showShape([...navShape, ...entry]);
    const text =
      `Cannot shift masks by ${shifts.data.length} numbers in entries of ${showShape(entryOf(shifts))}; ` +
      `they must be an array of ${wanted}`;
    throw new TilewiseError("invalid", text, { option: "shifts", expected: wanted, found: showShape(found) });
  }
  const data = whole(Array.from(asNumbers(shifts.data)));
  return { kind: "nav", dtype: "int32", extraShape: entry, data };
}

/** Numbers rounded to integers, halves to even ones, as shifts of peaks are. */
function whole(values: readonly number[]): Int32Array {
  const odd = values.findIndex((value) => !(Math.abs(value) < 2 ** 31));
  if (odd < 0) return Int32Array.from(values, roundHalfEven);
  throw new TilewiseError("invalid", `Cannot shift masks by ${values[odd]}, at place ${odd} of the shifts`, {
    option: "shifts",
    found: String(values[odd]),
  });
}

/** A run of pixels that a frame and a shifted mask have in common. */
interface Overlap {
  /** Its first pixel in the frame. */
  readonly frame: number;
  /** Its first pixel in the mask. */
  readonly mask: number;
  /** Number of pixels. */
  readonly length: number;
}

/** The rows in which a frame and a mask, shifted by `shift`, overlap. */
function* overlapRows(shape: Shape, shift: ArrayLike<number>): Generator<Overlap> {
  const first = shape.map((_, d) => Math.max(0, shift[d]!));
  const size = shape.map((n, d) => n - Math.abs(shift[d]!));
  if (size.some((n) => n <= 0)) return;
  const position = [...first];
  const rows = sizeOf(size.slice(0, -1));
  const length = size.at(-1)!;
  for (let row = 0; row < rows; row++) {
    yield {
      frame: ravel(position, shape),
      mask: ravel(position.map((p, d) => p - shift[d]!), shape),
      length,
    };
    for (let d = shape.length - 2; d >= 0; d--) { // continue with the next row
      if (++position[d]! < first[d]! + size[d]!) break;
      position[d] = first[d]!;
    }
  }
}

/** A mask shifted by a constant: weights of `units` numbers per pixel. */
function shiftedWeights(
  values: ArrayLike<number>,
  shape: Shape,
  shift: ArrayLike<number>,
  units: number,
): Float64Array {
  const moved = new Float64Array(values.length);
  for (const { frame, mask, length } of overlapRows(shape, shift)) {
    for (let i = 0; i < length * units; i++) moved[frame * units + i] = values[mask * units + i]!;
  }
  return moved;
}

/** Shifts masks: all of them alike, or from frame to frame. */
export interface Shifting {
  /** Whether shifts differ from frame to frame. */
  byFrame(shifts: MaskShifts): shifts is NDArray | AuxSpec;
  /** The shifts of all frames. */
  ofFrames(shifts: NDArray | AuxSpec, meta: UdfMeta): AuxSpec<"int32">;
  /** The rows in which a frame and a shifted mask overlap. */
  overlap(sigShape: Shape, shift: ArrayLike<number>): Iterable<Overlap>;
  /** The weights, shifted alike for all frames; reports bytes. */
  weights(weights: MaskWeights[], shifts: readonly number[], meta: UdfMeta): MaskSteps;
}

/** Shifts masks by {@link MaskShifts}. */
export const SHIFTING: Shifting = {
  byFrame: movesByFrame,
  ofFrames: frameShifts,
  overlap: overlapRows,
  *weights(weights, shifts, meta) {
    const shift = wholeShift(shifts, meta);
    let held = weights.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
    for (const [m, { values, complex, bytes = 0 }] of weights.entries()) {
      yield held + Float64Array.BYTES_PER_ELEMENT * values.length;
      weights[m] = packed({ values: shiftedWeights(values, meta.sigShape, shift, complex ? 2 : 1), complex });
      held += weights[m]!.bytes! - bytes;
    }
    return weights;
  },
};
