/**
 * Components from named values, whatever list they are in.
 *
 * @module
 */

import { defined } from "../options.ts";
import { cannot, type TilewiseError } from "../errors.ts";
import { angleOf, ARCSECOND } from "./angles.ts";

/** Names of values, in lower case. */
export const COLUMNS: readonly string[] = [
  ...["name", "type", "patch", "ra", "dec", "l", "m", "i", "q", "u", "v"],
  ...["spectralindex", "logarithmicsi", "referencefrequency"],
  ...["majoraxis", "minoraxis", "orientation", "orientationisabsolute", "e1", "e2", "scale"],
  ...["rotationmeasure", "spectralcurvature", "polarizedfraction", "polarizationangle"],
];

/** Other names of columns, as OSKAR has them; its position angles count from north. */
const ALIASES: Readonly<Record<string, string>> = {
  rad: "ra",
  decd: "dec",
  positionangle: "orientation",
};

/** What lists say of all rows by the names of their columns. */
export const IMPLIED: Readonly<Record<string, readonly [name: string, value: string]>> = {
  positionangle: ["orientationisabsolute", "true"],
};

/** The name of a column or value as we have it; `undefined` if it is unknown. */
export function columnNamed(name: string): string | undefined {
  const lower = name.toLowerCase(), known = ALIASES[lower] ?? lower;
  return COLUMNS.includes(known) ? known : undefined;
}

/** One component, as it is in its list. */
export interface Row {
  /** The values as texts, by name; empty ones are absent. */
  readonly values: ReadonlyMap<string, string>;
  /** Where it is, as in `line 7`. */
  readonly where: string;
  /** Its line, or its number. */
  readonly line: number;
  /** Name of the list. */
  readonly file: string;
}

/** Adds the component of each row. */
export function skyOf(rows: Iterable<Row>): Sky {
  const points: SkyComponent[] = [], gaussians: GaussianComponent[] = [], sersics: SersicComponent[] = [];
  for (const row of rows) {
    const type = (row.values.get("type") ?? "POINT").toUpperCase();
    const common = componentOf(row);
    if (type === "POINT") points.push(common);
    else if (type === "GAUSSIAN") gaussians.push({ ...common, ...gaussianOf(row) });
    else if (type === "SERSIC") {
      sersics.push({
        ...common,
        e1: number(row, "e1", 0),
        e2: number(row, "e2", 0),
        scale: number(row, "scale") * ARCSECOND,
      });
    } else throw wrong(row, "type", type, "POINT, GAUSSIAN or SERSIC");
  }
  return { points, gaussians, sersics };
}

function componentOf(row: Row): SkyComponent {
  for (const name of ["rotationmeasure", "spectralcurvature"]) {
    if (number(row, name, 0) !== 0) {
      throw wrong(row, name, row.values.get(name), "0, as others are not computed");
    }
  }
  const [i, v] = [number(row, "i"), number(row, "v", 0)];
  const [q, u] = polarisationOf(row, i);
  return {
    name: row.values.get("name") ?? "",
    position: positionOf(row),
    stokes: [i, q, u, v],
    spectrum: spectrumOf(row),
  };
}

/** Stokes Q and U, or what a polarised fraction of I with an angle in degrees makes of them. */
function polarisationOf(row: Row, i: number): [q: number, u: number] {
  const fraction = number(row, "polarizedfraction", 0),
    angle = number(row, "polarizationangle", 0) * Math.PI / 180;
  if (fraction === 0) return [number(row, "q", 0), number(row, "u", 0)];
  const given = ["q", "u"].find((name) => number(row, name, 0) !== 0);
  if (given !== undefined) {
    throw wrong(row, given, row.values.get(given), "0 where there is a PolarizedFraction");
  }
  return [i * fraction * Math.cos(2 * angle), i * fraction * Math.sin(2 * angle)];
}

function truthOf(row: Row, name: string, otherwise: boolean): boolean {
  const text = (row.values.get(name) ?? String(otherwise)).toLowerCase();
  if (!/^(true|false)$/.test(text)) throw wrong(row, name, text, "true or false");
  return text === "true";
}

function positionOf(row: Row): SkyPosition {
  if (row.values.has("l") || row.values.has("m")) {
    const [l, m] = [number(row, "l"), number(row, "m")];
    if (l * l + m * m > 1) throw wrong(row, "l", `${l}, ${m}`, "direction cosines with l² + m² ≤ 1");
    return { l, m };
  }
  return { ra: angle(row, "ra"), dec: angle(row, "dec") };
}

function angle(row: Row, name: "ra" | "dec"): number {
  const text = row.values.get(name);
  const value = text === undefined ? undefined : angleOf(text, name);
  if (value !== undefined) return value;
  const example = name === "ra"
    ? "08:28:05.15 or degrees"
    : "39.35.08.5, -39:35:08.5 or degrees from -90 to 90";
  throw wrong(row, name, text, example);
}

