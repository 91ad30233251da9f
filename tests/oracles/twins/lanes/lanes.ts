/**
 * Reference kernels of eight small images at once: cut out, logarithm, products. Image i of element e is the f32 number
 * 8 e + i.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";

const f = Math.fround;

function singles(memory: WebAssembly.Memory) {
  const view = new DataView(memory.buffer);
  return {
    get: (at: number) => view.getFloat32(at, true),
    set: (at: number, value: number) => view.setFloat32(at, value, true),
    int: (at: number) => view.getInt32(at, true),
  };
}

/** Cut-outs of a frame; 0 outside of it. */
export function lanesCrop(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["lanes_crop"] {
  return cropping(memory, dtype, order, () => 0);
}

/** Cut-outs of a frame, each minus its lowest sample; outside of the frame samples count as 0. */
export function lanesCropLow(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["lanes_crop"] {
  return cropping(memory, dtype, order, (values) => values.reduce((a, b) => b < a ? b : a, Infinity));
}

function cropping(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
  offset: (values: readonly number[]) => number,
): KernelFamilies["lanes_crop"] {
  const read = reader(memory, dtype, order);
  const { itemSize } = dtypeInfo(dtype);
  const { set, int } = singles(memory);
  return (out, size, data, height, width, corners, count) => {
    for (let i = 0; i < 8; i++) {
      const values = Array.from({ length: size * size }, (_, e) => {
        const y = i < count ? int(corners + 8 * i) + Math.floor(e / size) : -1;
        const x = i < count ? int(corners + 8 * i + 4) + e % size : -1;
        const inside = y >= 0 && y < height && x >= 0 && x < width;
        return inside ? read(data + (y * width + x) * itemSize) : 0;
      });
      const least = offset(values);
      values.forEach((value, e) => set(out + 32 * e + 4 * i, value - least));
    }
  };
}

/** `log(x − min x + 1)` image by image, or only the check for NaN and infinities. */
export function lanesLog(memory: WebAssembly.Memory): KernelFamilies["lanes_log"] {
  const { get, set } = singles(memory);
  return (data, most, elements, log) => {
    for (let i = 0; i < 8; i++) {
      const places = Array.from({ length: elements }, (_, e) => data + 32 * e + 4 * i);
      const values = places.map(get);
      const fine = values.every(Number.isFinite);
      const least = values.reduce((a, b) => Math.min(a, b), Infinity);
      const range = f(values.reduce((a, b) => Math.max(a, b), -Infinity) - least);
      const change = (x: number) => log ? logOf(f(f(x - least) + 1)) : x;
      places.forEach((place, e) => set(place, fine ? change(values[e]!) : 0));
      set(most + 4 * i, !fine ? NaN : log ? logOf(f(range + 1)) : range);
    }
  };
}

/** `log(x − least + 1)`, sample by sample. */
export function logScale(memory: WebAssembly.Memory): KernelFamilies["log_scale"] {
  const { get, set } = singles(memory);
  return (data, n, least) => {
    for (let at = data; at < data + 4 * n; at += 4) set(at, logOf(f(f(get(at) - f(least)) + 1)));
  };
}

const bits = new DataView(new ArrayBuffer(4));
const ROOT_HALF = 0x3f3504f3; // the bits of √½

/** `x = 2^k m` with m in [√½, √2), `log m = 2 artanh ((m − 1) / (m + 1))` as a series, every operation in f32. */
function logOf(x: number): number {
  bits.setFloat32(0, x);
  const moved = (bits.getInt32(0) - ROOT_HALF) | 0;
  bits.setInt32(0, (moved & 0x007fffff) + ROOT_HALF);
  const m = bits.getFloat32(0), k = moved >> 23;
  const s = f(f(m - 1) / f(m + 1)), z = f(s * s);
  const series = [1 / 7, 1 / 5, 1 / 3].reduce((sum, term) => f(f(z * sum) + f(term)), f(1 / 9));
  const rest = f(f(f(z * series) * s) + s);
  return f(f(k * f(Math.LN2)) + f(rest + rest));
}

/** Products of complex numbers, pair by pair. */
export function multiplyPairs(memory: WebAssembly.Memory): KernelFamilies["multiply_pairs"] {
  const { get, set } = singles(memory);
  return (data, factors, n) => {
    for (let at = 0; at < 8 * n; at += 8) {
      const [r, i] = [get(data + at), get(data + at + 4)];
      const [c, s] = [get(factors + at), get(factors + at + 4)];
      set(data + at, f(f(r * c) - f(i * s)));
      set(data + at + 4, f(f(r * s) + f(i * c)));
    }
  };
}

/** Images i and i + 4 as one complex image, times one pair (re, im) per element. */
export function lanesMultiply(memory: WebAssembly.Memory): KernelFamilies["lanes_multiply"] {
  const { get, set } = singles(memory);
  return (data, factors, elements) => {
    for (let e = 0; e < elements; e++) {
      const [c, s] = [get(factors + 8 * e), get(factors + 8 * e + 4)];
      for (let at = data + 32 * e; at < data + 32 * e + 16; at += 4) {
        const [r, i] = [get(at), get(at + 16)];
        set(at, f(f(r * c) - f(i * s)));
        set(at + 16, f(f(r * s) + f(i * c)));
      }
    }
  };
}

/** Sums of weighted neighbours, weight by weight. */
export function lanesCorrelate(memory: WebAssembly.Memory): KernelFamilies["lanes_correlate"] {
  const { get, set, int } = singles(memory);
  return (out, size, data, pitch, taps, weights, count) => {
    for (let e = 0; e < size * size; e++) {
      const first = data + 32 * (Math.floor(e / size) * pitch + e % size);
      for (let i = 0; i < 32; i += 4) {
        let sum = 0;
        for (let t = 0; t < count; t++) {
          sum = f(sum + f(get(weights + 4 * t) * get(first + 32 * int(taps + 4 * t) + i)));
        }
        set(out + 32 * e + i, sum);
      }
    }
  };
}
