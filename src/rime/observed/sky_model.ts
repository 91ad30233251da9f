/**
 * Models of the sky as arrays: components in the order points, Gaussians, disks, with direction cosines.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { latitudeOf, lonLatOf, type Vector, vectorOf } from "../../observations/meaning/frames.ts";
import type { Field, Observation } from "../../observations/observation.ts";
import { mustBeFinite } from "../geometry/check.ts";
import type { Direction } from "../geometry/directions.ts";
import { GROUND, zenithAt } from "./angles.ts";
import { isVisible, lmIn, radecIn } from "./centre.ts";
import type { SkyModel, SkySpectrum } from "../predict/problem.ts";
import type {
  GaussianComponent,
  SersicComponent,
  Sky,
  SkyComponent,
  Spectrum,
} from "../../skies/component.ts";

const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/**
 * Whether a direction in ICRS is above the horizon of some antenna at some time, without refraction. All are, where an antenna has no
 * place on Earth, and where the phase centre never is: then places or times are not those of a real observation.
 */
export function risingOver(
  { antennas, times, field }: Pick<Observation, "antennas" | "times" | "field">,
): (radec: Direction) => boolean {
  const all = () => true;
  if (antennas.length === 0 || antennas.some(({ position }) => !(Math.hypot(...position) >= GROUND))) {
    return all;
  }
  const zeniths = antennas.map(({ position }) => {
    const [latitude, longitude] = latitudeOf(position);
    return vectorOf([longitude, latitude]);
  });
  const [x, y, z] = [0, 1, 2].map((k) => zeniths.reduce((sum, own) => sum + own[k]!, 0)) as [
    number,
    number,
    number,
  ];
  const length = Math.hypot(x, y, z), middle: Vector = [x / length, y / length, z / length];
  const spread = Math.acos(Math.min(1, ...zeniths.map((own) => dot(own, middle))));
  const least = -Math.sin(Math.min(Math.PI / 2, spread)), place = lonLatOf(middle);
  const above = Array.from(times, (time) => vectorOf(zenithAt(time, place)));
  const rises = (radec: Direction) => {
    const direction = vectorOf(radec);
    return above.some((zenith) => dot(direction, zenith) > least);
  };
  return rises(field.phaseCentre) ? rises : all;
}

/**
 * The arrays of a model of the sky for predictions, with directions from a phase centre: right ascension and declination in
 * radians, or the field of an observation, which may be in another frame than the sky. `frequency`, those of the channels in Hz, is needed only if some spectra are logarithmic and others ordinary: then
 * Stokes parameters are computed for each channel.
 *
 * @param sky the components
 * @param phaseCentre where directions are counted from
 * @param frequency frequencies of the channels in Hz
 * @returns the arrays, for `predict`
 * @throws {TilewiseError} `invalid` for components more than 90° from the phase centre, and for both kinds of spectra without
 * `frequency`
 *
 * @example
 * ```ts
 * import { readSky } from "@tilewise/tilewise/observations";
 * import { skyModel } from "@tilewise/tilewise/rime";
 * import { assertAlmostEquals, assertEquals } from "@std/assert";
 * const sky = await readSky(new TextEncoder().encode("Name,Ra,Dec,I\nsource,00:00:00,1.0,1.5\n"));
 * const { lm, stokes } = skyModel(sky, [0, 0]);
 * assertAlmostEquals(lm[1] ?? NaN, Math.sin(Math.PI / 180), 1e-15);
 * assertEquals([...stokes], [1.5, 0, 0, 0]);
 * ```
 * @category Measurement equation
 */
export function skyModel(
  sky: Sky,
  phaseCentre: Direction | Field,
  frequency?: ArrayLike<number>,
): SkyModel {
  const field = "phaseCentre" in phaseCentre ? phaseCentre : { name: "", phaseCentre };
  const { points, gaussians, sersics } = sky;
  const all: readonly SkyComponent[] = [...points, ...gaussians, ...sersics];
  return {
    lm: directions(all, field),
    ...brightness(all, frequency),
    ...(gaussians.length > 0 ? { gaussianShape: gaussianShapes(gaussians, field) } : {}),
    ...(sersics.length > 0 ? { sersicShape: sersicShapes(sersics) } : {}),
  };
}

/** The components that are less than 90° from the phase centre and above the horizon at some time, and how many are not. */
export function before(sky: Sky, observation: Observation): { readonly sky: Sky; readonly behind: number } {
  const { field } = observation, rises = risingOver(observation);
  const isBefore = ({ position }: SkyComponent) => {
    const isOffset = "l" in position;
    const radec = isOffset ? radecIn(field, [position.l, position.m]) : [position.ra, position.dec] as const;
    return (isOffset || isVisible(field, radec)) && rises(radec);
  };
  const found: Sky = {
    points: sky.points.filter(isBefore),
    gaussians: sky.gaussians.filter(isBefore),
    sersics: sky.sersics.filter(isBefore),
  };
  return { sky: found, behind: countOf(sky) - countOf(found) };
}

function countOf({ points, gaussians, sersics }: Sky): number {
  return points.length + gaussians.length + sersics.length;
}

/** Half of the distance over which the sky is compared with the plane of an image, in radians. */
const STEP = 1e-6;

function directions(all: readonly SkyComponent[], field: Field): Float64Array {
  const lm = new Float64Array(2 * all.length);
  all.forEach(({ name, position }, i) => {
    if ("l" in position) return lm.set([position.l, position.m], 2 * i);
    try {
      lm.set(lmIn(field, [position.ra, position.dec]), 2 * i);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const text = `Cannot predict component ${i}${
        name ? `, "${name}"` : ""
      }: ${reason}; behind: "skip" leaves such components out`;
      throw new TilewiseError("invalid", text, { option: "sky", index: i }, { cause });
    }
  });
  return lm;
}

