import { assertEquals } from "@std/assert";
import { box, isContiguous } from "../../src/space/box.ts";
import { fileOf, pixelRuns } from "../../src/dataset/layout/frame_part.ts";

Deno.test("a slice is one run exactly when it is contiguous", () => {
  const whole = [3, 2, 4];
  for (
    const shape of [[1, 1, 2], [2, 2, 4], [1, 2, 4], [1, 2, 3], [2, 1, 4], [3, 2, 4], [3, 1, 1], [1, 1, 4]]
  ) {
    const slice = box([0, 0, 0], shape);
    assertEquals(pixelRuns(slice, whole).length === 1, isContiguous(slice, whole), `${shape}`);
  }
  assertEquals(pixelRuns(box([0, 1, 0], [2, 1, 4]), whole), [{ start: 4, length: 4 }, {
    start: 12,
    length: 4,
  }]);
});

Deno.test("a file is found by any of its images", () => {
  const files = [0, 3, 4, 9].map((start, i, all) => ({ start, end: all[i + 1] ?? 12, headerBytes: 0 }));
  assertEquals(Array.from({ length: 12 }, (_, i) => fileOf(files, i)), [0, 0, 0, 1, 2, 2, 2, 2, 2, 3, 3, 3]);
});
