/**
 * What is predicted, and how: the options of the kernel, and the arrays of a cube that follow from them.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { ArraySchema } from "../../hypercube/cube/cube.ts";
import { BRIGHTNESS, type Brightness } from "../../observations/meaning/correlations.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { finite, inner, list, needed, oneOf, positive, truth } from "../../options/rules.ts";
import type { PhaseConvention } from "../geometry/constants.ts";
import { CIRCULAR, type Correlation, LINEAR, STOKES, sumsFor } from "./correlations.ts";
import { directionArrays } from "./directions.ts";
import { KERNEL_SMEARING, type KernelSmearing, smearingArrays } from "./smearing.ts";

/**
 * Channels that are evenly spaced: the frequency of channel c is `first + c · step`, in Hz.
 * @category Measurement equation
 */
export interface EvenChannels {
  /** The frequency of channel 0. Above 0. */
  readonly first: number;
  /** From one channel to the next. Finite. */
  readonly step: number;
}

/**
 * What {@link predictKernel} computes.
 * @category Measurement equation
 */
export interface PredictKernelOptions {
  /** The sign of the phase; default `fourier`. */
  readonly convention?: PhaseConvention;
  /**
   * `f64`: all in double precision. `mixed`: delays and turns in double precision, the rest in single, which takes half the
   * time; visibilities are complex64. Default `f64`.
   */
  readonly precision?: "f64" | "mixed";
  /**
   * The correlations, in their order: all of one kind of feed, all Stokes parameters, or one or two of XX, YY, RR, LL, I, Q, U
   * and V. Default XX, XY, YX, YY.
   */
  readonly correlations?: readonly Correlation[];
  /** How Stokes parameters become correlations of feeds. Default: as in Measurement Sets. */
  readonly brightness?: Brightness;
  /** Whether Q, U and V count. Without them, one sum serves all correlations. Default true. */
  readonly polarised?: boolean;
  /** Whose positions `uvw` has: those of antennas at each time, or those of the baseline of each row. Default `antenna`. */
  readonly uvw?: "antenna" | "baseline";
  /** `dense`: all baselines at all times. `ragged`: rows with time and antennas. For `uvw` of antennas. Default `dense`. */
  readonly rows?: "dense" | "ragged";
  /** The axes of `stokes` between sources and the four parameters: `ntime`, `nchan`, both, or none. Default none. */
  readonly stokesAxes?: readonly ("ntime" | "nchan")[];
  /**
   * How brightness depends on frequency, in addition: `log` is the power law `(ν/ν0)^(t0 + t1 lg(ν/ν0) + …)` of all Stokes
   * parameters, `linear` the polynomial `I + t0 (ν/ν0 − 1) + t1 (ν/ν0 − 1)² + …` of I. Default `none`.
   */
  readonly spectrum?: "none" | "log" | "linear";
  /** Kinds of extended sources among the sources, which come in the order points, Gaussians, disks, shapelets. Default none. */
  readonly shapes?: readonly ("gaussian" | "sersic" | "shapelet")[];
  /**
   * Whether each source has Jones matrices, the array `jones` (nsrc, ntime, na, nchan, 4), complex: then the matrices of a
   * baseline are `J_p K_p B (J_q K_q)^H`. For points, antennas, and all four correlations of one kind of feed. Default false.
   */
  readonly jones?: boolean;
  /**
   * Whether sources belong to directions with Jones matrices: the arrays `direction` (nsrc), int32, and `direction_jones` (ndir,
   * ntime, na, nchan, correlations), complex. Of one or two correlations each has a factor of its own. For positions of
   * antennas, and correlations of feeds. Default false.
   */
  readonly directions?: boolean;
  /**
   * What bandwidth and integration take away: `channel_width` (nchan), and, where each row has an interval of its own,
   * `interval` (rows). Default: nothing.
   */
  readonly smearing?: KernelSmearing;
  /** Says that channels are evenly spaced: then most phases are products of two others. Default: any frequencies. */
  readonly channels?: EvenChannels;
}

