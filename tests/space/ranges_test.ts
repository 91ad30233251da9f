/** Ranges are those of Python: start:stop, negative numbers from the end; what lies outside is an error. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { boxOfRanges, parseRanges, rangeEntries, resolveRanges } from "../../src/space/ranges.ts";

const entries = (text: string, shape: number[]) =>
  resolveRanges(parseRanges(text), shape, "the scan").map(rangeEntries);

const refusal = (call: () => unknown) => {
  const error = assertThrows(call, TilewiseError);
  assertEquals(error.code, "invalid");
  return error.message;
};

Deno.test("every range of small dimensions is what a slice of a list is, and never clipped", () => {
  for (let n = 0; n <= 5; n++) {
    const all = Array.from({ length: n }, (_, i) => i);
    const ends = [undefined, ...Array.from({ length: 2 * n + 5 }, (_, i) => i - n - 2)];
    for (const start of ends) {
      for (const stop of ends) {
        for (const step of [undefined, 1, 2, 3]) {
          const text = `${start ?? ""}:${stop ?? ""}${step === undefined ? "" : `:${step}`}`;
          const isInside = [start, stop].every((end) => end === undefined || (end >= -n && end <= n));
          const from = (end: number) => end < 0 ? end + n : end;
          if (!isInside || from(start ?? 0) > from(stop ?? n)) {
            assert(refusal(() => entries(text, [n])).includes(`the scan is ${n}`), text);
          } else {
            const expected = all.slice(start, stop).filter((_, i) => i % (step ?? 1) === 0); // slices as Python does
            assertEquals(entries(text, [n]), [expected], text);
          }
        }
      }
    }
  }
});

Deno.test("an index is one entry, first+size counts, spaces do not matter", () => {
  assertEquals(entries("3", [5]), [[3]]);
  assertEquals(entries("-1", [5]), [[4]]);
  assertEquals(entries("2+3", [5]), [[2, 3, 4]]);
  assertEquals(entries("-3+2", [5]), [[2, 3]]);
  assertEquals(entries("5+0", [5]), [[]]);
  assertEquals(entries(" 1 : 3 , :: 2, -1 ", [4, 5, 6]), [[1, 2], [0, 2, 4], [5]]);
});

Deno.test("what lies outside names the shape and the dimension", () => {
  const cases: [string, number[], string][] = [
    ["0:8,0:6", [8, 5], "0:6 of dimension 1: the scan is 8 × 5, and 6 lies beyond its end there, 5"],
    ["9:,:", [8, 5], "9: of dimension 0: the scan is 8 × 5, and 9 lies beyond its end there, 8"],
    ["-9:,:", [8, 5], "-9: of dimension 0: the scan is 8 × 5, and -9 lies before its start there, -8"],
    [":,:-6", [8, 5], ":-6 of dimension 1: the scan is 8 × 5, and -6 lies before its start there, -5"],
    [":,5", [8, 5], "5 of dimension 1: the scan is 8 × 5, and 5 lies beyond its last index there, 4"],
    [":,3+4", [8, 5], "3+4, which stops at 7, lies beyond its end there, 5"],
    ["0:8", [8, 5], "the scan is 8 × 5; write one range for each of its 2 dimensions, as in 0:8,:"],
    ["0:8,0,0", [8, 5], "Cannot use 3 ranges (0:8,0,0): the scan is 8 × 5"],
  ];
  for (const [text, shape, words] of cases) {
    const message = refusal(() => entries(text, shape));
    assert(message.includes(words), message);
  }
});

Deno.test("a range that stops before it starts asks for first+size where that would fit", () => {
  assert(refusal(() => entries("60:8", [128])).endsWith("did you mean 60+8 (first+size), which is 60:68?"));
  for (const text of ["124:8", "60:-120", "-60:8", "60:8:2"]) {
    const message = refusal(() => entries(text, [128]));
    assert(message.endsWith("stops before it starts"), message);
  }
});

Deno.test("text that is not a range, and steps that are none, are refused", () => {
  for (const text of ["", "0-1", "1:2:3:4", "a:b", "0.5:2", "+2", "2+", "1+-1", "0:2,,1", "1 2", "0:2;1:3"]) {
    assert(refusal(() => parseRanges(text)).includes("write start:stop for each dimension"), text);
  }
  assert(refusal(() => parseRanges("0:4,:b")).includes('Cannot read the range ":b" in "0:4,:b"'));
  assert(refusal(() => parseRanges("::0")).includes("its step is 0"));
  assert(refusal(() => parseRanges("::-1")).includes("a negative step"));
});

Deno.test("a box has no steps", () => {
  const box = (text: string) => boxOfRanges(resolveRanges(parseRanges(text), [4, 9], "the array"));
  assertEquals(box("1:3,-2:"), { origin: [1, 7], shape: [2, 2] });
  assert(refusal(() => box(":,0:8:2")).includes("step 2 of dimension 1"));
});
