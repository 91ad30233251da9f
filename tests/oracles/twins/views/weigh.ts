/**
 * Reference kernels of weighted sums.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { writer } from "../samples.ts";

type WeighKernel = KernelFamilies["weigh_f32"];
type TapsKernel = KernelFamilies["taps_f32"];
type Twin<K> = (memory: WebAssembly.Memory, dtype: DType, order: ByteOrder) => K;

/** `out[y][x] = Σ w[k] data[y][x + k steps]`, every operation rounded to f32. */
export const weighF32: Twin<WeighKernel> = weigh("float32", Math.fround);
/** The same in f64. */
export const weighF64: Twin<WeighKernel> = weigh("float64", (value) => value);
/** `out[i] = Σ w[k] data[i + offsets[k]]`, every operation rounded to f32. */
export const tapsF32: Twin<TapsKernel> = taps("float32", Math.fround);
/** The same in f64. */
export const tapsF64: Twin<TapsKernel> = taps("float64", (value) => value);

/** Sums down columns of samples, and sums of these across rows, with folded weights, every operation rounded to f32. */
export const weighPlane: Twin<KernelFamilies["weigh_plane"]> = (memory, dtype, order) => {
  const [read, weight, write] = [
    reader(memory, dtype, order),
    reader(memory, "float32"),
    writer(memory, "float32"),
  ];
  const { itemSize } = dtypeInfo(dtype);
  const { fround } = Math;
  const foldedSum = (weights: number, count: number, value: (k: number) => number) =>
    sumOf((count + 1) / 2, fround, (k) => {
      const both = 2 * k + 1 === count ? value(k) : fround(value(k) + value(count - 1 - k));
      return fround(weight(weights + 4 * k) * both);
    });
  return (out, outStride, data, rowStride, rows, n, downWeights, down, acrossWeights, across, _between) => {
    for (let y = 0; y < rows; y++) {
      const between = Array.from(
        { length: n + across - 1 },
        (_, x) => foldedSum(downWeights, down, (k) => read(data + (y + k) * rowStride + x * itemSize)),
      );
      for (let x = 0; x < n; x++) {
        write(out + y * outStride + 4 * x, foldedSum(acrossWeights, across, (k) => between[x + k]!));
      }
    }
  };
};

type Round = (value: number) => number;

function weigh(float: DType, round: Round): Twin<WeighKernel> {
  return (memory, dtype, order) => {
    const [read, weight, write] = [
      reader(memory, dtype, order),
      reader(memory, float),
      writer(memory, float),
    ];
    const [item, size] = [dtypeInfo(dtype).itemSize, dtypeInfo(float).itemSize];
    return (out, outStride, data, rowStride, rows, n, step, weights, count, fold) => {
      for (let y = 0; y < rows; y++) {
        for (let x = 0; x < n; x++) {
          const sample = (k: number) => read(data + y * rowStride + x * item + k * step);
          const value = (k: number) => {
            if (fold === 0 || 2 * k + 1 === count) return sample(k);
            return round(sample(k) + fold * sample(count - 1 - k));
          };
          const terms = fold === 0 ? count : (count + 1) / 2;
          const sum = sumOf(terms, round, (k) => round(weight(weights + k * size) * value(k)));
          write(out + y * outStride + x * size, sum);
        }
      }
    };
  };
}

function taps(float: DType, round: Round): Twin<TapsKernel> {
  return (memory, dtype, order) => {
    const [read, weight, write] = [
      reader(memory, dtype, order),
      reader(memory, float),
      writer(memory, float),
    ];
    const offset = reader(memory, "uint32");
    const [item, size] = [dtypeInfo(dtype).itemSize, dtypeInfo(float).itemSize];
    return (out, data, n, offsets, weights, count) => {
      for (let i = 0; i < n; i++) {
        const sample = (k: number) => read(data + i * item + offset(offsets + 4 * k));
        const sum = sumOf(count, round, (k) => round(weight(weights + k * size) * sample(k)));
        write(out + i * size, sum);
      }
    };
  };
}

function sumOf(count: number, round: Round, term: (k: number) => number): number {
  let sum = 0;
  for (let k = 0; k < count; k++) sum = round(sum + term(k));
  return sum;
}