const EVEN_NAMES: OptionNames<EvenChannels> = { first: needed(positive), step: needed(finite) };

/** Their names. */
// deno-fmt-ignore: written by `deno task build`
export const PREDICT_KERNEL_OPTIONS: OptionNames<PredictKernelOptions> = {
  convention: oneOf("fourier", "casa"), precision: oneOf("f64", "mixed"), correlations: list,
  brightness: inner(BRIGHTNESS), polarised: truth, uvw: oneOf("antenna", "baseline"),
  rows: oneOf("dense", "ragged"), stokesAxes: list, spectrum: oneOf("none", "log", "linear"), shapes: list,
  jones: truth, directions: truth, smearing: inner(KERNEL_SMEARING), channels: inner(EVEN_NAMES),
};

/** Options with defaults. */
export type PredictSettings =
  & Required<Omit<PredictKernelOptions, "channels" | "smearing">>
  & Pick<PredictKernelOptions, "channels" | "smearing">;

/** Checks options and fills in defaults. */
export function settingsOf(call: string, options: PredictKernelOptions): PredictSettings {
  checkOptionNames(call, options, PREDICT_KERNEL_OPTIONS);
  const settings: PredictSettings = {
    convention: "fourier",
    precision: "f64",
    correlations: LINEAR,
    brightness: {},
    polarised: true,
    uvw: "antenna",
    rows: "dense",
    stokesAxes: [],
    spectrum: "none",
    shapes: [],
    jones: false,
    directions: false,
    ...options,
  };
  sumsFor(settings.correlations, settings.polarised, call);
  if (settings.jones) checkJones(call, settings);
  if (settings.directions) checkDirected(call, settings);
  checkWords(call, "stokesAxes", settings.stokesAxes, ["ntime", "nchan"]);
  checkWords(call, "shapes", settings.shapes, ["gaussian", "sersic", "shapelet"]);
  return settings;
}

function checkJones(call: string, { correlations, uvw, shapes, smearing }: PredictSettings): void {
  const isFour = [LINEAR, CIRCULAR].some((four) => four.join() === correlations.join());
  if (isFour && uvw === "antenna" && shapes.length === 0 && !smearing) return;
  const text =
    `${call}: the option "jones" is for points, positions of antennas, and XX, XY, YX, YY or RR, RL, LR, LL; ` +
    `found ${
      [correlations.join(", "), `positions of ${uvw}s`, ...shapes, ...(smearing ? ["smearing"] : [])].join(
        "; ",
      )
    }`;
  throw new TilewiseError("invalid", text, { option: "jones" });
}

function checkDirected(call: string, { correlations, uvw, jones }: PredictSettings): void {
  const isStokes = correlations.join() === STOKES.join();
  if (uvw === "antenna" && !jones && !isStokes) return;
  const found = [...(isStokes ? ["I, Q, U, V"] : []), `positions of ${uvw}s`, ...(jones ? ["jones"] : [])];
  const text =
    `${call}: the option "directions" is for positions of antennas and correlations of feeds, and instead of ` +
    `"jones"; found ${found.join("; ")}`;
  throw new TilewiseError("invalid", text, { option: "directions" });
}

/** Words of a list must be known, each at most once, in their order. */
function checkWords(call: string, option: string, words: readonly string[], known: readonly string[]): void {
  if (known.filter((word) => words.includes(word)).join() === words.join()) return;
  const text = `${call}: the option "${option}" is ${words.join(", ")}; it takes ${
    known.join(" and ")
  }, in this order`;
  throw new TilewiseError("invalid", text, { option, found: words.join() });
}

