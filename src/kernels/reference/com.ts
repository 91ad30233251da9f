/**
 * Reference kernel of the centre of mass.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import type { KernelFamilies } from "../families.ts";
import { doubles, reader } from "./samples.ts";

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
        const total = lanes(values, (value) => value);
        add(out + f * outStride, total);
        add(out + f * outStride + 8, y * total);
        add(out + f * outStride + 16, lanes(values, (value, i) => i * value) + x0 * total);
      }
    }
  };
}

/** The sum in four lanes, value `i` in lane `i mod 4`. */
function lanes(values: readonly number[], term: (value: number, i: number) => number): number {
  const lane = [0, 0, 0, 0];
  values.forEach((value, i) => lane[i % 4]! += term(value, i));
  return lane[0]! + lane[2]! + (lane[1]! + lane[3]!);
}
