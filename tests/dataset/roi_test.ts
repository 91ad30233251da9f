import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../src/errors.ts";
import { normalizeRoi, type RoiInput, selectedBefore } from "../../src/dataset/roi/roi.ts";
import { ndarray } from "../../src/space/ndarray.ts";
import { unravel } from "../../src/space/shape.ts";

const picked = (input: RoiInput | undefined, nav = [2, 3]) => [...normalizeRoi(input, nav).indices ?? []];

Deno.test("every form of the same region selects the same positions", () => {
  const forms: RoiInput[] = [
    new Uint8Array([0, 1, 0, 0, 0, 9]),
    [false, true, false, false, false, true],
    [[false, true, false], [false, false, true]],
    { data: [0, 1, 0, 0, 0, 1], shape: [3, 2] },
    ndarray(new Uint8Array([0, 1, 0, 0, 0, 1]), [2, 3], "bool"),
    [[0, 1], [1, 2]],
    [[-2, -2], [-1, -1]],
    [[1, 2], [0, 1], [1, 2]],
    [[[0, 1], true], [[1, 2], true]],
    [[[0, 0], false], [[0, 2], false], [[1, 0], false], [[1, 1], false]],
  ];
  for (const form of forms) assertEquals(picked(form), [1, 5], JSON.stringify(form));
});

Deno.test("one coordinate, later toggles win, nothing, and everything", () => {
  assertEquals(picked([1, -3]), [3]);
  assertEquals(picked([4], [6]), [4]);
  assertEquals(picked([[[0, 0], true], [[0, 1], true], [[0, 0], false]]), [1]);
  assertEquals(picked([]), []);
  assertEquals(picked([[]], []), [0]);
  const all = normalizeRoi(undefined, [2, 3]);
  assertEquals(all, { frames: 6, count: 6, mask: null, indices: null });
});

Deno.test("regions that do not fit are refused with both shapes", () => {
  const words = (input: unknown) => {
    const error = assertThrows(() => normalizeRoi(input as RoiInput, [2, 3]), TilewiseError);
    assertEquals(error.code, "invalid");
    return error.message;
  };
  assert(/of 2 × 2 on a scan of 2 × 3/.test(words({ data: [1, 1, 1, 1], shape: [2, 2] })));
  assert(/of 5 on a scan of 2 × 3/.test(words(new Uint8Array(5))));
  assert(/rows differ/.test(words([[true, false], [true]])));
  assert(/rows differ/.test(words([[true, [false]], [true, true]])));
  for (const at of [[2, 0], [0, -4], [0.5, 0], [0], [0, 0, 0]]) {
    assert(/not in a scan of 2 × 3/.test(words([at])));
  }
  assert(/not in a scan/.test(words([7])));
});

Deno.test("compressed positions count the selected ones before, for any mask", () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
      fc.nat(50),
      fc.nat(50),
      (mask, a, b) => {
        const roi = normalizeRoi(mask, [mask.length]);
        const [start, stop] = [Math.min(a, b), Math.max(a, b)];
        const before = (at: number) => mask.slice(0, at).filter(Boolean).length;
        assertEquals(selectedBefore(roi, start), before(start));
        const inside = mask.flatMap((on, i) => on && i >= start && i < stop ? [i] : []);
        assertEquals(selectedBefore(roi, stop) - selectedBefore(roi, start), inside.length);
        const coordinates = normalizeRoi(inside.map((i) => unravel(i, [mask.length])), [mask.length]);
        assertEquals(coordinates.count, inside.length);
      },
    ),
    { numRuns: 500, seed: 11 },
  );
});

Deno.test("without a region positions are compressed already", () => {
  const roi = normalizeRoi(undefined, [10]);
  assertEquals([selectedBefore(roi, 4), selectedBefore(roi, 99)], [4, 10]);
});