/** Sources that are summed up together, before the sum is added to the visibilities: bits depend on it. */
export const GROUP = 32;
/** Channels whose phasors are held at a time. */
export const CHUNK = 64;
/** Vectors of channels that are summed up row by row: their phasors of two antennas and their weights fit into 48 KiB. */
export const VECTORS = 8;
/** Rows whose phasors are held at a time, where each row has its own position; and whose tapers are. */
export const ROWS = 32;

/**
 * The arrays of a cube for {@link predictKernel} with the same options. Dimensions: `nsrc`, `nchan`, and for positions of
 * antennas `ntime` and `na`, with `nbl` for a dense grid; `nrow` for others; `ngsrc`, `nssrc` and `nhsrc` for the last of the
 * sources that have shapes, `nxorder` and `nyorder` for shapelets, `nterm` for spectra.
 *
 * - `lm` (nsrc, 2): direction cosines. `stokes` (nsrc, …, 4): I, Q, U, V in Jy.
 * - `uvw` in metres, (ntime, na, 3) or (nrow, 3); `antenna1`, `antenna2`, `time_index`: int32. `frequency` (nchan) in Hz.
 * - `gaussian_shape` (3, ngsrc): FWHM of the major axis · sine and cosine of the position angle, ratio of the axes.
 *   `sersic_shape` (3, nssrc): e1, e2 and scale of exponential disks. `shapelet_shape` (3, nhsrc) and `shapelet_coefficients`
 *   (nhsrc, nxorder, nyorder): as in {@link SkyShapelets}.
 * - `reference_frequency` (nsrc), `spectral_terms` (nsrc, nterm).
 * - `jones` (nsrc, ntime, na, nchan, 4): Jones matrices, complex. Or `direction` (nsrc), int32, and `direction_jones` (ndir,
 *   ntime, na, nchan, correlations), complex.
 * - `channel_width` (nchan) in Hz, `interval` (rows) in seconds: for smearing.
 * - `model_vis`, the output: (ntime, nbl, nchan, correlations) or (nrow, nchan, correlations), complex.
 * - Names with `work_`: scratch of the kernel.
 *
 * @example
 * ```ts
 * import { predictArrays } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 * const names = predictArrays({ correlations: ["I"] }).map(({ name }) => name);
 * assertEquals(names.slice(0, 4), ["lm", "stokes", "frequency", "uvw"]);
 * ```
 * @category Measurement equation
 */
export function predictArrays(options: PredictKernelOptions = {}): readonly ArraySchema[] {
  const settings = settingsOf("predictArrays()", options);
  const [given, result] = [inputs(settings), output(settings)];
  const directed = settings.directions ? directionArrays(given, result) : [];
  return [...given, result, ...scratch(settings), ...directed];
}

/** Whether rows are a dense grid of times and baselines. */
export function isDense({ uvw, rows }: PredictSettings): boolean {
  return uvw === "antenna" && rows === "dense";
}

function rowsOf(settings: PredictSettings): readonly string[] {
  return isDense(settings) ? ["ntime", "nbl"] : ["nrow"];
}

