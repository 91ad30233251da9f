/**
 * What axes count by what files say of them: which are navigation and which signal, units, names. Readers use it, and targets, which
 * know by it what readers will find.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { AxisFacts, AxisKind } from "../axes.ts";
import { axisNamed } from "./kinds.ts";

/** What is known about an axis. */
type Known = AxisFacts | undefined;

/** Units of energies. */
const ENERGY = /^[mkMG]?eV$/;
/** Units of times. */
const TIME = /^([mnpfuµμ]?s|sec(onds?)?|min(utes?)?|h((ou)?rs?)?|d(ays?)?|months?|years?)( since .*)?$/;
/** Units of frequencies. */
const FREQUENCY = /^[kMGT]?Hz$/;
/** Units in a diffraction plane: reciprocal lengths, and angles. */
const RECIPROCAL = /^1\s*\/|[-−⁻]\s*[1¹]$|^[mµuμ]?rad(ians?)?$/;
/** Units of lengths. */
const LENGTH =
  /^([fpnuµμmck]?m|[aåÅÅ]|Å|angstroms?|met(er|re)s?|(pico|nano|micro|milli|centi)met(er|re)s?|microns?|degrees?_(north|east))$/i;

/** What an axis of this unit counts, wherever it stands; lengths say it only together with others. */
export function kindOfUnit(unit: string | undefined): AxisKind | "length" | undefined {
  const text = (unit ?? "").trim();
  if (ENERGY.test(text)) return "energy";
  if (TIME.test(text)) return "time";
  if (FREQUENCY.test(text)) return "frequency";
  if (RECIPROCAL.test(text)) return "detector";
  return LENGTH.test(text) ? "length" : undefined;
}

/**
 * Kinds where a file says which axes are navigation and which signal (`signal[d]`): signals in energies are spectra, in lengths
 * images, in reciprocal lengths patterns; so are two-dimensional ones without a unit that a scan belongs to. Beside one navigation
 * axis of which nothing is said, they are a series of images.
 */
export function kindsBySignal(axes: readonly Known[], signal: readonly boolean[]): AxisFacts[] {
  const of = (axis: Known) => kindOfUnit(axis?.unit);
  const signals = axes.filter((_, d) => signal[d]);
  const isAlone = signals.length === axes.length;
  const others = axes.filter((_, d) => !signal[d]), [only] = others;
  const isStack = others.length === 1 && signals.length === 2 &&
    [only, ...signals].every((axis) =>
      (axis?.name ?? axis?.unit ?? axis?.kind ?? axis?.signal) === undefined
    );
  const isImage = isStack || signals.length > 1 && signals.some((axis) => of(axis) === "length") &&
      !signals.some((axis) => of(axis) === "detector");
  const signalKind = (axis: Known): AxisKind | undefined => {
    const kind = of(axis);
    if (kind !== undefined && kind !== "length") return kind;
    if (signals.length === 1 && /wavelength|energy/i.test(axis?.name ?? "")) return "energy";
    if (isImage || kind === "length") return "space";
    if (isAlone) return undefined;
    return signals.length === 1 ? "other" : "detector"; // a spectrum or a profile, of something
  };
  const navigationKind = (axis: Known): AxisKind => {
    const kind = of(axis);
    if (kind === "time" || kind === "energy" || kind === "frequency") return kind;
    if (/^(t|time)$/i.test(axis?.name ?? "")) return "time";
    if (!isImage) return "scan";
    return kind === "length" && /^z$/i.test(axis?.name ?? "") ? "space" : "series";
  };
  return axes.map((axis, d) => {
    const kind = axis?.kind ?? (signal[d] ? signalKind(axis) : navigationKind(axis));
    return { ...defined({ kind }), ...axis };
  });
}

/** What signals of HyperSpy and its extensions are measured along, and over how many dimensions. */
const SIGNALS: Readonly<Record<string, readonly [dims: number, kind: AxisKind]>> = {
  EELS: [1, "energy"],
  EDS_TEM: [1, "energy"],
  EDS_SEM: [1, "energy"],
  diffraction: [2, "detector"],
  electron_diffraction: [2, "detector"],
};

