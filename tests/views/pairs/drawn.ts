/** Operations, arrays and options, drawn at random by a seed. */

import { type Border, BORDERS } from "../../../src/space/border.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { Shape } from "../../../src/space/shape.ts";
import { convert } from "../../../src/views/operations/convert.ts";
import { downSample } from "../../../src/views/operations/down_sample.ts";
import { convolve, correlate } from "../../../src/views/operations/filters/convolve.ts";
import { gaussian } from "../../../src/views/operations/filters/gaussian.ts";
import { sobel } from "../../../src/views/operations/filters/gradients.ts";
import { localThreshold } from "../../../src/views/operations/filters/local_threshold.ts";
import {
  blackTopHat,
  closing,
  opening,
  whiteTopHat,
} from "../../../src/views/operations/filters/morphology.ts";
import { median, percentile } from "../../../src/views/operations/filters/rank.ts";
import type { Nested } from "../../../src/views/operations/filters/nested.ts";
import { unsharp } from "../../../src/views/operations/filters/unsharp.ts";
import type { ViewOperation } from "../../../src/views/operations/operation.ts";
import { threshold } from "../../../src/views/operations/threshold.ts";
import type { OperationName } from "../../../src/views/registry.ts";
import { OPERATION_ROWS } from "../operations/table.ts";

