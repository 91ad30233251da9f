/**
 * Clusters of frames, and the two steps that they are made of: local maxima and Ward's clustering.
 *
 * @module
 */

import type { NDArray } from "../../../src/space/ndarray.ts";
import { clusterFrames, clustersOf, featurePixels } from "../../../src/udf/cluster/cluster_frames.ts";
import { localMaxima } from "../../../src/udf/cluster/local_maxima.ts";
import { wardInTurns } from "../../../src/udf/cluster/ward.ts";
import { asParam, float64, fromParam, randomArray } from "../data/arrays.ts";
import type { Random } from "../data/random.ts";
import type { Json, Params } from "../data/spec.ts";
import { type AnyWork, work } from "../work.ts";
import { standardDeviationErrors } from "./reductions.ts";

interface ClusterParams extends Params {
  readonly n: number;
  readonly features: number;
  readonly minDistance: number;
  readonly ring: { readonly cy: number; readonly cx: number; readonly ri: number; readonly ro: number };
}

/** Coordinates as an array. */
function coordinates(list: readonly (readonly number[])[], dims: number): NDArray {
  return float64(list.flat(), [list.length, dims]);
}

/** An image with plateaus, or without any. */
function randomImage(random: Random): NDArray {
  const shape = Array.from({ length: random.int(1, 2) }, () => random.int(3, 20));
  return randomArray(
    random,
    shape,
    random.pick(["float64", "uint8"] as const),
    random.pick(["whole", "fractions"]),
  );
}

/** The works. */
export const CLUSTERS: readonly AnyWork[] = [
  work<{ readonly image: Json; readonly options: Readonly<Record<string, number | boolean>> } & Params>({
    word: "maxima",
    alone: true,
    params: (random) => ({
      image: asParam(randomImage(random)),
      options: {
        minDistance: random.int(1, 4),
        ...(random.chance(0.5) ? { count: random.int(1, 10) } : {}),
        ...(random.chance(0.3) ? { excludeBorder: random.pick([true, false, 1]) } : {}),
      },
    }),
    ours: (_, { image, options }) => {
      const array = fromParam(image);
      return Promise.resolve({ at: coordinates(localMaxima(array, options), array.shape.length) });
    },
    expect: () => ({ at: 0 }),
  }),
  work<{ readonly features: Json; readonly n: number } & Params>({
    word: "ward",
    alone: true,
    params: (random) => {
      const nav = Array.from({ length: random.int(1, 3) }, () => random.int(1, 6));
      const nodes = nav.reduce((all, n) => all * n, 1);
      return {
        features: asParam(randomArray(random, [...nav, random.int(1, 5)], "float64", "fractions")),
        n: random.int(1, Math.min(6, nodes)),
      };
    },
    ours: async (_, { features, n }) => {
      const array = fromParam(features);
      return { labels: await wardInTurns(array, array.shape.slice(0, -1), n) };
    },
    expect: () => ({ labels: 0 }),
  }),
  work<ClusterParams>({
    word: "cluster",
    suits: ({ data }) =>
      data.pattern === "grains" && data.syncOffset === 0 && data.images >= data.nav[0]! * data.nav[1]!,
    params: (random, { data: { sig, nav } }) => ({
      n: random.int(2, Math.min(4, nav[0]! * nav[1]!)),
      features: random.int(3, 20),
      minDistance: random.int(1, 3),
      ring: { cy: sig[0]! / 2, cx: sig[1]! / 2, ri: random.real(0, 3), ro: Math.min(...sig) / 2 },
    }),
    ours: async ({ dataset, context }, params) => {
      const { labels, deviation, pixels } = await clusterFrames(dataset, { ...params, context });
      return { labels, deviation, pixels: coordinates(pixels, 2) };
    },
    // Rounding may order pixels the other way: each step is compared on what the peer made in the one before.
    derive: async ({ opened: { data }, theirs, params }) => ({
      labels: (await clustersOf(theirs.features!, data.nav, params.n)).labels,
      pixels: coordinates(featurePixels(theirs.deviation!, params), 2),
    }),
    expect: ({ opened, theirs }) => ({
      labels: 0,
      deviation: standardDeviationErrors(opened, theirs.deviation!),
      pixels: 0,
    }),
  }),
];
