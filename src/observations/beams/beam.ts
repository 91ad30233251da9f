/**
 * Beams of antennas in FITS: a file for the real and the imaginary part of each correlation, named by a template.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { openStored } from "../../formats/open.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { inner, oneOf, signal, text } from "../../options/rules.ts";
import { sameShape, showShape, sizeOf } from "../../space/shape.ts";
import { StoredRows } from "../rows.ts";
import { type BeamAxes, beamAxes, type BeamAxis, malformed } from "./axes.ts";

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
  const options = { format: "fits", ...(signal ? { signal } : {}) };
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