/** Random numbers that a seed decides. */
export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** At least 0, less than 1. */
  next(): number {
    this.#state = this.#state + 0x6d2b79f5 | 0;
    let t = Math.imul(this.#state ^ this.#state >>> 15, 1 | this.#state);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** One of several. */
  one<T>(values: readonly T[]): T {
    return values[this.whole(0, values.length - 1)]!;
  }
}

/** An array that is drawn, and how it is computed. */
export interface Case {
  readonly shape: Shape;
  readonly dtype: DType;
  readonly order: ByteOrder;
  readonly sample: (flat: number) => number;
  readonly tile: Shape;
  readonly border: Border | readonly Border[];
  readonly fill: number;
}

const DTYPES: readonly DType[] = [
  "bool",
  "uint8",
  "int8",
  "uint16",
  "int16",
  "uint32",
  "int32",
  "float32",
  "float64",
];

/** An array of several tiles, up to three dimensions. */
export function drawCase(draw: Draw): Case {
  const rank = draw.one([1, 2, 2, 2, 3]);
  const most = [40, 17, 7][rank - 1]!;
  const shape = Array.from({ length: rank }, () => draw.whole(draw.next() < 0.15 ? 1 : most >> 1, most));
  const dtype = draw.one(DTYPES);
  const borders = Object.keys(BORDERS) as Border[];
  return {
    shape,
    dtype,
    order: draw.one(["little", "little", "big"] as const),
    sample: samplesOf(dtype, draw),
    tile: shape.map((n) => draw.whole(1, Math.max(1, Math.ceil(n * 0.7)))),
    border: draw.next() < 0.7 ? draw.one(borders) : shape.map(() => draw.one(borders)),
    fill: draw.one([0, 1]),
  };
}

/** Numbers of the type, from end to end, sometimes far away from 0, sometimes with NaN. */
function samplesOf(dtype: DType, draw: Draw): (flat: number) => number {
  const [a, b] = [2 * draw.whole(100, 9000) + 1, draw.whole(0, 9000)];
  const { kind, itemSize } = dtypeInfo(dtype);
  const spread = draw.one([7, 251, 65521]);
  const raw = (flat: number) => (flat * a + b) % 65537 % spread;
  if (dtype === "bool") return (flat) => raw(flat) & 1;
  if (kind === "f") {
    const [offset, odd] = [draw.one([0, 0, 1e7]), draw.next() < 0.15];
    return (flat) => odd && flat % 11 === 5 ? NaN : Math.fround(offset + (raw(flat) - spread / 2) / 7);
  }
  const range = 2 ** (8 * itemSize);
  const least = kind === "i" ? -range / 2 : 0;
  const far = draw.next() < 0.3 ? range - spread : 0;
  return (flat) => least + (far + raw(flat)) % range;
}

/** A radius per dimension that the operation takes. */
function radiusOf(name: DrawnName, rank: number, draw: Draw): Shape {
  const { reaches } = OPERATION_ROWS[name];
  return Array.from({ length: rank }, (_, d) => reaches(d, rank) ? draw.one([0, 1, 1, 2, 2, 3]) : 0);
}

/** Operations whose result is an array. */
export type DrawnName = keyof typeof OPERATION_ROWS;

type Variant = (draw: Draw, radius: Shape) => ViewOperation;

/** A window of these sizes of numbers that are drawn. */
function windowOf(radius: Shape, number: (i: number) => number): Nested {
  let i = 0;
  const inner = (d: number): Nested =>
    Array.from(
      { length: 2 * radius[d]! + 1 },
      () => d === radius.length - 1 ? number(i++) : inner(d + 1),
    ) as Nested;
  return inner(0);
}

const sigmas = (draw: Draw, radius: Shape) => radius.map(() => draw.one([0, 0.4, 0.8]));
const weights = (draw: Draw, radius: Shape) => windowOf(radius, () => draw.whole(-2, 3));
const footprint = (draw: Draw, radius: Shape) =>
  windowOf(radius, (i) => i === 0 ? 1 : Number(draw.next() < 0.6));

/** Options beside the radius, for operations that have any. */
const VARIANTS: Partial<Record<OperationName, readonly Variant[]>> = {
  opening: [(_, radius) => opening({ radius })],
  closing: [(_, radius) => closing({ radius })],
  whiteTopHat: [(_, radius) => whiteTopHat({ radius })],
  blackTopHat: [(_, radius) => blackTopHat({ radius })],
  convert: [(draw) => convert({ dtype: draw.one(DTYPES.slice(1)) })],
  threshold: [(draw) => threshold({ value: draw.one([0, 3, 100.5]) })],
  downSample: [(draw, radius) =>
    downSample({
      factor: radius.map(() => draw.one([1, 2, 2, 3])),
      reduce: draw.one(["mean", "sum", "max", "min"] as const),
    })],
  median: [
    (_, radius) => median({ radius }),
    (draw, radius) => median({ footprint: footprint(draw, radius) }),
  ],
  percentile: [
    (draw, radius) => percentile({ percent: draw.one([0, 12.5, 30, 50, 75, 100]), radius }),
    (_, radius) => percentile({ percent: 30, radius: radius.map((_, d) => d < radius.length - 2 ? 0 : 1) }),
    (draw, radius) => percentile({ percent: 40, footprint: footprint(draw, radius) }),
  ],
  gaussian: [
    (draw, radius) =>
      gaussian({ sigma: sigmas(draw, radius), dtype: draw.one(["uint8", "int16", "float64"]) }),
    (draw, radius) => gaussian({ sigma: sigmas(draw, radius), order: draw.one([0, 1, 2]), truncate: 2 }),
  ],
  sobel: [(draw, radius) => sobel({ axis: draw.whole(0, radius.length - 1) })],
  unsharp: [(draw, radius) => unsharp({ sigma: sigmas(draw, radius), amount: 1.5, dtype: "int16" })],
  localThreshold: [(draw, radius) => localThreshold({ sigma: sigmas(draw, radius), offset: 0.7 })],
  correlate: [(draw, radius) => correlate({ weights: weights(draw, radius) })],
  convolve: [
    (draw, radius) => convolve({ weights: weights(draw, radius), dtype: draw.one(["int32", "float64"]) }),
  ],
};

/** The operation of this name, with options for arrays of `rank` dimensions. */
export function drawOperation(name: DrawnName, rank: number, dtype: DType, draw: Draw): ViewOperation {
  const variants = VARIANTS[name] ?? [];
  const usual: Variant = (_, radius) => OPERATION_ROWS[name].operation(radius, dtype);
  const all = name === "downSample" || name === "convert" ? variants : [usual, ...variants];
  return draw.one(all)(draw, radiusOf(name, rank, draw));
}
