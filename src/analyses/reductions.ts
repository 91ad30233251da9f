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
    name: "sum_frames",
    aliases: ["sum"],
    group: "Reductions",
    help: "sum of all frames",
    parameters: {},
    results: { intensity: PICTURE },
  },
  {
    name: "sum_pixels",
    aliases: ["sumsig"],
    group: "Reductions",
    help: "sum of each frame",
    parameters: {},
    results: INTENSITY,
  },
  {
    name: "standard_deviation",
    aliases: ["stddev"],
    group: "Reductions",
    help: "sum, mean, variance and standard deviation over all frames",
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
    name: "log_sum",
    aliases: ["logsum"],
    group: "Reductions",
    help: "sum of the logarithms of all frames",
    notes: ["Each frame counts as log(x − least sample of the frame + 1)."],
    parameters: {},
    results: { logsum: PICTURE },
  },
  {
    name: "pixel_values",
    aliases: ["pixels"],
    group: "Reductions",
    help: "some pixels of every frame",
    parameters: PIXELS,
    results: { intensity: "one number per frame and pixel: type of the data" },
    example: "pixel_values:at=64:64;10:20",
  },
  {
    name: "pick_frames",
    aliases: ["pick"],
    group: "Reductions",
    help: "the selected frames themselves; --roi selects them",
    parameters: {},
    results: { intensity: "the frames: type of the data" },
  },
  {
    name: "noop",
    group: "Reductions",
    help: "reads everything and computes nothing",
    parameters: {},
    results: { seen: "1 for each frame that was read" },
  },
];
