/** UDFs whose buffers declare how they merge, as modules that workers import. */

import { type DType, dtypeInfo, type TypedArray } from "../../../src/space/dtype.ts";
import type { NumberRule } from "../../../src/space/numbers.ts";
import { ruleProblem } from "../../../src/udf/interface/buffer_plan.ts";
import type { Method, Udf } from "../../../src/udf/interface/udf.ts";

/** The plain rules, on one number after another. */
export const PLAIN: Readonly<Record<NumberRule, (a: number, b: number) => number>> = {
  sum: (a, b) => a + b,
  min: (a, b) => a !== a || b !== b ? NaN : a < b ? a : b,
  max: (a, b) => a !== a || b !== b ? NaN : a > b ? a : b,
};

/** `value` by the rule into number `i` of `array`, as its type holds it. */
export function fold(array: TypedArray, i: number, rule: NumberRule, dtype: DType, value: number): void {
  const [now, next] = [Number(array[i]), dtype === "bool" ? value % 2 : value];
  const found = dtype === "bool" && rule === "sum" ? Math.max(now, next) : PLAIN[rule](now, next);
  const big = array instanceof BigInt64Array || array instanceof BigUint64Array;
  array[i] = big ? BigInt(found) : found;
}

/** Folds every sample into the number of its pixel (`sig`) or of all (`single`), in every type that has the rule. */
export function ruled(
  { rule, method, dtypes }: { rule: NumberRule; method: Method; dtypes: readonly DType[] },
): Udf {
  const types = dtypes.filter((dtype) => ruleProblem(rule, dtype) === undefined);
  const process: NonNullable<Udf["processTile"]> = ({ data, frames, pixels }, buffers) => {
    for (const dtype of types) {
      const [sig, single] = [buffers[`sig_${dtype}`]!, buffers[`single_${dtype}`]!];
      const units = dtypeInfo(dtype).kind === "c" ? 2 : 1;
      for (let i = 0; i < frames * pixels; i++) {
        for (let u = 0; u < units; u++) {
          const value = Number(data[i]) * (u === 1 ? -2 : 1);
          fold(sig, units * (i % pixels) + u, rule, dtype, value);
          fold(single, u, rule, dtype, value);
        }
      }
    }
  };
  return {
    name: `ruled ${rule}`,
    inputDType: "float64",
    buffers: Object.fromEntries(
      types.flatMap((dtype) =>
        (["sig", "single"] as const).map((kind) => [`${kind}_${dtype}`, { kind, dtype, merge: rule }])
      ),
    ),
    method: () => method,
    tiling: { depth: 3, totalBytes: 3 * 32768 },
    processTile: process,
    processFrame: process,
    processPartition: process,
  };
}

/** Sums with rounding, with and without a word about their order. */
export function rounding({ order }: { order?: "any" | "tree" }): Udf<Record<"total", DType | "object">> {
  return {
    name: "rounding",
    buffers: { total: { kind: "sig", dtype: "float32", merge: "sum" } },
    ...(order ? { order: () => order } : {}),
    processFrame({ data }, { total }) {
      for (let p = 0; p < data.length; p++) total[p] = Number(total[p]) + Number(data[p]);
    },
  };
}

/** Lists of frames: of all, and of each pixel that shows a 7. */
export function lists({ tree }: { tree: boolean }): Udf<Record<"log" | "seen", DType | "object">> {
  return {
    name: "lists",
    buffers: {
      log: { kind: "single", dtype: "object", merge: "concat" },
      seen: { kind: "sig", dtype: "object", merge: "concat" },
    },
    order: () => tree ? "tree" : "any",
    processFrame({ data, positions }, _, { objects: { log, seen } }) {
      log!.set(0, [...log!.get(0) as number[] ?? [], positions[0]!]);
      for (let p = 0; p < data.length; p++) {
        if (Number(data[p]) === 7) seen!.set(p, [...seen!.get(p) as number[] ?? [], positions[0]!]);
      }
    },
  };
}

/** A buffer with a rule beside one that a function merges with the help of the first. */
export const mixed: Udf<Record<"count" | "mean", DType | "object">> = {
  name: "mixed",
  buffers: {
    count: { kind: "single", dtype: "uint32", merge: "sum" },
    mean: { kind: "single", dtype: "float64" },
  },
  processFrame({ data }, { count, mean }) {
    const total = (data as Float32Array).reduce((a, b) => a + b, 0);
    mean[0] = (Number(mean[0]) * Number(count[0]) + total) / (Number(count[0]) + 1);
    count[0] = Number(count[0]) + 1;
  },
  merge(into, from) {
    const [n, m] = [Number(into.count[0]), Number(from.count[0])];
    into.mean[0] = (Number(into.mean[0]) * n + Number(from.mean[0]) * m) / (n + m);
  },
};

/** What the main side begins with, combined with the rows of partitions; and least samples from parts of frames. */
export const rows: Udf<Record<"dose" | "least" | "count" | "words", DType | "object">> = {
  name: "rows",
  buffers: {
    dose: { kind: "nav", dtype: "float64", merge: "sum", extraShape: [2] },
    least: { kind: "nav", dtype: "int16", merge: "min" },
    count: { kind: "nav", dtype: "float64" },
    words: { kind: "nav", dtype: "object", merge: "concat" },
  },
  preprocess({ dose }, { side, objects }) {
    if (side === "worker") return;
    for (let i = 0; i < dose.length; i++) dose[i] = 100 * i;
    for (let i = 0; i < objects.words!.length; i++) objects.words!.set(i, ["main"]);
  },
  processTile({ data, frames, pixels }, { dose, least, count }, { objects }) {
    for (let f = 0; f < frames; f++) {
      dose[2 * f] = Number(dose[2 * f]) + 1;
      count[f] = Number(count[f]) + pixels;
      objects.words!.set(f, ["row"]);
      for (let p = 0; p < pixels; p++) {
        least[f] = Math.min(Number(least[f]), Number(data[f * pixels + p]));
      }
    }
  },
};

/** The least sample of every frame; nothing begins anywhere else than its rule says. */
export const least: Udf<Record<"least" | "some" | "wide", DType | "object">> = {
  name: "least",
  buffers: {
    least: { kind: "nav", dtype: "float32", merge: "min" },
    some: { kind: "nav", dtype: "int64", merge: "max", compressed: true },
    wide: { kind: "nav", dtype: "uint8", merge: "min" },
  },
  processTile({ data, frames, pixels }, { least, some, wide }) {
    for (let i = 0; i < frames * pixels; i++) {
      const f = Math.floor(i / pixels);
      least[f] = Math.min(Number(least[f]), Number(data[i]));
      wide[f] = Math.min(Number(wide[f]), Number(data[i]));
      if (BigInt(Number(data[i])) > (some[f] as bigint)) some[f] = BigInt(Number(data[i]));
    }
  },
};