function brightness(
  all: readonly SkyComponent[],
  frequency: ArrayLike<number> | undefined,
): Pick<SkyModel, "stokes" | "spectrum"> {
  const stokes = Float64Array.from(all.flatMap((one) => one.stokes));
  const spectra = all.map(({ spectrum }) => spectrum);
  const bent = spectra.filter(({ terms }) => terms.some((term) => term !== 0));
  if (bent.length === 0) return { stokes };
  const isLogarithmic = bent[0]!.isLogarithmic;
  if (bent.every((one) => one.isLogarithmic === isLogarithmic)) {
    return { stokes, spectrum: commonSpectrum(spectra, isLogarithmic ? "log" : "linear") };
  }
  if (frequency) return { stokes: byChannel(all, frequency) };
  const text =
    "skyModel(): some spectra are logarithmic and others are not; give the frequencies of the channels";
  throw new TilewiseError("invalid", text, { option: "frequency" });
}

/** Spectra of one kind: short ones end with zeros, and those of constant brightness have nothing else. */
function commonSpectrum(spectra: readonly Spectrum[], kind: SkySpectrum["kind"]): SkySpectrum {
  const count = Math.max(...spectra.map(({ terms }) => terms.length));
  const terms = new Float64Array(count * spectra.length);
  spectra.forEach((one, i) => terms.set(one.terms, i * count));
  return { kind, terms, referenceFrequency: Float64Array.from(spectra, ({ reference = 1 }) => reference) };
}

/** Stokes parameters (nsrc, nchan, 4). */
function byChannel(all: readonly SkyComponent[], frequency: ArrayLike<number>): Float64Array {
  mustBeFinite("skyModel()", "frequency", frequency);
  const stokes = new Float64Array(4 * all.length * frequency.length);
  all.forEach((one, i) => {
    for (let c = 0; c < frequency.length; c++) {
      stokes.set(stokesAt(one, frequency[c]!), 4 * (i * frequency.length + c));
    }
  });
  return stokes;
}

/** Stokes parameters at a frequency. */
function stokesAt({ stokes, spectrum }: SkyComponent, frequency: number): number[] {
  const { terms, isLogarithmic, reference = frequency } = spectrum;
  const x = frequency / reference;
  const sum = (of: number) => terms.reduceRight((rest, term) => rest * of + term, 0);
  if (isLogarithmic) return stokes.map((value) => value * x ** sum(Math.log10(x)));
  return stokes.map((value, i) => i === 0 ? value + sum(x - 1) * (x - 1) : value);
}

/** Shapes (3, n): FWHM times sine and cosine of the position angle, ratio of the axes. */
function gaussianShapes(gaussians: readonly GaussianComponent[], field: Field): Float64Array {
  return rows(gaussians, (gaussian) => {
    const { major, minor, angle } = gaussian.isAbsolute ? onImage(gaussian, field) : gaussian;
    return [major * Math.sin(angle), major * Math.cos(angle), major === 0 ? 1 : minor / major];
  });
}

/** A Gaussian on the sky, whose angle counts from north there, as it is on the plane of l and m. */
function onImage(
  { major, minor, angle, position }: GaussianComponent,
  field: Field,
): Pick<GaussianComponent, "major" | "minor" | "angle"> {
  const [ra, dec] = "l" in position ? radecIn(field, [position.l, position.m]) : [position.ra, position.dec];
  const lm = (longitude: number, latitude: number) =>
    lmIn(field, lonLatOf(turned(longitude, latitude, ra, dec)));
  const along = (
    a: Float64Array,
    b: Float64Array,
  ) => [(b[0]! - a[0]!) / (2 * STEP), (b[1]! - a[1]!) / (2 * STEP)];
  const [eastL, eastM] = along(lm(-STEP, 0), lm(STEP, 0)) as [number, number];
  const [northL, northM] = along(lm(0, -STEP), lm(0, STEP)) as [number, number];
  // axes of the ellipse, as vectors on the plane; of their sum of squares the axes are the eigenvectors
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const long = [major * (sin * eastL + cos * northL), major * (sin * eastM + cos * northM)] as const;
  const short = [minor * (cos * eastL - sin * northL), minor * (cos * eastM - sin * northM)] as const;
  const [ll, mm] = [long[0] ** 2 + short[0] ** 2, long[1] ** 2 + short[1] ** 2];
  const lm2 = 2 * (long[0] * long[1] + short[0] * short[1]), spread = Math.hypot(mm - ll, lm2);
  return {
    major: Math.sqrt((ll + mm + spread) / 2),
    minor: Math.sqrt(Math.max(0, ll + mm - spread) / 2),
    angle: Math.atan2(lm2, mm - ll) / 2,
  };
}

/** The direction at small offsets to the east and to the north of another one. */
function turned(east: number, north: number, ra: number, dec: number): Vector {
  const [x, y, z] = vectorOf([ra, dec]), [sin, cos] = [Math.sin(ra), Math.cos(ra)];
  const [a, b, c] = [-Math.sin(dec) * cos, -Math.sin(dec) * sin, Math.cos(dec)]; // to the north
  return [x - east * sin + north * a, y + east * cos + north * b, z + north * c];
}

function sersicShapes(sersics: readonly SersicComponent[]): Float64Array {
  return rows(sersics, ({ e1, e2, scale }) => [e1, e2, scale]);
}

/** Three rows of numbers, one column per component. */
function rows<T>(all: readonly T[], of: (one: T) => readonly [number, number, number]): Float64Array {
  const found = new Float64Array(3 * all.length);
  all.forEach((one, i) => of(one).forEach((value, row) => found[row * all.length + i] = value));
  return found;
}
