/** The plain TypeScript that the bench compares kernels with computes the same. */

import { comparePlain } from "../../bench/kernels/kernels_bench.ts";

import { kernelRows } from "../oracles/rows/catalogue.ts";
import { instantiateKernels } from "../../src/kernels/wasm.ts";

Deno.test("kernels and the plain TypeScript of the bench give the same but for rounding", () => {
  const memory = new WebAssembly.Memory({ initial: 64, maximum: 64, shared: true });
  const kernels = instantiateKernels(memory);
  for (const row of kernelRows()) comparePlain(row, kernels);
});
