/**
 * The best plain TypeScript for the kernels that have one: loops over typed arrays, with the signatures of the kernels.
 *
 * It answers what a user would get without WebAssembly; the twins in `tests/oracles/twins/` are written to be right.
 *
 * @module
 */

import type { KernelFamilies, KernelFamily } from "../../src/kernels/families/families.ts";
import type { KernelRow } from "../../tests/oracles/rows/catalogue.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray } from "../../src/space/dtype.ts";

/** The whole memory by type of number; addresses divided by the size of a number are places. */
interface Views {
  /** The samples. */
  readonly x: Exclude<TypedArray, BigInt64Array | BigUint64Array>;
  /** Bytes of a sample. */
  readonly size: number;
  /** Doubles, floats, whole numbers. */
  readonly f64: Float64Array;
  readonly f32: Float32Array;
  readonly i32: Int32Array;
  readonly i16: Int16Array;
}

/** Makes a kernel of plain loops; it uses nothing but its argument, so that it can be compiled anew for each type. */
type Make<F extends KernelFamily> = (views: Views) => KernelFamilies[F];

/** Products with masks whose weights are `w`, each `bytes` long: four masks share the samples that they load. */
type Dot = (views: Views, w: TypedArray, bytes: number) => KernelFamilies["dot_f32"];

const dot: Dot = ({ x, size, f64 }, weights, bytes) => {
  const w = weights as Float64Array;
  return (out, outStride, data, frames, frameStride, masks, maskCount, maskStride, rows, rowLength) => {
    const [n, stride] = [rows * rowLength, maskStride / bytes];
    for (let f = 0; f < frames; f++) {
      const [from, to] = [(data + f * frameStride) / size, (out + f * outStride) / 8];
      let m = 0;
      for (; m + 4 <= maskCount; m += 4) {
        let a = 0, b = 0, c = 0, d = 0;
        let at = masks / bytes + m * stride;
        for (let p = from; p < from + n; p++, at++) {
          const value = x[p]!;
          a += value * w[at]!;
          b += value * w[at + stride]!;
          c += value * w[at + 2 * stride]!;
          d += value * w[at + 3 * stride]!;
        }
        f64[to + m]! += a;
        f64[to + m + 1]! += b;
        f64[to + m + 2]! += c;
        f64[to + m + 3]! += d;
      }
      for (; m < maskCount; m++) {
        let sum = 0;
        const at = masks / bytes + m * stride;
        for (let p = 0; p < n; p++) sum += x[from + p]! * w[at + p]!;
        f64[to + m]! += sum;
      }
    }
  };
};

