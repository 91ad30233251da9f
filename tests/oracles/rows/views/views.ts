/**
 * Rows of weighted sums, and of what is made of them.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { BufferContents, Sizes } from "../common/describe.ts";
import {
  above,
  rootOfSquares,
  roundF32,
  roundF64,
  squareF64,
  subtract,
  variance,
} from "../../twins/views/combine.ts";
import { below, deviations, joinDeviations, restSteps } from "../../twins/views/deviations.ts";
import { joinSpreads, spreads } from "../../twins/views/spread.ts";
import { tapsF32, tapsF64, weighF32, weighF64 } from "../../twins/views/weigh.ts";
import { median3, median5, orderFloats, orderKeys, selectRank, slideRank } from "../../twins/views/rank.ts";
import { list, numbers, pixels, rowLength, type RowParameters, type Rows, rows } from "../common/row.ts";

/** Kernels of filters over views. */
export const VIEWS: Rows<
  | "weigh_f32"
  | "weigh_f64"
  | "taps_f32"
  | "taps_f64"
  | "root_of_squares"
  | "square_f64"
  | "variance"
  | "spreads"
  | "join_spreads"
  | "rest_steps"
  | "deviations"
  | "join_deviations"
  | "subtract"
  | "above"
  | "below"
  | "round_f32"
  | "round_f64"
  | "median_3"
  | "median_5"
  | "select_rank"
  | "slide_rank"
  | "order_keys"
  | "order_floats"
> = {
  weigh_f32: { reference: weighF32, parameters: (dtype) => weighing(dtype, "float32") },
  weigh_f64: { reference: weighF64, parameters: (dtype) => weighing(dtype, "float64") },
  taps_f32: { reference: tapsF32, parameters: (dtype) => taps(dtype, "float32") },
  taps_f64: { reference: tapsF64, parameters: (dtype) => taps(dtype, "float64") },
  root_of_squares: {
    reference: rootOfSquares,
    parameters: (dtype) => {
      const { itemSize } = dtypeInfo(dtype);
      const apart = ({ pixels, gap }: Sizes) => pixels * itemSize + gap;
      return {
        out: numbers(dtype, pixels),
        data: { bytes: (s) => (count(s) - 1) * apart(s) + s.pixels * itemSize, values: "any" },
        n: pixels,
        step: apart,
        count,
      };
    },
  },
  square_f64: {
    reference: squareF64,
    parameters: (dtype) => ({ out: numbers("float64", pixels), data: numbers(dtype, pixels), n: pixels }),
  },
  variance: {
    reference: variance,
    parameters: () => ({
      out: numbers("float64", pixels),
      sums: numbers("float64", pixels),
      squares: numbers("float64", pixels),
      n: pixels,
      count: ({ seed }) => 1 + seed % 50,
      root: ({ seed }) => seed % 2,
    }),
  },
  spreads: {
    reference: spreads,
    parameters: (dtype) => {
      const { itemSize } = dtypeInfo(dtype);
      const step = ({ pixels, gap }: Sizes) => itemSize * pixels + gap;
      return {
        ...MADE,
        data: { bytes: (s) => (count(s) - 1) * step(s) + itemSize * s.pixels, values: "any" },
        n: pixels,
        step,
        count,
        last: ({ seed }) => seed % 3,
      };
    },
  },
  join_spreads: {
    reference: joinSpreads,
    parameters: () => ({
      ...MADE,
      rests: numbers("float64", pixels),
      parts: windows(0),
      deltas: windows(1),
      n: pixels,
      step: apart,
      count,
      last: ({ seed }) => seed % 3,
    }),
  },
  rest_steps: { reference: restSteps, parameters: stepping },
  deviations: { reference: deviations, parameters: deviating },
  join_deviations: { reference: joinDeviations, parameters: joining },
  subtract: {
    reference: subtract,
    parameters: (dtype) => ({
      out: numbers(dtype, pixels),
      from: numbers(dtype, pixels),
      data: numbers(dtype, pixels),
      n: pixels,
    }),
  },
  above: {
    reference: above,
    parameters: (dtype) => ({
      out: numbers("bool", pixels),
      data: numbers(dtype, pixels),
      level: numbers("float64", pixels),
      n: pixels,
      count: ({ seed }) => 1 + seed % 50,
      offset: ({ seed }) => seed % 7 - 3.5,
    }),
  },
  below: { reference: below, parameters: comparing },
  round_f32: { reference: roundF32, parameters: (dtype) => rounding(dtype, "float32") },
  round_f64: { reference: roundF64, parameters: (dtype) => rounding(dtype, "float64") },
  median_3: { reference: median3, parameters: (dtype) => median(dtype, 3) },
  median_5: { reference: median5, parameters: (dtype) => median(dtype, 5) },
  select_rank: {
    reference: selectRank,
    parameters: (dtype) => {
      const { itemSize } = dtypeInfo(dtype);
      const offsets = (s: Sizes) =>
        Array.from({ length: picked(s) }, (_, k) => (k * (s.seed % 3) % 50 + k % 7) * itemSize);
      return {
        out: numbers(dtype, pixels),
        data: { bytes: (s) => s.pixels * itemSize + Math.max(...offsets(s)), values: "any" },
        n: pixels,
        offsets: list(offsets),
        count: picked,
        rank: (s) => s.seed % picked(s),
      };
    },
  },
  slide_rank: { reference: slideRank, parameters: sliding },
  order_keys: { reference: orderKeys, parameters: (dtype) => line(dtype) },
  order_floats: { reference: orderFloats, parameters: (dtype) => line(dtype) },
};

