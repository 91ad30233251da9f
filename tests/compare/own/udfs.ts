/**
 * Small UDFs as users write them; `peers/own_udfs.py` has the same in Python, under the same names.
 *
 * @module
 */

import { ndarray } from "@tilewise/tilewise/arrays";
import { auxData, type AuxSpec, type Udf, withMask } from "@tilewise/tilewise/udf";
import type { DType } from "../../../src/space/dtype.ts";

/** What they may be told. */
export interface OwnParams {
  /** Frames of a tile. */
  readonly depth?: number;
  /** Bytes of a tile. */
  readonly totalBytes?: number;
  /** A limit. */
  readonly limit?: number;
  /** Which process method. */
  readonly method?: "tile" | "frame" | "partition";
  /** Numbers of frames. */
  readonly dose?: AuxSpec;
  /** Numbers of pixels. */
  readonly weights?: AuxSpec;
}

/** Adds `from` to `into`, number by number. */
function add(into: ArrayLike<number | bigint>, from: ArrayLike<number | bigint>): void {
  const sums = into as Float64Array;
  for (let i = 0; i < from.length; i++) sums[i] = (into[i] as never) + (from[i] as never);
}

/** Tiles: sums of frames and their squares, which a tile adds to; frames are counted in one number. */
export const moments = (
  { depth, totalBytes }: OwnParams,
): Udf<Record<"sum" | "squares" | "frames", DType>> => ({
  name: "moments",
  buffers: {
    sum: { kind: "nav", dtype: "float64" },
    squares: { kind: "sig", dtype: "float64" },
    frames: { kind: "single", dtype: "float64" },
  },
  tiling: { ...(depth ? { depth } : {}), ...(totalBytes ? { totalBytes } : {}) },
  processTile({ data, frames, pixels, box }, { sum, squares, frames: count }) {
    for (let f = 0; f < frames; f++) {
      for (let p = 0; p < pixels; p++) {
        const value = Number(data[f * pixels + p]);
        sum[f] = Number(sum[f]) + value;
        squares[p] = Number(squares[p]) + value * value;
      }
    }
    if (box.origin.every((o) => o === 0)) count[0] = Number(count[0]) + frames;
  },
  merge(into, from) {
    add(into.squares, from.squares);
    add(into.frames, from.frames);
  },
});

/** Frames: the brightest sample of each and where it is, the brightest of each pixel; starts below everything. */
export const brightest = (): Udf<Record<"most" | "at" | "image", DType>> => ({
  name: "brightest",
  buffers: {
    most: { kind: "nav", dtype: "float64" },
    at: { kind: "nav", dtype: "int64" },
    image: { kind: "sig", dtype: "float64" },
  },
  preprocess: ({ image }) => image.fill(-1e9 as never),
  processFrame({ data }, { most, at, image }) {
    let best = 0;
    data.forEach((value: number | bigint, p: number) => {
      if (Number(value) > Number(data[best])) best = p;
      image[p] = Math.max(Number(image[p]), Number(value));
    });
    most[0] = Number(data[best]);
    at[0] = BigInt(best);
  },
  merge(into, from) {
    from.image.forEach((value: number | bigint, p: number) =>
      into.image[p] = Math.max(Number(into.image[p]), Number(value))
    );
  },
});

/** Partitions: the difference of each frame's sum from that of the first pixel column, and a sum over all. */
export const wholePartitions = (): Udf<Record<"edge" | "total", DType>> => ({
  name: "whole-partitions",
  buffers: { edge: { kind: "nav", dtype: "float64" }, total: { kind: "sig", dtype: "float64" } },
  processPartition({ data, frames, pixels }, { edge, total }) {
    for (let f = 0; f < frames; f++) {
      for (let p = 0; p < pixels; p++) {
        const value = Number(data[f * pixels + p]);
        edge[f] = Number(edge[f]) + (p === 0 ? 2 * value : value);
        total[p] = Number(total[p]) + value;
      }
    }
  },
  merge: (into, from) => add(into.total, from.total),
});

/** Entries that are arrays: a matrix for each frame, a pair for each pixel. */
export const entries = (): Udf<Record<"matrix" | "pair", DType>> => ({
  name: "entries",
  buffers: {
    matrix: { kind: "nav", dtype: "float64", extraShape: [2, 3] },
    pair: { kind: "sig", dtype: "float64", extraShape: [2] },
  },
  processFrame({ data, pixels }, { matrix, pair }) {
    for (let p = 0; p < pixels; p++) {
      const value = Number(data[p]);
      matrix[p % 6] = Number(matrix[p % 6]) + value;
      pair[2 * p] = Number(pair[2 * p]) + value;
      pair[2 * p + 1] = Number(pair[2 * p + 1]) + (value > 0 ? 1 : 0);
    }
  },
  merge: (into, from) => add(into.pair, from.pair),
});

/** Auxiliary data of frames and of pixels. */
export const auxiliary = ({ dose, weights }: OwnParams): Udf<Record<"dosed", DType>> => ({
  name: "auxiliary",
  buffers: { dosed: { kind: "nav", dtype: "float64", extraShape: [2] } },
  aux: () => ({ dose: dose!, weights: weights! }),
  processFrame({ data, pixels }, { dosed }, { aux }) {
    let sum = 0;
    for (let p = 0; p < pixels; p++) sum += Number(data[p]) * Number(aux.weights![p]);
    for (let d = 0; d < 2; d++) dosed[d] = sum * Number(aux.dose![d]);
  },
});

