/**
 * The axes of TIA series, from the dimensions of the series and the calibration of its elements.
 *
 * @module
 */

import type { AxisFacts } from "../../space/axes.ts";
import { kindOfUnit } from "../../space/meaning/said_kinds.ts";

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

/** The axes of the series; "Number" only counts, positions are those of a scan. */
export function seriesAxes(
  { axes }: { readonly axes: readonly SerDimension[] },
  nav: number,
): AxisFacts[] {
  const series = axes.toReversed().map(({ delta, offset, units, description }): AxisFacts => {
    if (units === "" || description === "Number") return { kind: "series" };
    const kind = kindOfUnit(units);
    const known = kind === "length" || kind === undefined ? "scan" : kind;
    return { kind: known, scale: delta, offset, unit: units };
  });
  if (series.length === nav) return series;
  const kind = nav > 1 ? "scan" : "series"; // more than one dimension was asked for
  return Array.from({ length: nav }, () => ({ kind }));
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
 * would be too large for that, in 1/m. Rows are shown from the top down, so that theirs have a step only. Images of a scan
 * (`isScan`) are patterns.
 */
export function elementAxes(
  { rank }: { readonly rank: 1 | 2 },
  calibrations: readonly Calibration[],
  sig: number,
  isScan: boolean,
): (AxisFacts | undefined)[] {
  if (sig !== rank) return Array.from({ length: sig }, () => undefined);
  if (rank === 1) {
    const { offset, delta, at } = calibrations[0]!;
    return [{ name: "energy", kind: "energy", scale: delta, offset: offset - at * delta, unit: "eV" }];
  }
  return calibrations.toReversed().map(({ delta }) => {
    const size = Math.abs(delta);
    if (size > 1e3) return { kind: "detector", scale: delta, unit: "1/m" };
    const kind = isScan ? { kind: "detector" as const } : {};
    return size < 1e-3
      ? { kind: isScan ? "detector" : "space", scale: delta, unit: "m" }
      : { ...kind, scale: delta };
  });
}
