/**
 * Seeded samples for tests: ordinary values, and values that break things.
 *
 * @module
 */

import { type DType, dtypeInfo, type TypedArray, zeros } from "../../space/dtype.ts";
import { setNumber } from "../../space/numbers.ts";

/** Numbers in [0, 1) that depend only on a seed, the same on every machine. */
export type Random = () => number;

/** A small random generator with a seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** An integer from `low` to `high`, both included. */
export function whole(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** The kind of samples: any with NaN and extremes, small counts, all the same, or finite ones. */
type Mood = "any" | "counts" | "same" | "finite";

/** `length` samples of a type; 64-bit integers stay in the range that a number holds exactly. */
export function randomSamples(random: Random, dtype: DType, length: number, mood: Mood): number[] {
  const one = () => {
    if (mood === "counts") return dtype === "bool" ? whole(random, 0, 1) : whole(random, 0, 100);
    return dtypeInfo(dtype).kind === "f"
      ? randomFloat(random, dtype, mood)
      : randomInteger(random, dtype, mood);
  };
  if (mood !== "same") return Array.from({ length }, one);
  const value = one();
  return Array.from({ length }, () => value);
}

const SPECIAL = [NaN, Infinity, -Infinity, -0, 0, 1e-45, -1.5];

function randomFloat(random: Random, dtype: DType, mood: Mood): number {
  const largest = dtype === "float64" ? 1e300 : dtype === "float16" ? 65504 : 3.4028234663852886e38;
  if (mood !== "finite" && random() < 0.1) return [...SPECIAL, largest][whole(random, 0, SPECIAL.length)]!;
  const value = (random() - 0.5) * 2 ** whole(random, -10, 14);
  return dtype === "float32" ? Math.fround(value) : value;
}

function randomInteger(random: Random, dtype: DType, mood: Mood): number {
  const { kind, itemSize } = dtypeInfo(dtype);
  const bits = dtype === "bool" ? 1 : Math.min(8 * itemSize, 53);
  const low = kind === "i" ? -(2 ** (bits - 1)) : 0;
  const high = low + 2 ** bits - 1;
  const choice = random();
  if (mood !== "finite" && choice < 0.3) return choice < 0.15 ? high : low;
  return Math.floor(low + random() * 2 ** bits);
}

/** Numbers as an array of their type. */
export function toArray(dtype: DType, values: readonly number[]): TypedArray {
  const array = zeros(dtype, values.length);
  values.forEach((value, i) => setNumber(array, i, value));
  return array;
}
