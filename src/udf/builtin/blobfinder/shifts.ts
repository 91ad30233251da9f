/**
 * Shifts of all expected peaks, such as those of a beam that is not descanned: one for the whole scan, or one per
 * frame.
 *
 * Peaks are searched at the pixel `round(peak) + round(shift)`, with halves rounded to even. The fit of a lattice
 * starts at its origin plus the unrounded shift.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { roundHalfEven } from "../../../masks/frame.ts";
import type { TypedArray } from "../../../space/dtype.ts";
import { asNumbers } from "../../../space/numbers.ts";
import { showShape, sizeOf } from "../../../space/shape.ts";
import { auxData, type AuxSpec } from "../../interface/aux_data.ts";
import type { PeakShifts } from "./options/correlation.ts";
import type { Vector } from "./options/lattice.ts";

/** Positions beyond this limit are far outside of all frames, and near the limit of 32-bit integers. */
export const FAR = 2 ** 29;

/** Shifts as auxiliary data, whose numbers do not travel with the parameters. */
export function shiftData(shifts: PeakShifts): AuxSpec {
  if ("kind" in shifts) {
    const { kind, extraShape = [] } = shifts;
    if (kind !== "sig" && sizeOf(extraShape) === 2) return shifts;
    throw refused(`auxiliary data of kind ${kind} with entries of ${showShape(extraShape)}`);
  }
  if (!("data" in shifts)) return constantShift(shifts);
  if (shifts.shape.at(-1) !== 2) throw refused(`an array of ${showShape(shifts.shape)}`);
  const numbers = Float64Array.from(asNumbers(shifts.data));
  return shifts.shape.length === 1 ? constantShift([...numbers]) : auxData(numbers, { extraShape: [2] });
}

function constantShift(shift: readonly number[]): AuxSpec {
  if (shift.length !== 2) throw refused(`${shift.length} numbers`);
  if (!shift.every((n) => Math.abs(n) < FAR)) throw refused(`(${shift.join(", ")})`);
  return auxData(Float64Array.from(shift), { kind: "single", extraShape: [2] });
}

function refused(found: string): TilewiseError {
  const expected = "one shift (y, x), or an array (…scan, 2)";
  return new TilewiseError("invalid", `Cannot move peaks by ${found}; give ${expected}`, { found, expected });
}

/** The shifts of the options as auxiliary data by name, if there are any. */
export function shiftAux({ shifts }: { readonly shifts?: PeakShifts }): Record<string, AuxSpec> {
  return shifts ? { shifts: shiftData(shifts) } : {};
}

/** The shift of the current frame; (0, 0) without shifts, (NaN, NaN) if the shift is not finite. */
export function shiftOf(aux: Readonly<Record<string, TypedArray>>): Vector {
  const { shifts } = aux;
  if (!shifts) return [0, 0];
  const [y = NaN, x = NaN] = asNumbers(shifts);
  return Math.abs(y) < FAR && Math.abs(x) < FAR ? [y, x] : [NaN, NaN];
}

/** A shift rounded to whole pixels. */
export function wholeShift([y, x]: Vector): Vector {
  return [roundHalfEven(y), roundHalfEven(x)];
}