/** The axes with the signal `type`, as HyperSpy has it, of those that are not navigation (`signal[d]`). */
export function axesOfSignal<A extends AxisFacts>(
  axes: readonly A[],
  signal: readonly boolean[],
  type: unknown,
): A[] {
  if (typeof type !== "string" || type === "") return [...axes];
  const [dims, kind] = SIGNALS[type] ?? [];
  const isKnown = dims === signal.filter((one) => one).length;
  return axes.map((axis, d) =>
    signal[d] ? { ...(isKnown && kind ? { kind } : {}), ...axis, signal: type } : axis
  );
}

/** Names of the axes of scans and of patterns, as py4DSTEM has them. */
const SCAN_NAME = /^R_?[xy]$/, PATTERN_NAME = /^Q_?[xy]$/;

/**
 * Kinds where a file says units and names only: energies, times and reciprocal lengths stand for themselves, and lengths beside
 * patterns or spectra are those of a scan.
 */
export function kindsByUnit(axes: readonly Known[]): AxisFacts[] {
  const own = axes.map((axis): AxisKind | "length" | undefined => {
    if (axis?.kind) return axis.kind;
    if (SCAN_NAME.test(axis?.name ?? "")) return "scan";
    if (PATTERN_NAME.test(axis?.name ?? "")) return "detector";
    const named = axis?.name === undefined ? undefined : axisNamed(axis.name).kind;
    return kindOfUnit(axis?.unit) ?? (named === "space" ? "length" : named);
  });
  const isScan = own.includes("detector") || own.includes("scan") || own.includes("energy");
  return axes.map((axis, d) => {
    const kind = own[d] === "length" ? (isScan ? "scan" : "space") : own[d];
    return { ...axis, ...defined({ kind }) };
  });
}

/** Celestial and linear places, spectra, times and polarisations, by the names of the standard (tables 23 and 25 to 28). */
const FITS_KINDS: readonly (readonly [name: RegExp, kind: AxisKind])[] = [
  [/^(RA|DEC|[GESH]LON|[GESH]LAT|[A-Z]{2}LN|[A-Z]{2}LT)(-|$)/, "space"],
  [/^(FREQ|AFRQ|WAVN|VRAD|WAVE|AWAV|VOPT|ZOPT|VELO|BETA|FELO)(-|$)/, "frequency"],
  [/^ENER(-|$)/, "energy"],
  [/^(TIME|UTC|TAI|TT|TDB|MJD)(-|$)/, "time"],
  [/^STOKES$/, "channel"],
];

/** What an axis of FITS counts, by its name and its unit. */
export function fitsKind(name: string, unit: string): AxisKind | undefined {
  const kind = FITS_KINDS.find(([pattern]) => pattern.test(name.toUpperCase()))?.[1] ?? kindOfUnit(unit);
  return kind === "length" ? "space" : kind;
}

/** The unit that a coordinate of FITS has where the header names none (sections 8.3 and 8.4 of the standard). */
export function fitsUnit(name: string): string {
  if (/^(RA--|DEC-|[GEHS]L(ON|AT)|[A-Z]{2}L[NT])-/.test(name)) return "deg";
  const isSpectral = /^[A-Z]{4}(-[A-Z0-9]{3})?$/.test(name);
  return isSpectral ? SPECTRAL_UNITS[name.slice(0, 4)] ?? "" : "";
}

const SPECTRAL_UNITS: Readonly<Record<string, string>> = {
  FREQ: "Hz",
  ENER: "J",
  WAVN: "1/m",
  VRAD: "m/s",
  WAVE: "m",
  VOPT: "m/s",
  AWAV: "m",
  VELO: "m/s",
};

/** Whether samples along a coordinate of that name are not evenly spaced. */
export function isUnevenInFits(name: string): boolean {
  return /^.{4}-(LOG|TAB|GR[IA]|[FWVA]2[FWVA])$/.test(name);
}
