/** Traversals: every tile once, in the recorded orders. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { ravel, type Shape, sizeOf } from "../../src/space/shape.ts";
import { onceEach, orderOf, parseTraversal, type Traversal, TRAVERSALS } from "../../src/space/traversal.ts";

/** The names in the recordings. */
const NAMES = {
  naive: "row-major",
  snake: "snake",
  diagonal: "diagonal",
  spiral: "spiral",
  recursiveBlock: "z-order",
  hilbert: "hilbert",
} as const satisfies Record<string, Traversal>;

type GoldenGrid =
  & { readonly grid: number[] }
  & Readonly<Record<keyof typeof NAMES, { readonly order: number[][] }>>;

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
    for (const { grid, ...orders } of GRIDS!) {
      for (const [recorded, { order }] of Object.entries(orders)) {
        const name = NAMES[recorded as keyof typeof NAMES];
        assertEquals([...TRAVERSALS[name](grid)], order, `${name} ${grid}`);
        count++;
      }
    }
    assert(count > 20 && count === 6 * GRIDS!.length);
  },
});

const GRID_SHAPES = [[], [5], [1, 4], [3, 1], [3, 4], [7, 5], [1, 3, 4], [2, 3, 4], [3, 3, 3], [2, 2, 3, 2]];

Deno.test("every traversal visits every tile once, in as many dimensions as it goes through", () => {
  for (const counts of [...GRID_SHAPES, [0, 3], [3, 0], [2, 0, 3]]) {
    for (const name of Object.keys(TRAVERSALS) as Traversal[]) {
      if (name === "spiral" && counts.filter((n) => n > 1).length > 2) {
        assertThrows(() => TRAVERSALS.spiral(counts), TilewiseError, "row-major, snake, diagonal, z-order");
        continue;
      }
      const order = [...TRAVERSALS[name](counts)];
      const seen = new Set(order.map((index) => ravel(index, counts)));
      assertEquals([order.length, seen.size], [sizeOf(counts), sizeOf(counts)], `${name} ${counts}`);
    }
  }
});

Deno.test("a snake goes from neighbour to neighbour; so does a Hilbert curve through cubes of 2^k tiles", () => {
  const cubes = [[4, 4], [8, 8], [4, 4, 4], [8, 8, 8], [2, 2, 2, 2], [4, 4, 4, 4]];
  for (const [name, shapes] of [["snake", GRID_SHAPES], ["hilbert", cubes]] as const) {
    for (const counts of shapes) {
      const order = [...TRAVERSALS[name](counts)];
      order.slice(1).forEach((index, i) => {
        const steps = index.map((at, d) => Math.abs(at - order[i]![d]!));
        assertEquals(steps.reduce((a, b) => a + b, 0), 1, `${name} ${counts}: ${order[i]} to ${index}`);
      });
    }
  }
});

Deno.test("orders of many dimensions: diagonals by sums, blocks before their neighbours", () => {
  const sums = [...TRAVERSALS.diagonal([2, 3, 2])].map((index) => index.reduce((a, b) => a + b, 0));
  assertEquals(sums, sums.toSorted((a, b) => a - b));
  const blocks = [...TRAVERSALS["z-order"]([4, 4, 4])].map((index) => index.map((i) => Math.floor(i / 2)));
  const changes = blocks.slice(1).filter((block, i) => String(block) !== String(blocks[i]));
  assertEquals(changes.length, 7); // eight blocks, each of which is left once
});

Deno.test("no traversal makes a list of all tiles", () => {
  for (const name of Object.keys(TRAVERSALS) as Traversal[]) {
    let n = 0;
    for (const _ of TRAVERSALS[name]([2 ** 20, 2 ** 20])) if (++n === 1000) break;
    assertEquals(n, 1000);
  }
});

Deno.test("a traversal has a name, or another one", () => {
  const names = ["row-major", "naive", "snake", "morton", "recursive-block", "hilbert"];
  assertEquals(
    names.map(parseTraversal),
    ["row-major", "row-major", "snake", "z-order", "z-order", "hilbert"],
  );
  const known = [...Object.keys(TRAVERSALS), "naive", "morton", "recursive-block"].join(", ");
  assertThrows(() => parseTraversal("toString"), Error, `known are ${known}`);
});

Deno.test("an order of your own may skip and repeat; what is not a tile is refused with its name", () => {
  const twice = function* ([n = 0]: Shape) {
    for (let i = 0; i < n; i++) yield* [[i], [i]];
  };
  assertEquals([...orderOf(twice).tiles([2])], [[0], [0], [1], [1]]);
  assertEquals([...orderOf([[1, 2]]).tiles([2, 3])], [[1, 2]]);
  const wrong = [[[2]], [[-1]], [[0.5]], [[0, 0]], ["0"], [undefined]];
  for (const list of wrong as unknown as Shape[][]) {
    assertThrows(
      () => [...orderOf(list).tiles([2])],
      TilewiseError,
      "which is not a tile: the grid has 2 tiles",
    );
  }
  const odd = (() => 5) as unknown as () => Shape[];
  assertThrows(() => [...orderOf(odd).tiles([2])], TilewiseError, "gives 5; it must give indices");
});

Deno.test("a result needs every tile once, and an order is asked once", () => {
  const counts = [2, 2];
  const once = (list: Shape[]) => [...onceEach(orderOf(list), counts).tiles(counts)];
  assertEquals(once([[1, 1], [0, 0], [1, 0], [0, 1]]), [[1, 1], [0, 0], [1, 0], [0, 1]]);
  assertThrows(() => once([[0, 0], [1, 1], [0, 0]]), TilewiseError, "(0, 0) twice");
  assertThrows(() => once([[0, 0], [1, 1]]), TilewiseError, "(0, 1) never");
  let calls = 0;
  const order = onceEach(orderOf(() => (calls++, [[0], [1]])), [2]);
  for (let i = 0; i < 3; i++) assertEquals([...order.tiles([2])], [[0], [1]]);
  assertEquals(calls, 1);
});
