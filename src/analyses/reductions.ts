/**
 * Reductions: sums and spreads, single pixels, the frames themselves.
 *
 * @module
 */

import type { PixelValuesOptions } from "../udf/builtin/pixel_values.ts";
import { type Analysis, INTENSITY, type ParametersOf } from "./analysis.ts";

const PIXELS: ParametersOf<PixelValuesOptions> = {
  at: { kinds: ["points"], meaning: "the pixels, as y:x;y:x;…", unit: "px" },
};

const PICTURE = "float64, shape of a frame";

/** The analyses. */
export const REDUCTIONS: readonly Analysis[] = [
  {
    name: "sum",
    group: "Reductions",
    help: "sum of all frames",
    builtin: "sum",
    parameters: {},
    results: { intensity: PICTURE },
  },
  {
    name: "sumsig",
    group: "Reductions",
    help: "sum of each frame",
    builtin: "sumsig",
    parameters: {},
    results: INTENSITY,
  },
  {
    name: "stddev",
    group: "Reductions",
    help: "sum, mean, variance and standard deviation over all frames",
    builtin: "stddev",
    parameters: {},
    results: {
      sum: PICTURE,
      mean: PICTURE,
      var: `population variance: ${PICTURE}`,
      std: `its root: ${PICTURE}`,
      num_frames: "how many frames",
    },
  },
  {
    name: "logsum",
    group: "Reductions",
    help: "sum of the logarithms of all frames",
    notes: ["Each frame counts as log(x − least sample of the frame + 1)."],
    builtin: "logsum",
    parameters: {},
    results: { logsum: PICTURE },
  },
  {
    name: "pixels",
    group: "Reductions",
    help: "some pixels of every frame",
    builtin: "pixels",
    parameters: PIXELS,
    results: { intensity: "one number per frame and pixel: type of the data" },
    example: "pixels:at=64:64;10:20",
  },
  {
    name: "pick",
    group: "Reductions",
    help: "the selected frames themselves; --roi selects them",
    builtin: "pick",
    parameters: {},
    results: { intensity: "the frames: type of the data" },
  },
  {
    name: "noop",
    group: "Reductions",
    help: "reads everything and computes nothing",
    builtin: "nothing",
    parameters: {},
    results: { seen: "1 for each frame that was read" },
  },
];
