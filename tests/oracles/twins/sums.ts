/**
 * Reference kernels that add samples.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../src/kernels/families/families.ts";
import { reader } from "../../../src/memory/sample_reader.ts";
import { doubles } from "./samples.ts";

/** `acc[p] += data[f][p]`, frame after frame. */
export function sumFrames(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["sum_frames"] {
  const read = reader(memory, dtype, order);
  const { get, set } = doubles(memory);
  const size = dtypeInfo(dtype).itemSize;
  return (acc, data, frames, frameStride, pixels) => {
    for (let p = 0; p < pixels; p++) {
      let sum = get(acc + 8 * p);
      for (let f = 0; f < frames; f++) sum += read(data + f * frameStride + p * size);
      set(acc + 8 * p, sum);
    }
  };
}
