/**
 * Row of the highest value between samples. Images are small: a twin takes its time.
 *
 * @module
 */

import type { BufferParameter, Sizes } from "../families/describe.ts";
import { upsamplePeak } from "../reference/upsample_peak.ts";
import type { FamilyRow } from "./common/row.ts";

const height = ({ rows, seed }: Sizes) => rows + seed % 5;
const width = ({ rowLength }: Sizes) => rowLength % 13 + 1;
const step = ({ gap }: Sizes) => 4 + gap;
const count = ({ seed }: Sizes) => 1 + seed % 21;
const pad = (sizes: Sizes) => 16 * Math.ceil(count(sizes) / 16);

const floats = (
  name: string,
  role: BufferParameter["role"],
  length: (sizes: Sizes) => number,
): BufferParameter => ({
  name,
  role,
  dtype: "float32",
  bytes: (sizes) => 4 * length(sizes),
  values: "finite",
});

/** The highest value between samples. */
export const UPSAMPLE_PEAK: { readonly upsample_peak: FamilyRow<"upsample_peak"> } = {
  upsample_peak: {
    reference: upsamplePeak,
    parameters: () => [
      floats("out", "out", () => 2),
      {
        ...floats("image", "in", () => 0),
        bytes: (sizes) => height(sizes) * width(sizes) * step(sizes),
        parts: (sizes) => ({ bytes: 4, stride: step(sizes) }),
      },
      step,
      height,
      width,
      (sizes) => sizes.seed % height(sizes),
      (sizes) => sizes.seed % width(sizes),
      floats("rows", "in", (sizes) => height(sizes) * pad(sizes)),
      floats("columns", "in", (sizes) => width(sizes) * pad(sizes)),
      count,
      pad,
      floats("partial", "out", (sizes) => height(sizes) * pad(sizes)),
    ],
  },
};
