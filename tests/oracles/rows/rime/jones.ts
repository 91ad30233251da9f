/**
 * Rows of the kernels of the sum over sources with Jones matrices.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { BufferContents, NumberParameter, Sizes } from "../common/describe.ts";
import { jonesPhasors, jonesSums, smearTapers } from "../../twins/rime/jones_sums.ts";
import { list, numbers, type Rows } from "../common/row.ts";

const sources: NumberParameter = ({ frames }) => frames % 5;
const antennas: NumberParameter = ({ masks }) => 1 + masks % 4;
const count: NumberParameter = ({ rowLength }) => rowLength % 6;
const lanesOf = (dtype: DType) => 16 / dtypeInfo(dtype).itemSize;
const channelsOf = (dtype: DType): NumberParameter => ({ seed }) => 1 + seed % lanesOf(dtype);

/** Some vectors. */
function vectors(dtype: DType, length: NumberParameter): BufferContents {
  return numbers(dtype, (sizes) => lanesOf(dtype) * length(sizes), "finite");
}

const cells: NumberParameter = (sizes) => sources(sizes) * antennas(sizes);

function pairs(sizes: Sizes): number[] {
  const antenna = (i: number) => (sizes.seed + i) % antennas(sizes);
  return Array.from({ length: count(sizes) }, (_, i) => [antenna(i), antenna(3 * i + 1), i]).flat();
}

/** The same, some of which have no second antenna. */
function pairsOrRows(sizes: Sizes): number[] {
  return pairs(sizes).map((value, i) => i % 3 === 1 && (sizes.seed + i) % 4 === 0 ? -1 : value);
}

/** Phasors, sums, smearing. */
export const JONES: Rows<"jones_phasors" | "jones_sums" | "smear_tapers"> = {
  jones_phasors: {
    reference: jonesPhasors,
    parameters: (dtype) => {
      const channels = channelsOf(dtype), size = dtypeInfo(dtype).itemSize;
      const antennaStride: NumberParameter = (sizes) => 8 * size * channels(sizes);
      return {
        left: vectors(dtype, (sizes) => 8 * cells(sizes)),
        right: vectors(dtype, (sizes) => 8 * cells(sizes)),
        phasors: vectors(dtype, (sizes) => 2 * cells(sizes)),
        weights: vectors(dtype, (sizes) => 4 * sources(sizes)),
        jones: numbers(dtype, (sizes) => 8 * cells(sizes) * channels(sizes), "finite"),
        sourceStride: (sizes) => antennas(sizes) * antennaStride(sizes),
        antennaStride,
        sources,
        antennas,
        channels,
      };
    },
  },
  jones_sums: {
    reference: jonesSums,
    parameters: (dtype) => {
      const channels = channelsOf(dtype), channelStride = 8 * dtypeInfo(dtype).itemSize;
      return {
        vis: numbers(dtype, (sizes) => 8 * count(sizes) * channels(sizes), "finite"),
        left: vectors(dtype, (sizes) => 8 * cells(sizes)),
        right: vectors(dtype, (sizes) => 8 * cells(sizes)),
        tapers: vectors(dtype, (sizes) => count(sizes) * sources(sizes)),
        pairs: list(pairs),
        count,
        sources,
        channels,
        rowStride: (sizes) => channelStride * channels(sizes),
        channelStride: () => channelStride,
      };
    },
  },
  smear_tapers: {
    reference: smearTapers,
    parameters: (dtype) => ({
      tapers: vectors(dtype, (sizes) => count(sizes) * sources(sizes)),
      lmn: numbers("float64", (sizes) => 3 * sources(sizes), "finite"),
      uvw: numbers("float64", (sizes) => 3 * antennas(sizes), "finite"),
      pairs: list(pairsOrRows),
      frequency: numbers("float64", channelsOf(dtype), "finite"),
      widths: numbers("float64", channelsOf(dtype), "finite"),
      intervals: numbers("float64", count, "finite"),
      count,
      sources,
      channels: channelsOf(dtype),
      turnSin: ({ seed }) => seed % 3 / 10,
      turnCos: ({ seed }) => seed % 4 / 10,
      speed: () => 300,
    }),
  },
};
