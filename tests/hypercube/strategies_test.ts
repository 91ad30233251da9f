/** Strategies with steps: the recorded ones to the last step, rules as written, and no defect of the recorded program. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { type Hypercube, hypercube } from "../../src/hypercube/cube/cube.ts";
import { planTiles } from "../../src/hypercube/run/run_cube.ts";
import { ladder, montblancSteps, parseRules, reduced } from "../../src/hypercube/plan/reductions.ts";
import { createContext } from "../../src/runner/context.ts";
import { recordedCube, tiling } from "./golden.ts";
import "../fences/mod.ts";

const golden = tiling();
const ignore = golden === undefined; // the recorded runs are not part of this repository
const within = (memory: number) => createContext({ memory });

Deno.test({
  name: "ladders are those of the recorded runs",
  ignore,
  fn() {
    for (const { start, size, values } of golden!.log2_ladder) assertEquals(ladder(start, size), values);
  },
});

Deno.test({
  name: "every step of a recorded reduction is made, with its bytes, also where it does not fit",
  ignore,
  fn() {
    for (const run of golden!.budget) {
      const { mem_budget, source_batch_size } = run.config;
      const cube = recordedCube(golden!, run);
      assertEquals(cube.bytesRequired(), run.bytes_before);
      const steps = montblancSteps(cube, source_batch_size);
      const found = reduced(cube, steps, (tile) => tile.bytesRequired() <= mem_budget);
      assertEquals([found.fits, found.trace, { ...found.extents }], [run.fits, run.trace, run.applied]);
      assertEquals(found.cube.bytesRequired(), run.bytes_after);
    }
  },
});

Deno.test({
  name: "the strategy montblanc plans the recorded tiles, and refuses what the recorded program let pass",
  ignore,
  fn() {
    for (const run of golden!.budget) {
      const cube = recordedCube(golden!, run, "plain");
      const { mem_budget: memory, source_batch_size: sourceBatch } = run.config;
      const plan = () =>
        planTiles(cube, { context: within(memory), strategy: "montblanc", inFlight: 1, sourceBatch });
      if (!run.fits) {
        const error = assertThrows(plan, TilewiseError, "Cannot tile the cube");
        assert(error.code === "over-budget" && Number(error.details.expected) > memory);
        continue;
      }
      const { steps, strides, memory: { total: bytes } } = plan();
      assertEquals(steps, run.trace);
      assertEquals(Object.fromEntries(strides.slice(0, 2)), run.iter_strides);
      assertEquals(
        strides.slice(0, 2).reduce(
          (n, [name, extent]) => n * Math.ceil(cube.dimension(name).size / extent),
          1,
        ),
        run.tiles,
      );
      assert(bytes <= memory);
    }
  },
});

/** Visibilities of some sources. */
function radio(sizes: Partial<Record<"ntime" | "na" | "npsrc", number>> = {}): Hypercube {
  const { ntime = 10, na = 7, npsrc = 20 } = sizes;
  return hypercube({
    dimensions: { ntime, na, nbl: { baselinesOf: "na" }, npsrc, nsrc: { sumOf: ["npsrc"] } },
    arrays: [
      { name: "lm", shape: ["npsrc", 2], dtype: "float64" },
      { name: "phase", shape: ["nsrc", "ntime", "na"], dtype: "complex128", role: "temporary" },
      { name: "vis", shape: ["ntime", "nbl"], dtype: "complex128", role: "output" },
    ],
  });
}

Deno.test("batches of at most ten sources are planned, not an error", () => {
  for (const sourceBatch of [1, 9, 10, 11]) {
    const plan = planTiles(radio(), {
      context: within(12_000),
      strategy: "montblanc",
      inFlight: 1,
      sourceBatch,
    });
    assert(
      plan.steps.some(([name, n]) => name === "npsrc" && n === Math.min(sourceBatch, 10)),
      `${sourceBatch}`,
    );
    assert(plan.memory.total <= 12_000);
  }
});

Deno.test("few antennas and empty dimensions have ladders", () => {
  assertEquals([ladder(1, 0), ladder(0, 3), ladder(2, 1)], [[], [], [1]]);
  for (const sizes of [{ na: 2 }, { ntime: 0 }, { npsrc: 0 }]) {
    const { fits } = reduced(radio(sizes), montblancSteps(radio(sizes), 500), () => false);
    assertEquals(fits, false);
  }
});

Deno.test("rules are applied in order until a tile fits", () => {
  const cube = hypercube({
    dimensions: { ntime: 100, nchan: 64, na: 7, nbl: { baselinesOf: "na" } },
    arrays: [
      { name: "uvw", shape: ["ntime", "na"], dtype: "float64" },
      { name: "vis", shape: ["ntime", "nbl", "nchan"], dtype: "float64", role: "output" },
    ],
  });
  const rows = (bytes: number, rules: string | string[]) => {
    const { steps, strides, strategy, memory: { total: held } } = planTiles(cube, {
      context: within(bytes),
      rules,
      inFlight: 1,
    });
    assert(strategy === "rules" && held <= bytes);
    return [steps, strides];
  };
  const all = 8 * (100 * 7 + 100 * 21 * 64) + 64;
  assertEquals(rows(all, "ntime=20"), [[], [["ntime", 100]]]);
  assertEquals(rows(all - 128, "ntime=20, nchan=50%"), [[["ntime", 20]], [["ntime", 20], ["nchan", 64]]]);
  assertEquals(rows(8 * 20 * 21 * 17, ["ntime=20", "nchan=50%"])[0], [["ntime", 20], ["nchan", 32], [
    "nchan",
    16,
  ]]);
  assertEquals(rows(1000, "ntime nchan=50% nbl=1&na=2")[0], [
    ["ntime", 1],
    ...[32, 16, 8, 4].map((n) => ["nchan", n] as [string, number]),
  ]);
  assertEquals(rows(200, "ntime;nchan;nbl=1&na=2"), [
    [["ntime", 1], ["nchan", 1], ["nbl", 1], ["na", 2]],
    [["ntime", 1], ["nchan", 1], ["nbl", 1], ["na", 2]],
  ]);
  const error = assertThrows(() => rows(20_000, "ntime=20"), TilewiseError, "tiles of 20 ntime");
  assertEquals([error.code, error.details.expected], ["over-budget", 8 * (20 * 7 + 20 * 21 * 64) + 32]);
});

Deno.test("rules that cannot be meant are refused", () => {
  for (
    const rule of [
      "",
      "ntime=",
      "=3",
      "ntime=0",
      "nchan=100%",
      "nchan=0%",
      "ntime=-1",
      "ntime=1.5",
      "a b=c",
      "50%",
    ]
  ) {
    assertThrows(() => parseRules(rule), TilewiseError, "rules are such as");
  }
  const cube = radio(), context = within(1000);
  assertThrows(() => planTiles(cube, { context, rules: "mtime=2" }), TilewiseError, 'did you mean "ntime"?');
  assertThrows(
    () => planTiles(cube, { context, rules: "ntime", tile: ["ntime"] }),
    TilewiseError,
    "no effect",
  );
  assertThrows(() => planTiles(cube, { context, sourceBatch: 3 }), TilewiseError, "no effect");
  assertThrows(() => planTiles(cube, { context, strategy: "rules" }), TilewiseError, "there is none");
  const plain = hypercube({ dimensions: { n: 3 }, arrays: [] });
  assertThrows(
    () => planTiles(plain, { context, strategy: "montblanc" }),
    TilewiseError,
    'no dimension "ntime"',
  );
});