/** Sums along columns, along rows, and over samples that lie elsewhere. */
function weighing(dtype: DType, float: DType): RowParameters<"weigh_f32"> {
  const [{ itemSize }, { itemSize: size }] = [dtypeInfo(dtype), dtypeInfo(float)];
  const outStride = (s: Sizes) => size * s.rowLength + s.gap;
  const reach = (s: Sizes) => direction(s) === "row" ? count(s) - 1 : 0;
  const rowStride = (s: Sizes) => (s.rowLength + reach(s)) * itemSize + s.gap;
  const step = (s: Sizes) =>
    ({ row: itemSize, column: rowStride(s), plane: s.rows * rowStride(s) })[direction(s)];
  return {
    out: {
      bytes: (s) => Math.max(0, s.rows * outStride(s) - s.gap),
      parts: (s) => ({ bytes: size * s.rowLength, stride: outStride(s) }),
      values: "any",
    },
    outStride,
    data: {
      bytes: (s) => (s.rows - 1) * rowStride(s) + (count(s) - 1) * step(s) + s.rowLength * itemSize,
      values: "any",
    },
    rowStride,
    rows,
    n: rowLength,
    step,
    weights: weights(float),
    count,
    fold: ({ seed }) => fold(seed),
  };
}

function taps(dtype: DType, float: DType): RowParameters<"taps_f32"> {
  const { itemSize } = dtypeInfo(dtype);
  const offsets = (s: Sizes) =>
    Array.from({ length: count(s) }, (_, k) => (k * (s.seed % 5) + k % 3) * itemSize);
  return {
    out: numbers(float, pixels),
    data: {
      bytes: (s) => s.pixels * itemSize + Math.max(...offsets(s)),
      values: "any",
    },
    n: pixels,
    offsets: { bytes: (s) => 4 * count(s), values: offsets },
    weights: weights(float),
    count,
  };
}

function rounding(dtype: DType, float: DType): RowParameters<"round_f32"> {
  return { out: numbers(dtype, pixels), data: numbers(float, pixels), n: pixels };
}

function line(dtype: DType): RowParameters<"order_keys"> {
  return { out: numbers(dtype, pixels), data: numbers(dtype, pixels), n: pixels };
}

function median(dtype: DType, size: number): RowParameters<"median_3"> {
  const { itemSize } = dtypeInfo(dtype);
  const outStride = (s: Sizes) => itemSize * s.rowLength + s.gap;
  const rowStride = (s: Sizes) => (s.rowLength + size - 1) * itemSize + s.gap;
  const width = (s: Sizes) => Math.max(s.rowLength, 16 / itemSize) + size - 1;
  return {
    out: {
      bytes: (s) => Math.max(0, s.rows * outStride(s) - s.gap),
      parts: (s) => ({ bytes: itemSize * s.rowLength, stride: outStride(s) }),
      values: "any",
    },
    outStride,
    data: { bytes: (s) => (s.rows + size - 1) * rowStride(s) - s.gap, values: "any" },
    rowStride,
    rows,
    n: rowLength,
    scratch: { bytes: (s) => size === 5 ? 23_936 : 6 * width(s) * itemSize + 16, values: "any" },
  };
}

/** Windows of two lines of samples, of which one may have a hole. */
function sliding(dtype: DType): RowParameters<"slide_rank"> {
  const { itemSize } = dtypeInfo(dtype);
  const width = ({ seed }: Sizes) => 1 + seed % 7;
  const places = (s: Sizes) => {
    const line = Array.from({ length: width(s) }, (_, k) => k).filter((k) => k !== s.seed % 5 || k === 0);
    return [...line, ...line.map((k) => s.pixels + width(s) + k)];
  };
  const edges = (s: Sizes, towards: number) => {
    const all = places(s);
    return all.filter((place) => !all.includes(place + towards)).map((place) => itemSize * place);
  };
  return {
    out: numbers(dtype, pixels),
    data: { bytes: (s) => itemSize * (2 * (s.pixels + width(s)) - 1), values: "any" },
    n: pixels,
    offsets: list((s) => places(s).map((place) => itemSize * place)),
    count: (s) => places(s).length,
    leaving: list((s) => edges(s, -1)),
    entering: list((s) => edges(s, 1)),
    edges: (s) => edges(s, 1).length,
    rank: (s) => Math.floor(s.seed / 3) % places(s).length,
    histogram: { bytes: () => 2 * (256 ** itemSize + 16 ** itemSize), values: () => [0] },
  };
}

