/**
 * Sum, mean, variance and standard deviation over all frames, pixel by pixel, in one pass.
 *
 * Small integers: exact sums of x and x², so that only the final results are rounded. Other samples: Welford's update
 * frame by frame, where partial results are merged by the formula of Chan, Golub and LeVeque (1983).
 *
 * @module
 */

import { kernel } from "../../kernels/registry.ts";
import { type DType, dtypeInfo, isComplex, isExact, partType, unitsOf } from "../../space/dtype.ts";
import type { Udf, UdfMeta } from "../interface/udf.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * Statistics over all frames, pixel by pixel. Results `sum`, `mean`, `var`, `std`: float64, shape of a frame, and
 * `num_frames`. The variance is that of the population (divided by the number of frames). Complex frames: `sum` and
 * `mean` are complex128, the variance is the mean of |x − mean|².
 *
 * @returns the UDF, for a plan, `run` or an analysis of your own
 *
 * @example
 * ```ts
 * import { open, plan, run, standardDeviation } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 5, 3, 5), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const { sd } = await run(await plan(scan, { sd: standardDeviation() }));
 * assertEquals([...sd.std.data], [1, 0]);
 * ```
 * @category Analyses
 */
export function standardDeviation(): UdfRef<Statistics> {
  return builtin("standard_deviation");
}

/**
 * The dtypes of the results of {@link standardDeviation}.
 * @category Analyses
 */
export type Statistics = {
  /** Sum over all frames, per pixel. */
  readonly sum: "float64" | "complex128";
  /** Mean over all frames, per pixel. */
  readonly mean: "float64" | "complex128";
  /** Variance over all frames, per pixel. */
  readonly var: "float64";
  /** Standard deviation over all frames, per pixel. */
  readonly std: "float64";
  /** Number of frames. */
  readonly num_frames: "float64";
};

type Types = Statistics & {
  readonly first: "float64" | "complex128";
  readonly second: "float64" | "complex128";
};

/** The UDF behind `standardDeviation`. */
export function standardDeviationUdf(): Udf<Types, { taskData: Map<number, number> }> {
  return {
    name: "standard_deviation",
    buffers: ({ nativeDType }) => {
      const dtype = isComplex(nativeDType) ? "complex128" : "float64"; // of complex samples: real and imaginary part separately
      return {
        first: { kind: "sig", dtype, use: "private" }, // Σx, or the mean
        second: { kind: "sig", dtype, use: "private" }, // Σx², or Σ(x − mean)²
        num_frames: { kind: "single", dtype: "float64", values: "unknown" },
        sum: { kind: "sig", dtype, use: "result", values: "sums" },
        mean: { kind: "sig", dtype, use: "result", values: "sums" },
        var: { kind: "sig", dtype: "float64", use: "result", values: "squares" },
        std: { kind: "sig", dtype: "float64", use: "result", values: "sums" },
      };
    },
    inputDType: "native",
    raw: "kernels",
    kernels: ["moments", "welford", "welford_merge"],
    tiling: { contiguous: true },
    order: (meta) => countsExactly(meta) ? "any" : "tree",
    taskData: () => new Map<number, number>(),
    processTile(
      { raw, frames, pixels, box },
      { first, second, num_frames },
      { kernels, meta, taskData: counts },
    ) {
      if (countsExactly(meta)) {
        const add = kernel(kernels, "moments", raw.dtype, raw.byteOrder);
        add(first.byteOffset, second.byteOffset, raw.pointer, frames, raw.frameStride, pixels);
        if (isFirst(box.origin)) num_frames[0]! += frames;
        return;
      }
      // All parts of a frame use the same count before it: the count when the first part came.
      if (isFirst(box.origin)) {
        counts.set(0, num_frames[0]!);
        num_frames[0]! += frames;
      }
      const [dtype, units] = [partType(raw.dtype), unitsOf(raw.dtype)];
      const update = kernel(kernels, "welford", dtype, raw.byteOrder);
      update(
        first.byteOffset,
        second.byteOffset,
        counts.get(0)!,
        raw.pointer,
        frames,
        raw.frameStride,
        units * pixels,
      );
    },
    merge(into, from, { kernels, meta }) {
      const [n, m] = [into.num_frames[0]!, from.num_frames[0]!];
      const [a, b] = [into.first, into.second];
      if (countsExactly(meta)) {
        kernels.exports.add_f64(a.byteOffset, from.first.byteOffset, a.length);
        kernels.exports.add_f64(b.byteOffset, from.second.byteOffset, b.length);
      } else {
        const { first, second } = from;
        kernels.exports.welford_merge_f64(
          a.byteOffset,
          b.byteOffset,
          n,
          first.byteOffset,
          second.byteOffset,
          m,
          a.length,
        );
      }
      into.num_frames[0] = n + m;
    },
    results({ first: firsts, second: seconds, num_frames }, meta) {
      const n = num_frames[0]!;
      const exact = countsExactly(meta);
      const parts = firsts.map((x, i) => exact ? varianceOf(x, seconds[i]!, n) : seconds[i]! / n);
      const variance = isComplex(meta.nativeDType) ? pairSums(parts) : parts;
      return {
        sum: exact ? firsts : firsts.map((mean) => mean * n),
        mean: exact ? firsts.map((sum) => sum / n) : n === 0 ? firsts.map(() => NaN) : firsts,
        var: variance,
        std: variance.map(Math.sqrt),
      };
    },
  };
}

/** The sum of both parts of each pair. */
function pairSums(pairs: Float64Array): Float64Array {
  return Float64Array.from({ length: pairs.length / 2 }, (_, i) => pairs[2 * i]! + pairs[2 * i + 1]!);
}

function isFirst(origin: readonly number[]): boolean {
  return origin.every((o) => o === 0);
}

/** Whether Σx² of all frames is below 2^53 for any samples. */
function countsExactly({ nativeDType, frames }: UdfMeta): boolean {
  return isExact(nativeDType) && dtypeInfo(nativeDType).itemSize <= 2 &&
    frames * largest(nativeDType) ** 2 < 2 ** 53;
}

function largest(dtype: DType): number {
  return 2 ** (8 * dtypeInfo(dtype).itemSize);
}

/**
 * (n·Σx² − (Σx)²) / n² with both products exact: each is split into a float and its rounding error (Dekker 1971), as
 * their difference may be much smaller than they are.
 */
function varianceOf(sum: number, squares: number, n: number): number {
  const [a, da] = twoProduct(n, squares);
  const [b, db] = twoProduct(sum, sum);
  return (a - b + (da - db)) / n / n;
}

function twoProduct(x: number, y: number): [number, number] {
  const product = x * y;
  const [xh, xl] = split(x);
  const [yh, yl] = split(y);
  return [product, xh * yh - product + xh * yl + xl * yh + xl * yl];
}

/** High and low half of the 53 bits of `x`. */
function split(x: number): [number, number] {
  const scaled = 134217729 * x; // 2^27 + 1
  const high = scaled - (scaled - x);
  return [high, x - high];
}
