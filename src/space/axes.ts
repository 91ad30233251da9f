/**
 * What axes and samples of arrays mean: names, kinds, scales, units.
 *
 * @module
 */

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

/** All kinds of axes. */
export const AXIS_KINDS: readonly AxisKind[] = [
  "scan",
  "detector",
  "space",
  "time",
  "channel",
  "colour",
  "energy",
  "frequency",
  "baseline",
  "series",
  "other",
];

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
  /** Position of sample 0 in `unit`. */
  readonly offset?: number;
  /** Unit as the file has it, with `µ` for micro: `nm`, `1/nm`, `mrad`, `eV`. */
  readonly unit?: string;
  /** Position of every sample in `unit`, where steps are not even; `scale` and `offset` are absent then. */
  readonly positions?: readonly number[];
  /** Names of the samples, such as those of channels; empty where one has none. */
  readonly names?: readonly string[];
  /** Whether it grows upwards where it is drawn, as rows of FITS do: sample 0 is at the bottom. Default: it grows downwards. */
  readonly upwards?: true;
}

/**
 * What the samples of an array mean.
 * @category Data sets
 */
export interface ValueFacts {
  /**
   * `amount`: numbers of which sums and means have a meaning. `label`: names of regions, written as numbers, of which they have
   * none: what makes them smaller keeps some of them. `mask`: true and false.
   */
  readonly kind: "amount" | "label" | "mask";
}

/** All kinds of values. */
export const VALUE_KINDS: readonly ValueFacts["kind"][] = ["amount", "label", "mask"];

/** What samples mean of which only the type is known. */
export function usualValues(dtype: DType): ValueFacts {
  return { kind: dtype === "bool" ? "mask" : "amount" };
}

/** What a file says of an axis: without its size. */
export function factsOf(
  { name, kind, scale, offset, unit, positions, names, upwards }: {
    [K in keyof AxisFacts]: AxisFacts[K] | undefined;
  },
): AxisFacts {
  const facts = { name, kind, scale, offset, unit, positions, names, upwards };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** Kinds of axes by names that mean the same in all conventions. */
const KIND_OF_NAME: Readonly<Record<string, AxisKind>> = {
  t: "time",
  time: "time",
  c: "channel",
  channel: "channel",
  z: "space",
  y: "space",
  x: "space",
  kx: "detector",
  ky: "detector",
  qx: "detector",
  qy: "detector",
};

/** What a file says that gives an axis a name alone; a name that was filled in says nothing. */
export function axisNamed(name: string): AxisFacts {
  const kind = KIND_OF_NAME[name.toLowerCase()];
  return { name, ...(kind ? { kind } : {}) };
}
