/**
 * What bandwidth and integration take from the visibilities of sources away from the phase centre.
 *
 * A factor `sinc(delay · width) sinc(fringe rate · interval)` for each source, baseline and channel (Thompson, Moran, Swenson,
 * "Interferometry and Synthesis in Radio Astronomy", chapter 6): exact for channels, and of first order in time, as the path
 * is taken as straight within an integration.
 *
 * @module
 */

import type { ArraySchema } from "../../hypercube/cube/cube.ts";
import type { OptionNames } from "../../options.ts";
import { atLeast0, either, finite, needed, oneOf } from "../../options/rules.ts";
import { float64Array } from "../geometry/check.ts";
import { EARTH_ROTATION } from "../geometry/constants.ts";

/**
 * How visibilities are smeared by the bandwidth of channels and by the time of an integration.
 * @category Measurement equation
 */
export interface Smearing {
  /**
   * Seconds of an integration, or of that of each row (nrow; of a dense grid, time after time), as after averages that depend on
   * the baseline; 0 for none.
   */
  readonly interval: number | Float64Array;
  /** The declination of the phase centre in radians. Finite. */
  readonly declination: number;
  /** The width of each channel in Hz; none if it is not given. */
  readonly channelWidth?: Float64Array;
}

/** The names of its parts. */
// deno-fmt-ignore: written by `deno task build`
export const SMEARING: OptionNames<Smearing> = {
  interval: needed(either("a number from 0, or a Float64Array", atLeast0, float64Array)),
  declination: needed(finite), channelWidth: float64Array,
};

/**
 * Smearing as a kernel of a cube computes it.
 * @category Measurement equation
 */
export interface KernelSmearing {
  /** Seconds of an integration; `row`: there is the array `interval` of all rows. */
  readonly interval: number | "row";
  /** The declination of the phase centre in radians. Finite. */
  readonly declination: number;
}

/** The names of its parts. */
// deno-fmt-ignore: written by `deno task build`
export const KERNEL_SMEARING: OptionNames<KernelSmearing> = {
  interval: needed(either('a number from 0, or "row"', atLeast0, oneOf("row"))), declination: needed(finite),
};

/** The inputs that it needs, for rows of this shape. */
export function smearingArrays({ interval }: KernelSmearing, rows: readonly string[]): ArraySchema[] {
  const input = (
    name: string,
    shape: ArraySchema["shape"],
    description: string,
    units: string,
  ): ArraySchema => {
    return { name, shape, dtype: "float64", role: "input", description, units };
  };
  return [
    input("channel_width", ["nchan"], "of channels", "Hz"),
    ...(interval === "row" ? [input("interval", rows, "of integrations", "s")] : []),
  ];
}

/** What a kernel needs to know of it. */
export function kernelSmearing({ interval, declination }: Smearing): KernelSmearing {
  return { interval: typeof interval === "number" ? interval : "row", declination };
}

/** The samples of its inputs by name. */
export function smearingInputs(
  { interval, channelWidth }: Smearing,
  nchan: number,
): Record<string, Float64Array> {
  return {
    channel_width: channelWidth ?? new Float64Array(nchan),
    ...(typeof interval === "number" ? {} : { interval }),
  };
}

/** Sine and cosine of the declination, times the angle by which the sky turns in an integration, or in a second. */
export function turnsOf({ interval, declination }: KernelSmearing): { turnSin: number; turnCos: number } {
  const angle = EARTH_ROTATION * (interval === "row" ? 1 : interval);
  return { turnSin: angle * Math.sin(declination), turnCos: angle * Math.cos(declination) };
}
