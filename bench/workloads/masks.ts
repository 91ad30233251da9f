/**
 * Workloads that multiply frames with masks.
 *
 * @module
 */

import {
  annularDetector,
  applyMasks,
  diskDetector,
  type NDArray,
  pointDetector,
  radialFourier,
} from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import type { UdfRef } from "@tilewise/tilewise/udf";
import type { BenchData } from "../data.ts";
import { ANY, hashOf, type Inputs, LARGE, masksIn, type Workload, type WorkloadSet } from "./row.ts";

const BOTH = ["core", "analyses"] as const;

/** A row of masks in an array, or of a detector. */
function row(
  name: string,
  udf: (inputs: Inputs) => UdfRef,
  sets: readonly WorkloadSet[] = ["analyses"],
  on = LARGE,
): Workload {
  return { name, sets, on, make: (inputs) => ({ udfs: { masks: udf(inputs) } }), same: ["masks.intensity"] };
}

/** By how much the masks move in each frame: whole numbers from −6 to 6, shape (…scan, 2). */
function shiftsFor({ nav: [rows, columns] }: BenchData): NDArray {
  const shifts = Int32Array.from({ length: 2 * rows * columns }, (_, i) => hashOf(i + 1) % 13 - 6);
  return ndarray(shifts, [rows, columns, 2], "int32");
}

/** The rows. */
export const MASKS: readonly Workload[] = [
  row("masks1", ({ aux }) => applyMasks({ masks: masksIn(aux.masksDense, 1) }), BOTH),
  row("masks16", ({ aux }) => applyMasks({ masks: masksIn(aux.masksDense, 16) }), BOTH),
  row("masks64", ({ aux }) => applyMasks({ masks: masksIn(aux.masksDense, 64) }), BOTH),
  row("rings16", ({ aux }) => applyMasks({ masks: masksIn(aux.masksRings, 16, true) }), BOTH),
  row("rings64", ({ aux }) => applyMasks({ masks: masksIn(aux.masksRings, 64, true) }), BOTH),
  row("small64", ({ aux }) => applyMasks({ masks: masksIn(aux.masksSmall, 64) })),
  row("complex16", ({ aux }) => applyMasks({ masks: masksIn(aux.masksComplex, 16) })),
  row("shifted4", ({ aux, data }) => {
    return applyMasks({ masks: masksIn(aux.masksRings, 4, true), shifts: shiftsFor(data) });
  }),
  row("disk", () => diskDetector({ cy: 126.5, cx: 130, r: 40 })),
  row("ring", () => annularDetector({ cy: 126.5, cx: 130, ri: 60, ro: 100 })),
  row("point", () => pointDetector({ cy: 120, cx: 131 })),
  row("radial-fourier", () => radialFourier({ bins: 5, maxOrder: 4 }), BOTH, ANY),
  row("radial-fourier-24", () => radialFourier(), BOTH, ANY), // one ring, 25 orders
];
