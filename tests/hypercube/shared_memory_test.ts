/** Outputs that workers put into place: the same arrays as those of sinks on the calling thread. */

import "../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { createContext } from "../../src/runner/context.ts";
import { hypercube } from "../../src/hypercube/cube/cube.ts";
import { planTiles } from "../../src/hypercube/run/run_cube.ts";
import { toMemory, toSharedMemory } from "../../src/hypercube/providers/sinks/memory.ts";
import { cubeExpression } from "../../src/hypercube/run/kernels/expression.ts";
import { run as runCube } from "../../src/run.ts";

const cube = hypercube({
  dimensions: { a: 3, b: 10, c: 7 },
  arrays: [
    { name: "x", shape: ["a", "b", "c"], dtype: "float32" },
    { name: "y", shape: ["a", "b", "c"], dtype: "float32", role: "output" },
  ],
});

const x = ({ extents }: { readonly extents: readonly (readonly [number, number])[] }) => {
  const [[a0, a1], [b0, b1], [c0, c1]] = extents as [[number, number], [number, number], [number, number]];
  const out: number[] = [];
  for (let a = a0; a < a1; a++) {
    for (let b = b0; b < b1; b++) for (let c = c0; c < c1; c++) out.push(100 * a + 10 * b + c);
  }
  return Float32Array.from(out);
};

for (const workers of [0, 2]) {
  for (const tile of [["a"], ["b"], ["b", "c"], ["a", "b", "c"]]) {
    Deno.test(`tiles along ${tile} come to their places with ${workers} workers, in any type`, async () => {
      await using context = createContext({ memory: "1MiB", workers });
      const plan = planTiles(cube, { context, tile, largestTile: 400, inFlight: 3 });
      const [here, same, wide] = [toMemory("y"), toSharedMemory(["y"]), toSharedMemory(["y"], "float64")];
      const kernel = cubeExpression({ y: "2 * x" });
      const report = await runCube(plan, { kernel, sources: { x }, sinks: [here, same, wide] });
      const expected = [...here.array("y").data];
      assertEquals(expected[expected.length - 1], 2 * 296);
      for (const [sink, kind] of [[same, "Float32Array"], [wide, "Float64Array"]] as const) {
        const { data, shape } = sink.array("y");
        assertEquals([data.constructor.name, shape, [...data]], [kind, [3, 10, 7], expected]);
      }
      assertEquals(same.array("y").data.buffer instanceof ArrayBuffer, workers === 0);
      assertEquals(report.bytesWritten, 3 * 4 * 210);
    });
  }
}

Deno.test("a second run has arrays of its own", async () => {
  await using context = createContext({ memory: "1MiB", workers: 1 });
  const sink = toSharedMemory(["y"]);
  const run = async (y: string) => {
    await runCube(planTiles(cube, { context }), {
      kernel: cubeExpression({ y }),
      sources: { x },
      sinks: [sink],
    });
    return sink.array("y").data;
  };
  const [first, second] = [await run("2 * x"), await run("3 * x")];
  assertEquals([first[1], second[1]], [2, 3]);
});
