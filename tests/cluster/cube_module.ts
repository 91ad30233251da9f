/** Cubes for the tests, as modules of users make them. */

import { cubeFunction, hypercube } from "@tilewise/tilewise/hypercube";
import { type CubeProblem, workerSource } from "@tilewise/tilewise/unstable/hypercube";

const KERNELS = import.meta.resolve("../hypercube/module_kernels.ts");

/** Rows of numbers: their sums, and a total whose bits depend on the order in which parts are added. */
export function rows({ n, table }: { n: number; table: Float64Array }): CubeProblem {
  return {
    cube: hypercube({
      dimensions: { n, m: 3 },
      arrays: [
        { name: "in", shape: ["n", "m"], dtype: "float64" },
        { name: "more", shape: ["n", "m"], dtype: "float64" },
        { name: "rows", shape: ["n"], dtype: "float64", role: "output" },
        { name: "total", shape: [1], dtype: "float64", role: "output" },
        { name: "vis", shape: ["n", 2], dtype: "complex64", role: "output" },
      ],
    }),
    kernel: cubeFunction(({ arrays: { in: input, more, rows, total, vis } }) => {
      total.data[0] = 0;
      for (const i of rows.data.keys()) {
        rows.data[i] = 0;
        for (let j = 0; j < 3; j++) rows.data[i]! += input.data[3 * i + j]! * more.data[3 * i + j]!;
        total.data[0]! += rows.data[i]!;
        for (let j = 0; j < 4; j++) vis.data[4 * i + j] = j + rows.data[i]!;
      }
    }, { arrays: { in: "float64", more: "float64", rows: "float64", total: "float64", vis: "complex64" } }),
    sources: {
      in: ({ extents: [[from, to] = [0, 0]] }) =>
        Float64Array.from({ length: 3 * (to - from) }, (_, i) => table[(3 * from + i) % table.length]!),
      more: workerSource(KERNELS, { export: "ramp", params: { factor: 0.1 } }),
    },
    merge: { total: "sum" },
    plan: { tile: ["n"], largestTile: 900 },
  };
}

/** Sums of rows by a function that workers import. */
export function imported({ n }: { n: number }): CubeProblem {
  return {
    cube: hypercube({
      dimensions: { n, m: 3 },
      arrays: [
        { name: "in", shape: ["n", "m"], dtype: "float64" },
        { name: "rows", shape: ["n"], dtype: "float64", role: "output" },
        { name: "total", shape: [1], dtype: "float64", role: "output" },
      ],
    }),
    kernel: cubeFunction(KERNELS, { export: "sums" }),
    sources: { in: workerSource(KERNELS, { export: "ramp", params: { factor: 0.1 } }) },
    merge: { total: "sum" },
    plan: { tile: ["n"], largestTile: 900 },
  };
}

/** No function. */
export const nothing = 3;

/** Fails. */
export function broken(): CubeProblem {
  throw new RangeError("no such sky");
}

/** Makes nothing. */
export function empty(): undefined {}

/** Another cube every time. */
export function fickle(): CubeProblem {
  count++;
  const { cube, ...rest } = imported({ n: 50 + count });
  return { cube, ...rest };
}

let count = 0;

/** A cube whose kernel is a job in a module of its own, with a further module. */
export function job(): CubeProblem {
  const { kernel: _, ...rest } = imported({ n: 20 });
  const module = import.meta.resolve("../hypercube/scale_kernel.ts");
  return { ...rest, kernel: { module, export: "scale", modules: [KERNELS] } };
}
