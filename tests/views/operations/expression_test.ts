/** Expressions over views: neighbours, parameters, and what is refused. */

import "../../fences/mod.ts";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { createContext } from "../../../src/runner/context.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { planMap } from "../../../src/views/map/plan.ts";
import { viewExpression } from "../../../src/views/operations/expression.ts";
import { memoryArray } from "../data.ts";

Deno.test("neighbours in three dimensions give the radius, and the same on workers", async () => {
  const array = memoryArray([3, 5, 9], "int16", (i) => (i * 7919) % 200 - 90);
  const step = viewExpression("x[1,0,-2] - k * x[0, -1, 0] + x", { params: { k: 3 } });
  for (const workers of [0, 2]) {
    await using context = createContext({ workers });
    const options = { tile: [2, 2, 4], border: "wrap", context };
    assertEquals((await planMap(array, step, options)).views.radius, [1, 1, 2]);
    const { data } = await mapViews(array, step, options);
    const at = (z: number, y: number, x: number) =>
      ((z % 3) * 45 + ((y + 5) % 5) * 9 + (x + 9) % 9) * 7919 % 200 - 90;
    const expected = Array.from({ length: 135 }, (_, i) => {
      const [z, y, x] = [Math.floor(i / 45), Math.floor(i / 9) % 5, i % 9];
      return at(z + 1, y, x - 2) - 3 * at(z, y - 1, x) + at(z, y, x);
    });
    assertEquals([...data], expected);
  }
});

Deno.test("expressions that views do not have are refused, with what would do", async () => {
  const refused = (text: string, words: string) =>
    assertThrows(() => viewExpression(text), TilewiseError, words);
  refused("sum(x)", "must give a number per sample");
  refused("x + row", "without sums, row, col or frame");
  refused("x[0,a]", "Cannot use the neighbour x[0,a]: write whole numbers");
  refused("x + y", 'nothing is called "y"');
  refused("x +", "column");
  await using context = createContext({ workers: 0 });
  const flat = mapViews(memoryArray([4, 4], "uint8"), viewExpression("x[1]"), { context });
  await assertRejects(() => flat, TilewiseError);
});
