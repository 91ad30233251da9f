/**
 * Places on the sky: right ascension and declination of the pixels of an image, as its header says (Calabretta and Greisen,
 * Astronomy & Astrophysics 395, 2002).
 *
 * @module
 */

import type { Position } from "../../../state/state.ts";

/** Right ascension and declination, in degrees. */
export interface SkyPlace {
  readonly ra: number;
  readonly dec: number;
}

/** Where pixels are on the sky. */
export interface Sky {
  /** The frame of its directions in words, unless they are those of lists of sources: ICRS, or FK5 of 2000. */
  readonly frame?: string;
  /** Degrees between neighbours along a column. */
  readonly step: number;
  /** The place of a pixel, counted from 0, with fractions; undefined outside of the sky. */
  at(y: number, x: number): SkyPlace | undefined;
  /** The pixel of a place, with fractions; undefined where the projection has none. */
  pixel(place: SkyPlace): Position | undefined;
}

/** Cards of a header, by keyword. */
export type Cards = Readonly<Record<string, unknown>>;

const DEGREE = Math.PI / 180;

/** Radius in the plane, and distance from the pole of a projection, both in radians; NaN where there is none. */
interface Radial {
  distance(radius: number): number;
  radius(distance: number): number;
}

/** The projections that are known. */
const PROJECTIONS: Readonly<Record<string, Radial>> = {
  SIN: { distance: Math.asin, radius: (d) => d <= Math.PI / 2 ? Math.sin(d) : NaN },
  TAN: { distance: Math.atan, radius: (d) => d < Math.PI / 2 ? Math.tan(d) : NaN },
  ARC: { distance: (r) => r <= Math.PI ? r : NaN, radius: (d) => d },
};

/** The sky of an image whose first axis is right ascension and whose second is declination; undefined: it has none, or another projection. */
export function skyOf(cards: Cards): Sky | undefined {
  const [, projection = ""] = /^RA---(\w{3})$/.exec(`${cards["CTYPE1"] ?? ""}`.trim()) ?? [];
  const radial = PROJECTIONS[projection];
  const isSlanted = [1, 2].some((m) => number(cards, `PV2_${m}`, 0) !== 0);
  if (!radial || `${cards["CTYPE2"] ?? ""}`.trim() !== `DEC--${projection}` || isSlanted) {
    return undefined;
  }
  if (!["CUNIT1", "CUNIT2"].every((name) => /^(deg)?$/.test(`${cards[name] ?? ""}`.trim()))) return undefined;
  const matrix = matrixOf(cards);
  const [ra, dec] = [number(cards, "CRVAL1", 0), number(cards, "CRVAL2", 0) * DEGREE];
  const [first, second] = [number(cards, "CRPIX1", 0), number(cards, "CRPIX2", 0)];
  const pole = number(cards, "LONPOLE", number(cards, "CRVAL2", 0) >= 90 ? 0 : 180) * DEGREE;
  const all = [...matrix, ra, dec, first, second, pole];
  const area = matrix[0] * matrix[3] - matrix[1] * matrix[2];
  if (!all.every(Number.isFinite) || area === 0) return undefined;
  return {
    ...frameOf(cards),
    step: Math.hypot(matrix[1], matrix[3]),
    at(y, x) {
      const [u, v] = [x + 1 - first, y + 1 - second];
      const [east, north] = [matrix[0] * u + matrix[1] * v, matrix[2] * u + matrix[3] * v];
      const distance = radial.distance(Math.hypot(east, north) * DEGREE);
      if (!Number.isFinite(distance)) return undefined;
      const angle = Math.atan2(east, -north) - pole;
      const [up, out] = [Math.cos(distance), Math.sin(distance)];
      const turn = Math.atan2(
        -out * Math.sin(angle),
        up * Math.cos(dec) - out * Math.sin(dec) * Math.cos(angle),
      );
      const height = up * Math.sin(dec) + out * Math.cos(dec) * Math.cos(angle);
      return {
        ra: (((ra + turn / DEGREE) % 360) + 360) % 360,
        dec: Math.asin(Math.max(-1, Math.min(1, height))) / DEGREE,
      };
    },
    pixel(place) {
      const [turn, height] = [(place.ra - ra) * DEGREE, place.dec * DEGREE];
      const [up, out] = [Math.sin(height), Math.cos(height)];
      const [side, back] = [
        -out * Math.sin(turn),
        up * Math.cos(dec) - out * Math.sin(dec) * Math.cos(turn),
      ];
      const along = up * Math.sin(dec) + out * Math.cos(dec) * Math.cos(turn);
      const radius = radial.radius(Math.atan2(Math.hypot(side, back), along)) / DEGREE;
      if (!Number.isFinite(radius)) return undefined;
      const angle = pole + Math.atan2(side, back);
      const [east, north] = [radius * Math.sin(angle), -radius * Math.cos(angle)];
      const [u, v] = [matrix[3] * east - matrix[1] * north, matrix[0] * north - matrix[2] * east];
      return [v / area + second - 1, u / area + first - 1];
    },
  };
}

