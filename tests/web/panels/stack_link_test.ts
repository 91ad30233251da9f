/** Stacks of two images are linked by what both know of depth and time, else by number, and it is said which. */

import { assertEquals } from "@std/assert";
import { ratioOfUnits } from "../../../web/draw/scale_bar.ts";
import { stackLink } from "../../../web/panels/pyramid/second/stack_link.ts";
import type { StackAxis } from "../../../web/panels/pyramid/stack_axis.ts";

function axis(label: string, size: number, scale?: number, unit = "", offset = 0): StackAxis {
  return { label, size, at: () => "", ...(scale === undefined ? {} : { place: { scale, unit, offset } }) };
}

Deno.test("the second image is at the same depth and time, whatever their units, steps and beginnings", () => {
  const first = [axis("z", 10, 2, "µm", 1), axis("t", 20, 0.5, "s")];
  const second = [axis("z", 100, 250, "nm", 2000), axis("t", 8, 2000, "ms")];
  for (let z = 0; z < 10; z++) {
    for (let t = 0; t < 20; t++) {
      const { stack, text } = stackLink(first, second, { z, t, c: 3 });
      const micrometres = 1 + 2 * z, seconds = 0.5 * t;
      const nearest = (where: (i: number) => number, size: number, wanted: number) =>
        Math.min(...Array.from({ length: size }, (_, i) => Math.abs(where(i) - wanted)));
      assertEquals(
        [Math.abs(2 + 0.25 * stack["z"]! - micrometres), Math.abs(2 * stack["t"]! - seconds)],
        [nearest((i) => 2 + 0.25 * i, 100, micrometres), nearest((i) => 2 * i, 8, seconds)],
      );
      assertEquals([stack["c"], text], [3, "Depth by µm, time by s."]);
    }
  }
});

Deno.test("what one of them does not know, or other kinds of units, is linked by number", () => {
  const first = [axis("z", 10, 2, "µm"), axis("t", 10, 1, "s")];
  const second = [axis("z", 4), axis("t", 10, 3, "µm")];
  assertEquals(stackLink(first, second, { z: 3, t: 7 }), {
    stack: { z: 3, t: 7 },
    text: "Depth by number, time by number.",
  });
  assertEquals(stackLink(first, second, { z: 8 }).stack, { z: 3, t: 0 });
  assertEquals(stackLink(first, [axis("q", 5)], { z: 8 }), { stack: { z: 8 }, text: "" });
});

Deno.test("a descending axis is followed as well", () => {
  const [first, second] = [[axis("z", 5, 1, "µm")], [axis("z", 5, -1, "um", 4)]];
  assertEquals([0, 1, 4].map((z) => stackLink(first, second, { z }).stack["z"]), [4, 3, 0]);
});

Deno.test("units of time are those of files", () => {
  assertEquals(
    [["ms", "s"], ["s", "min"], ["s", "s"], ["s", "µm"]].map(([one, other]) => ratioOfUnits(one!, other!)),
    [1000, 60, 1, undefined],
  );
});
