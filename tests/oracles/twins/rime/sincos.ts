/**
 * Reference kernels of cosine and sine: the steps of the fast ones, one number at a time.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import { COSINE, SINE } from "../../../../src/space/functions/tables.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { doubles } from "../samples.ts";
import { numbersOf } from "./numbers.ts";
import { nearest } from "./turns.ts";

/** An angle: a rest in radians, at most π/4, behind a number of quarters of a turn. */
type Quarter = readonly [rest: number, quarter: number];

/** Cosines and sines of turns. */
export function sincosTurns(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["sincos_turns"] {
  const { set, size } = numbersOf(memory, dtype);
  const { get } = doubles(memory);
  return (cos, sin, turns, n, _work) => {
    for (let i = 0; i < n; i++) {
      const [c, s] = settled(quarterOfTurns(get(turns + 8 * i)), size);
      set(cos + size * i, c);
      set(sin + size * i, s);
    }
  };
}

/** Cosines and sines of radians. */
export function sincos(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["sincos"] {
  const { set, size } = numbersOf(memory, dtype);
  const get = reader(memory, dtype);
  return (cos, sin, angles, n, _work) => {
    for (let i = 0; i < n; i++) {
      const [c, s] = settled(quarterOfRadians(get(angles + size * i)), size);
      set(cos + size * i, c);
      set(sin + size * i, s);
    }
  };
}

/** Coefficients like those of float64, for float32. */
const SINE_SINGLE = [-0.166666641831398, 0.008332747034728527, -0.00019587638962548226] as const;
const COSINE_SINGLE = [0.0416666641831398, -0.0013888301327824593, 2.4547689463361166e-05] as const;

function settled([rest, quarter]: Quarter, size: number): [cos: number, sin: number] {
  const single = size === 4;
  const round = single ? Math.fround : (x: number) => x;
  const r = round(rest), z = round(r * r);
  const polynomial = (of: readonly number[]) => of.reduceRight((p, c) => round(round(p * z) + c), 0);
  const sine = round(r + round(round(r * z) * polynomial(single ? SINE_SINGLE : SINE)));
  const half = z * 0.5, w = round(1 - half), lost = round(1 - w - half);
  const more = round(round(z * z) * polynomial(single ? COSINE_SINGLE : COSINE));
  const [a, b] = [r === 0 ? r : sine, round(w + round(lost + more))];
  const odd = quarter % 2 !== 0;
  const signed = (value: number, q: number) => (q & 2) !== 0 ? -value : value;
  const q = Number.isFinite(quarter) ? ((quarter % 4) + 4) % 4 : 0;
  return [signed(odd ? a : b, q + 1), signed(odd ? b : a, q)];
}

function quarterOfTurns(turns: number): Quarter {
  const rest = turns - nearest(turns);
  const n = nearest(rest * 4);
  return [(turns === 0 ? turns : rest - n * 0.25) * (2 * Math.PI), n];
}

const PI_HALVES = [
  1.5707963267341256,
  6.077100506303966e-11,
  2.0222662487111665e-21,
  8.4784276603689e-32,
] as const;

function quarterOfRadians(x: number): Quarter {
  if (!(Math.abs(x) < 2 ** 20)) return Number.isFinite(x) ? quarterOfLarge(x) : [NaN, 0];
  const [p1, p2, p3, p4] = PI_HALVES;
  const n = nearest(x * 0.6366197723675814);
  const r0 = x - n * p1;
  const w1 = n * p2, r1 = r0 - w1, e1 = r0 - r1 - w1;
  const w2 = n * p3, r2 = r1 - w2, e2 = r1 - r2 - w2;
  const r = r2 + (e1 + e2 - n * p4);
  return [n === 0 ? x : r, n];
}

/** 1 / 2π: 1280 bits behind the point. */
const INVERSE = BigInt(
  "0x28be60db9391054a7f09d5f47d4d377036d8a5664f10e4107f9458eaf7aef1586dc91b8e909374b801924bba827464873f877ac72c4a69cfba208d7d4baed1213a671c09ad17df904e64758e60d4ce7d272117e2ef7e4a0ec7fe25fff7816603fbcbc462d6829b47db4d9fb3c9f2c26dd3d18fd9a797fa8b5d49eeb1faf97c5ecf41ce7de294a4ba9afed7ec47e357421580cc11bf1edaeafc33ef0826bd0d87",
);

const bits = new DataView(new ArrayBuffer(8));

/** m 2^e / 2π without whole turns, to 192 bits behind the point. */
function quarterOfLarge(x: number): Quarter {
  bits.setFloat64(0, Math.abs(x));
  const pattern = bits.getBigUint64(0);
  const e = (pattern >> 52n) - 1075n;
  const m = pattern & 0xfffffffffffffn | 0x10000000000000n;
  const window = BigInt.asUintN(192, INVERSE >> 1280n - 192n - e);
  const product = BigInt.asUintN(192, m * window);
  const quarter = BigInt.asUintN(2, product + (1n << 189n) >> 190n);
  const rest = BigInt.asIntN(192, product - (quarter << 190n));
  const y = roundedRest(rest) * (2 * Math.PI);
  return x < 0 ? [-y, -Number(quarter)] : [y, Number(quarter)];
}

/** The upper 64 bits and the next 64, each rounded; of small ones the lower 128. */
function roundedRest(rest: bigint): number {
  const [top, middle, low] = [rest >> 128n, BigInt.asUintN(64, rest >> 64n), BigInt.asUintN(64, rest)];
  const lower = (a: bigint, b: bigint) => Number(a) * 2 ** -128 + Number(b) * 2 ** -192;
  if (top === 0n) return lower(middle, low);
  if (top === -1n) return -lower(BigInt.asUintN(64, ~middle), BigInt.asUintN(64, ~low));
  return Number(top) * 2 ** -64 + Number(middle) * 2 ** -128;
}
