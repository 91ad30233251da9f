/**
 * Rows of the kernels of the measurement equation. `frames` is the number of sources (at most five), `masks` that of antennas
 * (at least one), `rowLength` that of channels (at most nine).
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { BufferContents, NumberParameter, Sizes } from "../common/describe.ts";
import type { RimeFamilies } from "../../../../src/kernels/families/families.ts";
import { rimeJones } from "../../twins/rime/matrices.ts";
import { rimePhasors, rimePhasorsEven } from "../../twins/rime/phasors.ts";
import { rimeShapelets } from "../../twins/rime/shapelets.ts";
import { rimeBrightness, rimeTapers } from "../../twins/rime/sources.ts";
import { rimeCorrelations, rimeProducts, rimeSums, rimeWeigh } from "../../twins/rime/sums.ts";
import { list, numbers, type Rows } from "../common/row.ts";
import { randomOf } from "../common/packed.ts";

const sources: NumberParameter = ({ frames }) => Math.min(frames, 5);
const antennas: NumberParameter = ({ masks }) => Math.min(Math.max(masks, 1), 5);
const channels: NumberParameter = ({ rowLength }) => rowLength % 10;
const lanes = (dtype: DType) => dtype === "float64" ? 2 : 4;

/** Channels of one vector: at least one. */
const some = (dtype: DType): NumberParameter => ({ seed }) => 1 + seed % lanes(dtype);

/** More sources than those whose tables are kept at once, for some sizes. */
const manySources: NumberParameter = (sizes) => sizes.seed % 5 === 0 ? 30 + sizes.seed % 7 : sources(sizes);

/** Planes of all channels, or of one vector. */
function planes(
  dtype: DType,
  vectors: NumberParameter = () => 1,
  count: NumberParameter = sources,
): BufferContents {
  const samples = (sizes: Sizes) => 2 * lanes(dtype) * vectors(sizes) * antennas(sizes) * count(sizes);
  return numbers(dtype, samples, "finite");
}

const speed: NumberParameter = ({ seed }) => seed % 2 ? 299792458 : -299792458;
const vectorsOf = (dtype: DType): NumberParameter => (sizes) => Math.ceil(channels(sizes) / lanes(dtype));

/** Channels of all vectors, with those behind the last. */
const padded = (dtype: DType): NumberParameter => (sizes) => lanes(dtype) * vectorsOf(dtype)(sizes);

/** Numbers for sources, rows and channels of phasors. */
const COUNTS = {
  lmn: numbers("float64", (sizes) => 3 * sources(sizes)),
  uvw: numbers("float64", (sizes) => 3 * antennas(sizes)),
  sources,
  rows: antennas,
  channels,
  speed,
};

/** 1, 2 or 4 weights per source. */
const planesOf: NumberParameter = ({ seed }) => [1, 2, 4][seed % 3]!;
/** The same; 3: one weight for the first and the last of four. */
const sumsOf: NumberParameter = ({ seed }) => 1 + seed % 4;
const pairCount: NumberParameter = ({ frames, seed }) => (frames + seed) % 4;

/** p, q and row of pairs; some without q. */
function pairs(sizes: Sizes): number[] {
  const random = randomOf(sizes.seed);
  return Array.from({ length: pairCount(sizes) }, (_, row) => {
    const q = random(4) === 0 ? -1 : random(antennas(sizes));
    return [random(antennas(sizes)), q, row];
  }).flat();
}

/** Blocks of four baselines; some have no row. */
function blocks(sizes: Sizes): number[] {
  const random = randomOf(sizes.seed);
  return Array.from({ length: pairCount(sizes) }, (_, block) => {
    const four = Array.from({ length: 4 }, () => random(antennas(sizes)));
    return [...four, ...[0, 1, 2, 3].map((i) => random(4) === 0 ? -1 : 4 * block + i)];
  }).flat();
}