function inputs(settings: PredictSettings): ArraySchema[] {
  const { uvw, stokesAxes, spectrum, shapes } = settings;
  const input = (
    name: string,
    shape: ArraySchema["shape"],
    description: string,
    units?: string,
  ): ArraySchema => {
    const rest = { description, ...defined({ units }) };
    return { name, shape, dtype: "float64", role: "input", ...rest };
  };
  const index = (name: string, description: string): ArraySchema => ({
    ...input(name, [isDense(settings) ? "nbl" : "nrow"], description),
    dtype: "int32",
  });
  const ofAntennas = uvw === "antenna";
  return [
    input("lm", ["nsrc", 2], "direction cosines from the phase centre"),
    input("stokes", ["nsrc", ...stokesAxes, 4], "I, Q, U and V of the sources", "Jy"),
    input("frequency", ["nchan"], "of channels", "Hz"),
    ofAntennas
      ? input("uvw", ["ntime", "na", 3], "positions of the antennas", "m")
      : input("uvw", ["nrow", 3], "baselines", "m"),
    ...(ofAntennas ? [index("antenna1", "first antenna"), index("antenna2", "second antenna")] : []),
    ...(needsTimes(settings) ? [index("time_index", "number of the time")] : []),
    ...(shapes.includes("gaussian")
      ? [
        input("gaussian_shape", [3, "ngsrc"], "projections of the FWHM on l and m, ratio of the axes", "rad"),
      ]
      : []),
    ...(shapes.includes("sersic")
      ? [input("sersic_shape", [3, "nssrc"], "e1, e2 and scale of exponential disks", "rad")]
      : []),
    ...(shapes.includes("shapelet")
      ? [
        input("shapelet_shape", [3, "nhsrc"], "β of both axes, and position angle", "rad"),
        input("shapelet_coefficients", ["nhsrc", "nxorder", "nyorder"], "of Hermite functions"),
      ]
      : []),
    ...(spectrum === "none" ? [] : [
      input("reference_frequency", ["nsrc"], "where spectra have the value of stokes", "Hz"),
      input("spectral_terms", ["nsrc", "nterm"], "coefficients of the spectra"),
    ]),
    ...(settings.smearing ? smearingArrays(settings.smearing, rowsOf(settings)) : []),
    ...(settings.jones
      ? [{
        ...input("jones", ["nsrc", "ntime", "na", "nchan", 4], "Jones matrices, row-major"),
        dtype: complexOf(settings),
      }]
      : []),
  ];
}

/** Whether each row says its time. */
export function needsTimes(settings: PredictSettings): boolean {
  if (isDense(settings)) return false;
  return settings.uvw === "antenna" || settings.stokesAxes.includes("ntime");
}

function complexOf({ precision }: PredictSettings): "complex128" | "complex64" {
  return precision === "f64" ? "complex128" : "complex64";
}

function output(settings: PredictSettings): ArraySchema {
  return {
    name: "model_vis",
    shape: [...rowsOf(settings), "nchan", settings.correlations.length],
    dtype: complexOf(settings),
    role: "output",
    description: "predicted visibilities",
    units: "Jy",
  };
}

function scratch(settings: PredictSettings): ArraySchema[] {
  const { precision, uvw } = settings;
  const dtype = precision === "f64" ? "float64" : "float32";
  const work = (name: string, shape: ArraySchema["shape"], dtype: ArraySchema["dtype"]): ArraySchema => {
    return { name: `work_${name}`, shape, dtype, role: "temporary" };
  };
  const rows = uvw === "antenna" ? "na" : ROWS;
  const lanes = precision === "f64" ? 2 : 4;
  return [
    work("phasors", [rows, 2 * CHUNK * GROUP], dtype),
    work("weighted", [rows, 2 * lanes * GROUP], dtype),
    ...(settings.jones
      ? [work("left", ["na", 8 * lanes * GROUP], dtype), work("right", ["na", 8 * lanes * GROUP], dtype)]
      : []),
    work("weights", [4 * CHUNK * GROUP], dtype),
    work("tapers", [ROWS, lanes * GROUP], dtype),
    ...(settings.shapes.includes("shapelet")
      ? [
        work("odd", [ROWS, lanes * GROUP], dtype),
        work("turned", [ROWS, lanes, 2 * settings.correlations.length], dtype),
        work("turned_rows", [ROWS, 3], "int32"),
        work("axes", [GROUP, 4], "float64"),
        work("hermite", [4, "nxorder", "nyorder"], "float64"),
      ]
      : []),
    work("tables", [1024 + 80 * lanes], dtype), // what `rime_phasors_even` takes: 1024 samples and 1280 bytes
    work("sources", [2, 3 * GROUP], "float64"),
    work("combine", [4, 4], "float64"),
    work("rows", [uvw === "antenna" ? isDense(settings) ? "nbl" : "nrow" : ROWS, 8], "int32"),
  ];
}
