/**
 * The axes of TIA series, from the dimensions of the series and the calibration of its elements.
 *
 * @module
 */

import type { AxisFacts } from "../../space/axes.ts";

/** A dimension of the series. */
export interface SerDimension {
  /** Elements along it. */
  readonly size: number;
  /** Its first value. */
  readonly offset: number;
  /** Step from one element to the next. */
  readonly delta: number;
  /** What runs along it. */
  readonly description: string;
  /** Unit of both. */
  readonly units: string;
}

/** The axes of the series; "Number" only counts. */
export function scanAxes(
  { axes }: { readonly axes: readonly SerDimension[] },
  nav: number,
): (AxisFacts | undefined)[] {
  const scan = axes.toReversed().map(({ delta, offset, units, description }) =>
    units === "" || description === "Number" ? undefined : { scale: delta, offset, unit: units }
  );
  return scan.length === nav ? scan : Array.from({ length: nav }, () => undefined);
}

/** Calibration of one axis of an element: the value at sample `at`, and the step. */
export interface Calibration {
  /** The value. */
  readonly offset: number;
  /** Step from one sample to the next. */
  readonly delta: number;
  /** The sample. */
  readonly at: number;
}

/**
 * The axes of an element. Units are not in the file: energies are in eV, and steps of images in metres or, where they
 * would be too large for that, in 1/m. Rows are shown from the top down, so that theirs have a step only.
 */
export function elementAxes(
  { rank }: { readonly rank: 1 | 2 },
  calibrations: readonly Calibration[],
  sig: number,
): (AxisFacts | undefined)[] {
  if (sig !== rank) return Array.from({ length: sig }, () => undefined);
  if (rank === 1) {
    const { offset, delta, at } = calibrations[0]!;
    return [{ name: "energy", scale: delta, offset: offset - at * delta, unit: "eV" }];
  }
  return calibrations.toReversed().map(({ delta }) => {
    const size = Math.abs(delta);
    return { scale: delta, ...(size < 1e-3 ? { unit: "m" } : size > 1e3 ? { unit: "1/m" } : {}) };
  });
}
