/**
 * The sizes of a problem, and the checks of its arrays.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { inner, list, needed, oneOf, whole } from "../../options/rules.ts";
import { mustBeFinite } from "../geometry/check.ts";
import { checkDirections } from "../geometry/directions.ts";
import { checkIndices } from "./blocks.ts";
import type { PredictKernelOptions } from "./options.ts";
import type { PredictInput, PredictSizes, SkyModel, SkyShapelets, SkySpectrum } from "./problem.ts";

const SPECTRUM: OptionNames<SkySpectrum> = {
  kind: needed(oneOf("log", "linear")),
  referenceFrequency: needed(list),
  terms: needed(list),
};

const SHAPELETS: OptionNames<SkyShapelets> = {
  shape: needed(list),
  coefficients: needed(list),
  orders: list,
};

const SKY: OptionNames<SkyModel> = {
  lm: needed(list),
  stokes: needed(list),
  spectrum: inner(SPECTRUM),
  gaussianShape: list,
  sersicShape: list,
  shapelets: inner(SHAPELETS),
};

const INPUT: OptionNames<PredictInput> = {
  uvw: needed(list),
  antenna1: list,
  antenna2: list,
  timeIndex: list,
  antennas: whole(1),
  frequency: needed(list),
  sky: needed(inner(SKY)),
};

/** The sizes of a checked problem. */
export function sizesOf(call: string, input: PredictInput): PredictSizes {
  checkOptionNames(call, input, INPUT);
  const { sky, frequency } = input;
  checkDirections(sky.lm, call);
  for (const name of ["stokes", "gaussianShape", "sersicShape"] as const) {
    if (sky[name]) mustBeFinite(call, name, sky[name]);
  }
  mustBeFinite(call, "uvw", input.uvw, 3);
  checkFrequencies(call, frequency);
  const nsrc = sky.lm.length / 2, nchan = frequency.length;
  const [ngsrc, nssrc] = [sky.gaussianShape, sky.sersicShape].map((shape) => thirds(call, shape));
  const shapelets = shapeletSizes(call, sky.shapelets);
  if (ngsrc! + nssrc! + shapelets.nhsrc > nsrc) {
    const found = `${ngsrc} Gaussians, ${nssrc} disks and ${shapelets.nhsrc} shapelets among ${nsrc} sources`;
    throw wrong(call, "sky", found, `at most ${nsrc}`);
  }
  const nterm = termsOf(call, sky.spectrum, nsrc);
  return { nsrc, ngsrc: ngsrc!, nssrc: nssrc!, ...shapelets, nterm, nchan, ...rowSizes(call, input) };
}

/** How many shapelets there are, and of how many orders. */
function shapeletSizes(
  call: string,
  shapelets: SkyShapelets | undefined,
): Pick<PredictSizes, "nhsrc" | "nxorder" | "nyorder"> {
  if (!shapelets) return { nhsrc: 0, nxorder: 0, nyorder: 0 };
  const { shape, coefficients, orders } = shapelets;
  mustBeFinite(call, "shapelets.shape", shape);
  mustBeFinite(call, "shapelets.coefficients", coefficients);
  const nhsrc = thirds(call, shape);
  const square = Math.sqrt(coefficients.length / nhsrc);
  const [nxorder, nyorder] = orders ?? [square, square];
  const counts = [nxorder, nyorder].every((count) => Number.isInteger(count) && count > 0);
  if (nhsrc > 0 && counts && coefficients.length === nhsrc * nxorder * nyorder) {
    return { nhsrc, nxorder, nyorder };
  }
  if (nhsrc === 0 && coefficients.length === 0) return { nhsrc, nxorder: 0, nyorder: 0 };
  const expected = orders
    ? `${nhsrc} × ${orders.join(" × ")}, whole numbers from 1`
    : `${nhsrc} times a square, or there must be orders: [x, y]`;
  throw wrong(call, "sky.shapelets.coefficients", `${coefficients.length} numbers`, expected);
}

/** The kinds of extended sources among the sources. */
export function shapesOf({ ngsrc, nssrc, nhsrc }: PredictSizes): NonNullable<PredictKernelOptions["shapes"]> {
  const counts = { gaussian: ngsrc, sersic: nssrc, shapelet: nhsrc };
  return (["gaussian", "sersic", "shapelet"] as const).filter((kind) => counts[kind] > 0);
}

/** The axes of `stokes`, from its length. */
export function stokesAxesOf(
  call: string,
  { sky }: PredictInput,
  { nsrc, nchan, ntime }: PredictSizes,
): NonNullable<PredictKernelOptions["stokesAxes"]> {
  const { length } = sky.stokes;
  if (length === 4 * nsrc) return [];
  if (length === 4 * nsrc * nchan) return ["nchan"];
  if (ntime > 0 && length === 4 * nsrc * ntime * nchan) return ["ntime", "nchan"];
  const would = [4 * nsrc, 4 * nsrc * nchan, ...(ntime > 0 ? [4 * nsrc * ntime * nchan] : [])];
  throw wrong(call, "sky.stokes", `${length} numbers`, would.join(" or "));
}

function rowSizes(
  call: string,
  input: PredictInput,
): Pick<PredictSizes, "ntime" | "na" | "nbl" | "nrow"> {
  const { uvw, antenna1, antenna2, timeIndex } = input;
  const positions = thirds(call, uvw);
  if (!antenna1 || !antenna2) {
    if (antenna1 ?? antenna2) throw wrong(call, "antenna2", "one antenna of rows", "both, or none");
    if (timeIndex && timeIndex.length !== positions) {
      throw wrong(call, "timeIndex", `${timeIndex.length} numbers`, `${positions}`);
    }
    return { ntime: most(timeIndex ?? []) + 1, na: 0, nbl: 0, nrow: positions };
  }
  const na = input.antennas ?? Math.max(most(antenna1), most(antenna2)) + 1;
  const ntime = na === 0 ? 0 : positions / na;
  if (!Number.isInteger(ntime)) {
    throw wrong(
      call,
      "uvw",
      `${positions} positions`,
      `a multiple of ${na}: those of all antennas at each time`,
    );
  }
  const nbl = antenna1.length;
  if (antenna2.length !== nbl) throw wrong(call, "antenna2", `${antenna2.length} numbers`, `${nbl}`);
  checkIndices("antenna1", antenna1, na);
  checkIndices("antenna2", antenna2, na);
  if (!timeIndex) return { ntime, na, nbl, nrow: ntime * nbl };
  if (timeIndex.length !== nbl) throw wrong(call, "timeIndex", `${timeIndex.length} numbers`, `${nbl}`);
  checkIndices("timeIndex", timeIndex, ntime);
  return { ntime, na, nbl: 0, nrow: nbl };
}

function most(values: ArrayLike<number>): number {
  let most = -1;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i]!);
  return most;
}

function thirds(call: string, values: ArrayLike<number> | undefined): number {
  const count = (values?.length ?? 0) / 3;
  if (Number.isInteger(count)) return count;
  throw wrong(call, "uvw or a shape", `${values!.length} numbers`, "a multiple of 3");
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

function checkFrequencies(call: string, values: ArrayLike<number>): void {
  mustBeFinite(call, "frequency", values);
  const at = Array.prototype.findIndex.call(values, (value: number) => !(value > 0));
  if (at >= 0) throw wrong(call, "frequency", `${values[at]} at ${at}`, "above 0");
}

function wrong(call: string, option: string, found: string, expected: string): TilewiseError {
  const text = `${call}: ${option} has ${found}; it must be ${expected}`;
  return new TilewiseError("invalid", text, { option, found, expected });
}
