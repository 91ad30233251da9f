/**
 * Compares results of ours with those of the peer, number by number, within the bounds that a piece of work gives.
 *
 * @module
 */

import type { ErrorCode } from "../../src/errors.ts";
import { dtypeInfo } from "../../src/space/dtype.ts";
import type { NDArray } from "../../src/space/ndarray.ts";
import { fullMask } from "../../src/space/valid.ts";
import { sameShape, showShape } from "../../src/space/shape.ts";

/** Results by name. */
export type Results = Readonly<Record<string, NDArray>>;

/** How far a result may be from the peer's. */
export interface Expected {
  /** One bound for all numbers, or one each, or one for as many neighbours as there are more numbers than bounds. */
  readonly within: number | ArrayLike<number>;
  /** The numbers are angles: they count modulo this. */
  readonly period?: number;
  /** Whether both must have the same type. */
  readonly sameType?: boolean;
}

/** What is compared, by name; a number or a list of them is `within`. */
export type Expectations = Readonly<Record<string, number | ArrayLike<number> | Expected>>;

/** A result that differs. */
export interface Mismatch {
  /** Which result; empty where there are none. */
  readonly name: string;
  /** In which way. */
  readonly what: "values" | "valid" | "shape" | "missing" | "refused" | "peer refused" | "not compared";
  /** In words. */
  readonly text: string;
  /** Of what we refuse: the code of the error. */
  readonly code?: ErrorCode;
  /** Of values: the numbers that differ, by their place. */
  readonly at: readonly number[];
  /** Ours. */
  readonly ours?: NDArray;
  /** The peer's. */
  readonly theirs?: NDArray;
}

/** How a comparison ended. */
export interface Verdict {
  /** What differs. */
  readonly mismatches: readonly Mismatch[];
  /** The largest distance, as a share of its bound; 0 where all are equal. */
  readonly share: number;
  /** The result that it belongs to. */
  readonly nearest: string;
  /** Numbers that have been compared. */
  readonly numbers: number;
  /** Those of them that have no bound: rounding may do anything to them. */
  readonly unbounded: number;
}

/** The name under which the peer sends the valid mask of a result. */
export function maskName(name: string): string {
  return `${name}.valid`;
}

/**
 * Compares what `expected` names.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { ndarray } from "../../src/space/ndarray.ts";
 * const of = (...values: number[]) => ({ sum: ndarray(Float64Array.from(values), [values.length], "float64") });
 * assertEquals(compareResults(of(1, NaN), of(1.1, NaN), { sum: 0.2 }).mismatches, []);
 * assertEquals(compareResults(of(1, 2), of(1, 3), { sum: 0.2 }).mismatches[0]!.at, [1]);
 * ```
 */
export function compareResults(ours: Results, theirs: Results, expected: Expectations): Verdict {
  const verdicts = Object.entries(expected).map(([name, allowed]) => {
    const [a, b] = [ours[name], theirs[name]];
    if (!a || !b) {
      return failed({ name, what: "missing", text: a ? "the peer has none" : "we have none", at: [] });
    }
    return joined([
      compareArrays(name, a, b, expectedOf(allowed)),
      compareMasks(name, a, theirs[maskName(name)]),
    ]);
  });
  return joined(verdicts);
}

function expectedOf(allowed: Expectations[string]): Expected {
  return typeof allowed === "object" && "within" in allowed ? allowed : { within: allowed };
}

/** The verdict of something that cannot be compared. */
export function failed(mismatch: Mismatch): Verdict {
  return { mismatches: [mismatch], share: 0, nearest: "", numbers: 0, unbounded: 0 };
}

function joined(verdicts: readonly Verdict[]): Verdict {
  const sum = (of: (verdict: Verdict) => number) => verdicts.reduce((all, verdict) => all + of(verdict), 0);
  const nearest = verdicts.reduce((most, one) => one.share > most.share ? one : most, {
    share: 0,
    nearest: "",
  });
  return {
    mismatches: verdicts.flatMap(({ mismatches }) => mismatches),
    share: nearest.share,
    nearest: nearest.nearest,
    numbers: sum(({ numbers }) => numbers),
    unbounded: sum(({ unbounded }) => unbounded),
  };
}

