/**
 * What axes and samples of arrays mean: names, kinds, scales, units.
 *
 * @module
 */

import { defined } from "../options.ts";
import type { DType } from "./dtype.ts";

/**
 * What an axis counts. `scan`: positions of a probe; `detector`: pixels of a camera in the diffraction plane; `space`: places in
 * an image or a volume; `channel`: images of the same place by other means; `colour`: the samples of one pixel, such as red,
 * green and blue; `series`: whatever was recorded one after another without a physical step.
 * @category Data sets
 */
export type AxisKind =
  | "scan"
  | "detector"
  | "space"
  | "time"
  | "channel"
  | "colour"
  | "energy"
  | "frequency"
  | "baseline"
  | "series"
  | "other";

/**
 * The facts that a format gives about one axis.
 * @category Data sets
 */
export interface AxisFacts {
  /** What runs along it, such as `y`. */
  readonly name?: string;
  /** What it counts, if the file says so. */
  readonly kind?: AxisKind;
  /** Distance between samples in `unit`. */
  readonly scale?: number;
  /** Position of sample 0 in `unit`. Finite. */
  readonly offset?: number;
  /** Unit as the file has it, with `µ` for micro: `nm`, `1/nm`, `mrad`, `eV`. */
  readonly unit?: string;
  /** Position of every sample in `unit`, where steps are not even; `scale` and `offset` are absent then. */
  readonly positions?: readonly number[];
  /** Names of the samples, such as those of channels; empty where one has none. */
  readonly names?: readonly string[];
  /** Whether it grows upwards where it is drawn, as rows of FITS do: sample 0 is at the bottom. Default: it grows downwards. */
  readonly upwards?: true;
  /** Which signal is measured along it, as HyperSpy and its extensions call it: `EELS`, `EDS_TEM`, `electron_diffraction`. */
  readonly signal?: string;
}

/**
 * What the samples of an array mean.
 * @category Data sets
 */
export interface ValueFacts {
  /**
   * `amount`: numbers of which sums and means have a meaning. `label`: names of regions, written as numbers, of which they have
   * none: what makes them smaller keeps some of them. `mask`: true and false. `phase`: angles, which begin again after a turn,
   * so that they have no mean either. `vector`: components along the last dimension. `complex`: complex numbers.
   */
  readonly kind: "amount" | "label" | "mask" | "phase" | "vector" | "complex";
  /** Their unit, as the file has it: `e-`, `counts`, `rad`. Absent: they have none, or it is not known. */
  readonly unit?: string;
  /** The number that stands for a sample that is missing. Absent: there is none; NaN is missing in any case. Finite. */
  readonly missing?: number;
  /**
   * What all of them are of: axes of one sample that are no dimensions, such as that of the channel or the time that was selected,
   * or of the only one. Results are of what their samples are of. Absent: none is known.
   */
  readonly of?: readonly AxisFacts[];
}

/**
 * What results mean, from what the samples do that they are made of:
 *
 * - `same`: the same, as they are some of the samples;
 * - `sums`: amounts of the same unit: sums, means and differences, with weights that are plain numbers;
 * - `squares`: amounts of the square of that unit;
 * - `unknown`: what follows from their type;
 * - or facts of their own, as those of positions and labels.
 * @category User-defined functions
 */
export type ValueRule = "same" | "sums" | "squares" | "unknown" | ValueFacts;

/** What samples mean of which only the type is known. */
export function usualValues(dtype: DType | "object"): ValueFacts {
  return { kind: dtype === "bool" ? "mask" : dtype.startsWith("complex") ? "complex" : "amount" };
}

/** What a file says of an axis: without its size. */
export function factsOf(
  { name, kind, scale, offset, unit, positions, names, upwards, signal }: {
    [K in keyof AxisFacts]: AxisFacts[K] | undefined;
  },
): AxisFacts {
  return defined({ name, kind, scale, offset, unit, positions, names, upwards, signal });
}

/** Whether means of such values have a meaning. */
export function haveMeans({ kind }: ValueFacts): boolean {
  return kind !== "label" && kind !== "phase";
}
