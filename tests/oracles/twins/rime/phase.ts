/**
 * Reference kernel of the complex phase of radio interferometry.
 *
 * The steps are the same as in the fast kernel, one number at a time, so both give the same bits. Tests compare them
 * with `Math` and with independent values.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { doubles } from "../samples.ts";
import { numbersOf } from "./numbers.ts";
import { expOfTurns, expOfTurnsSingle } from "./turns.ts";

/** `out[s][r][c] = exp(2πi · (u l + v m + w (n − 1)) / speed · frequency[c])`. */
export function complexPhase(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["complex_phase"] {
  const { get } = doubles(memory);
  const { set, size } = numbersOf(memory, dtype);
  const exp = size === 8 ? expOfTurns : expOfTurnsSingle;
  return (out, lm, uvw, frequency, sources, rows, channels, speed) => {
    for (let s = 0; s < sources; s++) {
      const [l, m] = [get(lm + 16 * s), get(lm + 16 * s + 8)];
      const square = l * l + m * m;
      const n1 = -square / (1 + Math.sqrt(1 - square));
      for (let r = 0; r < rows; r++) {
        const at = uvw + 24 * r;
        const delay = (get(at) * l + get(at + 8) * m + get(at + 16) * n1) / speed;
        for (let c = 0; c < channels; c++, out += 2 * size) {
          const [re, im] = exp(delay * get(frequency + 8 * c));
          set(out, re);
          set(out + size, im);
        }
      }
    }
  };
}
