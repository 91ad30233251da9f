/** Traversals: every tile once, in the recorded orders. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { ravel, sizeOf } from "../../src/space/shape.ts";
import { parseTraversal, type Traversal, TRAVERSALS } from "../../src/space/traversal.ts";

interface GoldenGrid {
  readonly grid: number[];
  readonly naive: { readonly order: number[][] };
  readonly snake: { readonly order: number[][] };
}

function golden(): readonly GoldenGrid[] | undefined {
  const url = new URL("../../../shared/golden/views/traversals.json", import.meta.url);
  try {
    return JSON.parse(Deno.readTextFileSync(url)).grids;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

const GRIDS = golden();

Deno.test({
  name: "traversals of images are those that were recorded",
  ignore: GRIDS === undefined,
  fn() {
    let count = 0;
    for (const { grid, naive, snake } of GRIDS!) {
      assertEquals([...TRAVERSALS["row-major"](grid)], naive.order, `${grid}`);
      assertEquals([...TRAVERSALS.snake(grid)], snake.order, `${grid}`);
      count++;
    }
    assert(count > 3);
  },
});

Deno.test("every traversal visits every tile once; a snake goes from neighbour to neighbour", () => {
  for (
    const counts of [[], [5], [1, 4], [3, 1], [3, 4], [2, 3, 4], [3, 3, 3], [2, 2, 3, 2], [0, 3], [3, 0]]
  ) {
    for (const name of Object.keys(TRAVERSALS) as Traversal[]) {
      const order = [...TRAVERSALS[name](counts)];
      const seen = new Set(order.map((index) => ravel(index, counts)));
      assertEquals([order.length, seen.size], [sizeOf(counts), sizeOf(counts)], `${name} ${counts}`);
      if (name !== "snake") continue;
      order.slice(1).forEach((index, i) => {
        const steps = index.map((at, d) => Math.abs(at - order[i]![d]!));
        assertEquals(steps.reduce((a, b) => a + b, 0), 1, `${counts}: ${order[i]} to ${index}`);
      });
    }
  }
});

Deno.test("a traversal has a name, or another one", () => {
  assertEquals(["row-major", "naive", "snake"].map(parseTraversal), ["row-major", "row-major", "snake"]);
  const known = [...Object.keys(TRAVERSALS), "naive"].join(", ");
  assertThrows(() => parseTraversal("toString"), Error, `known are ${known}`);
});
