/**
 * Axes of images of DigitalMicrograph, in DM3, DM4 and DM5: calibrations, and what their units and the tag `Format` say.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { AxisFacts, AxisKind } from "../../space/axes.ts";
import { kindOfUnit } from "../../space/meaning/said_kinds.ts";

/** A calibration as the tags have it; an origin is counted in samples. */
export interface DmAxis {
  /** Step. */
  readonly scale: number | undefined;
  /** The sample at which the position is 0. */
  readonly origin: number | undefined;
  /** Unit of the step. */
  readonly unit: string | undefined;
}

/** Signals by the tag of that name. */
const SIGNALS: Readonly<Record<string, string>> = { EELS: "EELS", "X-ray": "EDS_TEM", CL: "CL" };

/** The axes of the calibrations `list`, which are listed fastest first; the others are the tags `Format` and `Signal`. */
export function dmAxes(list: readonly DmAxis[], format: unknown, signal: unknown): AxisFacts[] {
  const type = SIGNALS[String(signal)];
  const kinds = kindsOf(list.map(({ unit }) => kindOfUnit(unit)), format);
  return list.map(({ scale, origin, unit }, d): AxisFacts => {
    const kind = kinds[d];
    const own = { ...defined({ kind }), ...(kind === "energy" && type ? { signal: type } : {}) };
    const isSaid = scale !== undefined && (unit ? true : scale !== 1 || (origin ?? 0) !== 0);
    return isSaid ? { ...own, scale, offset: -(origin ?? 0) * scale, ...(unit ? { unit } : {}) } : own;
  }).reverse();
}

/** Whether the tag `Format` says that frames are images, such as those of a spectrometer's camera, whose columns are energies. */
export function areImages(format: unknown): boolean {
  return /^\s*(diffraction )?image\s*$/i.test(String(format));
}

/**
 * Kinds by units, fastest first: four dimensions are a scan of patterns. Of a spectrum image, or beside energies, lengths are
 * those of a scan; otherwise they are those of images, and a third dimension is a series unless its unit says more.
 */
function kindsOf(
  units: readonly (ReturnType<typeof kindOfUnit>)[],
  format: unknown,
): (AxisKind | undefined)[] {
  const isSpectra = /^\s*spectrum( image)?\s*$/i.test(String(format)) ||
    units.includes("energy") && !areImages(format);
  if (units.length >= 4) return patternsOf(units);
  if (isSpectra) return spectraOf(units);
  const isPattern = /diffraction/i.test(String(format));
  return units.map((unit, d) => {
    if (unit !== undefined && unit !== "length") return unit;
    if (d < 2 && isPattern) return "detector";
    if (unit === "length") return "space"; // sections of a volume, where it is the third
    return d > 1 ? "series" : units.length > 1 ? "space" : undefined;
  });
}

/** Four dimensions: patterns are reciprocal or angles, where units tell; they may be stored slowest. */
function patternsOf(units: readonly (ReturnType<typeof kindOfUnit>)[]): (AxisKind | undefined)[] {
  const isSlow = units.slice(2).every((unit) => unit === "detector") &&
    !units.slice(0, 2).includes("detector");
  return units.map((unit, d): AxisKind => {
    if (unit === "energy" || unit === "time") return unit;
    return (d < 2) === isSlow ? "scan" : "detector";
  });
}

/** Spectra: the energy is where its unit stands, else where the tags put it: slowest in a spectrum image, fastest in spectra. */
function spectraOf(units: readonly (ReturnType<typeof kindOfUnit>)[]): (AxisKind | undefined)[] {
  const found = units.indexOf("energy");
  const energy = found >= 0 ? found : units.length === 3 ? 2 : 0;
  return units.map((unit, d): AxisKind => d === energy ? "energy" : unit === "time" ? "time" : "scan");
}
