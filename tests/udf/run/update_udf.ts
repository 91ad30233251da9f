/** A UDF whose parameters show in everything it computes. */

import type { DType } from "../../../src/space/dtype.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";

/** Parameters of {@link scaled}. */
export interface ScaledParams {
  /** Goes into every frame, on workers. */
  readonly factor: number;
  /** Goes into the results, on the main side. */
  readonly gain: number;
  /** Entries of the constant `weights`, all equal to `factor`. */
  readonly size: number;
  /** Whether there is another buffer. */
  readonly more: boolean;
  /** Milliseconds a frame. */
  readonly ms: number;
}

/** `used`: the factor each frame was computed with; `weight`: the same from a constant; `sum`: all of them, times gain. */
export default function scaled(
  params: Partial<ScaledParams>,
): Udf<Record<"used" | "weight" | "frames" | "sum" | "more", DType>> {
  const { factor = 1, gain = 1, size = 4, more = false, ms = 0 } = params;
  return {
    name: "scaled",
    buffers: {
      used: { kind: "nav", dtype: "float64" },
      weight: { kind: "nav", dtype: "float64" },
      frames: { kind: "single", dtype: "float64", use: "private" },
      sum: { kind: "single", dtype: "float64", use: "result" },
      ...(more ? { more: { kind: "nav" } } : {}) as { more: { kind: "nav" } },
    },
    constants: () => ({ weights: new Float64Array(size).fill(factor) }),
    processFrame(_, { used, weight, frames }, { constants }) {
      for (const end = performance.now() + ms; performance.now() < end;);
      used[0] = factor;
      weight[0] = constants.weights!.at(-1)!;
      frames[0] = Number(frames[0]) + factor;
    },
    merge: (into, from) => void (into.frames[0] = Number(into.frames[0]) + Number(from.frames[0])),
    results: ({ frames }) => ({ sum: Float64Array.of(Number(frames[0]) * gain) }),
  };
}
