/**
 * Ranges in text: `start:stop` for each dimension, as in Python and NumPy.
 *
 * ```
 * RANGES = RANGE , RANGE …        one for each dimension, slowest first
 * RANGE  = start:stop             from start up to, but without, stop
 *        | start:  | :stop  | :   an end that is left out is that of the dimension
 *        | start:stop:step        every step-th of them; step is at least 1
 *        | index                  one entry
 *        | first+size             the same as first:(first + size)
 * ```
 *
 * A negative start, stop or index counts from the end. Unlike in Python, nothing is clipped: a range outside is an error.
 *
 * @module
 */

import { defined } from "../options.ts";
import { TilewiseError } from "../errors.ts";
import { type Box, box } from "./box.ts";
import { type Shape, showShape } from "./shape.ts";

/** A range of one dimension that is known to lie inside of it: `start`, `start + step`, … below `stop`. */
export interface Range {
  /** The first entry. */
  readonly start: number;
  /** The entry after the last; at least `start`. */
  readonly stop: number;
  /** Distance of two entries, at least 1. */
  readonly step: number;
}

/** A range as it was written, before the size of its dimension is known. */
interface WrittenRange {
  /** What was written. */
  readonly text: string;
  /** Where it starts; absent: at the start of the dimension. Negative: from the end. */
  readonly start?: number;
  /** Where it stops; absent: `size` tells, or it is the end of the dimension. Negative: from the end. */
  readonly stop?: number;
  /** Number of entries, instead of `stop`. */
  readonly size?: number;
  /** Distance of two entries. */
  readonly step: number;
}

/** How ranges are written, for messages. */
const RANGE_FORMS = "write start:stop for each dimension, as in 0:8,4: (0+8 is the same as 0:8)";

/**
 * Reads ranges. Errors: `invalid` for text that is not a list of ranges.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(parseRanges("0:8, -4:"), [
 *   { text: "0:8", start: 0, stop: 8, step: 1 },
 *   { text: "-4:", start: -4, step: 1 },
 * ]);
 * ```
 */
export function parseRanges(text: string): WrittenRange[] {
  return text.split(",").map((part) => {
    const range = parseRange(part.trim());
    if (range) return range;
    const which = part === text ? `"${text}"` : `"${part.trim()}" in "${text}"`;
    throw new TilewiseError("invalid", `Cannot read the range ${which}; ${RANGE_FORMS}`, { found: text });
  });
}

const SLICE = /^(-?\d+)?\s*:\s*(-?\d+)?(?:\s*:\s*(-?\d+)?)?$/;
const SIZED = /^(-?\d+)\s*\+\s*(\d+)$/;
const INDEX = /^-?\d+$/;

function parseRange(text: string): WrittenRange | undefined {
  const [slice, sized] = [SLICE.exec(text), SIZED.exec(text)];
  if (sized) return { text, start: whole(sized[1]!), size: whole(sized[2]!), step: 1 };
  if (INDEX.test(text)) return { text, start: whole(text), size: 1, step: 1 };
  if (!slice) return undefined;
  const [start, stop, step] = slice.slice(1).map((part) => part === undefined ? undefined : whole(part));
  return {
    text,
    ...defined({ start, stop }),
    step: checkedStep(text, step ?? 1),
  };
}

/** A number without the sign of −0. */
function whole(text: string): number {
  return Number(text) + 0;
}

function checkedStep(text: string, step: number): number {
  if (step >= 1) return step;
  const problem = step === 0
    ? "its step is 0"
    : "a negative step would only change the order, and positions have none";
  throw new TilewiseError("invalid", `Cannot use the range ${text}: ${problem}; write a step from 1 on`, {
    found: text,
  });
}

/**
 * The entries of an array of `shape` that written ranges select.
 *
 * Errors: `invalid`, with the shape and the dimension, for what lies outside of it or stops before it starts.
 *
 * @param what the array in messages, such as `the scan`
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const ranges = resolveRanges(parseRanges("1:3,-4:"), [8, 10], "the scan");
 * assertEquals(ranges, [{ start: 1, stop: 3, step: 1 }, { start: 6, stop: 10, step: 1 }]);
 * ```
 */
