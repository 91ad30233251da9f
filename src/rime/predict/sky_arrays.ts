/**
 * Skies as arrays of a cube: their names, sizes and checks, for all that sums up sources.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { inner, list, needed, oneOf } from "../../options/rules.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { mustBeFinite } from "../geometry/check.ts";
import { checkDirections } from "../geometry/directions.ts";
import type { PredictKernelOptions } from "./options.ts";
import type { PredictSizes, SkyModel, SkyShapelets, SkySpectrum } from "./problem.ts";

// deno-fmt-ignore: written by `deno task build`
const SPECTRUM: OptionNames<SkySpectrum> = {
  kind: needed(oneOf("log", "linear")), referenceFrequency: needed(list), terms: needed(list),
};

// deno-fmt-ignore: written by `deno task build`
const SHAPELETS: OptionNames<SkyShapelets> = {
  shape: needed(list), coefficients: needed(list), orders: list,
};

/** The names of its parts. */
// deno-fmt-ignore: written by `deno task build`
export const SKY: OptionNames<SkyModel> = {
  lm: needed(list), stokes: needed(list), spectrum: inner(SPECTRUM), gaussianShape: list, sersicShape: list,
  shapelets: inner(SHAPELETS),
};

/** Sizes that follow from a sky. */
type SkySizes = Pick<
  PredictSizes,
  "nsrc" | "ngsrc" | "nssrc" | "nhsrc" | "nxorder" | "nyorder" | "nterm"
>;

/** The sizes of a sky, whose arrays are checked. */
export function skySizes(call: string, sky: SkyModel): SkySizes {
  checkOptionNames(call, sky, SKY);
  checkDirections(sky.lm, call);
  for (const name of ["stokes", "gaussianShape", "sersicShape"] as const) {
    if (sky[name]) mustBeFinite(call, name, sky[name]);
  }
  const nsrc = sky.lm.length / 2;
  const [ngsrc, nssrc] = [thirds(call, sky.gaussianShape), thirds(call, sky.sersicShape)];
  const shapelets = shapeletSizes(call, sky.shapelets);
  if (ngsrc + nssrc + shapelets.nhsrc > nsrc) {
    const found = `${ngsrc} Gaussians, ${nssrc} disks and ${shapelets.nhsrc} shapelets among ${nsrc} sources`;
    throw wrong(call, "sky", found, `at most ${nsrc}`);
  }
  return { nsrc, ngsrc, nssrc, ...shapelets, nterm: termsOf(call, sky.spectrum, nsrc) };
}

/** The arrays of a sky by the names of inputs. */
export function skyArrays(
  { lm, stokes, spectrum, gaussianShape, sersicShape, shapelets }: SkyModel,
): Record<string, TypedArray> {
  return {
    lm,
    stokes,
    ...defined({ gaussian_shape: gaussianShape, sersic_shape: sersicShape }),
    ...(shapelets ? { shapelet_shape: shapelets.shape, shapelet_coefficients: shapelets.coefficients } : {}),
    ...(spectrum ? { reference_frequency: spectrum.referenceFrequency, spectral_terms: spectrum.terms } : {}),
  };
}

/** The kinds of extended sources among the sources. */
export function shapesOf({ ngsrc, nssrc, nhsrc }: SkySizes): NonNullable<PredictKernelOptions["shapes"]> {
  const counts = { gaussian: ngsrc, sersic: nssrc, shapelet: nhsrc };
  return (["gaussian", "sersic", "shapelet"] as const).filter((kind) => counts[kind] > 0);
}

/** How many shapelets there are, and of how many orders. */
function shapeletSizes(
  call: string,
  shapelets: SkyShapelets | undefined,
): Pick<SkySizes, "nhsrc" | "nxorder" | "nyorder"> {
  if (!shapelets) return { nhsrc: 0, nxorder: 0, nyorder: 0 };
  const { shape, coefficients, orders } = shapelets;
  mustBeFinite(call, "shapelets.shape", shape);
  mustBeFinite(call, "shapelets.coefficients", coefficients);
  const nhsrc = thirds(call, shape);
  if (nhsrc === 0 && coefficients.length === 0) return { nhsrc, nxorder: 0, nyorder: 0 };
  const square = Math.sqrt(coefficients.length / nhsrc);
  const [nxorder, nyorder] = orders ?? [square, square];
  const counts = [nxorder, nyorder].every((count) => Number.isInteger(count) && count > 0);
  if (counts && coefficients.length === nhsrc * nxorder * nyorder) return { nhsrc, nxorder, nyorder };
  const expected = orders
    ? `${nhsrc} × ${orders.join(" × ")}, whole numbers from 1`
    : `${nhsrc} times a square, or there must be orders: [x, y]`;
  throw wrong(call, "sky.shapelets.coefficients", `${coefficients.length} numbers`, expected);
}

function termsOf(call: string, spectrum: SkySpectrum | undefined, nsrc: number): number {
  if (!spectrum) return 0;
  const { referenceFrequency, terms } = spectrum;
  checkFrequencies(call, referenceFrequency);
  mustBeFinite(call, "terms", terms);
  if (referenceFrequency.length !== nsrc) {
    throw wrong(call, "referenceFrequency", `${referenceFrequency.length} numbers`, `${nsrc}`);
  }
  const nterm = nsrc === 0 ? 0 : terms.length / nsrc;
  if (Number.isInteger(nterm)) return nterm;
  throw wrong(call, "terms", `${terms.length} numbers`, `a multiple of ${nsrc}`);
}

/** Refuses frequencies that are not finite and above 0. */
export function checkFrequencies(call: string, values: ArrayLike<number>): void {
  mustBeFinite(call, "frequency", values);
  const at = Array.prototype.findIndex.call(values, (value: number) => !(value > 0));
  if (at >= 0) throw wrong(call, "frequency", `${values[at]} at ${at}`, "above 0");
}

/** A third of the length of an array; 0 if there is none. */
export function thirds(call: string, values: ArrayLike<number> | undefined): number {
  const count = (values?.length ?? 0) / 3;
  if (Number.isInteger(count)) return count;
  throw wrong(call, "uvw or a shape", `${values!.length} numbers`, "a multiple of 3");
}

/** The error for an array that does not fit. */
export function wrong(call: string, option: string, found: string, expected: string): TilewiseError {
  const text = `${call}: ${option} has ${found}; it must be ${expected}`;
  return new TilewiseError("invalid", text, { option, found, expected });
}