/** The end of a partition: means from sums. */
export const means = (): Udf<Record<"mean", DType>> => ({
  name: "means",
  buffers: { mean: { kind: "nav", dtype: "float64" } },
  processTile({ data, frames, pixels }, { mean }) {
    for (let f = 0; f < frames; f++) {
      for (let p = 0; p < pixels; p++) mean[f] = Number(mean[f]) + Number(data[f * pixels + p]);
    }
  },
  postprocess({ mean }, { meta: { pixels } }) {
    mean.forEach((sum: number | bigint, f: number) => mean[f] = Number(sum) / pixels);
  },
});

/** Results that are made of private buffers, with a mask of their own. */
export const masked = ({ limit = 0 }: OwnParams): Udf<Record<"sum" | "half" | "image", DType>> => ({
  name: "masked",
  buffers: {
    sum: { kind: "nav", dtype: "float64", use: "private" },
    half: { kind: "nav", dtype: "float64", use: "result" },
    image: { kind: "sig", dtype: "float64" },
  },
  processFrame({ data }, { sum, image }) {
    data.forEach((value: number | bigint, p: number) => {
      sum[0] = Number(sum[0]) + Number(value);
      image[p] = Number(image[p]) + Number(value);
    });
  },
  merge: (into, from) => add(into.image, from.image),
  results: ({ sum, image }) => ({
    half: (sum as Float64Array).map((value) => value / 2),
    image: withMask(image, Array.from(image as Float64Array, (value) => value > limit)),
  }),
});

/** Where a frame is, and which part of it. */
export const places = (): Udf<Record<"place" | "pixel", DType>> => ({
  name: "places",
  buffers: {
    place: { kind: "nav", dtype: "float64" },
    pixel: { kind: "sig", dtype: "float64" },
  },
  processTile(tile, { place, pixel }, { meta: { navShape } }) {
    const isFirst = tile.box.origin.every((o) => o === 0);
    for (let f = 0; f < tile.frames; f++) {
      const weighted = tile.coordinates(f).reduce((sum, c) => 100 * sum + c + 1, 0);
      if (isFirst) place[f] = weighted;
    }
    pixel.fill((tile.box.origin.length + navShape.length) as never);
  },
  merge(into, from) {
    from.pixel.forEach((value: number | bigint, p: number) =>
      into.pixel[p] = Math.max(Number(into.pixel[p]), Number(value))
    );
  },
});

/** Values of any form: which pixels are bright. */
export const lists = ({ limit = 0 }: OwnParams): Udf<{ bright: "object" }> => ({
  name: "lists",
  buffers: { bright: { kind: "nav", dtype: "object" } },
  processFrame({ data }, _, { objects }) {
    const found = Array.from(data, Number).flatMap((value, p) => value > limit ? [p] : []);
    objects.bright!.set(0, found);
  },
});

/** Complex results of real samples: the first Fourier coefficient of each frame. */
export const wave = (): Udf<Record<"first", DType>> => ({
  name: "wave",
  buffers: { first: { kind: "nav", dtype: "complex128" } },
  processFrame({ data, pixels }, { first }) {
    for (let p = 0; p < pixels; p++) {
      first[0] = Number(first[0]) + Number(data[p]) * Math.cos(2 * Math.PI * p / pixels);
      first[1] = Number(first[1]) + Number(data[p]) * Math.sin(2 * Math.PI * p / pixels);
    }
  },
});

/** Samples as they are stored, counted exactly: a histogram of their lowest four bits. */
export const histogram = (): Udf<Record<"counts", DType>> => ({
  name: "histogram",
  buffers: { counts: { kind: "single", dtype: "int64", extraShape: [16] } },
  inputDType: "native",
  processTile({ data, frames, pixels }, { counts }) {
    const bins = counts as BigInt64Array;
    for (let i = 0; i < frames * pixels; i++) {
      const bin = ((Number(data[i]) % 16) + 16) % 16;
      bins[bin] = bins[bin]! + 1n;
    }
  },
  merge: (into, from) => add(into.counts, from.counts),
});

/** One UDF that can work by tile, frame or partition, and chooses. */
export const choosing = ({ method = "tile" }: OwnParams): Udf<Record<"sum", DType>> => {
  const sumUp = (data: ArrayLike<number | bigint>, frames: number, pixels: number, sum: Float64Array) => {
    for (let f = 0; f < frames; f++) {
      for (let p = 0; p < pixels; p++) sum[f] = sum[f]! + Number(data[f * pixels + p]);
    }
  };
  return {
    name: "choosing",
    buffers: { sum: { kind: "nav", dtype: "float64" } },
    method: () => method,
    processTile: ({ data, frames, pixels }, { sum }) => sumUp(data, frames, pixels, sum as Float64Array),
    processFrame: ({ data, pixels }, { sum }) => sumUp(data, 1, pixels, sum as Float64Array),
    processPartition: ({ data, frames, pixels }, { sum }) => sumUp(data, frames, pixels, sum as Float64Array),
  };
};

/** Auxiliary data of a scan and of frames: the same numbers as in Python. */
export function auxOf(frames: number, pixels: number): { dose: AuxSpec; weights: AuxSpec } {
  const dose = Float64Array.from({ length: 2 * frames }, (_, i) => (i * 7) % 11 - 3);
  const weights = Float64Array.from({ length: pixels }, (_, i) => (i * 5) % 13 - 6);
  return {
    dose: auxData(ndarray(dose, [frames, 2], "float64"), { extraShape: [2] }),
    weights: auxData(weights, { kind: "sig" }),
  };
}

/** The samples of each frame, as they come. */
export const copies = (): Udf<Record<"frame", DType>> => ({
  name: "copies",
  buffers: ({ sigShape, inputDType }) => ({
    frame: { kind: "nav", dtype: inputDType, extraShape: sigShape },
  }),
  processFrame: ({ data }, { frame }) => frame.set(data as never),
});
