/**
 * Rows of the Fourier transforms. Heights are given by `frames`, widths by `rowLength`.
 *
 * @module
 */

import type { DType } from "../../../src/space/dtype.ts";
import type { BufferContents, NumberParameter, Sizes } from "./common/describe.ts";
import { type FftDType, fftScratch, fftTables } from "../../../src/kernels/families/fft_tables.ts";
import { fft2, irfft2, rfft2 } from "../twins/fft/fft2.ts";
import { numbers, type Rows } from "./common/row.ts";

/** Real numbers to a spectrum, the inverse, and complex numbers. */
export const FFT: Rows<"rfft2" | "irfft2" | "fft2"> = {
  rfft2: {
    reference: rfft2,
    parameters: (dtype) => ({
      dst: output(dtype, (sizes) => 2 * sizes.frames * columns(sizes)),
      src: samples(dtype, (sizes) => sizes.frames * width(sizes)),
      height: ({ frames }) => frames,
      width,
      columns,
      ...tablesAndScratch(dtype, halfWidth),
    }),
  },
  irfft2: {
    reference: irfft2,
    parameters: (dtype) => ({
      dst: output(dtype, (sizes) => sizes.frames * width(sizes)),
      src: samples(dtype, (sizes) => 2 * sizes.frames * halfWidth(sizes)),
      height: ({ frames }) => frames,
      width,
      ...tablesAndScratch(dtype, halfWidth),
    }),
  },
  fft2: {
    reference: fft2,
    parameters: (dtype) => ({
      dst: output(dtype, (sizes) => 2 * sizes.frames * width(sizes)),
      src: samples(dtype, (sizes) => 2 * sizes.frames * width(sizes)),
      height: ({ frames }) => frames,
      width,
      back: ({ seed }) => seed % 2,
      ...tablesAndScratch(dtype, width),
    }),
  },
};

/** Rows longer than 256 would test nothing new. */
const width = ({ rowLength }: Sizes) => rowLength > 256 ? rowLength % 256 : rowLength;
const halfWidth = (sizes: Sizes) => width(sizes) && Math.floor(width(sizes) / 2) + 1;
/** All columns, fewer columns, or none. */
const columns = (sizes: Sizes) => halfWidth(sizes) - sizes.seed % (halfWidth(sizes) + 1);

function output(dtype: DType, length: NumberParameter): BufferContents {
  return numbers(dtype, length, "finite");
}

/** Ordinary numbers; sometimes huge and tiny ones, which overflow, and NaN. */
function samples(dtype: DType, length: NumberParameter): BufferContents {
  const most = dtype === "float32" ? 2 ** 127 : 2 ** 1023;
  const odd = [NaN, Infinity, most, -most, 1 / most / 4, -0];
  const values = (sizes: Sizes) =>
    Array.from({ length: length(sizes) }, (_, i) => {
      const special = sizes.seed % 5 === 0 && (i + sizes.seed) % 11 === 0;
      return special
        ? odd[(sizes.seed / 5 + i) % odd.length]!
        : Math.sin(i * 1.7 + sizes.seed) * (1 + i % 13);
    });
  return numbers(dtype, length, values);
}

function tablesAndScratch(
  dtype: DType,
  columns: NumberParameter,
): Record<"tables" | "scratch", BufferContents> {
  const tables = (sizes: Sizes) =>
    [width(sizes), sizes.frames].flatMap((n) => Array.from(fftTables(n, dtype as FftDType)));
  const scratch = (sizes: Sizes) => fftScratch(sizes.frames, width(sizes), columns(sizes), dtype as FftDType);
  return {
    tables: numbers(dtype, (sizes) => tables(sizes).length, tables),
    scratch: numbers(dtype, scratch, "finite"),
  };
}
