/**
 * The reference kernel for lossless JPEG images (the process of 1992, not JPEG-LS): each sample as the difference from a
 * prediction.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { writer } from "../samples.ts";
import { readBits, Stop } from "./bits.ts";
import { STOPPED } from "../../../../src/kernels/families/jpeg_stops.ts";

/** Interleaved samples. */
export function jpegLossless(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["jpeg_lossless"] {
  const read = reader(memory, dtype), write = writer(memory, dtype), size = dtype === "uint8" ? 1 : 2;
  const view = new DataView(memory.buffer);
  return (
    status,
    state,
    out,
    src,
    length,
    codes,
    plan,
    parts,
    rows,
    width,
    count,
    interval,
    predictor,
    precision,
    _spare,
  ) =>
    readBits(memory, [status, state, src, length], (bits, place) => {
      const step = count * size, stride = width * step;
      let isFirst = true; // in the first row after a restart, samples are predicted from their left
      for (let y = 0; y < rows; y++) {
        place(bits.place);
        for (let x = 0; x < width; x++) {
          if (bits.unit(interval)) isFirst = true;
          for (let p = 0; p < parts; p++) {
            const [component, code] = [0, 4].map((i) => view.getInt32(plan + 8 * p + i, true));
            const bitCount = bits.symbol(new DataView(memory.buffer, codes + code!));
            if (bitCount > 16) throw new Stop(STOPPED.noCode);
            const difference = bitCount === 16 ? 32768 : bits.signed(bitCount);
            const at = out + y * stride + x * step + component! * size;
            const from = isFirst
              ? x === 0 ? 1 << precision - 1 : read(at - step)
              : x === 0
              ? read(at - stride)
              : predicted(predictor, read(at - step), read(at - stride), read(at - stride - step));
            write(at, difference + from);
          }
        }
        if (bits.isCut) throw new Stop(STOPPED.inputEnds);
        isFirst = false;
      }
    });
}

/** From the samples to the left, above, and above the left one. */
function predicted(predictor: number, a: number, b: number, c: number): number {
  switch (predictor) {
    case 1:
      return a;
    case 2:
      return b;
    case 3:
      return c;
    case 4:
      return a + b - c;
    case 5:
      return a + (b - c >> 1);
    case 6:
      return b + (a - c >> 1);
    case 7:
      return a + b >> 1;
    default:
      return 0;
  }
}
