/**
 * Rows of the kernels for eight small images at once. `pixels` determines their sides.
 *
 * @module
 */

import type { DType } from "../../../src/space/dtype.ts";
import type { BufferContents, Sizes } from "./common/describe.ts";
import { lanesPlan } from "../../../src/kernels/families/lanes_plan.ts";
import {
  lanesCorrelate,
  lanesCrop,
  lanesCropLow,
  lanesLog,
  lanesMultiply,
  logScale,
  multiplyPairs,
} from "../twins/lanes/lanes.ts";
import { lanesFft } from "../twins/lanes/fft.ts";
import { lanesPeaks } from "../twins/lanes/peaks.ts";
import { SMALL } from "../../../src/kernels/families/types.ts";
import { list, numbers, pixels, rowLength, type RowParameters, type Rows, rows } from "./common/row.ts";

/** Side of the images; small, as the twin is slow. */
const side = ({ pixels }: Sizes) => pixels % 24;
const elements = (sizes: Sizes) => side(sizes) ** 2;
const images = ({ seed }: Sizes) => seed % 9;

/** Eight images of f32. */
const eight = (values: BufferContents["values"] = "finite") =>
  numbers("float32", (sizes) => 8 * elements(sizes), values);

/** Cut out, scale, transform, multiply, sum, find. */
export const LANES: Rows<
  | "log_scale"
  | "multiply_pairs"
  | "lanes_crop"
  | "lanes_crop_low"
  | "lanes_log"
  | "lanes_fft"
  | "lanes_multiply"
  | "lanes_correlate"
  | "lanes_peaks"
> = {
  lanes_crop: { reference: lanesCrop, parameters: cropParameters },
  lanes_crop_low: { reference: lanesCropLow, parameters: cropParameters },
  log_scale: {
    reference: logScale,
    parameters: () => ({
      data: numbers("float32", pixels, "finite"),
      n: pixels,
      least: ({ seed }) => -100 - seed % 3,
    }),
  },
  multiply_pairs: {
    reference: multiplyPairs,
    parameters: () => {
      const pairs = numbers("float32", ({ pixels }) => 2 * pixels);
      return { data: pairs, factors: pairs, n: pixels };
    },
  },
  lanes_log: {
    reference: lanesLog,
    parameters: () => ({
      data: eight(levels),
      most: numbers("float32", () => 8, "finite"),
      elements,
      log: ({ seed }) => seed % 2,
    }),
  },
  lanes_fft: {
    reference: lanesFft,
    parameters: () => ({
      data: eight(),
      n: side,
      radices: list(radices),
      stages: (sizes) => radices(sizes).length,
      twiddles: list(twiddles),
      spare: numbers("float32", largePrime, "finite"),
      backward: ({ seed }) => seed % 2,
    }),
  },
  lanes_multiply: {
    reference: lanesMultiply,
    parameters: () => ({
      data: eight("any"),
      factors: numbers("float32", (sizes) => 2 * elements(sizes)),
      elements,
    }),
  },
  lanes_correlate: {
    reference: lanesCorrelate,
    parameters: () => ({
      out: numbers("float32", (sizes) => 8 * window(sizes) ** 2, "finite"),
      size: window,
      data: eight(),
      pitch: side,
      taps: list(taps),
      weights: numbers("float32", (sizes) => taps(sizes).length, "finite"),
      count: (sizes) => taps(sizes).length,
    }),
  },
  lanes_peaks: {
    reference: lanesPeaks,
    parameters: () => ({
      out: numbers("float32", (sizes) => side(sizes) ? 6 * Math.min(8, images(sizes)) : 0, "finite"),
      data: eight(hills),
      size: side,
      count: images,
    }),
  },
};

function cropParameters(dtype: DType): RowParameters<"lanes_crop"> {
  return {
    out: eight(),
    size: side,
    data: numbers(dtype, pixels, SMALL.includes(dtype) ? "any" : "finite"),
    height: rows,
    width: rowLength,
    corners: list(corners),
    count: images,
  };
}

/** Corners before, on and after the borders of the frame. */
function corners(sizes: Sizes): number[] {
  const { rows, rowLength, seed } = sizes;
  const about = (length: number, i: number) =>
    (seed * 7 + i * 5) % (length + 2 * side(sizes) + 3) - side(sizes) - 1;
  return Array.from({ length: images(sizes) }, (_, i) => [about(rows, i), about(rowLength, i + 3)]).flat();
}

/** Constant images, large steps, and one image without a logarithm. */
function levels(sizes: Sizes): number[] {
  const { seed } = sizes;
  return Array.from({ length: 8 * elements(sizes) }, (_, j) => {
    const [image, e] = [j % 8, Math.floor(j / 8)];
    if (image === seed % 8) return 7.25;
    if (image === (seed + 1) % 8 && e === seed % 5) return [NaN, Infinity, -Infinity][seed % 3]!;
    return Math.sin(e * e + image) * 10 ** (image - 2);
  });
}

/** Images with different peaks, including plateaus. */
function hills(sizes: Sizes): number[] {
  return Array.from({ length: 8 * elements(sizes) }, (_, j) => {
    const [image, e] = [j % 8, Math.floor(j / 8)];
    return image === 3 ? 1 : Math.round(20 * Math.sin(e * 0.7 + image * sizes.seed)) / (1 + image % 2);
  });
}

const radices = (sizes: Sizes) => Array.from(lanesPlan(side(sizes)).radices);
const twiddles = (sizes: Sizes) => Array.from(lanesPlan(side(sizes)).twiddles);
const largePrime = (sizes: Sizes) => 8 * Math.max(0, ...radices(sizes).filter((p) => p > 5));
const window = (sizes: Sizes) => Math.min(side(sizes), 1 + sizes.seed % 5);

/** Some distances that stay inside the image for every element of the window. */
function taps(sizes: Sizes): number[] {
  const room = side(sizes) - window(sizes) + 1;
  if (side(sizes) === 0) return [];
  return Array.from(
    { length: sizes.seed % 12 },
    (_, t) => (t * 3 + sizes.seed) % room * side(sizes) + (t * 5) % room,
  );
}
