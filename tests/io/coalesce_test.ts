import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../src/errors.ts";
import { type ByteRange, coalesce } from "../../src/io/coalesce.ts";

const range = fc.tuple(fc.nat(300), fc.nat(40)).map(([start, n]): ByteRange => ({ start, stop: start + n }));
const input = fc.record({
  ranges: fc.array(range, { maxLength: 30 }),
  gap: fc.nat(20),
  max: fc.integer({ min: 1, max: 120 }),
});

Deno.test("every range lies once, whole, at the place that its span says", () => {
  fc.assert(
    fc.property(input, ({ ranges, gap, max }) => {
      const seen = coalesce(ranges, { gap, max }).flatMap((span) =>
        span.members.map(({ index, at }) => {
          const { start, stop } = ranges[index]!;
          assertEquals(span.start + at, start);
          assert(stop <= span.stop);
          return index;
        })
      );
      assertEquals(seen.toSorted((a, b) => a - b), ranges.map((_, i) => i));
    }),
    { seed: 2, numRuns: 500 },
  );
});

Deno.test("spans keep to gap and max, are in order, and could not have been joined", () => {
  fc.assert(
    fc.property(input, ({ ranges, gap, max }) => {
      const spans = coalesce(ranges, { gap, max });
      for (const { start, stop, members } of spans) {
        const inside = members.map(({ index }) => ranges[index]!);
        const longest = Math.max(...inside.map((one) => one.stop - one.start));
        assert(stop - start <= Math.max(max, longest));
        assertEquals(start, Math.min(...inside.map((one) => one.start)));
        assertEquals(stop, Math.max(...inside.map((one) => one.stop)));
        assert(wasted(inside, start, stop) <= gap);
      }
      for (const [i, span] of spans.entries()) {
        const before = spans[i - 1];
        if (!before) continue;
        assert(before.start <= span.start);
        const near = span.start - before.stop <= gap;
        const first = ranges[span.members[0]!.index]!;
        assert(!near || Math.max(before.stop, first.stop) - before.start > max);
      }
    }),
    { seed: 3, numRuns: 500 },
  );
});

/** The longest run of bytes in `[start, stop)` that no range asked for. */
function wasted(ranges: readonly ByteRange[], start: number, stop: number): number {
  let [longest, run] = [0, 0];
  for (let byte = start; byte < stop; byte++) {
    run = ranges.some((one) => one.start <= byte && byte < one.stop) ? 0 : run + 1;
    longest = Math.max(longest, run);
  }
  return longest;
}

Deno.test("a range longer than max is a span of its own", () => {
  const spans = coalesce([{ start: 0, stop: 100 }, { start: 100, stop: 110 }], { max: 50 });
  assertEquals(spans.map(({ start, stop }) => [start, stop]), [[0, 100], [100, 110]]);
});

Deno.test("nothing to read is not a span", () => assertEquals(coalesce([]), []));

Deno.test("what is not a range is refused", () => {
  for (
    const bad of [{ start: 5, stop: 4 }, { start: -1, stop: 4 }, { start: 0, stop: NaN }, {
      start: 0.5,
      stop: 1,
    }]
  ) {
    assertThrows(() => coalesce([bad]), TilewiseError, "not a range");
  }
});
