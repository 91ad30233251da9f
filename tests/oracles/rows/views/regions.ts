/**
 * Rows of the kernels of connected components.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { Sizes } from "../common/describe.ts";
import {
  bitsAbove,
  bitsNonzero,
  countBins,
  countUp,
  countValues,
  firstSamples,
  joinRuns,
  numberRuns,
  paintRuns,
  runsOf,
} from "../../twins/views/regions.ts";
import { list, numbers, pixels, rowLength, type Rows, rows } from "../common/row.ts";

/** Bits of lines, runs and what belongs together. */
export const REGIONS: Rows<
  | "bits_above"
  | "bits_nonzero"
  | "count_up"
  | "join_runs"
  | "number_runs"
  | "first_samples"
  | "paint_runs"
  | "count_values"
  | "count_bins"
> = {
  bits_above: {
    reference: bitsAbove,
    parameters: (dtype) => ({ ...lines(dtype), limit: ({ seed }) => LIMITS[seed % LIMITS.length]! }),
  },
  bits_nonzero: { reference: bitsNonzero, parameters: lines },
  count_up: {
    reference: countUp,
    parameters: () => ({
      out: numbers("uint32", pixels),
      n: pixels,
      first: ({ seed }) => seed % 2 ? 2 ** 31 - seed : seed,
    }),
  },
  join_runs: {
    reference: joinRuns,
    parameters: () => ({
      parents: list((sizes) => forest(runsIn(sizes) + runsIn(next(sizes)), sizes.seed)),
      line: bits((sizes) => bitsOf(sizes, 1)),
      run: (sizes) => ofLine(sizes) ? runsIn(next(sizes)) : 0,
      other: bits((sizes) => bitsOf(next(sizes), 1)),
      otherRun: (sizes) => ofLine(sizes) ? 0 : runsIn(sizes),
      words: ({ pixels }) => Math.ceil(pixels / 64),
      diagonal: ({ seed }) => seed % 2,
    }),
  },
  number_runs: {
    reference: numberRuns,
    parameters: () => ({
      count: { bytes: () => 4, values: "any" },
      runs: list(({ pixels, seed }) => forest(pixels, seed)),
      n: pixels,
      names: list(({ pixels, seed }) =>
        forest(pixels, seed).flatMap((parent, run) => parent === run ? [7 * run % 1001 + 1] : [])
      ),
    }),
  },
  first_samples: {
    reference: firstSamples,
    parameters: () => ({
      out: {
        bytes: (sizes) => 4 * labelsOf(sizes).reduce((most, label) => Math.max(most, label), 0),
        values: "any",
      },
      labels: list(labelsOf),
      bits: bits((sizes) => bitsOf(sizes, sizes.rows)),
      rows,
      n: rowLength,
    }),
  },
  paint_runs: {
    reference: paintRuns,
    parameters: () => ({
      out: { bytes: ({ pixels }) => 4 * pixels, values: "any" },
      labels: list((sizes) => forest(runsIn(sizes), sizes.seed).map((label) => label + 1)),
      bits: bits((sizes) => bitsOf(sizes, 1)),
      n: pixels,
    }),
  },
  count_values: {
    reference: countValues,
    parameters: (dtype) => ({
      counts: numbers("uint32", values),
      bins: values,
      least: (sizes) => least(dtype, sizes),
      data: numbers(dtype, pixels),
      n: pixels,
    }),
  },
  count_bins: {
    reference: countBins,
    parameters: (dtype) => ({
      counts: numbers("uint32", bins),
      bins,
      edges: { bytes: (sizes) => 8 * (bins(sizes) + 1), values: (sizes) => edges(dtype, sizes) },
      data: numbers(dtype, pixels),
      n: pixels,
    }),
  },
};

const bins = ({ seed }: Sizes) => 1 + seed % 40;

/** Enough for all bytes, sometimes. */
const values = ({ seed }: Sizes) => [1, 7, 256, 1000, 300][seed % 5]!;

/** The ends of a type; of floats, two numbers that come often. */
function endsOf(dtype: DType): readonly [low: number, high: number] {
  const { kind, itemSize } = dtypeInfo(dtype);
  if (kind === "f") return [-1.5, 65504];
  const low = kind === "i" ? -(2 ** (8 * itemSize - 1)) : 0;
  return [low, low + 2 ** (8 * itemSize) - 1];
}

