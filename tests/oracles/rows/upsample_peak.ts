/**
 * Row of the highest value between samples. Images are small, as the twin is slow.
 *
 * @module
 */

import type { NumberParameter, Sizes } from "./common/describe.ts";
import { upsamplePeak } from "../twins/upsample_peak.ts";
import { numbers, type Rows } from "./common/row.ts";

const height = ({ rows, seed }: Sizes) => rows + seed % 5;
const width = ({ rowLength }: Sizes) => rowLength % 13 + 1;
const step = ({ gap }: Sizes) => 4 + gap;
const count = ({ seed }: Sizes) => 1 + seed % 21;
const pad = (sizes: Sizes) => 16 * Math.ceil(count(sizes) / 16);

const floats = (length: NumberParameter) => numbers("float32", length, "finite");

/** The highest value between samples. */
export const UPSAMPLE_PEAK: Rows<"upsample_peak"> = {
  upsample_peak: {
    reference: upsamplePeak,
    parameters: () => ({
      out: floats(() => 2),
      image: {
        bytes: (sizes) => height(sizes) * width(sizes) * step(sizes),
        parts: (sizes) => ({ bytes: 4, stride: step(sizes) }),
        values: "finite",
      },
      step,
      height,
      width,
      y: (sizes) => sizes.seed % height(sizes),
      x: (sizes) => sizes.seed % width(sizes),
      rows: floats((sizes) => height(sizes) * pad(sizes)),
      columns: floats((sizes) => width(sizes) * pad(sizes)),
      count,
      pad,
      partial: floats((sizes) => height(sizes) * pad(sizes)),
    }),
  },
};
