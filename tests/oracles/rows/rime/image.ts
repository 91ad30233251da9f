/**
 * Rows of the kernels of imaging. `frames` is the number of samples (at most nine), `masks` that of planes (at most four).
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import { dtypeInfo } from "../../../../src/space/dtype.ts";
import type { BufferContents, NumberParameter, Sizes } from "../common/describe.ts";
import { type FftDType, fftTables } from "../../../../src/kernels/families/fft_tables.ts";
import { gridGather, gridScreen, gridSpread, gridTransform } from "../../twins/rime/grid.ts";
import { randomOf } from "../common/packed.ts";
import { list, numbers, type Rows } from "../common/row.ts";

const count: NumberParameter = ({ frames }) => Math.min(frames, 9);
const planes: NumberParameter = ({ masks }) => 1 + Math.max(masks, 0) % 4;
const support: NumberParameter = ({ seed }) => 2 + seed % 6;
const padded = (sizes: Sizes) => (support(sizes) + 3) & ~3;
const depth: NumberParameter = (sizes) => sizes.seed % 3 ? support(sizes) : 1;
const width: NumberParameter = (sizes) => 2 * support(sizes) + sizes.rowLength % 7;
const height: NumberParameter = (sizes) => 2 * support(sizes) + sizes.rows % 7;
const degree: NumberParameter = ({ seed }) => seed % 5;
const first: NumberParameter = (sizes) => sizes.seed % height(sizes);
const bandRows: NumberParameter = (sizes) => 1 + sizes.pixels % (height(sizes) - first(sizes));
const columnsOf = (sizes: Sizes) => width(sizes) + support(sizes) + 1;

/** x, y, z and value of samples: anywhere on the grid, around its planes. */
function records(sizes: Sizes): number[] {
  const random = randomOf(sizes.seed + 11);
  const below = (n: number) => n * random(4096) / 4096;
  return Array.from({ length: 9 }, () => [
    below(width(sizes)),
    below(height(sizes)),
    below(planes(sizes) + 4) - 2 + support(sizes) / 2,
    random(200) - 100,
    random(200) / 7,
  ]).flat();
}

/** A permutation's beginning: each record at most once, as samples are. */
function order(sizes: Sizes): number[] {
  const random = randomOf(sizes.seed + 5), left = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  return Array.from({ length: count(sizes) }, () => left.splice(random(left.length), 1)[0]!);
}

/** Coefficients, and zeros behind them. */
function table(dtype: DType): BufferContents {
  const length = (sizes: Sizes) => (degree(sizes) + 1) * padded(sizes);
  return numbers(dtype, length, (sizes) => {
    const random = randomOf(sizes.seed + 3);
    return Array.from(
      { length: length(sizes) },
      (_, i) => i % padded(sizes) < support(sizes) ? (random(200) - 100) / 64 : 0,
    );
  });
}

/** A grid of `rows` rows. */
function grid(dtype: DType, rows: NumberParameter) {
  const { itemSize } = dtypeInfo(dtype);
  const rowStride: NumberParameter = (sizes) => 2 * itemSize * columnsOf(sizes);
  const planeStride: NumberParameter = (sizes) => rows(sizes) * rowStride(sizes);
  const contents = numbers(dtype, (sizes) => 2 * planes(sizes) * rows(sizes) * columnsOf(sizes), "finite");
  return { grid: contents, rowStride, planeStride };
}

const shared = (dtype: DType) => ({
  records: numbers("float64", () => 45, records),
  order: list(order),
  count,
  width,
  height,
  firstPlane: ({ seed }: Sizes) => seed % 2,
  planes,
  table: table(dtype),
  degree,
  support,
  depth,
  scratch: numbers(dtype, (sizes) => 3 * padded(sizes), "finite"),
});

const length: NumberParameter = ({ rowLength }) => 1 + rowLength % 40;
const lines: NumberParameter = ({ frames }) => frames % 11;
const apart = (dtype: DType) => 2 * dtypeInfo(dtype).itemSize;
const pixels: NumberParameter = ({ rowLength }) => rowLength % 12;

/** Their rows. */
export const IMAGE: Rows<"grid_spread" | "grid_gather" | "grid_transform" | "grid_screen"> = {
  grid_spread: {
    reference: gridSpread,
    parameters: (dtype) => ({ ...shared(dtype), ...grid(dtype, bandRows), first, rows: bandRows }),
  },
  grid_gather: {
    reference: gridGather,
    parameters: (dtype) => ({ ...shared(dtype), ...grid(dtype, height) }),
  },
  grid_transform: {
    reference: gridTransform,
    parameters: (dtype) => ({
      data: numbers(dtype, (sizes) => 2 * lines(sizes) * length(sizes), "finite"),
      count: lines,
      laneStep: (sizes) => apart(dtype) * (sizes.seed % 2 ? 1 : length(sizes)),
      step: (sizes) => apart(dtype) * (sizes.seed % 2 ? lines(sizes) : 1),
      length,
      kept: (sizes) => length(sizes) - (sizes.seed * 7 + 3) % length(sizes),
      used: (sizes) => length(sizes) - sizes.seed % length(sizes),
      widen: ({ seed }) => (seed >> 1) % 2,
      tables: numbers(dtype, (sizes) => fftTables(length(sizes), dtype as FftDType).length, (sizes) => [
        ...fftTables(length(sizes), dtype as FftDType),
      ]),
      scratch: numbers(dtype, (sizes) => 64 / dtypeInfo(dtype).itemSize * spare(length(sizes)), "finite"),
    }),
  },
  grid_screen: {
    reference: gridScreen,
    parameters: (dtype) => ({
      image: numbers("float64", (sizes) => lines(sizes) * pixels(sizes), "finite"),
      plane: numbers(dtype, (sizes) => 2 * lines(sizes) * pixels(sizes), "finite"),
      columns: pixels,
      rows: lines,
      imageStride: (sizes) => 8 * pixels(sizes),
      planeStride: (sizes) => apart(dtype) * pixels(sizes),
      start: ({ seed }) => seed % 5,
      l: () => -0.1,
      dl: ({ seed }) => seed % 7 / 300,
      m: () => 0.2,
      dm: ({ seed }) => -(seed % 5) / 300,
      middle: ({ seed }) => -(seed % 3) / 1000,
      w: ({ seed }) => (seed % 1000) * 37.3,
      back: ({ seed }) => seed % 2,
    }),
  },
};

/** Elements that a transform of a length with a large prime factor takes, at most. */
function spare(length: number): number {
  return 6 * length + 64;
}
