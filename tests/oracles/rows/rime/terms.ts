/**
 * Rows of the kernels around the sum over sources. The number of channels is given by `rowLength`.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { BufferContents, NumberParameter, Sizes } from "../common/describe.ts";
import { beamJones, multiplyJones } from "../../twins/rime/jones.ts";
import { misfitGradient } from "../../twins/rime/gradient.ts";
import { applyGains, compareVisibilities } from "../../twins/rime/visibilities.ts";
import { list, numbers, type Rows } from "../common/row.ts";

const sources = ({ frames }: Sizes) => frames % 4;
const rows = ({ seed }: Sizes) => seed % 7;
const antennas = ({ seed }: Sizes) => 1 + seed % 3;
const channels = ({ rowLength }: Sizes) => rowLength % 19;
const correlations = ({ seed }: Sizes) => [1, 2, 4][seed % 3]!;
const cells = (sizes: Sizes) => rows(sizes) * channels(sizes);

/** Products of Jones matrices, beam, gains, comparison. */
export const TERMS: Rows<
  "multiply_jones" | "beam_jones" | "apply_gains" | "compare_visibilities" | "misfit_gradient"
> = {
  multiply_jones: {
    reference: multiplyJones,
    parameters: (dtype) => ({
      jones: matrices(dtype, (sizes) => sources(sizes) * cells(sizes)),
      factors: matrices(dtype, (sizes) => (rows(sizes) || 1) * (channels(sizes) || 1)),
      sources,
      rows,
      channels,
      rowStride: (sizes) => sizes.seed % 2 ? 0 : step(dtype, sizes) * channels(sizes),
      channelStride: (sizes) => step(dtype, sizes),
    }),
  },
  beam_jones: {
    reference: beamJones,
    parameters: (dtype) => ({
      jones: matrices(dtype, (sizes) => sources(sizes) * cells(sizes)),
      lm: numbers("float64", (sizes) => 2 * sources(sizes), (sizes) => waves(2 * sources(sizes), 1.5, sizes)),
      offsets: numbers(
        "float64",
        (sizes) => 2 * cells(sizes),
        (sizes) => waves(2 * cells(sizes), 0.2, sizes),
      ),
      turns: numbers("float64", (sizes) => 2 * rows(sizes), (sizes) => waves(2 * rows(sizes), 1, sizes)),
      scaling: numbers("float64", (sizes) => 2 * antennas(sizes) * channels(sizes)),
      table: numbers("float64", (sizes) => 2 * channels(sizes), places),
      beam: matrices(dtype, (sizes) => side(sizes) * 3 * slices(sizes)),
      work: numbers(dtype, () => 8, "finite"),
      sources,
      rows,
      antennas,
      channels,
      l0: () => -1,
      lStep: (sizes) => (side(sizes) - 1) / 2,
      m0: () => -0.5,
      mStep: () => 2,
      width: side,
      height: () => 3,
      slices,
    }),
  },
  apply_gains: {
    reference: applyGains,
    parameters: (dtype) => ({
      vis: pairs(dtype, (sizes) => cells(sizes) * correlations(sizes)),
      gains: pairs(dtype, (sizes) => 2 * antennas(sizes) * channels(sizes) * correlations(sizes)),
      antenna1: list((sizes) => indices(sizes, antennas(sizes), 1)),
      antenna2: list((sizes) => indices(sizes, antennas(sizes), 5)),
      times: list((sizes) => indices(sizes, 2, 3)),
      rows,
      antennas,
      channels,
      correlations,
    }),
  },
  compare_visibilities: {
    reference: compareVisibilities,
    parameters: (dtype) => ({
      model: pairs(dtype, cells),
      observed: pairs(dtype, cells),
      flags: numbers(
        "uint8",
        cells,
        (sizes) => Array.from({ length: cells(sizes) }, (_, i) => +(i % 3 === 1)),
      ),
      weights: numbers(dtype, cells, "whole"),
      residual: pairs(dtype, cells),
      sums: numbers("float64", rows, "finite"),
      rows,
      count: channels,
    }),
  },
  misfit_gradient: {
    reference: misfitGradient,
    parameters: (dtype) => ({
      out: numbers(dtype, (sizes) => 10 * channels(sizes), "finite"),
      phases: pairs(dtype, cells),
      misfit: matrices(dtype, cells),
      brightness: numbers(dtype, (sizes) => 4 * channels(sizes), "finite"),
      tapers: numbers(dtype, cells, "finite"),
      slopes: numbers(dtype, cells, "finite"),
      uvw: numbers(dtype, (sizes) => 3 * rows(sizes), "finite"),
      jones: matrices(dtype, (sizes) => 2 * antennas(sizes) * channels(sizes)),
      antenna1: list((sizes) => indices(sizes, antennas(sizes), 1)),
      antenna2: list((sizes) => indices(sizes, antennas(sizes), 5)),
      times: list((sizes) => indices(sizes, 2, 3)),
      work: numbers(dtype, () => 16, "finite"),
      rows,
      antennas,
      channels,
    }),
  },
};

function pairs(dtype: DType, count: NumberParameter): BufferContents {
  return numbers(dtype, (sizes) => 2 * count(sizes));
}

function matrices(dtype: DType, count: NumberParameter): BufferContents {
  return numbers(dtype, (sizes) => 8 * count(sizes));
}

/** Bytes from one matrix to the next, or 0. */
function step(dtype: DType, { seed }: Sizes): number {
  return seed % 5 < 2 ? 0 : 8 * dtypeInfo(dtype).itemSize;
}

/** Samples of the beam along l. */
function side({ seed }: Sizes): number {
  return 1 + seed % 5;
}

/** Samples of the beam along frequency; one is enough. */
function slices({ seed }: Sizes): number {
  return 1 + seed % 2;
}

/** Position and scale of each channel. */
function places(sizes: Sizes): number[] {
  const last = slices(sizes) - 1;
  return Array.from({ length: channels(sizes) }, (_, c) => [Math.min(last, (c % 5) / 4), 1 + c / 7]).flat();
}

function indices(sizes: Sizes, count: number, factor: number): number[] {
  return Array.from({ length: rows(sizes) }, (_, r) => (factor * r + sizes.seed) % count);
}

/** Numbers around 0; now and then one that is not finite. */
function waves(length: number, size: number, { seed }: Sizes): number[] {
  return Array.from({ length }, (_, i) => seed % 6 === 0 && i === 1 ? NaN : size * Math.sin(seed + 2.4 * i));
}
