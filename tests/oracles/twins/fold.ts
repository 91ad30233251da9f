/**
 * Reference kernels of folded frames.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../src/kernels/families/families.ts";
import { reader } from "../../../src/memory/sample_reader.ts";

type FoldKernel = KernelFamilies["fold_f32"];

/** Sums and differences in f32. */
export function foldF32(memory: WebAssembly.Memory, dtype: DType, order: ByteOrder): FoldKernel {
  const view = new DataView(memory.buffer);
  return fold(memory, dtype, order, 4, Math.fround, (at, value) => view.setFloat32(at, value, true));
}

/** Sums and differences in f64. */
export function foldF64(memory: WebAssembly.Memory, dtype: DType, order: ByteOrder): FoldKernel {
  const view = new DataView(memory.buffer);
  return fold(memory, dtype, order, 8, (value) => value, (at, value) => view.setFloat64(at, value, true));
}

function fold(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
  size: number,
  round: (value: number) => number,
  write: (at: number, value: number) => void,
): FoldKernel {
  const read = reader(memory, dtype, order);
  const view = new DataView(memory.buffer);
  const { itemSize } = dtypeInfo(dtype);
  return (out, outStride, planeStride, planes, data, frames, frameStride, runs, count) => {
    for (let f = 0; f < frames; f++) {
      let to = out + f * outStride;
      for (let run = runs; run < runs + 20 * count; run += 20) {
        const [a, b, c, d, n] = [0, 4, 8, 12, 16].map((field) => view.getInt32(run + field, true)) as [
          number,
          number,
          number,
          number,
          number,
        ];
        const value = (start: number, i: number) =>
          start < 0 ? 0 : round(read(data + f * frameStride + (start + i) * itemSize));
        for (let i = 0; i < n; i++, to += size) {
          if (planes === 1) {
            write(to, value(a, i));
            continue;
          }
          const [va, vb, vc, vd] = [value(a, i), value(b, -i), value(c, i), value(d, -i)];
          const [ab, cd, amb, cmd] = [round(va + vb), round(vc + vd), round(va - vb), round(vc - vd)];
          [ab + cd, amb + cmd, ab - cd, amb - cmd].forEach((sum, p) => write(to + p * planeStride, sum));
        }
      }
    }
  };
}
