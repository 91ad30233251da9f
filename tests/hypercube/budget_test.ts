/** Plans keep to the budget, use it, and say no with the sum. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { isTilewiseError, TilewiseError } from "../../src/errors.ts";
import { type ArrayRole, hypercube } from "../../src/hypercube/cube/cube.ts";
import { planTiles } from "../../src/hypercube/run/run_cube.ts";
import { GOOD_TILE_BYTES } from "../../src/hypercube/plan/strategies.ts";
import { arraysBytes } from "../../src/hypercube/plan/tile_bytes.ts";
import { tileIter } from "../../src/hypercube/cube/iterate.ts";
import { createContext } from "../../src/runner/context.ts";
import { schemas, tiling } from "./golden.ts";
import "../fences/mod.ts";

const golden = tiling();
const MIB = 2 ** 20;
const within = (memory: number) => createContext({ memory });

Deno.test({
  name: "bytes before and after recorded reductions are those of the recorded runs",
  ignore: golden === undefined, // the recorded runs are not part of this repository
  fn() {
    for (const { updates, config, applied, bytes_before, bytes_after } of golden!.budget) {
      const cube = recorded(updates, config.dtype);
      assertEquals(cube.bytesRequired(), bytes_before);
      const windows = Object.entries(applied).map(([name, upper]) => [name, { upper }]);
      assertEquals(cube.with(Object.fromEntries(windows)).bytesRequired(), bytes_after);
    }
  },
});

Deno.test({
  name: "a problem that a recorded run could not fit is planned within its budget",
  ignore: golden === undefined, // as above
  fn() {
    const { updates, config, applied, fits } = golden!.budget.at(-1)!;
    assert(!fits && config.mem_budget === 64 * MIB);
    const batch = { npsrc: { upper: applied["npsrc"]! }, nsrc: { upper: applied["nsrc"]! } };
    const cube = recorded(updates, config.dtype).with(batch);
    const plan = planTiles(cube, { context: within(64 * MIB), tile: ["ntime", "nbl", "nchan"], inFlight: 2 });
    assert(plan.memory.total <= 64 * MIB);
  },
});

function recorded(updates: Record<string, number>, precision: "double" | "float") {
  const dims = { ...golden!.budget_defaults, ...updates };
  const { npsrc = 0, ntime = 0, nbl = 0, nchan = 0, npol = 0 } = dims;
  // The recorded runs counted the point sources alone before their first reduction.
  const derived = { nsrc: npsrc, npolchan: nchan * npol, nvis: ntime * nbl * nchan };
  return hypercube({
    dimensions: { ...dims, ...derived },
    arrays: schemas(golden!.budget_schema, precision),
  });
}

const role = fc.constantFrom<ArrayRole>("input", "output", "temporary");
const axis = fc.constantFrom<string | number>("a", "b", "c", 3);
const arrays = fc.array(fc.record({ shape: fc.array(axis, { maxLength: 3 }), role }), { maxLength: 4 });

Deno.test("a plan leases what it says, never more than the budget, and cannot do with fewer tiles along its last cut", () => {
  const input = fc.record({
    sizes: fc.tuple(fc.nat(40), fc.nat(40), fc.nat(40)),
    arrays,
    budget: fc.integer({ min: 64, max: 200_000 }),
    inFlight: fc.integer({ min: 1, max: 4 }),
    tile: fc.shuffledSubarray(["a", "b", "c"]),
  });
  let planned = 0;
  fc.assert(
    fc.property(input, ({ sizes: [a, b, c], arrays, budget, inFlight, tile }) => {
      const named = arrays.map(({ role, shape }, i) => {
        const once = shape.filter((axis, d) => axis === 3 || shape.indexOf(axis) === d); // twice is refused
        return { role, shape: once, name: `x${i}`, dtype: "float64" as const };
      });
      const cube = hypercube({ dimensions: { a, b, c }, arrays: named });
      let plan;
      try {
        plan = planTiles(cube, { context: within(budget), inFlight, tile });
      } catch (error) {
        assert(isTilewiseError(error, "over-budget"));
        assert(Number(error.details.expected) > budget, "the sum is more than the budget");
        return;
      }
      planned++;
      assertEquals(plan.memory.total, plan.onceBytes + inFlight * plan.tileBytes);
      assert(plan.memory.total <= budget);
      const sizes = [...tileIter(cube, ...plan.strides)].map((tile) => arraysBytes(tile, plan.each));
      assertEquals(sizes.length, plan.tiles);
      assert(sizes.every((bytes) => bytes <= plan.tileBytes), "no tile is larger than the first");
      if (plan.tiles === 0) return;
      for (const [d, [name, extent]] of plan.strides.entries()) {
        const { size } = cube.dimension(name);
        const fewer = Math.ceil(size / extent) - 1;
        if (fewer < 1) continue;
        const wider = plan.strides.with(d, [name, Math.ceil(size / fewer)]);
        const [tile] = tileIter(cube, ...wider);
        if (d !== plan.strides.findLastIndex(([n, e]) => e < cube.dimension(n).size)) continue;
        assert(plan.onceBytes + inFlight * arraysBytes(tile!, plan.each) > budget, `${name} could be wider`);
      }
    }),
    { numRuns: 400, seed: 3 },
  );
  assert(planned > 100, `only ${planned} of the inputs could be planned`);
});

Deno.test("a budget one byte short is refused with the sum, the exact one is planned", () => {
  const cube = hypercube({
    dimensions: { n: 9 },
    arrays: [
      { name: "table", shape: [100], dtype: "float64" },
      { name: "out", shape: ["n", 5], dtype: "float64", role: "output" },
    ],
  });
  const exact = 832 + 2 * 64; // whole cache lines: 13 for the table, one for one row of each tile in flight
  assertEquals(planTiles(cube, { context: within(exact), tile: ["n"], inFlight: 2 }).strides, [["n", 1]]);
  const error = assertThrows(
    () => planTiles(cube, { context: within(exact - 1), tile: ["n"], inFlight: 2 }),
    TilewiseError,
    "it needs 960 B = 2 × 64 B for tiles in flight + 832 B for arrays that are not tiled",
  );
  assertEquals([error.code, error.details.expected], ["over-budget", exact]);
});

Deno.test("dimensions are cut in their order, and evened out", () => {
  const cube = hypercube({
    dimensions: { a: 10, b: 16 },
    arrays: [{ name: "x", shape: ["a", "b"], dtype: "float64", role: "output" }],
  });
  const strides = (budget: number, ...tile: string[]) =>
    planTiles(cube, { context: within(budget), tile, inFlight: 1 }).strides;
  assertEquals(strides(1280, "a", "b"), [["a", 10], ["b", 16]]);
  assertEquals(strides(1152, "a", "b"), [["a", 5], ["b", 16]], "9 of 10 fit: two tiles, so 5 and 5");
  assertEquals(strides(1152, "b", "a"), [["b", 8], ["a", 10]]);
  assertEquals(strides(64, "a", "b"), [["a", 1], ["b", 8]]);
});

Deno.test("a large budget does not make one tile of everything", () => {
  const cube = hypercube({
    dimensions: { n: 1000 },
    arrays: [{ name: "x", shape: ["n", 2 ** 14], dtype: "float64", role: "output" }],
  });
  const plan = planTiles(cube, { context: within(2 ** 31), tile: ["n"] });
  assert(plan.tiles > 4 && plan.tileBytes <= GOOD_TILE_BYTES);
  assert(/tiles of \d+ of 1000 n, 4 in flight/.test(plan.explain()), plan.explain());
  assertThrows(() => planTiles(cube, { context: within(1), tile: ["n", "n"] }), Error, "different");
  assertThrows(() => planTiles(cube, { context: within(1), tile: ["m"] }), Error, "no dimension");
});