function compareArrays(name: string, ours: NDArray, theirs: NDArray, expected: Expected): Verdict {
  const { within, period, sameType = false } = expected;
  const areAlike = sameType ? ours.dtype === theirs.dtype : isPairs(ours) === isPairs(theirs);
  if (!sameShape(ours.shape, theirs.shape) || !areAlike) {
    const text = `ours is ${showShape(ours.shape)} ${ours.dtype}, the peer's ${
      showShape(theirs.shape)
    } ${theirs.dtype}`;
    return failed({ name, what: "shape", text, at: [], ours, theirs });
  }
  const [a, b] = [numbersOf(ours), numbersOf(theirs)];
  const at: number[] = [];
  let share = 0, unbounded = 0;
  for (let i = 0; i < a.length; i++) {
    const allowed = typeof within === "number" ? within : within[Math.floor(i * within.length / a.length)]!;
    const distance = distanceOf(a[i]!, b[i]!, period);
    if (distance === 0) continue;
    if (allowed === Infinity) unbounded++;
    else if (distance <= allowed) share = Math.max(share, distance / allowed);
    else at.push(i);
  }
  const mismatches = at.length > 0
    ? [{ name, what: "values", text: described(a, b, at, ours, within), at, ours, theirs } as const]
    : [];
  return { mismatches, share, nearest: name, numbers: a.length, unbounded };
}

/** How far two numbers are apart; NaN and infinities equal themselves. */
function distanceOf(a: number, b: number, period?: number): number {
  if (a === b || Number.isNaN(a) && Number.isNaN(b)) return 0;
  const distance = Math.abs(a - b);
  if (Number.isNaN(distance)) return Infinity;
  if (period === undefined) return distance;
  const rest = distance % period;
  return Math.min(rest, period - rest);
}

function isPairs({ dtype }: NDArray): boolean {
  return dtypeInfo(dtype).kind === "c";
}

/** The numbers of an array, parts of complex ones one after another. */
export function numbersOf({ data }: NDArray): Float64Array {
  return Float64Array.from(data as ArrayLike<number>, Number);
}

function described(
  a: Float64Array,
  b: Float64Array,
  at: readonly number[],
  ours: NDArray,
  within: Expected["within"],
): string {
  const worst = at.reduce(
    (most, i) => Math.abs(a[i]! - b[i]!) > Math.abs(a[most]! - b[most]!) ? i : most,
    at[0]!,
  );
  const bound = typeof within === "number" ? within : within[Math.floor(worst * within.length / a.length)]!;
  return `[${placeOf(worst, ours)}] is ${show(a[worst]!)}, the peer has ${show(b[worst]!)}, ` +
    `within ${
      bound === 0 ? "0" : bound.toExponential(1)
    } would do; ${at.length} of ${a.length} numbers differ`;
}

function show(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(8);
}

/** Coordinates of number `i` of an array, and its part if it is complex. */
function placeOf(i: number, { shape, dtype }: NDArray): string {
  const units = dtypeInfo(dtype).kind === "c" ? 2 : 1;
  let rest = Math.floor(i / units);
  const place = shape.toReversed().map((n) => {
    const at = rest % n;
    rest = Math.floor(rest / n);
    return at;
  }).toReversed();
  return `${place.join(", ")}${units === 2 ? i % 2 === 0 ? " re" : " im" : ""}`;
}

function compareMasks(name: string, ours: NDArray, theirs: NDArray | undefined): Verdict {
  if (!theirs) return joined([]);
  const mask = fullMask(ours);
  const other = fullMask({ shape: ours.shape, valid: theirs.data as Uint8Array });
  const at = [...mask.keys()].filter((i) => mask[i] !== other[i]);
  if (at.length === 0) return joined([]);
  const text =
    `[${placeOf(at[0]!, { ...ours, dtype: "bool" })}] is ${mask[at[0]!] ? "valid" : "not valid"} with us; ` +
    `${at.length} of ${mask.length} differ`;
  return failed({ name, what: "valid", text, at, ours, theirs });
}
