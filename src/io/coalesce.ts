/**
 * Joins ranges that lie close together, so that one read serves them all.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

/** A half-open range of bytes. */
export interface ByteRange {
  /** First byte. */
  readonly start: number;
  /** One past the last byte. */
  readonly stop: number;
}

/** One of the ranges that a span serves. */
interface SpanMember {
  /** Which of the given ranges. */
  readonly index: number;
  /** Where it starts in the span. */
  readonly at: number;
}

/** Bytes to read at once. */
interface Span extends ByteRange {
  /** The ranges it serves, by their start. */
  readonly members: readonly SpanMember[];
}

/** How far to go in {@link coalesce}. */
interface CoalesceOptions {
  /** Most bytes to read and throw away between two ranges: what a second request would cost. Default 0. */
  readonly gap?: number;
  /** Most bytes of a span, unless a single range is longer. Default: no limit. */
  readonly max?: number;
}

/**
 * The spans that serve `ranges`, in the order of their bytes: ranges at most `gap` bytes apart are read
 * together, up to `max` bytes. Ranges may overlap and come in any order; each lies whole in exactly one span.
 *
 * @example Two near ranges, one far away
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const spans = coalesce([{ start: 900, stop: 910 }, { start: 0, stop: 10 }, { start: 12, stop: 20 }], { gap: 4 });
 * assertEquals(spans, [
 *   { start: 0, stop: 20, members: [{ index: 1, at: 0 }, { index: 2, at: 12 }] },
 *   { start: 900, stop: 910, members: [{ index: 0, at: 0 }] },
 * ]);
 * ```
 */
export function coalesce(
  ranges: readonly ByteRange[],
  { gap = 0, max = Infinity }: CoalesceOptions = {},
): Span[] {
  ranges.forEach(checkRange);
  const order = ranges.map((_, index) => index).sort((a, b) => ranges[a]!.start - ranges[b]!.start);
  const spans: Growing[] = [];
  for (const index of order) {
    const { start, stop } = ranges[index]!;
    const last = spans.at(-1);
    if (last && start - last.stop <= gap && Math.max(stop, last.stop) - last.start <= max) {
      last.stop = Math.max(stop, last.stop);
      last.members.push({ index, at: start - last.start });
    } else spans.push({ start, stop, members: [{ index, at: 0 }] });
  }
  return spans;
}

interface Growing {
  readonly start: number;
  stop: number;
  readonly members: SpanMember[];
}

function checkRange({ start, stop }: ByteRange): void {
  if (Number.isSafeInteger(start) && Number.isSafeInteger(stop) && start >= 0 && start <= stop) return;
  throw new TilewiseError("invalid", `Cannot read bytes ${start} to ${stop}: that is not a range`);
}
