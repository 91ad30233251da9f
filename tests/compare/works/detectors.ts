/**
 * Detectors of the usual forms: disk, ring, point, rectangle, with their default sizes.
 *
 * @module
 */

import { builtin } from "../../../src/udf/interface/udf_ref.ts";
import { perPosition, roundoff, sumError } from "../verdict/bounds.ts";
import type { Random } from "../data/random.ts";
import { type DataSpec, isImage, type Params, type Subject } from "../data/spec.ts";
import { type AnyWork, compute, type Judged, work } from "../work.ts";
import { overPixels, ringWeights } from "./plain.ts";

type Numbers = { readonly [key: string]: number };

/** A coordinate of a centre: often none, so that the default is taken; a whole number, a half, or any. */
export function randomCentre(random: Random, [height = 1, width = 1]: readonly number[]): Numbers {
  if (random.chance(0.3)) return {};
  const one = (n: number) => {
    return random.pick([random.int(0, n - 1), random.int(0, 2 * n) / 2, random.real(-1, n)]);
  };
  return { cy: one(height), cx: one(width) };
}

function maybe(random: Random, name: string, least: number, most: number): Numbers {
  return random.chance(0.35)
    ? {}
    : { [name]: random.pick([random.real(least, most), random.int(least, most)]) };
}

/** The bounds of a sum over a part of the frame that has these weights. */
function errors({ opened: { data, truth } }: Judged<Params>, weights: Float64Array): Float64Array {
  return perPosition(truth, (position) => sumError(truth, position, { weights, unit: roundoff(data) }));
}

interface DetectorInit {
  readonly word: string;
  readonly covers: readonly string[];
  readonly params: (random: Random, data: DataSpec) => Numbers;
  /** What the detector sees, given its parameters with their defaults; at least that. */
  readonly weights: (sig: readonly number[], params: Numbers) => Float64Array;
}

function detector({ word, covers, params, weights }: DetectorInit): AnyWork {
  return work<Numbers>({
    word,
    covers,
    suits: ({ data }: Subject) => isImage(data),
    params: (random, { data }) => params(random, data),
    ours: async (opened, given) => await compute(opened, builtin(covers[0]!, given)),
    expect: (judged) => ({ intensity: errors(judged, weights(judged.opened.data.sig, judged.params)) }),
  });
}

function side({ sig }: Pick<DataSpec, "sig">): number {
  return Math.min(...sig);
}

/** The works. */
export const DETECTORS: readonly AnyWork[] = [
  detector({
    word: "disk",
    covers: ["disk_detector"],
    params: (random, data) => ({ ...randomCentre(random, data.sig), ...maybe(random, "r", 0, side(data)) }),
    weights: (sig, { cy = sig[0]! / 2, cx = sig[1]! / 2, r = side({ sig }) }) =>
      ringWeights(sig, { cy, cx, ro: r }),
  }),
  detector({
    word: "ring",
    covers: ["annular_detector"],
    params: (random, data) => ({
      ...randomCentre(random, data.sig),
      ...maybe(random, "ri", 0, side(data) / 2),
      ...maybe(random, "ro", side(data) / 3, side(data)),
    }),
    weights: (sig, { cy = sig[0]! / 2, cx = sig[1]! / 2, ro = side({ sig }) / 2 }) =>
      ringWeights(sig, { cy, cx, ro }),
  }),
  detector({
    word: "point",
    covers: ["point_detector"],
    params: (random, { sig }) => randomCentre(random, sig),
    weights: (sig, { cy = sig[0]! / 2, cx = sig[1]! / 2 }) =>
      overPixels(sig, (y, x) => y === Math.trunc(cy) && x === Math.trunc(cx) ? 1 : 0),
  }),
  detector({
    word: "rectangle",
    covers: ["rectangular_detector"],
    params: (random, { sig: [height = 1, width = 1] }) => ({
      y: random.int(-1, height),
      x: random.int(-1, width),
      height: random.int(-height, height),
      width: random.int(-width, width),
    }),
    weights: (sig) => overPixels(sig, () => 1),
  }),
];