/** The frame, by its name or else by the equinox, as the paper has it in section 3.1. */
function frameOf(cards: Cards): { frame?: string } {
  const equinox = number(cards, "EQUINOX", number(cards, "EPOCH", 2000));
  const named = ["RADESYS", "RADESYSA", "RADECSYS"].map((name) => `${cards[name] ?? ""}`.trim()).find(
    Boolean,
  );
  const name = named?.toUpperCase() ?? (equinox < 1984 ? "FK4" : "FK5");
  if (name === "ICRS" || name === "FK5" && equinox === 2000) return {};
  return { frame: name.startsWith("FK") ? `${name} of ${equinox}` : name };
}

/** Degrees per pixel: columns to the east and rows to the east, then both to the north. */
function matrixOf(cards: Cards): readonly [number, number, number, number] {
  if (["CD1_1", "CD1_2", "CD2_1", "CD2_2"].some((name) => name in cards)) {
    const cd = (name: string) => number(cards, name, 0);
    return [cd("CD1_1"), cd("CD1_2"), cd("CD2_1"), cd("CD2_2")];
  }
  const [a, b] = [number(cards, "CDELT1", 1), number(cards, "CDELT2", 1)];
  const angle = number(cards, "CROTA2", 0) * DEGREE;
  if (angle !== 0) {
    return [a * Math.cos(angle), -b * Math.sin(angle), a * Math.sin(angle), b * Math.cos(angle)];
  }
  const pc = (name: string, usual: number) => number(cards, name, usual);
  return [a * pc("PC1_1", 1), a * pc("PC1_2", 0), b * pc("PC2_1", 0), b * pc("PC2_2", 1)];
}

/** The number of a card; NaN if it is something else. */
function number(cards: Cards, name: string, otherwise: number): number {
  const value = cards[name] ?? otherwise;
  return typeof value === "number" ? value : NaN;
}

/** A place in hours and degrees, as fine as pixels are: `05h34m31.9s +22°00′52″`. */
export function skyText({ ra, dec }: SkyPlace, step: number): string {
  const digits = Math.max(0, Math.min(4, Math.ceil(-Math.log10(3600 * step))));
  const [hours, degrees] = [sixtieths(ra / 15, digits + 1, 24), sixtieths(Math.abs(dec), digits, 91)];
  const hour = `${hours[0]}h${hours[1]}m${hours[2]}s`;
  return `${hour} ${dec < 0 ? "−" : "+"}${degrees[0]}°${degrees[1]}′${degrees[2]}″`;
}

/** Whole parts, minutes and seconds, rounded together, so that there are no 60 seconds. */
function sixtieths(value: number, digits: number, turn: number): readonly [string, string, string] {
  const unit = 10 ** digits;
  const all = Math.round(value * 3600 * unit) % (turn * 3600 * unit);
  const seconds = (all % (60 * unit)) / unit;
  const minutes = Math.floor(all / (60 * unit));
  const two = (n: number) => `${n}`.padStart(2, "0");
  const text = seconds.toFixed(digits).padStart(digits > 0 ? digits + 3 : 2, "0");
  return [two(Math.floor(minutes / 60)), two(minutes % 60), text];
}