/** Samples of a window; some windows have more than counts of bytes hold. */
const picked = ({ seed }: Sizes) => seed % 11 === 0 ? 300 : 1 + seed % 26;

/** Finite weights. */
function weights(float: DType): BufferContents {
  return numbers(float, (s) => count(s), "finite");
}

function direction({ seed }: Sizes): "row" | "column" | "plane" {
  return (["row", "column", "plane"] as const)[seed % 3]!;
}

const fold = (seed: number) => Math.floor(seed / 3) % 3 - 1;
const count = ({ seed }: Sizes) => 1 + 2 * (seed % 5) + (fold(seed) === 0 ? seed % 2 : 0);

/** Bytes between the numbers of a window. */
const apart = ({ pixels, gap }: Sizes) => 8 * pixels + gap;

/** Numbers of windows that begin at every pixel, `fewer` of the last ones. */
function windows(fewer: number): BufferContents {
  return { bytes: (s) => Math.max(0, count(s) - 1 - fewer) * apart(s) + 8 * s.pixels, values: "any" };
}

/** Rows of numbers, and as many `step` bytes behind them. */
function stepping(dtype: DType): RowParameters<"rest_steps"> {
  const { itemSize } = dtypeInfo(dtype);
  const rowStride = (s: Sizes) => itemSize * (s.rowLength + 1) + s.gap;
  const restStride = (s: Sizes) => 8 * (s.rowLength + 1) + s.gap;
  const step = (s: Sizes) => direction(s) === "row" ? itemSize : rowStride(s);
  const restStep = (s: Sizes) => direction(s) === "row" ? 8 : restStride(s);
  return {
    out: {
      bytes: (s) => s.rows === 0 ? 0 : (s.rows - 1) * restStride(s) + 8 * s.rowLength,
      parts: (s) => ({ bytes: 8 * s.rowLength, stride: restStride(s) }),
      values: "any",
    },
    data: { bytes: (s) => behind(s, rowStride, itemSize, step), values: "any" },
    rowStride,
    step,
    rests: { bytes: (s) => behind(s, restStride, 8, restStep), values: "any" },
    restStride,
    restStep,
    rows,
    n: rowLength,
    each: ({ seed }) => 1 + seed % 9,
  };
}

/** The bytes of rows of samples, up to that which lies a step behind the last one. */
function behind(
  s: Sizes,
  stride: (s: Sizes) => number,
  itemSize: number,
  step: (s: Sizes) => number,
): number {
  return s.rows === 0 ? 0 : (s.rows - 1) * stride(s) + itemSize * s.rowLength + step(s);
}

/** Rows of floats. */
function comparing(): RowParameters<"below"> {
  const outStride = (s: Sizes) => s.rowLength + s.gap;
  const rowStride = (s: Sizes) => 8 * s.rowLength + s.gap;
  return {
    out: {
      bytes: (s) => Math.max(0, s.rows * outStride(s) - s.gap),
      parts: (s) => ({ bytes: s.rowLength, stride: outStride(s) }),
      values: "any",
    },
    outStride,
    data: { bytes: (s) => s.rows * rowStride(s), values: "any" },
    rowStride,
    rows,
    n: rowLength,
    limit: ({ seed }) => seed % 7 - 3.5,
  };
}

/** What is made of windows. */
const MADE = { rest: numbers("float64", pixels), spread: numbers("float64", pixels) };

/** Samples, or steps between them, along columns, along rows, and between planes; pairs of steps; what is made of them. */
function pairing(itemSize: number, isMade: boolean) {
  const half = ({ seed }: Sizes) => Math.floor(seed / 3) % 4;
  const outStride = (s: Sizes) => 8 * s.rowLength + s.gap;
  const count = (s: Sizes) => Math.max(0, 2 * half(s) - (isMade ? 1 : 0)); // behind the first one
  const stride = (s: Sizes) => itemSize * (s.rowLength + (direction(s) === "row" ? count(s) : 0)) + s.gap;
  const step = (s: Sizes) => ({ row: itemSize, column: stride(s), plane: s.rows * stride(s) })[direction(s)];
  return {
    out: {
      bytes: (s: Sizes) => Math.max(0, s.rows * outStride(s) - s.gap),
      parts: (s: Sizes) => ({ bytes: 8 * s.rowLength, stride: outStride(s) }),
      values: "any",
    },
    outStride,
    data: { bytes: (s: Sizes) => s.rows * stride(s) + count(s) * step(s), values: "any" },
    stride,
    rows,
    n: rowLength,
    step,
    weights: numbers("float64", half, "finite"),
    half,
  } as const;
}

function deviating(dtype: DType): RowParameters<"deviations"> {
  return pairing(dtypeInfo(dtype).itemSize, false);
}

function joining(): RowParameters<"join_deviations"> {
  const { data, ...parameters } = pairing(8, true);
  const restStride = (s: Sizes) => 8 * s.rowLength + 2 * s.gap;
  return {
    ...parameters,
    rests: { bytes: (s) => s.rows * restStride(s), values: "any" },
    restStride,
    deltas: data,
    scale: ({ seed }) => seed % 4,
  };
}
