/** Parts of views, clipped views, custom borders, orders, and halos that differ before and behind a tile. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { createContext } from "../../../src/runner/context.ts";
import { BORDERS, parseBorder } from "../../../src/space/border.ts";
import { boxEnd, gridOf } from "../../../src/space/box.ts";
import { haloOf, type Radius } from "../../../src/space/halo.ts";
import type { NDArray } from "../../../src/space/ndarray.ts";
import { sizeOf, unravel } from "../../../src/space/shape.ts";
import { borderFunction } from "../../../src/views/extend.ts";
import { geometryOf } from "../../../src/views/geometry.ts";
import { planViews, type ViewOptions } from "../../../src/views/plan.ts";
import { ViewReader } from "../../../src/views/view.ts";
import { memoryArray } from "../data.ts";

const context = createContext({ memory: 1 << 20, workers: 0 });

/** The samples of a strided array. */
function numbers({ data, shape, stride }: NDArray): number[] {
  const at = (flat: number) => unravel(flat, shape).reduce((sum, i, d) => sum + i * stride[d]!, 0);
  return Array.from({ length: sizeOf(shape) }, (_, flat) => Number(data[at(flat)]));
}

async function viewsOf(shape: readonly number[], options: ViewOptions): Promise<ViewReader> {
  return await ViewReader.open(planViews(memoryArray(shape, "int32"), { ...options, context }));
}

Deno.test("a part with a smaller halo is the view of that radius; its copy outlives the view", async () => {
  const [shape, tile] = [[7, 9], [3, 4]];
  await using wide = await viewsOf(shape, {
    tile,
    radius: { front: [2, 3], back: [1, 4] },
    border: "reflect",
  });
  const radii: Radius[] = [0, 1, [1, 0], { front: [2, 3], back: [1, 4] }, { front: 2 }, { back: [0, 4] }];
  for (const radius of radii) {
    await using narrow = await viewsOf(shape, { tile, radius, border: "reflect" });
    for await (const view of wide) {
      using expected = await narrow.read(view.geometry.index);
      const part = view.around(radius);
      assertEquals([part.shape, numbers(part)], [expected.shape, [...expected.data].map(Number)]);
      const copy = view.copy(radius);
      assertEquals([copy.shape, numbers(copy)], [expected.shape, numbers(part)]);
      assert(copy.data.buffer !== view.data.buffer);
    }
  }
  using view = await wide.read([2, 2]);
  const whole = view.copy();
  assertEquals([whole.shape, [...whole.data]], [view.shape, [...view.data]]);
  assertThrows(() => view.around(3), TilewiseError, "no part with a halo of 3 × 3");
  assertThrows(() => view.around([1]), TilewiseError, "takes 2 counts");
  assertThrows(() => view.part({ origin: [0, 0], shape: [9, 9] }), TilewiseError, "no part of 9 × 9 at 0, 0");
});

Deno.test("the core is the tile inside the array, and the geometry says where the array is", async () => {
  await using views = await viewsOf([5, 7], { tile: [2, 3], radius: [1, 2], fill: -1 });
  const seen: number[] = [];
  for await (const view of views) {
    const { tile, valid, central, inside } = view.geometry;
    assertEquals(view.core.shape, tile.shape);
    assertEquals(numbers(view.part(central)), numbers(view.core));
    seen.push(...numbers(view.core));
    assertEquals(valid.shape, inside.shape);
    const isValid = (at: number[]) => at.every((i, d) => i >= valid.origin[d]! && i < boxEnd(valid)[d]!);
    const outside = [...view.data].filter((_, flat) => !isValid(unravel(flat, view.shape)));
    assert(outside.every((value) => value === -1));
    assertEquals(outside.length, sizeOf(view.shape) - sizeOf(valid.shape));
    assert(numbers(view.part(valid)).every((value) => value > 0));
  }
  assertEquals(seen.sort((a, b) => a - b), Array.from({ length: 35 }, (_, i) => i + 1));
});

Deno.test("clipped views end where the array ends, and have no border", async () => {
  await using views = await viewsOf([5, 7], {
    tile: [2, 3],
    radius: { front: 1, back: [2, 1] },
    clipped: true,
  });
  await using full = await viewsOf([5, 7], { tile: [2, 3], radius: { front: 1, back: [2, 1] } });
  const shapes: string[] = [];
  for await (const view of views) {
    using whole = await full.read(view.geometry.index);
    const expected = whole.part(whole.geometry.valid);
    assertEquals([view.shape, numbers(view.copy())], [expected.shape, numbers(expected)]);
    assertEquals(numbers(view.core), numbers(whole.core));
    assertEquals([view.geometry.front, view.geometry.back], [[0, 0], [0, 0]]);
    const { origin, shape } = view.geometry.central;
    assertEquals(numbers(view.around(0)), numbers(view.part({ origin, shape })));
    shapes.push(view.shape.join("x"));
  }
  assertEquals(shapes, ["4x4", "4x5", "4x2", "4x4", "4x5", "4x2", "2x4", "2x5", "2x2"]);
  assertEquals(views.plan.byteLength, 4 * 5 * 5);
  for (const option of [{ border: "edge" }, { fill: 1 }] as const) {
    const error = assertThrows(
      () => planViews(memoryArray([4], "uint8"), { tile: [2], clipped: true, ...option }),
      TilewiseError,
      "Clipped views have no samples outside",
    );
    assertEquals(error.details.option, Object.keys(option)[0]);
  }
});

