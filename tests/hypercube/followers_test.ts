/** Runs over cubes with derived dimensions: rows that follow their times reach sources, kernel and sinks with their times. */

import { assertEquals } from "@std/assert";
import { hypercube } from "../../src/hypercube/cube/cube.ts";
import { planTiles } from "../../src/hypercube/run/run_cube.ts";
import { toMemory } from "../../src/hypercube/providers/sinks/memory.ts";
import { cubeFunction } from "../../src/hypercube/run/kernels/function.ts";
import { run } from "../../src/run.ts";
import { createContext } from "../../src/runner/context.ts";
import "../fences/mod.ts";

const CUBE = hypercube({
  dimensions: { nt: 6, na: 3, nb: { baselinesOf: "na" }, nrow: { productOf: ["nt", "nb"] }, nc: 4 },
  arrays: [
    { name: "time", shape: ["nt"], dtype: "float64" },
    { name: "row", shape: ["nrow"], dtype: "float64" },
    { name: "out", shape: ["nrow"], dtype: "float64", role: "output" },
  ],
});

/** `out = sum over channels of (1000 time + row)`, for tiles of times, rows and channels. */
const KERNEL = cubeFunction(({ arrays: { time, row, out }, extents }) => {
  const per = row.data.length / time.data.length;
  const [from, to] = extents["nc"] ?? [0, 4];
  for (let i = 0; i < out.data.length; i++) {
    const one = 1000 * time.data[Math.floor(i / per)]! + row.data[i]!;
    out.data[i] = one * (to - from);
  }
}, { arrays: { time: "float64", row: "float64", out: "float64" } });

const indices = (
  { extents: [extent = [0, 0] as const] }: { readonly extents: readonly (readonly [number, number])[] },
) => Float64Array.from({ length: extent[1] - extent[0] }, (_, i) => extent[0] + i);

for (const tile of [["nt"], ["nt", "nc"], ["nc", "nt"], "any"] as const) {
  Deno.test(`rows come with their times in tiles along ${tile}, and are merged over channels`, async () => {
    await using context = createContext({ memory: 1024, workers: 0 });
    const plan = planTiles(CUBE, { context, tile, inFlight: 1, largestTile: 256 });
    const memory = toMemory("out");
    await run(plan, {
      kernel: KERNEL,
      sources: { time: indices, row: indices },
      sinks: [memory],
      merge: { out: "sum" },
    });
    const expected = Float64Array.from({ length: 18 }, (_, i) => 4 * (1000 * Math.floor(i / 3) + i));
    assertEquals(memory.array("out", "float64").data, expected);
  });
}

Deno.test("schemas of providers leave derived dimensions and properties as they are", () => {
  const cube = CUBE.withArrays([{ name: "other", shape: ["nrow"], dtype: "int8" }]).with({ na: { size: 4 } });
  assertEquals([cube.arrayShape("other"), [...cube.arrays.keys()]], [[36], ["other"]]);
  assertEquals(CUBE.with({ na: { size: 4 } }).differences(CUBE), [
    "na: 0 to 4 of 4",
    "nb: 0 to 6 of 6",
    "nrow: 0 to 36 of 36",
  ]);
  assertEquals(CUBE.differences(CUBE.with({})), []);
});
