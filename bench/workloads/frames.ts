/**
 * Workloads that make something of every frame.
 *
 * @module
 */

import { centreOfMass, crystallinity, fftOfSum, fluctuation, mapFrames } from "@tilewise/tilewise";
import { ANY, LARGE, type Workload } from "./row.ts";

const BOTH = ["core", "analyses"] as const;

/** The radius of the disk for the centre of mass, in frame sides. */
const COM_RADIUS = 0.47;

/** Functions of a frame. */
const FUNCTIONS = import.meta.resolve("./functions.ts");

/** The rows. */
export const FRAMES: readonly Workload[] = [
  {
    name: "com",
    sets: BOTH,
    on: ANY,
    make: ({ data: { sig: [side] } }) => ({
      udfs: { com: centreOfMass({ cy: side / 2, cx: side / 2, r: COM_RADIUS * side }) },
    }),
    same: ["com.raw_com"],
  },
  {
    name: "com-field",
    sets: ["analyses"],
    on: LARGE,
    make: () => ({ udfs: { com: centreOfMass({ r: 80, scanRotation: 30, flipY: true, regression: 1 }) } }),
    same: ["com.raw_shifts", "com.field", "com.magnitude", "com.divergence", "com.curl", "com.regression"],
  },
  {
    name: "fem",
    sets: ["analyses"],
    on: LARGE,
    make: () => ({ udfs: { fem: fluctuation({ cy: 128, cx: 128, ri: 75, ro: 100 }) } }),
    same: ["fem.intensity"],
  },
  {
    name: "crystallinity",
    sets: ["analyses"],
    on: LARGE,
    make: () => ({
      udfs: { crystallinity: crystallinity({ ri: 8, ro: 40, real: { cy: 128, cx: 128, r: 50 } }) },
    }),
    same: ["crystallinity.intensity"],
  },
  {
    name: "fft-of-sum",
    sets: ["analyses"],
    on: LARGE,
    make: () => ({ udfs: { fft: fftOfSum({ real: { cy: 128, cx: 128, r: 50 } }) } }),
    same: ["fft.magnitude"],
  },
  {
    name: "map-max",
    sets: ["analyses"],
    on: LARGE,
    make: () => ({ udfs: { map: mapFrames(FUNCTIONS, { export: "brightest" }) } }),
    same: ["map.result"],
  },
  {
    name: "map-above",
    sets: ["analyses"],
    on: LARGE,
    make: () => ({ udfs: { map: mapFrames(FUNCTIONS, { export: "above" }) } }),
    same: ["map.result"],
  },
];
