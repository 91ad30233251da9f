/** Medians of 5 × 5 samples in rows that are longer than the blocks in which the kernel works. */

import { assertEquals } from "@std/assert";
import { median5 } from "../oracles/twins/views/rank.ts";
import { kernel } from "../../src/kernels/registry.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { type DType, dtypeInfo } from "../../src/space/dtype.ts";

await loadKernels();

const SCRATCH = 23_936;

Deno.test("medians of long rows agree with their twin, at the ends of blocks as well", () => {
  const memory = new WebAssembly.Memory({ initial: 16, maximum: 16 });
  const kernels = instantiateKernels(memory);
  for (const dtype of ["uint8", "int16", "uint32", "int64"] satisfies DType[]) {
    const { itemSize } = dtypeInfo(dtype);
    const block = 1024 / itemSize;
    for (const [rows, n] of [[1, block + 1], [2, block - 1], [3, 2 * block], [5, block + 40]] as const) {
      const stride = (n + 4) * itemSize + 3;
      const [data, scratch, out, other] = [5, 2 ** 18, 2 ** 18 + SCRATCH, 2 ** 19] as const;
      let state = rows * n;
      const bytes = new Uint8Array(memory.buffer);
      for (let i = 0; i < 2 ** 18; i++) {
        bytes[i] = (state = Math.imul(state, 1664525) + 1013904223) >>> 24;
      }
      kernel(kernels, "median_5", dtype)(out, n * itemSize, data, stride, rows, n, scratch);
      median5(memory, dtype)(other, n * itemSize, data, stride, rows, n, scratch);
      const size = rows * n * itemSize;
      assertEquals(
        bytes.subarray(out, out + size),
        bytes.subarray(other, other + size),
        `${dtype} ${rows} ${n}`,
      );
    }
  }
});
