/**
 * Clusters of frames as an analysis: the feature pixels from a first pass, their values in the run, then Ward.
 *
 * @module
 */

import { checkOptionNames } from "../options.ts";
import { ndarray } from "../space/ndarray.ts";
import {
  checkFeatures,
  CLUSTER_OPTIONS,
  type ClusterOptions,
  clustersOf,
  featurePixels,
} from "../udf/cluster/cluster_frames.ts";
import { pixelValues } from "../udf/builtin/pixel_values.ts";
import { standardDeviation } from "../udf/builtin/standard_deviation.ts";
import { WordError } from "./word_error.ts";
import { type Analysis, asRead, CENTRE, number, type Values } from "./analysis.ts";

/** The analysis. */
export const CLUSTER: Analysis = {
  name: "cluster_frames",
  aliases: ["cluster"],
  group: "Diffraction",
  help: "regions of the scan whose frames look alike, by the pixels that vary most",
  notes: [
    "A first pass finds the pixels with the largest standard deviation, within a ring if one is given.",
  ],
  parameters: {
    n: number("how many regions", undefined, ""),
    features: number("most pixels that are compared", "15", ""),
    minDistance: number("no two of them are closer than this along any axis", "1"),
    ...CENTRE,
    ri: number("inner radius of the ring", "0"),
    ro: number("outer radius of the ring", "everywhere, or half the smaller side"),
  },
  results: {
    labels: "the region of each position, from 1: int32, shape of the scan",
    features: "the pixels of every frame, each divided by its mean: (…scan, pixels)",
    centroids: "mean features of each region: (n, pixels)",
    pixels: "where the pixels are, y before x",
    scale: "mean of each pixel",
    deviation: "standard deviation over all frames: shape of a frame",
  },
  example: "cluster_frames:n=4,ri=20,ro=60",
  async make(values, { dataset, firstPass, tell, selects }) {
    if (selects) {
      throw new WordError("cluster compares neighbours all over the scan; leave the option roi out");
    }
    if (!firstPass) {
      throw new WordError("cluster finds its pixels in a first pass over the data; it has no --dry-run");
    }
    const options = optionsOf(values);
    checkOptionNames("cluster_frames", options, CLUSTER_OPTIONS);
    checkFeatures(options, dataset.sigShape);
    const deviation = (await firstPass(standardDeviation())).std!;
    const at = featurePixels(deviation, options);
    tell(`cluster_frames: compares ${at.length} pixels: ${at.map((pixel) => pixel.join(":")).join(";")}`, {
      udf: "cluster_frames",
      pixels: at,
    });
    return {
      ref: pixelValues({ at }),
      names: ["labels", "features", "scale", "centroids", "pixels", "deviation"],
      finish: async ({ intensity }) => {
        const found = await clustersOf(intensity!, dataset.navShape, options.n);
        const pixels = ndarray(Int32Array.from(at.flat()), [at.length, 2], "int32");
        return { ...found, pixels, deviation };
      },
    };
  },
};

function optionsOf(values: Values): ClusterOptions {
  const { n, features, minDistance, ...ring } = asRead<Record<string, number>>(values);
  return {
    n: n!,
    ...(features === undefined ? {} : { features }),
    ...(minDistance === undefined ? {} : { minDistance }),
    ...(Object.keys(ring).length > 0 ? { ring } : {}),
  };
}