function gaussianOf(row: Row): Pick<GaussianComponent, "major" | "minor" | "angle" | "isAbsolute"> {
  const [major, minor] = [number(row, "majoraxis"), number(row, "minoraxis")];
  if (major < 0 || minor < 0) {
    throw wrong(row, minor < 0 ? "minoraxis" : "majoraxis", String(Math.min(major, minor)), "widths from 0");
  }
  return {
    major: major * ARCSECOND,
    minor: minor * ARCSECOND,
    angle: number(row, "orientation", 0) * Math.PI / 180,
    ...(truthOf(row, "orientationisabsolute", false) ? { isAbsolute: true } : {}),
  };
}

function spectrumOf(row: Row): Spectrum {
  const terms = listOf(row, "spectralindex");
  const isLogarithmic = truthOf(row, "logarithmicsi", true);
  const reference = row.values.has("referencefrequency") ? number(row, "referencefrequency") : undefined;
  if (reference !== undefined && !(reference > 0)) {
    throw wrong(row, "referencefrequency", String(reference), "a frequency in Hz above 0");
  }
  if (terms.length > 0 && reference === undefined) {
    throw wrong(row, "referencefrequency", undefined, "a frequency in Hz, as there are spectral terms");
  }
  return { terms, isLogarithmic, ...defined({ reference }) };
}

/** A list of numbers, as in `[-0.7, 0.1]`. */
function listOf(row: Row, name: string): number[] {
  const text = row.values.get(name)?.trim();
  if (text === undefined) return [];
  const inner = /^\[(.*)\]$/s.exec(text)?.[1] ?? text;
  if (inner.trim() === "") return [];
  return inner.split(/[\s,;]+/).filter((part) => part !== "").map((part) => {
    const value = Number(part);
    if (!Number.isFinite(value)) throw wrong(row, name, text, "finite numbers, as in [-0.7, 0.1]");
    return value;
  });
}

function number(row: Row, name: string, otherwise?: number): number {
  const text = row.values.get(name);
  if (text === undefined && otherwise !== undefined) return otherwise;
  const value = text === undefined ? NaN : Number(text);
  if (!Number.isFinite(value)) throw wrong(row, name, text, "a finite number");
  return value;
}

function wrong(
  { file, where, line }: Row,
  column: string,
  found: string | undefined,
  expected: string,
): TilewiseError {
  const what = found === undefined ? "is missing" : `is "${found}"`;
  const text = `${where}, ${column} ${what}; it must be ${expected}`;
  return cannot("read", file, "malformed", text, { line, column, expected, found: found ?? "nothing" });
}

// Models of the sky: lists of components.

/**
 * Where a component is: right ascension and declination, or direction cosines from a phase centre.
 * @category Skies
 */
export type SkyPosition =
  | {
    /** Right ascension in radians. */
    readonly ra: number;
    /** Declination in radians. */
    readonly dec: number;
  }
  | {
    /** Direction cosine to the east. */
    readonly l: number;
    /** Direction cosine to the north. */
    readonly m: number;
  };

/**
 * How the flux depends on frequency; all four Stokes parameters are multiplied alike if `isLogarithmic`.
 * @category Skies
 */
export interface Spectrum {
  /** Frequency in Hz at which the flux is `stokes`; absent: it is the same at all frequencies. */
  readonly reference?: number;
  /**
   * Coefficients c, the first one for the power 1. With x = ν / ν₀: logarithmic is S (x ^ (c₀ + c₁ log₁₀ x + c₂ log₁₀² x …)),
   * ordinary is S + c₀ (x − 1) + c₁ (x − 1)² ….
   */
  readonly terms: readonly number[];
  /** Whether it is a power law; otherwise a polynomial, which is added to Stokes I. */
  readonly isLogarithmic: boolean;
}

/**
 * What all components have.
 * @category Skies
 */
export interface SkyComponent {
  /** Its name; may be empty. */
  readonly name: string;
  /** Where it is. */
  readonly position: SkyPosition;
  /** Stokes I, Q, U, V in Jy at the reference frequency. */
  readonly stokes: readonly [number, number, number, number];
  /** How the flux depends on frequency. */
  readonly spectrum: Spectrum;
}

/**
 * A Gaussian.
 * @category Skies
 */
export interface GaussianComponent extends SkyComponent {
  /** Full width at half maximum along its long axis, in radians. */
  readonly major: number;
  /** Full width at half maximum along its short axis, in radians. */
  readonly minor: number;
  /** Position angle of the long axis in radians, towards east. */
  readonly angle: number;
  /**
   * Whether the angle counts from north at the component. Otherwise it counts from the m axis of the image, which points north at
   * the phase centre only, as WSClean and DP3 have it where they do not say `OrientationIsAbsolute`.
   */
  readonly isAbsolute?: boolean;
}

/**
 * A Sérsic profile of index 1, an exponential disk.
 * @category Skies
 */
export interface SersicComponent extends SkyComponent {
  /** First component of its ellipticity. */
  readonly e1: number;
  /** Second component of its ellipticity. */
  readonly e2: number;
  /** Scale length in radians. */
  readonly scale: number;
}

/**
 * A model of the sky.
 * @category Skies
 */
export interface Sky {
  /** Components without extent. */
  readonly points: readonly SkyComponent[];
  /** Gaussians. */
  readonly gaussians: readonly GaussianComponent[];
  /** Sérsic profiles. */
  readonly sersics: readonly SersicComponent[];
}
