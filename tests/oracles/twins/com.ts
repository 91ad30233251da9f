/**
 * Reference kernel of the centre of mass.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../src/kernels/families/families.ts";
import { reader } from "../../../src/memory/sample_reader.ts";
import { doubles } from "./samples.ts";

/** `out[f] += (Σ v, Σ y·v, Σ x·v)` over runs `(y, x0, x1)`. */
export function com(memory: WebAssembly.Memory, dtype: DType, order: ByteOrder): KernelFamilies["com"] {
  const read = reader(memory, dtype, order);
  const { get, set } = doubles(memory);
  const view = new DataView(memory.buffer);
  const { itemSize } = dtypeInfo(dtype);
  const add = (at: number, value: number) => set(at, get(at) + value);
  return (out, outStride, data, frames, frameStride, rowLength, yFirst, runs, count) => {
    for (let f = 0; f < frames; f++) {
      for (let r = 0; r < count; r++) {
        const [y, x0, x1] = [0, 4, 8].map((field) => view.getInt32(runs + 12 * r + field, true)) as [
          number,
          number,
          number,
        ];
        const from = data + f * frameStride + ((y - yFirst) * rowLength + x0) * itemSize;
        const values = Array.from({ length: x1 - x0 }, (_, i) => read(from + i * itemSize));
        const { total, moment } = sums(values);
        add(out + f * outStride, total);
        add(out + f * outStride + 8, y * total);
        add(out + f * outStride + 16, moment + x0 * total);
      }
    }
  };
}

/**
 * Σ v and Σ i·v, in eight lanes: value `i` in lane `k = i mod 8`, where `Σ i·v` is `8 Σ j·v + k Σ v` with `j = ⌊i / 8⌋`.
 */
function sums(values: readonly number[]): { total: number; moment: number } {
  const s = [0, 0, 0, 0, 0, 0, 0, 0], t = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < Math.ceil(values.length / 8) * 8; i++) {
    const value = values[i] ?? 0;
    s[i % 8]! += value;
    t[i % 8]! += Math.floor(i / 8) * value;
  }
  return { total: fold(s), moment: fold(t.map((jv, k) => 8 * jv + k * s[k]!)) };
}

function fold(lane: readonly number[]): number {
  const pair = (i: number) => lane[i]! + lane[i + 4]!;
  return pair(0) + pair(2) + (pair(1) + pair(3));
}
