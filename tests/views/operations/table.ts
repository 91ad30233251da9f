/** Every operation of the table with its definition: an operation without a row here fails a test. */

import type { DType } from "../../../src/space/dtype.ts";
import type { Shape } from "../../../src/space/shape.ts";
import { boxMean } from "../../../src/views/operations/box_mean.ts";
import { convert } from "../../../src/views/operations/convert.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { downSample } from "../../../src/views/operations/down_sample.ts";
import { threshold } from "../../../src/views/operations/threshold.ts";
import { localMaximum, localMinimum } from "../../../src/views/operations/local_extremes.ts";
import type { OperationName } from "../../../src/views/operations/registry.ts";
import type { ViewOperation } from "../../../src/views/operations/operation.ts";
import type { ViewReduction } from "../../../src/views/operations/reduction.ts";
import { sampleRange } from "../../../src/views/operations/sample_range.ts";
import { viewFunction } from "../../../src/views/operations/view_function.ts";

/** The samples of the window around one sample, row-major, and how many there are per dimension. */
export interface Window {
  readonly samples: readonly number[];
  readonly counts: Shape;
}

/** An operation and what it is, sample by sample. */
export interface OperationRow {
  readonly operation: (radius: Shape, dtype: DType) => ViewOperation;
  /** Type of its result. */
  readonly result: (dtype: DType) => DType;
  /** The result for one sample. */
  readonly definition: (window: Window) => number;
  /** Sample types to try. */
  readonly dtypes: readonly DType[];
  /** Whether it takes a radius in this dimension of so many. */
  readonly reaches: (d: number, rank: number) => boolean;
  /** Samples per dimension that become one: then the window of a sample is its block. */
  readonly factor?: number;
}

const ALL: readonly DType[] = [
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
const MODULE = import.meta.resolve("./functions.ts");

/** Sums of columns from the top, then from the left: the order matters for floats. */
function meanOf({ samples, counts }: Window): number {
  const [rows = 1, columns = 1] = counts.length === 1 ? [1, counts[0]] : counts.slice(-2);
  let sum = 0;
  for (let x = 0; x < columns; x++) {
    let column = 0;
    for (let y = 0; y < rows; y++) column += samples[y * columns + x]!;
    sum += column;
  }
  return Math.fround(sum / (rows * columns));
}

/** A reduction and what it is. */
export interface ReductionRow {
  readonly reduction: () => ViewReduction<unknown>;
  /** The result for all samples, row-major. */
  readonly definition: (samples: readonly number[], shape: Shape) => unknown;
}

/** One row per entry of the table of operations whose result is no array. */
export const REDUCTION_ROWS = {
  sampleRange: {
    reduction: (): ViewReduction<unknown> => sampleRange() as ViewReduction<unknown>,
    definition: (samples) => ({ min: Math.min(...samples), max: Math.max(...samples) }),
  },
} satisfies Partial<Record<OperationName, ReductionRow>>;

/** Operations that are parts of `labelImage` and `histogramOf`, and are tested as such. */
export const PARTS = ["labelTiles", "relabel", "countBins"] as const satisfies readonly OperationName[];

/** One row per entry of the table of operations. */
export const OPERATION_ROWS: Readonly<
  Record<Exclude<OperationName, keyof typeof REDUCTION_ROWS | typeof PARTS[number]>, OperationRow>
> = {
  boxMean: {
    operation: (radius) => boxMean({ radius }),
    result: () => "float32",
    definition: meanOf,
    dtypes: ALL,
    reaches: (d, rank) => d >= rank - 2,
  },
  localMinimum: {
    operation: (radius) => localMinimum({ radius }),
    result: (dtype) => dtype,
    definition: ({ samples }) => Math.min(...samples),
    dtypes: ALL,
    reaches: () => true,
  },
  localMaximum: {
    operation: (radius) => localMaximum({ radius }),
    result: (dtype) => dtype,
    definition: ({ samples }) => Math.max(...samples),
    dtypes: ALL,
    reaches: () => true,
  },
  copySamples: {
    operation: () => copySamples(),
    result: (dtype) => dtype,
    definition: ({ samples: [sample = NaN] }) => sample,
    dtypes: ALL,
    reaches: () => false,
  },
  threshold: {
    operation: () => threshold({ value: 2.5 }),
    result: () => "bool",
    definition: ({ samples: [sample = NaN] }) => sample > 2.5 ? 1 : 0,
    dtypes: ALL,
    reaches: () => false,
  },
  convert: {
    operation: () => convert({ dtype: "int8" }),
    result: () => "int8",
    definition: ({ samples: [sample = NaN] }) => Math.round(sample) + 0, // not -0; no sample of the tests lies between two integers
    dtypes: ALL,
    reaches: () => false,
  },
  downSample: {
    operation: () => downSample({ factor: 3 }),
    result: () => "float32",
    definition: ({ samples }) => Math.fround(samples.reduce((sum, value) => sum + value, 0) / samples.length),
    dtypes: ALL.filter((dtype) => !dtype.startsWith("float")), // sums of floats depend on their order
    reaches: () => false,
    factor: 3,
  },
  viewFunction: {
    operation: (radius) =>
      viewFunction(MODULE, { export: "spread", radius, input: "float64", dtype: "float64" }),
    result: () => "float64",
    definition: ({ samples }) => Math.max(...samples) - samples[0]!,
    dtypes: ALL,
    reaches: () => true,
  },
};
