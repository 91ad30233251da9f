/**
 * Reference kernels over visibilities, after the sum over sources: gains, and the comparison with observed ones.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { doubles } from "../samples.ts";
import { adjoint, arithmetic, conj, type Pair } from "./matrix.ts";

/** `vis[row][c] = G_p vis[row][c] G_q^H`. */
export function applyGains(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["apply_gains"] {
  const math = arithmetic(memory, dtype);
  const index = reader(memory, "int32");
  return (vis, gains, antenna1, antenna2, times, rows, antennas, channels, correlations) => {
    const pair = 2 * math.size, bytes = channels * correlations * pair;
    for (let r = 0; r < rows; r++, vis += bytes) {
      const time = times ? index(times + 4 * r) : 0;
      const [p, q] = [antenna1, antenna2].map((list) =>
        gains + (time * antennas + index(list + 4 * r)) * bytes
      );
      for (let at = 0; at < bytes; at += correlations === 4 ? 4 * pair : pair) {
        if (correlations === 4) {
          const left = math.product(math.matrix(p! + at), math.matrix(vis + at));
          math.setMatrix(vis + at, math.product(left, adjoint(math.matrix(q! + at))));
        } else {
          const left = math.times(math.pair(p! + at), math.pair(vis + at));
          math.setPair(vis + at, math.times(left, conj(math.pair(q! + at))));
        }
      }
    }
  };
}

/** `residual = observed − model`, `sums[row] = Σ weight |residual|²`; flagged samples become 0 and do not count. */
export function compareVisibilities(
  memory: WebAssembly.Memory,
  dtype: DType,
): KernelFamilies["compare_visibilities"] {
  const { size, round, get, pair, setPair } = arithmetic(memory, dtype);
  const flagAt = reader(memory, "uint8");
  const { set } = doubles(memory);
  return (model, observed, flags, weights, residual, sums, rows, count) => {
    for (let r = 0; r < rows; r++) {
      let [res, ims] = [0, 0];
      for (let k = 0; k < count; k++) {
        const sample = r * count + k, at = 2 * size * sample;
        const flagged = flags !== 0 && flagAt(flags + sample) !== 0;
        const weight = weights ? get(weights + size * sample) : 1;
        const [o, m] = [pair(observed + at), pair(model + at)];
        const off: Pair = flagged ? [0, 0] : [round(o[0] - m[0]), round(o[1] - m[1])];
        if (flagged) setPair(model + at, off);
        else if (weight !== 0) {
          res += weight * (off[0] * off[0]);
          ims += weight * (off[1] * off[1]);
        }
        setPair(residual + at, off);
      }
      set(sums + 8 * r, res + ims);
    }
  };
}