export function resolveRanges(ranges: readonly WrittenRange[], shape: Shape, what: string): Range[] {
  if (ranges.length === shape.length) {
    return ranges.map((range, dimension) => resolveRange(range, { shape, dimension, what }));
  }
  const text = ranges.map((range) => range.text).join(",");
  const found = `${ranges.length} range${ranges.length === 1 ? "" : "s"}`;
  const filled = [text, ...shape.slice(ranges.length).map(() => ":")].join(",");
  const hint = ranges.length < shape.length ? `, as in ${filled}` : "";
  const message = `Cannot use ${found} (${text}): ${what} is ${showShape(shape)}; ` +
    `write one range for each of its ${shape.length} dimensions${hint}`;
  throw new TilewiseError("invalid", message, { expected: showShape(shape), found: text });
}

interface DimensionOf {
  readonly shape: Shape;
  readonly dimension: number;
  readonly what: string;
}

function resolveRange(range: WrittenRange, place: DimensionOf): Range {
  const n = place.shape[place.dimension]!;
  const { start: first = 0, stop: last = n, size } = range;
  const start = first < 0 ? first + n : first;
  const stop = size !== undefined ? start + size : last < 0 ? last + n : last;
  if (start < 0) throw refused(range, place, `${first} lies before its start there, ${-n}`);
  if (stop < 0) throw refused(range, place, `${last} lies before its start there, ${-n}`);
  if (start > n || stop > n) throw refused(range, place, beyond(range, { start, stop, n }));
  if (stop >= start) return { start, stop, step: range.step };
  throw refused(range, place, `the range stops before it starts${sizeHint(range, n)}`);
}

function beyond(
  { text, size }: WrittenRange,
  { start, stop, n }: { readonly start: number; readonly stop: number; readonly n: number },
): string {
  if (size === 1 && !text.includes("+")) return `${start} lies beyond its last index there, ${n - 1}`;
  const end = size === undefined ? String(Math.max(start, stop)) : `${text}, which stops at ${stop},`;
  return `${end} lies beyond its end there, ${n}`;
}

function refused(
  { text }: WrittenRange,
  { shape, dimension, what }: DimensionOf,
  problem: string,
): TilewiseError {
  const message = `Cannot use the range ${text} of dimension ${dimension}: ${what} is ${showShape(shape)}, ` +
    `and ${problem}`;
  return new TilewiseError("invalid", message, { expected: showShape(shape), found: text, dimension });
}

/** A hint if the range would fit as first and size, which other programs write with a colon. */
function sizeHint({ start, stop, step }: WrittenRange, n: number): string {
  const isPlain = start !== undefined && stop !== undefined && start >= 0 && stop >= 0 && step === 1;
  if (!isPlain || start + stop > n) return "";
  return `; did you mean ${start}+${stop} (first+size), which is ${start}:${start + stop}?`;
}

/**
 * The entries of each dimension that ranges select, ascending.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(rangeEntries({ start: 1, stop: 8, step: 3 }), [1, 4, 7]);
 * ```
 */
export function rangeEntries({ start, stop, step }: Range): number[] {
  return Array.from({ length: Math.ceil((stop - start) / step) }, (_, i) => start + i * step);
}

/** The box that ranges without steps select; `invalid` for ranges with steps. */
export function boxOfRanges(ranges: readonly Range[]): Box {
  const stepped = ranges.findIndex(({ step }) => step > 1);
  if (stepped < 0) {
    return box(
      ranges.map(({ start }) => start),
      ranges.map(({ start, stop }) => stop - start),
    );
  }
  const { start, stop, step } = ranges[stepped]!;
  const message =
    `Cannot use the step ${step} of dimension ${stepped}: a box has all samples between its ends; ` +
    `write ${start}:${stop} and leave out samples afterwards`;
  throw new TilewiseError("invalid", message, { found: `${start}:${stop}:${step}`, dimension: stepped });
}