const PLAIN: { readonly [F in KernelFamily]?: Make<F> } = {
  sum_frames: ({ x, size, f64 }) => (acc, data, frames, frameStride, pixels) => {
    const [to, step] = [acc / 8, frameStride / size];
    let f = 0;
    for (; f + 4 <= frames; f += 4) { // four frames for one look at the sums
      const from = data / size + f * step;
      for (let p = 0; p < pixels; p++) {
        const a = x[from + p]! + x[from + step + p]!;
        f64[to + p]! += a + x[from + 2 * step + p]! + x[from + 3 * step + p]!;
      }
    }
    for (; f < frames; f++) {
      for (let p = 0; p < pixels; p++) f64[to + p]! += x[data / size + f * step + p]!;
    }
  },
  sum_pixels: ({ x, size, f64 }) => (out, outStride, data, frames, frameStride, rows, rowLength) => {
    for (let f = 0; f < frames; f++) {
      const from = (data + f * frameStride) / size;
      let sum = 0;
      for (let p = from; p < from + rows * rowLength; p++) sum += x[p]!;
      f64[(out + f * outStride) / 8]! += sum;
    }
  },
  min_max: ({ x, size, f64 }) => (out, data, n) => {
    let least = f64[out / 8]!, most = f64[out / 8 + 1]!;
    for (let p = data / size; p < data / size + n; p++) {
      const value = x[p]!;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    f64[out / 8] = least;
    f64[out / 8 + 1] = most;
  },
  moments: ({ x, size, f64 }) => (sum, squares, data, frames, frameStride, pixels) => {
    const [s, q] = [sum / 8, squares / 8];
    for (let f = 0; f < frames; f++) {
      const from = (data + f * frameStride) / size;
      for (let p = 0; p < pixels; p++) {
        const value = x[from + p]!;
        f64[s + p]! += value;
        f64[q + p]! += value * value;
      }
    }
  },
  welford: ({ x, size, f64 }) => (mean, m2, before, data, frames, frameStride, pixels) => {
    const [m, q] = [mean / 8, m2 / 8];
    for (let f = 0; f < frames; f++) {
      const from = (data + f * frameStride) / size;
      const share = 1 / (before + f + 1);
      for (let p = 0; p < pixels; p++) {
        const d = x[from + p]! - f64[m + p]!;
        const next = f64[m + p]! + d * share;
        f64[q + p]! += d * (x[from + p]! - next);
        f64[m + p] = next;
      }
    }
  },
  add: ({ x, size }) => (dst, src, n) => {
    for (let i = 0; i < n; i++) x[dst / size + i]! += x[src / size + i]!;
  },
  convert_f32: ({ x, size, f32 }) => (dst, src, n) => {
    const [to, from] = [dst / 4, src / size];
    for (let i = 0; i < n; i++) f32[to + i] = x[from + i]!;
  },
  convert_f64: ({ x, size, f64 }) => (dst, src, n) => {
    const [to, from] = [dst / 8, src / size];
    for (let i = 0; i < n; i++) f64[to + i] = x[from + i]!;
  },
  correct_f32: ({ x, size, f32 }) => (dst, dstStride, src, srcStride, frames, dark, gain, pixels) => {
    const [d, g] = [dark / 4, gain / 4];
    for (let f = 0; f < frames; f++) {
      const [to, from] = [(dst + f * dstStride) / 4, (src + f * srcStride) / size];
      for (let p = 0; p < pixels; p++) f32[to + p] = (x[from + p]! - f32[d + p]!) * f32[g + p]!;
    }
  },
  correct_pairs: ({ x, size }) => (dst, dstStride, src, srcStride, frames, dark, gain, pixels) => {
    const [d, g] = [dark / size, gain / size];
    for (let f = 0; f < frames; f++) {
      const [to, from] = [(dst + f * dstStride) / size, (src + f * srcStride) / size];
      for (let at = 0; at < 2 * pixels; at += 2) {
        const [r, i] = [x[from + at]! - x[d + at]!, x[from + at + 1]! - x[d + at + 1]!];
        const [c, s] = [x[g + at]!, x[g + at + 1]!];
        x[to + at] = r * c - i * s;
        x[to + at + 1] = r * s + i * c;
      }
    }
  },
  correct_f64: ({ x, size, f64 }) => (dst, dstStride, src, srcStride, frames, dark, gain, pixels) => {
    const [d, g] = [dark / 8, gain / 8];
    for (let f = 0; f < frames; f++) {
      const [to, from] = [(dst + f * dstStride) / 8, (src + f * srcStride) / size];
      for (let p = 0; p < pixels; p++) f64[to + p] = (x[from + p]! - f64[d + p]!) * f64[g + p]!;
    }
  },
  com: ({ x, size, f64, i32 }) =>
  (
    out,
    outStride,
    data,
    frames,
    frameStride,
    rowLength,
    yFirst,
    runs,
    count,
  ) => {
    for (let f = 0; f < frames; f++) {
      let total = 0, ys = 0, xs = 0;
      for (let r = runs / 4; r < runs / 4 + 3 * count; r += 3) {
        const from = (data + f * frameStride) / size + (i32[r]! - yFirst) * rowLength;
        let sum = 0;
        for (let i = i32[r + 1]!; i < i32[r + 2]!; i++) {
          const value = x[from + i]!;
          sum += value;
          xs += i * value;
        }
        total += sum;
        ys += i32[r]! * sum;
      }
      const to = (out + f * outStride) / 8;
      f64[to]! += total;
      f64[to + 1]! += ys;
      f64[to + 2]! += xs;
    }
  },
  log_product: ({ x, size, f64 }) => (product, powers, data, pixels) => {
    const [to, from, limit] = [product / 8, data / size, 2 ** 512];
    let least = Infinity;
    for (let p = from; p < from + pixels; p++) if (x[p]! < least) least = x[p]!;
    for (let p = 0; p < pixels; p++) {
      const old = f64[to + p]!;
      let next = (old < 1 ? 1 : old) * (x[from + p]! - least + 1);
      if (next >= limit) (next /= limit, f64[powers / 8 + p]!++);
      f64[to + p] = next;
    }
  },
  deviation: ({ x, size, f64, i32 }) =>
  (
    out,
    outStride,
    data,
    frames,
    frameStride,
    rowLength,
    runs,
    count,
  ) => {
    for (let f = 0; f < frames; f++) {
      const first = (data + f * frameStride) / size;
      let n = 0, sum = 0, squares = 0;
      for (let r = runs / 4; r < runs / 4 + 3 * count; r += 3) {
        const from = first + i32[r]! * rowLength;
        for (let i = i32[r + 1]!; i < i32[r + 2]!; i++) sum += x[from + i]!;
        n += i32[r + 2]! - i32[r + 1]!;
      }
      const mean = sum / n;
      for (let r = runs / 4; r < runs / 4 + 3 * count; r += 3) {
        const from = first + i32[r]! * rowLength;
        for (let i = i32[r + 1]!; i < i32[r + 2]!; i++) {
          squares += (x[from + i]! - mean) * (x[from + i]! - mean);
        }
      }
      f64[(out + f * outStride) / 8] = Math.sqrt(squares / n);
    }
  },
  magnitudes: ({ x, size, f64, i32 }) => (out, data, rowLength, runs, count) => {
    let sum = 0;
    for (let r = runs / 4; r < runs / 4 + 3 * count; r += 3) {
      const from = data / size + 2 * i32[r]! * rowLength;
      for (let i = from + 2 * i32[r + 1]!; i < from + 2 * i32[r + 2]!; i += 2) {
        sum += Math.sqrt(x[i]! * x[i]! + x[i + 1]! * x[i + 1]!);
      }
    }
    f64[out / 8] = sum;
  },
};

/** The plain TypeScript of a kernel over `memory`; nothing where there is none, or for samples that no loop reads as they are. */
export function plainKernel(
  { family, dtype, order }: KernelRow,
  memory: WebAssembly.Memory,
): ((...args: readonly number[]) => void) | undefined {
  const { itemSize } = dtypeInfo(dtype);
  if ((order === "big" && itemSize > 1) || dtype === "int64" || dtype === "uint64") return undefined;
  const views = viewsOf(memory, dtype);
  if (family === "dot_f32") return anew(dot)(views, views.f32, 4) as never;
  if (family === "dot_f64") return anew(dot)(views, views.f64, 8) as never;
  if (family === "dot_i16") return anew(dot)(views, views.i16, 2) as never;
  const make = PLAIN[family];
  return make && anew(make as Make<"add">)(views) as never;
}

/** The same function as code of its own: V8 keeps the types that code has met, and would slow down from the second on. */
function anew<F>(make: F): F {
  return new Function(`return (${make});`)() as F;
}

function viewsOf({ buffer }: WebAssembly.Memory, dtype: DType): Views {
  const { itemSize } = dtypeInfo(dtype);
  return {
    x: typedArray(dtype, buffer, 0, buffer.byteLength / itemSize) as Views["x"],
    size: itemSize,
    f64: new Float64Array(buffer),
    f32: new Float32Array(buffer),
    i32: new Int32Array(buffer),
    i16: new Int16Array(buffer),
  };
}
