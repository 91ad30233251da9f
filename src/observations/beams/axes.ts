/**
 * The axes of a beam in FITS: which one is l, m and frequency, and where their samples are.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { TilewiseError } from "../../errors.ts";

/**
 * Names of the axes of a beam.
 * @category Observations
 */
export interface BeamAxes {
  /** Direction cosine to the east. Default `L`. */
  readonly l?: string;
  /** Direction cosine to the north. Default `M`. */
  readonly m?: string;
  /** Frequency. Default `FREQ`. */
  readonly frequency?: string;
}

/** An axis of the cube. */
export interface BeamAxis {
  /** Its number in the file, slowest first. */
  readonly axis: number;
  /** Where its samples are, ascending: l and m in radians, frequencies in Hz. */
  readonly places: Float64Array;
  /** Whether samples lie the other way round in the file. */
  readonly isReversed: boolean;
}

const RADIANS: Readonly<Record<string, number>> = {
  "": Math.PI / 180, // FITS: angles without a unit are degrees
  deg: Math.PI / 180,
  degree: Math.PI / 180,
  degrees: Math.PI / 180,
  arcmin: Math.PI / 10800,
  arcsec: Math.PI / 648000,
  rad: 1,
};
const HERTZ: Readonly<Record<string, number>> = { "": 1, hz: 1, khz: 1e3, mhz: 1e6, ghz: 1e9 };

/** The axes l, m and frequency of a beam; all others have one sample. */
export function beamAxes(
  dataset: StoredDataset,
  { l = "L", m = "M", frequency = "FREQ" }: BeamAxes,
): readonly [BeamAxis, BeamAxis, BeamAxis] {
  const found = [
    placed(dataset, l, RADIANS),
    placed(dataset, m, RADIANS),
    placed(dataset, frequency, HERTZ),
  ] as const;
  const own = found.map(({ axis }) => axis);
  const other = dataset.shape.findIndex((size, d) => size > 1 && !own.includes(d));
  if (other < 0 && new Set(own).size === 3) return found;
  const problem = other < 0
    ? "l, m and frequency are three different axes"
    : `its axis ${nameOf(dataset, other)} has ${
      dataset.shape[other]
    } samples; a beam has l, m and frequency alone`;
  throw malformed(dataset, problem);
}

/** The axis of a name, which may have a minus sign in front. */
function placed(dataset: StoredDataset, name: string, units: Readonly<Record<string, number>>): BeamAxis {
  const isNegative = name.startsWith("-"), wanted = name.replace(/^[-+]/, "").toUpperCase();
  const axis = dataset.shape.findIndex((_, d) => nameOf(dataset, d) === wanted);
  if (axis < 0) {
    const known = dataset.shape.map((_, d) => nameOf(dataset, d) || "(no name)").join(", ");
    throw malformed(dataset, `there is no axis ${wanted}; its axes are ${known}`);
  }
  const places = listed(dataset, axis, units) ?? even(dataset, axis, units);
  const signed = isNegative ? places.map((place) => 0 - place) : places;
  const isReversed = signed.length > 1 && signed[1]! < signed[0]!;
  const ascending = isReversed ? signed.toReversed() : signed;
  const wrong = ascending.findIndex((place, i) =>
    !Number.isFinite(place) || (i > 0 && place <= ascending[i - 1]!)
  );
  if (wrong >= 0) throw malformed(dataset, `the samples of its axis ${wanted} do not follow each other`);
  return { axis, places: ascending, isReversed };
}

function nameOf({ axes }: StoredDataset, d: number): string {
  return axes[d]?.name?.trim().toUpperCase() ?? "";
}

/** Frequencies that the header lists: `GFREQ1`, `GFREQ2`, …; `undefined` if it has none. */
function listed(
  dataset: StoredDataset,
  axis: number,
  units: Readonly<Record<string, number>>,
): Float64Array | undefined {
  const { metadata, shape } = dataset;
  if (units !== HERTZ || metadata["GFREQ1"] === undefined) return undefined;
  return Float64Array.from({ length: shape[axis]! }, (_, i) => {
    const value = metadata[`GFREQ${i + 1}`];
    if (typeof value === "number") return value;
    throw malformed(dataset, `it has GFREQ1, but no GFREQ${i + 1}, for ${shape[axis]} frequencies`);
  });
}

function even(dataset: StoredDataset, axis: number, units: Readonly<Record<string, number>>): Float64Array {
  const { scale, offset, unit = "" } = dataset.axes[axis] ?? {};
  const factor = units[unit.trim().toLowerCase()];
  if (factor === undefined) {
    const known = Object.keys(units).filter((name) => name !== "").join(", ");
    throw malformed(dataset, `its axis ${nameOf(dataset, axis)} is in ${unit}; ${known} are read`);
  }
  if (offset === undefined || scale === undefined) {
    throw malformed(dataset, `its axis ${nameOf(dataset, axis)} has no step (CDELT)`);
  }
  return Float64Array.from({ length: dataset.shape[axis]! }, (_, i) => (offset + i * scale) * factor);
}

/** The error for a file that is not a beam. */
export function malformed({ source }: StoredDataset, problem: string): TilewiseError {
  return new TilewiseError("malformed", `Cannot read ${source} as a beam: ${problem}`, { file: source });
}
