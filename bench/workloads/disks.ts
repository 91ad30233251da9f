/**
 * Workloads that look for diffraction disks, and those that cluster frames.
 *
 * @module
 */

import { clusterFrames, type NDArray } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import * as blobs from "@tilewise/tilewise/unstable/blobs";
import type { BenchData } from "../data.ts";
import type { BenchLattice } from "../lattice.ts";
import { DISKS, hashOf, type Inputs, type Job, type Same, type Workload } from "./row.ts";

/** Rounding in float32 moves the highest pixel where two are as high. */
const FOUND: readonly Same[] = [
  { ours: "disks.centers", within: 0, outliers: 0.002 },
  { ours: "disks.refineds", within: 2e-4, outliers: 0.002 },
  { ours: "disks.peak_values", within: 1e-3 },
  { ours: "disks.peak_elevations", within: 1e-2, outliers: 0.002 },
];

/** The peer interpolates with half of the spectrum, so that the place of the maximum differs by a step or two of 0.05 px. */
const UPSAMPLED: readonly Same[] = FOUND.map((one) => {
  return one.ours === "disks.refineds" ? { ...one, within: 6e-4, outliers: 0.02 } : one;
});

/** Outer radius of the ring: a whole number, as the peer's pattern is half a pixel off its centre for others. */
const OUTER = 14;

const LATTICE: readonly Same[] = ["zero", "a", "b"].map((vector) => {
  return { ours: `disks.${vector}`, within: 1e-3, outliers: 0.002 };
});

function row(name: string, make: (inputs: Inputs) => Job, same: readonly Same[]): Workload {
  return { name, sets: ["analyses"], on: DISKS, make, same };
}

function correlation(
  { aux: { lattice: { radius, peaks } } }: Inputs,
  options: Partial<blobs.CorrelateOptions>,
): Job {
  return {
    udfs: {
      disks: blobs.correlatePattern({ pattern: blobs.radialGradientPattern({ radius }), peaks, ...options }),
    },
  };
}

/** Where disks are integrated: the points of the lattice, each moved by at most 3 pixels, shape (…scan, peaks, 2). */
function positions({ nav }: BenchData, { peaks }: BenchLattice): NDArray {
  const flat = peaks.flat();
  const places = Float64Array.from({ length: nav[0] * nav[1] * flat.length }, (_, i) => {
    return flat[i % flat.length]! + hashOf(i + 1) % 7 - 3;
  });
  return ndarray(places, [...nav, peaks.length, 2], "float64");
}

/** The rows. */
export const BLOBS: readonly Workload[] = [
  row("disks-fast", (inputs) => correlation(inputs, {}), FOUND),
  row("disks-upsampled", (inputs) => correlation(inputs, { upsample: 20 }), UPSAMPLED),
  row("disks-full", (inputs) => correlation(inputs, { method: "full" }), FOUND),
  // The peer's logarithms start at the least sample of a tile, ours at that of a frame: with frames that have a 0, the same.
  row("disks-sparse", (inputs) => correlation(inputs, { method: "sparse", steps: 5 }), FOUND),
  row("disks-refine", ({ aux: { lattice } }) => {
    const pattern = blobs.radialGradientBackgroundSubtractionPattern({
      radius: lattice.radius,
      outer: OUTER,
    });
    return { udfs: { disks: blobs.refineLattice({ ...lattice, pattern }) } };
  }, [...FOUND, ...LATTICE, { ours: "disks.selector", within: 0, outliers: 0.002 }]),
  row("disks-integrate", ({ data, aux: { lattice } }) => {
    const pattern = blobs.backgroundSubtractionPattern({ radius: lattice.radius });
    return { udfs: { disks: blobs.integratePeaks({ pattern, positions: positions(data, lattice) }) } };
  }, [{ ours: "disks.integration" }]),
  row("cluster", ({ aux: { lattice: { zero: [cy, cx] } } }) => ({
    work: async (scan, context) => {
      const options = { n: 4, features: 64, minDistance: 3, ring: { cy, cx, ri: 20, ro: 110 } };
      const { labels, deviation } = await clusterFrames(scan, { ...options, context });
      return { cluster: { labels, deviation } };
    },
  }), [
    { ours: "cluster.labels", labels: true, within: 0, outliers: 0.01 },
    { ours: "cluster.deviation" },
  ]),
];
