/** Random expressions and random samples. */

import fc from "fast-check";
import { type DType, dtypeInfo, type TypedArray, zeros } from "../../src/space/dtype.ts";

const LEAVES = [
  "x",
  "x",
  "x",
  "gain",
  "dark",
  "t",
  "row",
  "col",
  "frame",
  "pi",
  "0",
  "1",
  "2.5",
  "-3",
  "1e30",
  "inf",
];
const ONE = ["sqrt", "abs", "floor", "ceil", "trunc", "round", "exp", "log", "log1p", "sin", "cos", "-", "!"];
const TWO = ["+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "**"];
const PAIRS = ["min", "max", "atan2", "hypot", "pow"];

/** Expressions of samples, without reductions. */
export const sampleExpression: fc.Arbitrary<string> = fc.letrec<{ tree: string }>((tie) => {
  const tree = tie("tree");
  return {
    tree: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom(...LEAVES),
      fc.tuple(fc.constantFrom(...ONE), tree).map(([name, a]) => `${name}(${a})`),
      fc.tuple(tree, fc.constantFrom(...TWO), tree).map(([a, sign, b]) => `(${a} ${sign} ${b})`),
      fc.tuple(fc.constantFrom(...PAIRS), tree, tree).map(([name, a, b]) => `${name}(${a}, ${b})`),
      fc.tuple(tree, fc.constantFrom("2", "3", "-1", "0.5", "1.5", "0")).map(([a, n]) => `(${a})**${n}`),
      fc.tuple(tree, tree, tree).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc.tuple(tree, tree, tree).map(([a, b, c]) => `clamp(${a}, ${b}, ${c})`),
    ),
  };
}).tree;

const AROUND = ["", "sum", "mean", "min", "max", "count"].flatMap((how) =>
  how ? [how, `frames.${how}`] : [how]
);

/** Whole results: a map, or a reduction of an expression. */
export const result: fc.Arbitrary<string> = fc.tuple(fc.constantFrom(...AROUND), sampleExpression)
  .map(([how, inside]) => `${how}(${inside})`);

/** Several results for one pass. */
export const results: fc.Arbitrary<Record<string, string>> = fc.array(result, { minLength: 1, maxLength: 3 })
  .map((list) => Object.fromEntries(list.map((text, i) => [`r${i}`, text])));

/** Real sample types. */
export const DTYPES: readonly DType[] = [
  "bool",
  "uint8",
  "int8",
  "uint16",
  "int16",
  "uint32",
  "int32",
  "uint64",
  "int64",
  "float16",
  "float32",
  "float64",
];

const SPECIAL = [
  0,
  -0,
  1,
  -1,
  NaN,
  Infinity,
  -Infinity,
  1e-45,
  1e-40,
  5e-324,
  3.4e38,
  1e308,
  2 ** 24 + 1,
  0.5,
  1.5,
];

/** Seeded samples: every third of the kind that goes wrong (extremes, NaN, infinities), the others small. */
export function samplesOf(dtype: DType, length: number, seed: number): TypedArray {
  const { kind, itemSize } = dtypeInfo(dtype);
  const samples = zeros(dtype, length);
  let state = seed >>> 0 || 1;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const odd = state % 3 === 0;
    const bits = 8 * itemSize;
    const [low, high] = kind === "i" ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
    let value: number;
    if (kind === "f") {
      value = odd ? SPECIAL[(state >>> 8) % SPECIAL.length]! : ((state >>> 8) % 2000 - 700) / 16;
    } else value = odd ? ((state >>> 8) % 2 ? high : low) : (state >>> 8) % 100 - (kind === "i" ? 40 : 0);
    if (kind === "b") value = state >>> 8 & 1;
    if (samples instanceof BigUint64Array) samples[i] = BigInt.asUintN(64, BigInt(value));
    else if (samples instanceof BigInt64Array) samples[i] = BigInt.asIntN(64, BigInt(value));
    else samples[i] = value;
  }
  return samples;
}