/** Visibilities of `rows` rows, of `correlations` each. */
function visibilities(dtype: DType, rows: number, correlations: NumberParameter, channels: NumberParameter) {
  const size = 16 / lanes(dtype);
  const channelStride: NumberParameter = (sizes) => 2 * size * correlations(sizes);
  const rowStride: NumberParameter = (sizes) => channelStride(sizes) * channels(sizes);
  const bytes: NumberParameter = (sizes) => rows * pairCount(sizes) * rowStride(sizes);
  const vis: BufferContents = { bytes, values: "any" };
  return { vis, rowStride, channelStride };
}

/** Their rows. */
export const RIME: Rows<keyof RimeFamilies> = {
  rime_phasors: {
    reference: rimePhasors,
    parameters: (dtype) => ({
      out: planes(dtype, vectorsOf(dtype)),
      ...COUNTS,
      frequency: numbers("float64", channels),
    }),
  },
  rime_phasors_even: {
    reference: rimePhasorsEven,
    parameters: (dtype) => ({
      out: planes(dtype, vectorsOf(dtype), manySources),
      ...COUNTS,
      lmn: numbers("float64", (sizes) => 3 * manySources(sizes)),
      sources: manySources,
      first: ({ seed }) => 1e6 * seed,
      step: ({ seed }) => seed % 7 * 1e5,
      channel: ({ seed }) => seed % 4 ? seed % 53 : 4 * (seed % 9),
      tables: numbers(dtype, () => 1024 + 1280 / (dtype === "float64" ? 8 : 4)),
    }),
  },
  rime_brightness: {
    reference: rimeBrightness,
    parameters: (dtype) => ({
      out: numbers(dtype, (sizes) => lanes(dtype) * planesOf(sizes) * sources(sizes)),
      stokes: numbers("float64", (sizes) => 4 * sources(sizes) * some(dtype)(sizes), "finite"),
      sourceStride: (sizes) => 32 * some(dtype)(sizes),
      channelStride: ({ seed }) => seed % 2 ? 32 : 0,
      combine: numbers("float64", (sizes) => 4 * planesOf(sizes), "whole"),
      planes: planesOf,
      frequency: positive(some(dtype)),
      reference: positive(sources),
      terms: numbers("float64", (sizes) => sources(sizes) * (sizes.seed % 4), (sizes) => {
        const random = randomOf(sizes.seed);
        return Array.from({ length: 20 }, () => (random(4000) - 2000) / 1000);
      }),
      termCount: ({ seed }) => seed % 4,
      spectrum: ({ frames, seed }) => (frames + seed) % 3,
      sources,
      channels: some(dtype),
    }),
  },
  rime_weigh: {
    reference: rimeWeigh,
    parameters: (dtype) => ({
      out: planes(dtype),
      phasors: { ...planes(dtype), values: "any" },
      weights: numbers(dtype, (sizes) => lanes(dtype) * sources(sizes)),
      sources,
      rows: antennas,
    }),
  },
  rime_products: {
    reference: rimeProducts,
    parameters: (dtype) => ({
      ...visibilities(dtype, 4, () => 1, some(dtype)),
      left: planes(dtype),
      right: planes(dtype),
      blocks: list(blocks),
      count: pairCount,
      sources,
      channels: some(dtype),
    }),
  },
  rime_sums: {
    reference: rimeSums,
    parameters: (dtype) => ({
      ...visibilities(dtype, 1, (sizes) => sumsOf(sizes) === 3 ? 4 : sumsOf(sizes), channels),
      phasors: planes(dtype, vectorsOf(dtype)),
      weights: numbers(dtype, (sizes) => padded(dtype)(sizes) * sumsOf(sizes) * sources(sizes), "finite"),
      tapers: numbers(dtype, (sizes) => padded(dtype)(sizes) * pairCount(sizes) * sources(sizes), "finite"),
      pairs: list(pairs),
      count: pairCount,
      sources,
      planes: sumsOf,
      channels,
      antennas,
    }),
  },
  rime_jones: {
    reference: rimeJones,
    parameters: (dtype) => ({
      left: numbers(dtype, (sizes) => 8 * lanes(dtype) * antennas(sizes) * sources(sizes)),
      right: numbers(dtype, (sizes) => 8 * lanes(dtype) * antennas(sizes) * sources(sizes)),
      jones: numbers(dtype, (sizes) => 8 * some(dtype)(sizes) * antennas(sizes) * sources(sizes), "finite"),
      phasors: planes(dtype),
      weights: numbers(dtype, (sizes) => 4 * lanes(dtype) * sources(sizes), "finite"),
      sources,
      antennas,
      channels: some(dtype),
      sourceStride: (sizes) => 128 / lanes(dtype) * some(dtype)(sizes) * antennas(sizes),
      antennaStride: (sizes) => 128 / lanes(dtype) * some(dtype)(sizes),
    }),
  },
  rime_tapers: {
    reference: rimeTapers,
    parameters: (dtype) => ({
      out: numbers(dtype, (sizes) => lanes(dtype) * pairCount(sizes) * sources(sizes)),
      shape: ({ seed }) => 1 + seed % 2,
      shapes: numbers("float64", (sizes) => 3 * sources(sizes), (sizes) => {
        const random = randomOf(sizes.seed);
        return Array.from({ length: 15 }, () => (random(2000) - 1000) / 1500);
      }),
      uvw: numbers("float64", (sizes) => 3 * antennas(sizes), "finite"),
      pairs: list(pairs),
      count: pairCount,
      frequency: positive(some(dtype)),
      sources,
      channels: some(dtype),
      factor: ({ seed }) => 10 ** -(9 + seed % 4),
    }),
  },
  rime_shapelets: {
    reference: rimeShapelets,
    parameters: (dtype) => ({
      even: numbers(dtype, (sizes) => lanes(dtype) * pairCount(sizes) * sources(sizes)),
      odd: numbers(dtype, (sizes) => lanes(dtype) * pairCount(sizes) * sources(sizes)),
      shapes: numbers("float64", (sizes) => 4 * sources(sizes), (sizes) => {
        const random = randomOf(sizes.seed);
        return Array.from({ length: 20 }, () => (random(2000) - 1000) / 1500);
      }),
      coefficients: numbers("float64", (sizes) => orders(sizes) * (orders(sizes) + 1) * sources(sizes)),
      nx: orders,
      ny: (sizes) => orders(sizes) + 1,
      uvw: numbers("float64", (sizes) => 3 * antennas(sizes), "finite"),
      pairs: list(pairs),
      count: pairCount,
      frequency: positive(some(dtype)),
      sources,
      channels: some(dtype),
      factor: ({ seed }) => (seed % 3 - 1) * 10 ** -(9 + seed % 4),
      work: numbers("float64", (sizes) => 4 * orders(sizes) + 2),
    }),
  },
  rime_correlations: {
    reference: rimeCorrelations,
    parameters: (dtype) => ({
      vis: { bytes: ({ frames, seed }) => 32 / lanes(dtype) * frames * (seed % 3 ? 4 : 2), values: "any" },
      count: ({ frames }) => frames,
      correlations: ({ seed }) => seed % 3 ? 4 : 2,
      how: ({ seed }) => seed % 3 === 1 ? 1 : 2,
    }),
  },
};

/** Orders of shapelets along their first axis. */
const orders: NumberParameter = ({ frames, seed }) => (frames + seed) % 4;

/** Frequencies. */
function positive(count: NumberParameter): BufferContents {
  return numbers("float64", count, (sizes) => {
    const random = randomOf(sizes.seed + 3);
    return Array.from({ length: Math.max(5, count(sizes)) }, () => 1e6 * (1 + random(3000)));
  });
}
