/**
 * Models of the sky as arrays of sources, for predictions about a phase centre.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { GaussianComponent, SersicComponent, Sky, SkyComponent } from "../../skies/sky.ts";
import { type Direction, radecToLm } from "../geometry/directions.ts";
import type { SkyModel, SkySpectrum } from "../predict/problem.ts";

/**
 * The sources of a sky, as predictions take them: points, then Gaussians, then exponential disks. Right ascension and
 * declination become direction cosines about the phase centre.
 *
 * Predictions have spectra of one kind. Where a sky has power laws and polynomials, the brightness of all sources is given
 * for each channel.
 *
 * Errors: `invalid` for a component that is more than 90° from the phase centre, with its name.
 *
 * @param sky what `readSky` has read
 * @param phaseCentre right ascension and declination in radians
 * @param frequency channels in Hz
 * @example
 * ```ts
 * import { skyModel } from "@tilewise/tilewise/rime";
 * import { readSky } from "@tilewise/tilewise/observations";
 * import { assertEquals } from "@std/assert";
 * const sky = await readSky(new TextEncoder().encode("Name,l,m,I\na,0.001,0,2\nb,0,0.001,1\n"));
 * const { lm, stokes } = skyModel(sky, [0.1, -0.5], [1.4e9]);
 * assertEquals([...lm], [0.001, 0, 0, 0.001]);
 * assertEquals([...stokes], [2, 0, 0, 0, 1, 0, 0, 0]);
 * ```
 * @category Measurement equation
 */
export function skyModel(sky: Sky, phaseCentre: Direction, frequency: ArrayLike<number>): SkyModel {
  const { points, gaussians, sersics } = sky;
  const all: readonly SkyComponent[] = [...points, ...gaussians, ...sersics];
  const model = {
    lm: Float64Array.from(all.flatMap((component) => positionOf(component, phaseCentre))),
    ...brightnessOf(all, frequency),
  };
  return {
    ...model,
    ...(gaussians.length > 0 ? { gaussianShape: columns(gaussians.map(gaussianShape)) } : {}),
    ...(sersics.length > 0 ? { sersicShape: columns(sersics.map(sersicShape)) } : {}),
  };
}

function positionOf({ name, position }: SkyComponent, phaseCentre: Direction): [number, number] {
  if ("l" in position) return [position.l, position.m];
  try {
    const [l, m] = radecToLm([position.ra, position.dec], phaseCentre).lm;
    return [l!, m!];
  } catch (cause) {
    const text = `Cannot predict the component "${name}": it is more than 90° from the phase centre`;
    throw new TilewiseError("invalid", text, { found: name }, { cause });
  }
}

/** Stokes parameters and spectra. */
function brightnessOf(
  all: readonly SkyComponent[],
  frequency: ArrayLike<number>,
): Pick<SkyModel, "stokes" | "spectrum"> {
  const curved = all.filter(({ spectrum }) => spectrum.terms.length > 0);
  const kinds = new Set(curved.map(({ spectrum: { isLogarithmic } }) => isLogarithmic));
  if (kinds.size > 1) return { stokes: stokesByChannel(all, frequency) };
  const stokes = Float64Array.from(all.flatMap((component) => component.stokes));
  if (kinds.size === 0) return { stokes };
  return { stokes, spectrum: spectraOf(all, kinds.has(true) ? "log" : "linear", frequency[0]!) };
}

/** Spectra of one kind; a source without one has coefficients of 0. */
function spectraOf(all: readonly SkyComponent[], kind: SkySpectrum["kind"], otherwise: number): SkySpectrum {
  const count = Math.max(...all.map(({ spectrum }) => spectrum.terms.length));
  const terms = new Float64Array(all.length * count);
  all.forEach(({ spectrum }, s) => terms.set(spectrum.terms, s * count));
  const referenceFrequency = Float64Array.from(all, ({ spectrum }) => spectrum.reference ?? otherwise);
  return { kind, referenceFrequency, terms };
}

/** I, Q, U and V of each source in each channel. */
function stokesByChannel(all: readonly SkyComponent[], frequency: ArrayLike<number>): Float64Array {
  const out = new Float64Array(4 * all.length * frequency.length);
  let at = 0;
  for (const component of all) {
    for (let c = 0; c < frequency.length; c++, at += 4) out.set(stokesAt(component, frequency[c]!), at);
  }
  return out;
}

function stokesAt({ stokes, spectrum }: SkyComponent, frequency: number): number[] {
  const { terms, reference = frequency, isLogarithmic } = spectrum;
  const x = frequency / reference;
  if (isLogarithmic) {
    const power = terms.reduce((sum, term, i) => sum + term * Math.log10(x) ** i, 0);
    return stokes.map((value) => value * x ** power);
  }
  const [i, ...others] = stokes;
  return [terms.reduce((sum, term, k) => sum + term * (x - 1) ** (k + 1), i), ...others];
}

function gaussianShape({ major, minor, angle }: GaussianComponent): number[] {
  return [major * Math.sin(angle), major * Math.cos(angle), major === 0 ? 1 : minor / major];
}

function sersicShape({ e1, e2, scale }: SersicComponent): number[] {
  return [e1, e2, scale];
}

/** Rows of three numbers as three columns, one after another. */
function columns(rows: readonly (readonly number[])[]): Float64Array {
  return Float64Array.from([0, 1, 2].flatMap((k) => rows.map((row) => row[k]!)));
}
