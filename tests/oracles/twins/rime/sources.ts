/**
 * Reference kernels of sources: how bright they are at a frequency, and how much of them long baselines see.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { doubles } from "../samples.ts";
import { numbersOf } from "./numbers.ts";

/** Products of Stokes parameters at each frequency with the rows of `combine`. */
export function rimeBrightness(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["rime_brightness"] {
  const { set, size, lanes } = numbersOf(memory, dtype);
  const { get } = doubles(memory);
  return (
    out,
    stokes,
    sourceStride,
    channelStride,
    combine,
    planes,
    frequency,
    reference,
    terms,
    termCount,
    spectrum,
    sources,
    channels,
  ) => {
    for (let s = 0; s < sources; s++) {
      const t = Array.from({ length: termCount }, (_, i) => get(terms + 8 * (s * termCount + i)));
      for (let lane = 0; lane < lanes; lane++) {
        const c = Math.min(lane, channels - 1);
        const at = stokes + s * sourceStride + c * channelStride;
        const x = spectrum === 0 ? 1 : get(frequency + 8 * c) / get(reference + 8 * s);
        const factor = spectrum === 1 ? powerLaw(t, x) : 1;
        const more = spectrum === 2 ? (x - 1) * polynomial(t, x - 1) : 0;
        const [i, q, u, v] = [
          factor * get(at) + more,
          ...[8, 16, 24].map((b) => factor * get(at + b)),
        ] as Four;
        for (let k = 0; k < planes; k++) {
          const [a, b, c, d] = [0, 8, 16, 24].map((at) => get(combine + 32 * k + at)) as Four;
          set(out + 16 * (s * planes + k) + lane * size, a * i + b * q + c * u + d * v);
        }
      }
    }
  };
}

type Four = [number, number, number, number];

function powerLaw(terms: readonly number[], x: number): number {
  const y = ln(x);
  return exp(y * polynomial(terms, y * 0.4342944819032518));
}

function polynomial(terms: readonly number[], y: number): number {
  return terms.reduceRight((sum, term) => sum * y + term, 0);
}

/** What pairs see of extended sources. */
export function rimeTapers(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["rime_tapers"] {
  const { set, size, lanes, round } = numbersOf(memory, dtype);
  const { get } = doubles(memory);
  const int = reader(memory, "int32");
  const gaussian = size === 8 ? exp : expSingle;
  return (out, shape, shapes, uvw, pairs, count, frequency, sources, channels, factor) => {
    for (let i = 0; i < count; i++) {
      const [p, q] = [int(pairs + 12 * i), int(pairs + 12 * i + 4)];
      const along = (axis: number) => get(uvw + 24 * p + axis) - (q < 0 ? 0 : get(uvw + 24 * q + axis));
      const square = shape === 1 ? gaussianSquare : diskSquare;
      for (let s = 0; s < sources; s++) {
        const [x, y, z] = [0, 8, 16].map((b) => get(shapes + 24 * s + b)) as [number, number, number];
        for (let lane = 0; lane < lanes; lane++) {
          const nu = lane < channels ? get(frequency + 8 * lane) : 0;
          const k = round(square(x, y, z, along(0), along(8), factor) * (nu * nu));
          const d = round(1 + k);
          const seen = shape === 1 ? gaussian(-k) : round(1 / round(d * round(Math.sqrt(d))));
          set(out + 16 * (i * sources + s) + lane * size, seen);
        }
      }
    }
  };
}

function gaussianSquare(
  lproj: number,
  mproj: number,
  ratio: number,
  u: number,
  v: number,
  factor: number,
): number {
  const a = (u * mproj - v * lproj) * ratio * factor, b = (u * lproj + v * mproj) * factor;
  return a * a + b * b;
}

function diskSquare(e1: number, e2: number, scale: number, u: number, v: number, factor: number): number {
  const k = factor * scale / (1 - e1 * e1 - e2 * e2);
  const a = (u * (1 + e1) + v * e2) * k, b = (u * e2 + v * (1 - e1)) * k;
  return a * a + b * b;
}

const EXP = [
  0.5,
  0.16666666666666669,
  0.04166666666662413,
  0.008333333333330062,
  0.0013888888917213717,
  0.00019841269863053618,
  2.4801521295954376e-05,
  2.7557268459997064e-06,
  2.7620088445409746e-07,
  2.510038549551032e-08,
] as const;
const EXP_SINGLE = [
  0.5,
  0.16666576266288757,
  0.041666556149721146,
  0.008363178931176662,
  0.0013926184037700295,
] as const;
const LN = [
  0.666666666666667,
  0.3999999999989931,
  0.2857142862606338,
  0.22222211120449298,
  0.1818289017031397,
  0.15331686868638428,
  0.14616878919029822,
] as const;
const [LN2_HIGH, LN2_LOW] = [0.6931471803691238, 1.9082149292705877e-10];

/** The exponential function as the kernels compute it: 0 below the least normal number. */
export function exp(x: number): number {
  if (x < -708) return 0;
  const n = Math.round(x * 1.4426950408889634);
  const r = x - n * LN2_HIGH - n * LN2_LOW;
  const p = EXP.reduceRight((sum, c) => sum * r + c, 0);
  return (r * r * p + r + 1) * 2 ** n;
}

function expSingle(x: number): number {
  if (x < -87) return 0;
  const f = Math.fround;
  const n = Math.round(f(x * f(1.4426950408889634)));
  const r = f(f(x - f(n * 0.693145751953125)) - f(n * f(1.428606765330187e-06)));
  let p: number = EXP_SINGLE[4];
  for (let i = 3; i >= 0; i--) p = f(f(p * r) + f(EXP_SINGLE[i]!));
  return f(f(f(f(f(r * r) * p) + r) + 1) * f(2 ** n));
}

const bits = new DataView(new ArrayBuffer(8));

/** The logarithm of a finite positive number as the kernels compute it. */
export function ln(x: number): number {
  bits.setFloat64(0, x);
  let e = (bits.getUint16(0) >> 4) - 1023;
  bits.setUint16(0, bits.getUint16(0) & 15 | 0x3ff0);
  let m = bits.getFloat64(0);
  if (m > Math.SQRT2) [m, e] = [m / 2, e + 1];
  const z = (m - 1) / (m + 1), y = z * z;
  const p = LN.reduceRight((sum, c) => sum * y + c, 0);
  return e * LN2_HIGH + (2 * z + (z * y * p + e * LN2_LOW));
}
