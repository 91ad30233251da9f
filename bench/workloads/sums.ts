/**
 * Workloads that add up or pick frames.
 *
 * @module
 */

import {
  centreOfMass,
  diskDetector,
  logSum,
  pickFrames,
  standardDeviation,
  sumFrames,
  sumPixels,
} from "@tilewise/tilewise";
import { noop } from "@tilewise/tilewise/unstable/analyses";
import { ANY, arrayIn, chosenFrames, countOf, LARGE, type Workload } from "./row.ts";

/** The share of frames of the regions of interest. */
const SUM_SHARE = 0.25, PICK_SHARE = 1 / 64;

const BOTH = ["core", "analyses"] as const;

/** The rows. */
export const SUMS: readonly Workload[] = [
  { name: "noop", sets: ["core"], on: ANY, make: () => ({ udfs: { noop: noop() } }) },
  {
    name: "sum",
    sets: BOTH,
    on: ANY,
    make: () => ({ udfs: { sum: sumFrames() } }),
    same: ["sum.intensity"],
  },
  {
    name: "sumsig",
    sets: BOTH,
    on: ANY,
    make: () => ({ udfs: { sumsig: sumPixels() } }),
    same: ["sumsig.intensity"],
  },
  {
    name: "stddev",
    sets: BOTH,
    on: ANY,
    make: () => ({ udfs: { stddev: standardDeviation() } }),
    same: ["stddev.std", "stddev.var", "stddev.mean"],
  },
  {
    name: "logsum",
    sets: BOTH,
    on: ANY,
    make: () => ({ udfs: { logsum: logSum() } }),
    same: ["logsum.logsum"],
  },
  {
    name: "corrected-sum",
    sets: BOTH,
    on: LARGE,
    make: ({ aux }) => ({
      udfs: { sum: sumFrames() },
      options: { corrections: { dark: arrayIn(aux.dark), gain: arrayIn(aux.gain) } },
    }),
    same: ["sum.intensity"],
  },
  {
    name: "sum-roi",
    sets: ["analyses"],
    on: LARGE,
    make: ({ data }) => ({ udfs: { sum: sumFrames() }, options: { roi: chosenFrames(data, SUM_SHARE) } }),
    same: ["sum.intensity"],
    frames: (data) => countOf(chosenFrames(data, SUM_SHARE)),
  },
  {
    name: "pick",
    sets: BOTH,
    on: ANY,
    make: ({ data: { nav } }) => ({
      udfs: { pick: pickFrames() },
      options: { roi: { positions: [nav.map((n) => Math.floor(n / 2))] } },
    }),
    same: [{ ours: "pick.intensity", within: 0 }],
    frames: () => 1,
  },
  {
    name: "pick-roi",
    sets: ["analyses"],
    on: LARGE,
    make: ({ data }) => ({ udfs: { pick: pickFrames() }, options: { roi: chosenFrames(data, PICK_SHARE) } }),
    same: [{ ours: "pick.intensity", within: 0 }],
    frames: (data) => countOf(chosenFrames(data, PICK_SHARE)),
  },
  {
    name: "all",
    sets: BOTH,
    on: ANY,
    make: () => ({ udfs: { sum: sumFrames(), sumsig: sumPixels(), stddev: standardDeviation() } }),
    same: [
      { ours: "sum.intensity", theirs: "0-intensity" },
      { ours: "sumsig.intensity", theirs: "1-intensity" },
      { ours: "stddev.std", theirs: "2-std" },
    ],
  },
  {
    name: "five",
    sets: ["analyses"],
    on: LARGE,
    make: ({ data: { sig: [height, width] } }) => ({
      udfs: {
        sum: sumFrames(),
        sumsig: sumPixels(),
        stddev: standardDeviation(),
        com: centreOfMass({ cy: height / 2, cx: width / 2 }),
        disk: diskDetector({ cy: height / 2, cx: width / 2, r: 40 }),
      },
    }),
    same: [
      { ours: "sum.intensity", theirs: "0-intensity" },
      { ours: "sumsig.intensity", theirs: "1-intensity" },
      { ours: "stddev.std", theirs: "2-std" },
      { ours: "com.raw_com", theirs: "3-raw_com" },
      { ours: "disk.intensity", theirs: "4-intensity" },
    ],
  },
];
