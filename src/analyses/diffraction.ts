/**
 * What diffraction patterns tell: centre of mass, order along rings, fluctuation, regions that look alike.
 *
 * @module
 */

import { checkOptionNames, defined } from "../options.ts";
import { ndarray } from "../space/ndarray.ts";
import type { CentreOfMassOptions } from "../udf/builtin/centre_of_mass.ts";
import type { ComCorrections } from "../udf/builtin/com/guess.ts";
import type { RadialFourierOptions } from "../udf/builtin/radial_fourier.ts";
import type { ClusterOptions } from "../udf/cluster/cluster_frames.ts";
import { builtin, type Params } from "../udf/interface/udf_ref.ts";
import {
  type Analysis,
  type AnalysisContext,
  asRead,
  CENTRE,
  INTENSITY,
  number,
  type ParametersOf,
  truth,
  type Values,
} from "./analysis.ts";
import { RING } from "./detectors.ts";
import { WordError } from "./word_error.ts";

// Clusters of frames as an analysis: the feature pixels from a first pass, their values in the run, then Ward.

/** The analysis. */
const CLUSTER: Analysis = {
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
    const { checkAsked, CLUSTER_OPTIONS, clustersOf, featurePixels } = await import(
      "../udf/cluster/cluster_frames.ts"
    );
    const options = optionsOf(values);
    checkOptionNames("cluster_frames", options, CLUSTER_OPTIONS);
    checkAsked(options, dataset);
    const deviation = (await firstPass(builtin("standard_deviation")))?.std;
    if (!deviation) {
      return { ref: builtin("pixel_values", { at: [dataset.sigShape.map(() => 0)] }), types: CLUSTERED };
    }
    const at = featurePixels(deviation, options);
    tell(`cluster_frames: compares ${at.length} pixels: ${at.map((pixel) => pixel.join(":")).join(";")}`, {
      udf: "cluster_frames",
      pixels: at,
    });
    return {
      ref: builtin("pixel_values", { at }),
      types: CLUSTERED,
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
    ...defined({ features, minDistance }),
    ...(Object.keys(ring).length > 0 ? { ring } : {}),
  };
}

const COM: ParametersOf<CentreOfMassOptions> = {
  cy: number("row of the reference centre", "⌊height / 2⌋"),
  cx: number("column of the reference centre", "⌊width / 2⌋"),
  r: number("only pixels up to this distance from it count", "all"),
  ri: number("only pixels beyond this distance count; 0: all, the centre, too", "0"),
  scanRotation: number(
    "turns shifts into directions of the scan, clockwise: minus the scan rotation of info, if nothing else turns patterns",
    "0",
    "°",
  ),
  flipY: truth("whether y changes its sign, before the rotation"),
  regression: {
    kinds: ["number", "array"],
    meaning: "what is subtracted: -1 nothing, 0 the mean, 1 a plane, or @FILE.npy with 3 × 2 numbers",
    preset: "-1",
  },
};

const RADIAL_FOURIER: ParametersOf<RadialFourierOptions> = {
  ...CENTRE,
  ri: number("inner radius", "0"),
  ro: number("outer radius", "covers the frame"),
  bins: number("how many rings", "1", ""),
  maxOrder: number("highest order", "24", ""),
  channels: truth("whether absolute, phase and normalised are given, too", "true"),
};

/** The analyses. */
export const DIFFRACTION: readonly Analysis[] = [
  {
    name: "centre_of_mass",
    aliases: ["com"],
    group: "Diffraction",
    help: "centre of mass of each frame: deflection of the beam, its field, divergence and curl",
    notes: [
      "guess=true computes the centres in a first pass, finds the rotation and flip with which the field has the least",
      "curl, and the mean centre; says what it found, and uses it where a parameter is not given.",
    ],
    parameters: { ...COM, guess: truth("finds centre, rotation and flip in a first pass, and uses them") },
    results: {
      raw_com: "centre of mass, y before x: (…scan, 2), px",
      raw_shifts: "its distance from the reference centre, px",
      field: "the same after flip, rotation and regression, px",
      field_y: "its component along rows of the scan, px",
      field_x: "its component along columns, px",
      magnitude: "its length, px",
      calibrated: "the field in the unit of the detector, where the file says it: (…scan, 2)",
      divergence: "of the field; scans of two dimensions",
      curl: "of the field; scans of two dimensions",
      regression: "the plane that was subtracted: (3, 2)",
    },
    example: "centre_of_mass:r=20,guess=true",
    async make({ guess, ...params }, facts) {
      const found = guess ? await guessed(params, facts) : {};
      return { ref: builtin("centre_of_mass", { ...found, ...params } as Params) };
    },
  },
  {
    name: "radial_fourier",
    aliases: ["radialfourier"],
    group: "Diffraction",
    help: "Fourier coefficients of each frame along rings: n-fold order and its direction",
    parameters: RADIAL_FOURIER,
    results: {
      intensity: "coefficients: complex128, (…scan, bins, orders)",
      absolute: "their absolute values",
      phase: "their phases in radians",
      normalised: "absolute values, divided by that of order 0",
      dominant: "the strongest order: (…scan, bins)",
    },
    example: "radial_fourier:ri=20,ro=40,bins=4,maxOrder=6",
  },
  {
    name: "fluctuation",
    aliases: ["fem"],
    group: "Diffraction",
    help: "fluctuation (FEM): standard deviation of each frame in a ring",
    parameters: RING,
    results: INTENSITY,
    example: "fluctuation:ri=20,ro=40",
  },
  CLUSTER,
];

/** The types of clusters and what they were found by. */
const CLUSTERED = {
  labels: "int32",
  features: "float64",
  scale: "float64",
  centroids: "float64",
  pixels: "int32",
  deviation: "float64",
} as const;

/** Corrections from a first pass, reported as a word that can be typed. */
async function guessed(
  params: Values,
  { firstPass, tell }: AnalysisContext,
): Promise<Partial<ComCorrections>> {
  const { guessCorrections } = await import("../udf/builtin/com/guess.ts");
  const { cy, cx, r, ri } = params;
  const region = defined({ cy, cx, r, ri });
  const centres = await firstPass(builtin("centre_of_mass", region as Params));
  if (!centres) return {};
  const found = guessCorrections(centres);
  const typed = Object.entries(found).map(([name, value]) =>
    `${name}=${typeof value === "number" ? Number(value.toFixed(4)) : value}`
  );
  tell(`centre_of_mass: guessed ${typed.join(",")}`, { udf: "centre_of_mass", guess: found });
  return found;
}