/** Below the least sample, at it, and above it, so that there are samples on both sides. */
function least(dtype: DType, sizes: Sizes): number {
  const [low, high] = endsOf(dtype);
  return [low - 3, low, 0, 100, high - values(sizes) + 1, high][sizes.seed % 6]!;
}

/** Edges of one width, as histograms have them. */
function edges(dtype: DType, sizes: Sizes): number[] {
  const [low, high] = endsOf(dtype);
  const [first, last] = [[low, high], [-300, 1.5], [0.1, 7.3], [-1e6, 1e8], [0, 100]][sizes.seed % 5]!;
  const count = bins(sizes);
  const step = (last! - first!) / count;
  return Array.from({ length: count + 1 }, (_, i) => i === count ? last! : first! + i * step);
}

/** As of thresholds, and those that only integers of 64 bits tell apart. */
const LIMITS = [
  0,
  -0,
  1.5,
  -1,
  16777217,
  254.5,
  255,
  -1e-50,
  127,
  -5e9,
  2 ** 53 + 2,
  2 ** 63 - 1024,
  2 ** 63,
  -(2 ** 63),
  2 ** 64 - 2048,
  2 ** 64,
  65504,
  1 / 3,
  -Infinity,
  Infinity,
  NaN,
];

function lines(dtype: DType) {
  const { itemSize } = dtypeInfo(dtype);
  const rowStride = (sizes: Sizes) => sizes.rowLength * itemSize + sizes.gap;
  return {
    bits: { bytes: (sizes: Sizes) => sizes.rows * bytesOf(sizes.rowLength), values: "any" },
    lines: { bytes: (sizes: Sizes) => 4 * (sizes.rows + 1), values: "any" },
    first: ({ seed }: Sizes) => seed % 1000,
    data: {
      bytes: (sizes: Sizes) => Math.max(0, sizes.rows * rowStride(sizes) - sizes.gap),
      parts: (sizes: Sizes) => ({ bytes: sizes.rowLength * itemSize, stride: rowStride(sizes) }),
      values: "any",
    },
    rowStride,
    rows,
    n: rowLength,
  } as const;
}

/** Bytes of a line of bits. */
const bytesOf = (n: number) => 8 * Math.ceil(n / 64);

function bits(of: (sizes: Sizes) => readonly number[]) {
  return { bytes: (sizes: Sizes) => of(sizes).length, values: of };
}

/** Lines of bits: all densities, and words that are full or empty. */
function bitsOf({ rowLength, rows, pixels, seed }: Sizes, count: number): number[] {
  const n = count === 1 ? pixels : rowLength;
  const all: number[] = [];
  for (let row = 0; row < (count === 1 ? 1 : rows); row++) {
    const line = new Array<number>(bytesOf(n)).fill(0);
    for (let x = 0; x < n; x++) {
      const hash = Math.imul(Math.imul(x + 977 * row + 1, 0x9e3779b1) ^ seed, 0x85ebca6b) >>> 16;
      const isOne = (x >> 6) % 5 === 4 ? seed % 2 === 0 : hash % 8 <= seed % 9 - 1;
      if (isOne) line[x >> 3]! |= 1 << (x & 7);
    }
    all.push(...line);
  }
  return all;
}

const runsIn = (sizes: Sizes) => runsOf(Uint8Array.from(bitsOf(sizes, 1))).length;
const next = (sizes: Sizes): Sizes => ({ ...sizes, seed: sizes.seed + 4 });
const ofLine = ({ seed }: Sizes) => seed % 3 > 0;

/** For each of `n` runs itself, or an earlier run. */
function forest(n: number, seed: number): number[] {
  return Array.from({ length: n }, (_, run) => {
    const hash = Math.imul(run + seed, 0x9e3779b1) >>> 12;
    return hash % 4 === 0 ? hash % (run + 1) : run;
  });
}

/** Labels of the runs of all rows: new ones are greater by one than all before. */
function labelsOf(sizes: Sizes): number[] {
  const line = bytesOf(sizes.rowLength);
  const all = Uint8Array.from(bitsOf(sizes, sizes.rows));
  const labels: number[] = [];
  let known = 0;
  for (let row = 0; row < sizes.rows; row++) {
    for (const _ of runsOf(all.subarray(row * line, (row + 1) * line))) {
      const hash = Math.imul(labels.length + sizes.seed, 0x9e3779b1) >>> 12;
      labels.push(hash % 3 === 0 || known === 0 ? ++known : 1 + hash % known);
    }
  }
  return labels;
}
