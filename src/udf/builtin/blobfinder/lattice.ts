/**
 * Lattices of diffraction disks: an origin, two vectors, and the points that they span.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { roundHalfEven } from "../../../masks/frame.ts";
import { checkOptionNames } from "../../../options.ts";
import type { TypedArray } from "../../../space/dtype.ts";
import { asNumbers } from "../../../space/numbers.ts";
import { showShape, sizeOf } from "../../../space/shape.ts";
import { auxData, type AuxSpec } from "../../interface/aux_data.ts";
import type { PeakShifts } from "./options/correlation.ts";
import {
  type Lattice,
  type LatticeRange,
  type PointsInput,
  RANGE_OPTIONS,
  type Vector,
} from "./options/lattice.ts";

/** The points as flat numbers y, x, y, x, …. */
export function flatPoints(points: PointsInput, what = "points"): Float64Array {
  if (ArrayBuffer.isView(points)) return Float64Array.from(points);
  if (!("data" in points)) {
    const flat = new Float64Array(2 * points.length);
    points.forEach(([y, x], p) => {
      flat[2 * p] = y;
      flat[2 * p + 1] = x;
    });
    return flat;
  }
  const { data, shape } = points;
  if (shape.at(-1) !== 2) {
    const text = `Cannot read ${what} of shape ${shape.join(" × ")}: the last dimension must be y, x`;
    throw new TilewiseError("invalid", text, { option: what, expected: 2, found: shape.at(-1) ?? 0 });
  }
  return Float64Array.from(asNumbers(data));
}

/**
 * Points of a lattice with their indices.
 * @category Blob finding
 */
export interface LatticePoints {
  /** Index pairs. */
  readonly indices: readonly Vector[];
  /** Their positions. */
  readonly peaks: readonly Vector[];
}

/**
 * The points of a lattice inside of a frame, sorted by index.
 *
 * Errors: `invalid` for parallel vectors, and for vectors so short that there are millions of points.
 *
 * @example
 * ```ts
 * import * as blobs from "@tilewise/tilewise/unstable/blobs";
 * import { assertEquals } from "@std/assert";
 * const lattice = { zero: [5, 5], a: [4, 0], b: [0, 4] } as const;
 * assertEquals(blobs.latticePoints(lattice, { frame: [10, 10], maxRadius: 4 }).indices, [
 *   [-1, 0], [0, -1], [0, 0], [0, 1], [1, 0],
 * ]);
 * ```
 * @category Blob finding
 */
export function latticePoints(lattice: Lattice, range: LatticeRange): LatticePoints {
  checkOptionNames("latticePoints()", range, RANGE_OPTIONS);
  const { frame: [height, width], margin = 0, maxRadius = Infinity, minRadius = 0 } = range;
  const { zero, a, b } = lattice;
  checkLattice(lattice);
  const inside = ([y, x]: Vector) => {
    const distance = Math.hypot(y - zero[0], x - zero[1]);
    return y >= margin && x >= margin && y <= height - 1 - margin && x <= width - 1 - margin &&
      distance <= maxRadius && distance >= minRadius;
  };
  const corners = [[0, 0], [0, width], [height, 0], [height, width]] as const;
  const spans = corners.map((corner) => indexOf(lattice, corner));
  const [low, high] = [Math.min, Math.max].map((pick) => [0, 1].map((d) => pick(...spans.map((s) => s[d]!))));
  const candidates = [0, 1].reduce((product, d) => product * (high![d]! - low![d]! + 1), 1);
  if (!(candidates <= MOST_CANDIDATES)) throw tooMany(lattice, range, candidates);
  const indices: Vector[] = [], peaks: Vector[] = [];
  for (let i = Math.floor(low![0]!); i <= high![0]!; i++) {
    for (let j = Math.floor(low![1]!); j <= high![1]!; j++) {
      const point: Vector = [zero[0] + i * a[0] + j * b[0], zero[1] + i * a[1] + j * b[1]];
      if (inside(point)) (indices.push([i, j]), peaks.push(point));
    }
  }
  return { indices, peaks };
}

/** Largest number of index pairs to check: about one per 4 pixels of frames of 4096 × 4096. */
const MOST_CANDIDATES = 2 ** 22;

function tooMany({ a, b }: Lattice, { frame: [height, width] }: LatticeRange, found: number): TilewiseError {
  const text =
    `Cannot list the points of a lattice with vectors (${a}), (${b}) in frames of ${height} × ${width}: ` +
    `${found.toPrecision(2)} pairs of indices reach into one, at most ${MOST_CANDIDATES} can be looked at; ` +
    "the vectors must be longer, or further from parallel";
  return new TilewiseError("invalid", text, { option: "a", expected: MOST_CANDIDATES, found });
}

/** The points of a lattice with these indices, which may be fractional. */
export function peaksAt({ zero, a, b }: Lattice, indices: PointsInput): Vector[] {
  const flat = flatPoints(indices, "indices");
  const at = (p: number, d: 0 | 1) => zero[d] + flat[2 * p]! * a[d] + flat[2 * p + 1]! * b[d];
  return Array.from({ length: flat.length / 2 }, (_, p): Vector => [at(p, 0), at(p, 1)]);
}

/** The indices of a point; fractional if it is not a lattice point. */
export function indexOf({ zero, a, b }: Lattice, [y, x]: Vector): [i: number, j: number] {
  const area = cross(a, b);
  const point: Vector = [y - zero[0], x - zero[1]];
  return [cross(point, b) / area, cross(a, point) / area];
}

/** The area spanned by two vectors; its sign says on which side of `a` the vector `b` lies. */
export function cross(a: Vector, b: Vector): number {
  return a[0] * b[1] - a[1] * b[0];
}

/** Refuses lattices whose vectors are parallel or not finite. */
export function checkLattice({ zero, a, b }: Lattice): void {
  const size = Math.hypot(...a) * Math.hypot(...b);
  const isPlace = (n: number) => Math.abs(n) <= Number.MAX_SAFE_INTEGER;
  if (Math.abs(cross(a, b)) > 1e-6 * size && [...zero, ...a, ...b].every(isPlace)) return;
  const show = ([y, x]: Vector) => `(${y}, ${x})`;
  const text = `Cannot use a lattice with origin ${show(zero)} and vectors ${show(a)}, ${show(b)}: ` +
    "they must be finite, and the vectors not parallel";
  throw new TilewiseError("invalid", text, { option: zero.every(isPlace) ? "a" : "zero" });
}

// Shifts of all expected peaks, such as those of a beam that is not descanned: one for the whole scan, or one per
// frame.
//
// Peaks are searched at the pixel `round(peak) + round(shift)`, with halves rounded to even. The fit of a lattice
// starts at its origin plus the unrounded shift.

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
