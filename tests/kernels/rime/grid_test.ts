/** Grids: samples beside the planes that are there touch none but these, in kernels and twins. */

import { assertEquals } from "@std/assert";
import { instantiateKernels, loadKernels } from "../../../src/kernels/wasm.ts";
import type { KernelFamilies } from "../../../src/kernels/families/families.ts";
import { gridGather, gridSpread } from "../../oracles/twins/rime/grid.ts";
import { kernel } from "../../../src/kernels/registry.ts";

await loadKernels(["core", "rime"]);

const [RECORDS, ORDER, TABLE, SCRATCH, GRID] = [1024, 2048, 3072, 4096, 8192];
const [WIDTH, HEIGHT, PLANES, SUPPORT] = [4, 4, 2, 2];
const ROW = 16 * (WIDTH + SUPPORT + 1);

interface Grids {
  readonly memory: WebAssembly.Memory;
  readonly spread: KernelFamilies["grid_spread"];
  readonly gather: KernelFamilies["grid_gather"];
}

function gridsOf(isTwin: boolean): Grids {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
  if (isTwin) {
    return { memory, spread: gridSpread(memory, "float64"), gather: gridGather(memory, "float64") };
  }
  const kernels = instantiateKernels(memory);
  const [spread, gather] = [
    kernel(kernels, "grid_spread", "float64"),
    kernel(kernels, "grid_gather", "float64"),
  ];
  return { memory, spread, gather };
}

for (const name of ["kernel", "twin"]) {
  Deno.test(`${name}: samples between the first plane and none, and between none and the last one`, () => {
    const { memory, spread, gather } = gridsOf(name === "twin");
    const f64 = (at: number, length: number) => new Float64Array(memory.buffer, at, length);
    const places = [ROW, HEIGHT * ROW, TABLE, 0, SUPPORT, SUPPORT, SCRATCH] as const;
    f64(TABLE, 4).set([1, 1, 0, 0]); // all weights are 1
    new Int32Array(memory.buffer, ORDER, 2).set([0, 1]);
    // x, y, w and value: planes from w - 1 on, two of them; the planes that are there are 0 and 1
    f64(RECORDS, 10).set([1.5, 1.5, -0.5, 3, 5, 1.5, 1.5, 1.5, 7, 11]);
    const plane = HEIGHT * ROW;
    const around = f64(GRID - plane, (PLANES + 2) * plane / 8);
    spread(GRID, RECORDS, ORDER, 2, WIDTH, HEIGHT, 0, HEIGHT, 0, PLANES, ...places);
    const sums = [0, 1, 2, 3].map((p) =>
      around.subarray(p * plane / 8, (p + 1) * plane / 8)
        .reduce((sum, value) => sum + value, 0)
    );
    assertEquals(sums, [0, 4 * (3 + 5), 4 * (7 + 11), 0]);
    around.fill(1);
    f64(RECORDS + 24, 2).fill(0);
    f64(RECORDS + 64, 2).fill(0);
    gather(RECORDS, GRID, ORDER, 2, WIDTH, HEIGHT, 0, PLANES, ...places);
    assertEquals([...f64(RECORDS + 24, 2), ...f64(RECORDS + 64, 2)], [4, 4, 4, 4]);
  });
}