Deno.test("a border of your own says what is seen, and wrong answers of it are errors", async () => {
  const options = { tile: [3], radius: { front: 4, back: 1 }, fill: 9 } as const;
  const read = async (border: ViewOptions["border"]) => {
    await using views = await viewsOf([3], { ...options, border: border! });
    using view = await views.read([0]);
    return [...view.data].map(Number);
  };
  assertEquals(await read((i, n) => (i < -3 ? -1 : i < 0 ? n + i : 0)), [9, 1, 2, 3, 1, 2, 3, 1]);
  const module = import.meta.resolve("./borders.ts");
  assertEquals(await read(borderFunction(module, { export: "first" })), [1, 1, 1, 1, 1, 2, 3, 1]);
  for (const wrong of [3, -2, 0.5, NaN, undefined, "1"]) {
    const error = await assertRejects(
      () => read(() => wrong as number),
      TilewiseError,
      `shows ${wrong} at position -4 of 3 samples; it must be a whole number from 0 to 2, or -1`,
    );
    assertEquals(error.code, "udf");
  }
  const failing = borderFunction(function outside() {
    throw new Error("no idea");
  });
  await assertRejects(() => read(failing), TilewiseError, 'Border "outside" failed at position -4');
  await assertRejects(() => read(borderFunction(module, { export: "none" })), TilewiseError, "has no export");
  await assertRejects(
    () => read(borderFunction(module, { export: "five" })),
    TilewiseError,
    "it is not a function",
  );
  assertThrows(() => borderFunction("./borders.ts"), TilewiseError, 'import.meta.resolve("./borders.ts")');
});

Deno.test("uninitialised samples are asked for by name, and are those of no other view", async () => {
  assertEquals(parseBorder("uninitialised"), "uninitialised");
  await using small = {
    context: createContext({ memory: 4096, workers: 0 }),
    [Symbol.asyncDispose]: async () => {},
  };
  const secret = memoryArray([16], "uint8", () => 77);
  const read = async (array: typeof secret, border: string, fill?: number) => {
    const radius = 500;
    const options = { tile: [16], radius, border, ...(fill === undefined ? {} : { fill }), ...small };
    await using views = await ViewReader.open(planViews(array, options));
    using view = await views.read([0]);
    return [...view.data];
  };
  assert((await read(secret, "edge")).every((value) => value === 77));
  const data = await read(memoryArray([16], "uint8", () => 1), "uninitialised", 5);
  assertEquals(data.filter((value) => value === 77), []);
  await small.context[Symbol.asyncDispose]();
});

Deno.test("views come in the order of a traversal, which may be your own, skip and repeat", async () => {
  const indices = async (traversal: ViewOptions["traversal"]) => {
    await using views = await viewsOf([4, 6], { tile: [2, 2], traversal: traversal! });
    const found: string[] = [];
    for await (const { geometry: { index } } of views) found.push(index.join(""));
    return found.join(" ");
  };
  assertEquals(await indices("snake"), "00 01 02 12 11 10");
  assertEquals(await indices("hilbert"), "00 01 11 10 02 12");
  assertEquals(await indices([[1, 2], [0, 0], [1, 2]]), "12 00 12");
  assertEquals(
    await indices(function* ([, columns = 0]) {
      for (let x = columns - 1; x >= 0; x--) yield [1, x];
    }),
    "12 11 10",
  );
  await assertRejects(() => indices([[2, 0]]), TilewiseError, "visits (2, 0), which is not a tile");
});

Deno.test("a fill value that samples cannot have is refused", () => {
  const plan = (dtype: Parameters<typeof memoryArray>[1], fill: number) =>
    planViews(memoryArray([4], dtype), { tile: [2], fill });
  for (
    const [dtype, fill] of [["uint8", 256], ["uint8", -1], ["int16", 0.5], ["bool", 2], [
      "int64",
      NaN,
    ]] as const
  ) {
    assertThrows(() => plan(dtype, fill), TilewiseError, `Cannot fill samples of ${dtype} with ${fill}`);
  }
  assertEquals([plan("int8", -128).fill, plan("uint64", 2 ** 53 - 1).fill], [-128, 2 ** 53 - 1]);
  assert(Number.isNaN(plan("float32", NaN).fill));
});

Deno.test("borders are exact to 2^53", () => {
  const n = 2 ** 53 - 1;
  assertEquals([-1, -2, n, n + 1].map((i) => BORDERS.symmetric(i, n)), [0, 1, n - 1, n - 2]);
  assertEquals([-1, -2, n].map((i) => BORDERS.reflect(i, n)), [1, 2, n - 2]);
  assertEquals([-1, -n, n, n + 1].map((i) => BORDERS.wrap(i, n)), [n - 1, 0, 0, 1]);
  assertEquals([-n, n].map((i) => BORDERS.edge(i, n)), [0, n - 1]);
  assert(!Object.is(BORDERS.wrap(-4, 4), -0));
});

Deno.test("geometry: a halo may differ before and behind a tile, and views larger than 2^53 are refused", () => {
  const { start, shape, front, back, centralOffset, tiles } = geometryOf(
    gridOf([10, 10], [4, 4]),
    { front: [3, 0], back: [0, 5] },
    [1, 1],
    false,
  );
  assertEquals([start, shape, front, back], [[1, 4], [7, 9], [0, 0], [0, 3]]);
  assertEquals([centralOffset, tiles], [27, { origin: [0, 1], shape: [2, 2] }]);
  const wide = assertThrows(
    () => geometryOf(gridOf([10, 10], [4, 4]), haloOf(2 ** 40, [10, 10]), [0, 0], false),
    TilewiseError,
    "a view",
  );
  assertEquals(wide.code, "overflow");
});
