/**
 * What axes and samples of arrays mean: names, kinds, scales, units.
 *
 * @module
 */

import type { DType } from "./dtype.ts";

/** All kinds of axes. */
export const AXIS_KINDS = [
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
] as const;

/**
 * What an axis counts. `scan`: positions of a probe; `detector`: pixels of a camera in the diffraction plane; `space`: places in
 * an image or a volume; `channel`: images of the same place by other means; `colour`: the samples of one pixel, such as red,
 * green and blue; `series`: whatever was recorded one after another without a physical step.
 * @category Data sets
 */
export type AxisKind = (typeof AXIS_KINDS)[number];

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
  { name, kind, scale, offset, unit, positions, names }: { [K in keyof AxisFacts]: AxisFacts[K] | undefined },
): AxisFacts {
  const facts = { name, kind, scale, offset, unit, positions, names };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/**
 * The axis of samples of which each stands for `factor` of this one: for the `middle` of them, or for the first.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(thinned({ name: "x", scale: 0.5, unit: "nm" }, 4, "middle"), { name: "x", scale: 2, offset: 0.75, unit: "nm" });
 * ```
 */
export function thinned(axis: AxisFacts, factor: number, place: "first" | "middle"): AxisFacts {
  if (factor === 1) return axis;
  const { scale, offset = 0, positions, names: _, ...others } = axis;
  const shift = place === "middle" ? (factor - 1) / 2 : 0;
  const blocks = positions?.filter((_, n) => n % factor === 0).map((first, n) => {
    const block = positions.slice(n * factor, (n + 1) * factor);
    return place === "first" ? first : block.reduce((sum, one) => sum + one, 0) / block.length;
  });
  const moved = scale === undefined ? 0 : offset + shift * scale;
  return {
    ...others,
    ...(scale === undefined ? {} : { scale: scale * factor }),
    ...(moved === 0 ? {} : { offset: moved }),
    ...(blocks ? { positions: blocks } : {}),
  };
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

/** The kind of an axis of which a file says the name alone. */
export function kindOfName(name: string | undefined): AxisKind | undefined {
  return KIND_OF_NAME[name?.toLowerCase() ?? ""];
}

/**
 * The dimensions that make one image, by the kinds of all: of a scan, those that are not the scan; otherwise those of space.
 * Nothing where the kinds are not known, or all dimensions are of one image.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(imageDimensions([{ kind: "channel" }, { kind: "space" }, { kind: "space" }]), [1, 2]);
 * assertEquals(imageDimensions([{ kind: "space" }, { kind: "space" }]), undefined);
 * assertEquals(imageDimensions([{}, { kind: "space" }, { kind: "space" }]), undefined);
 * ```
 */
export function imageDimensions(axes: readonly AxisFacts[]): number[] | undefined {
  const kinds = axes.map(({ kind }) => kind);
  if (kinds.includes(undefined)) return undefined;
  const isScan = kinds.includes("scan") || kinds.includes("detector");
  const isOfImage = (kind: AxisKind | undefined) =>
    isScan ? kind === "detector" || kind === "energy" : kind === "space";
  const dims = [...kinds.keys()].filter((d) => isOfImage(kinds[d]));
  return dims.length > 0 && dims.length < axes.length ? dims : undefined;
}
