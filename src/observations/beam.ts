/**
 * Beams of antennas in FITS: a file for the real and the imaginary part of each correlation, named by a template.
 *
 * @module
 */

import type { StoredDataset } from "../dataset/dataset.ts";
import { isTilewiseError, TilewiseError } from "../errors.ts";
import { openStored } from "../formats/open.ts";
import { checkOptionNames, defined, type OptionNames } from "../options.ts";
import { inner, oneOf, signal, text } from "../options/rules.ts";
import { sameShape, showShape, sizeOf } from "../space/shape.ts";
import { StoredRows } from "./rows/rows.ts";

// The axes of a beam in FITS: which one is l, m and frequency, and where their samples are.

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
interface BeamAxis {
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
function beamAxes(
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
function malformed({ source }: StoredDataset, problem: string): TilewiseError {
  return new TilewiseError("malformed", `Cannot read ${source} as a beam: ${problem}`, { file: source });
}

/**
 * How a beam is read.
 * @category Observations
 */
export interface ReadBeamOptions {
  /** The feeds: files are those of xx, xy, yx, yy or of rr, rl, lr, ll. Default `linear`. */
  readonly feed?: "linear" | "circular";
  /**
   * Names of the axes (`CTYPE`), in upper or lower case; with a minus sign in front, such as `-L`, the axis runs the other
   * way. Default `L`, `M` and `FREQ`.
   */
  readonly axes?: BeamAxes;
  /** Cancels the reading. */
  readonly signal?: AbortSignal;
}

const AXES: OptionNames<BeamAxes> = { l: text, m: text, frequency: text };
// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<ReadBeamOptions> = {
  feed: oneOf("linear", "circular"), axes: inner(AXES), signal,
};

/**
 * A beam of antennas, as inputs of the term E.
 * @category Observations
 */
export interface Beam {
  /** The inputs of the term by name. */
  readonly termInputs: {
    /** Jones matrices (l, m, frequency, 4), pairs of re and im. */
    readonly ebeam: Float64Array;
    /** The lowest l, m and frequency, then the highest. */
    readonly beam_extents: Float64Array;
    /** Frequencies in Hz. */
    readonly beam_freq_map: Float64Array;
  };
  /** The sizes of these inputs. */
  readonly termDimensions: {
    /** Samples of l. */
    readonly beam_lw: number;
    /** Samples of m. */
    readonly beam_mh: number;
    /** Frequencies. */
    readonly beam_nud: number;
  };
  /** What the user should know: files that are missing. */
  readonly warnings: readonly string[];
}

const CORRELATIONS = { linear: ["xx", "xy", "yx", "yy"], circular: ["rr", "rl", "lr", "ll"] } as const;

/** A file of the beam. */
interface BeamFile {
  readonly file: string;
  /** Where its numbers begin among the eight of a matrix. */
  readonly place: number;
  readonly dataset: StoredDataset;
  readonly axes: readonly [BeamAxis, BeamAxis, BeamAxis];
}

/** Most numbers of a beam: 1 GiB. */
const MOST_NUMBERS = 2 ** 27;

/**
 * Reads a beam from FITS files. The template is the name of a file with `$(corr)` (or `$(CORR)`, in upper case) in place of
 * the correlation, and `$(reim)` (or `$(REIM)`) in place of `re` or `im`. Elements whose files are missing are 0, and
 * `warnings` names them; all files must have the same axes. l and m are in degrees unless the header has another unit;
 * frequencies that are not evenly spaced are taken from the keys `GFREQ1`, `GFREQ2`, ….
 *
 * The result has what the term `beam()` needs: with `const { termInputs, termDimensions } = await readBeam(template)`,
 * `predict(sky, observation, { terms: [beam()], termInputs, termDimensions })`.
 *
 * Errors: `invalid` for a template without these words, `not-found` if there is no file, `malformed` for other axes.
 *
 * @example
 * ```ts
 * import { readBeam } from "@tilewise/tilewise/unstable/observations";
 * import { assertRejects } from "@std/assert";
 * await assertRejects(() => readBeam("beam_$(corr)_$(reim).fits"), Error, "beam_xx_re.fits");
 * ```
 * @category Observations
 */
export async function readBeam(template: string | URL, options: ReadBeamOptions = {}): Promise<Beam> {
  checkOptionNames("readBeam()", options, OPTIONS);
  const { feed = "linear", axes = {}, signal } = options;
  const names = filesOf(decodeURI(String(template)), CORRELATIONS[feed]);
  const parts: BeamFile[] = [], missing: string[] = [];
  for (const [place, file] of names.entries()) {
    const dataset = await opened(file, signal);
    if (dataset) parts.push({ file, place, dataset, axes: beamAxes(dataset, axes) });
    else missing.push(file);
  }
  const [first] = parts;
  if (!first) {
    const words = `There is no file of the beam ${template}: neither ${names.join(" nor ")}`;
    throw new TilewiseError("not-found", words, { file: names[0]! });
  }
  const [l, m, nu] = first.axes.map(({ places }) => places) as [Float64Array, Float64Array, Float64Array];
  const shape = [l.length, m.length, nu.length];
  const ebeam = new Float64Array(checkedCount(first, shape));
  for (const part of parts) await fill(ebeam, shape, part, first);
  return {
    termInputs: {
      ebeam,
      beam_extents: Float64Array.of(l[0]!, m[0]!, nu[0]!, l.at(-1)!, m.at(-1)!, nu.at(-1)!),
      beam_freq_map: nu,
    },
    termDimensions: { beam_lw: l.length, beam_mh: m.length, beam_nud: nu.length },
    warnings: missing.length > 0 ? [`There are no files ${missing.join(", ")}; these elements are 0`] : [],
  };
}

/** The names of the eight files: the real and the imaginary part of each correlation. */
function filesOf(template: string, correlations: readonly string[]): string[] {
  if (!/\$\(corr\)/i.test(template) || !/\$\(reim\)/i.test(template)) {
    const words = `Cannot read the beam ${template}: the name must have $(corr) and $(reim) in it, as in ` +
      "beam_$(corr)_$(reim).fits";
    throw new TilewiseError("invalid", words, { option: "template", found: template });
  }
  return correlations.flatMap((corr) =>
    ["re", "im"].map((reim) =>
      template.replaceAll("$(corr)", corr).replaceAll("$(CORR)", corr.toUpperCase())
        .replaceAll("$(reim)", reim).replaceAll("$(REIM)", reim.toUpperCase())
    )
  );
}

/** The data set in a file, as one frame; `undefined` if there is no such file. */
async function opened(file: string, signal: AbortSignal | undefined): Promise<StoredDataset | undefined> {
  const options = { format: "fits", ...defined({ signal }) };
  try {
    const { shape } = await openStored(file, options);
    return await openStored(file, { ...options, sigDims: shape.length });
  } catch (error) {
    if (isTilewiseError(error, "not-found")) return undefined;
    throw error;
  }
}

function checkedCount({ dataset }: BeamFile, shape: readonly number[]): number {
  const count = shape.reduce((product, n) => product * n, 8);
  if (count <= MOST_NUMBERS) return count;
  throw malformed(dataset, `${showShape(shape)} matrices are more than ${MOST_NUMBERS / 8}`);
}

/** Puts the numbers of a file into the matrices. */
async function fill(
  ebeam: Float64Array,
  shape: readonly number[],
  part: BeamFile,
  first: BeamFile,
): Promise<void> {
  const { dataset, axes, place } = part;
  const isSame = axes.every(({ places }, i) =>
    places.length === shape[i] && places.every((value, k) => near(value, first.axes[i]!.places, k))
  );
  if (!isSame) {
    const own = axes.map(({ places }) => places.length);
    const problem = sameShape(own, shape)
      ? `its l, m or frequencies are other ones than those of ${first.file}`
      : `it has ${showShape(own)} samples of l, m and frequency, ${first.file} has ${showShape(shape)}`;
    throw malformed(dataset, problem);
  }
  const steps = axes.map(({ axis }) => sizeOf(dataset.shape.slice(axis + 1)));
  await using rows = new StoredRows(dataset.layout);
  const data = await rows.read(0, dataset.shape[0]!) as Float32Array | Float64Array;
  const [lw, mh, nud] = shape as [number, number, number];
  const at = (i: number, k: number) => (axes[i]!.isReversed ? shape[i]! - 1 - k : k) * steps[i]!;
  for (let l = 0, to = place; l < lw; l++) {
    for (let m = 0; m < mh; m++) {
      for (let nu = 0; nu < nud; nu++, to += 8) ebeam[to] = Number(data[at(0, l) + at(1, m) + at(2, nu)]!);
    }
  }
  const wrong = ebeam.findIndex((value, i) => i % 8 === place && !Number.isFinite(value));
  if (wrong >= 0) throw malformed(dataset, "it has samples that are not finite");
}

/** Whether a place is one of the first file, up to rounding. */
function near(value: number, places: Float64Array, k: number): boolean {
  const range = places.at(-1)! - places[0]! || Math.abs(places[0]!);
  return Math.abs(value - places[k]!) <= 1e-9 * range;
}
