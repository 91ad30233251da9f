/**
 * Facts in files beside samples, in one form for all formats: axes with scales and units, microscope and detector.
 *
 * @module
 */

import type { AxisFacts, AxisKind } from "../space/axes.ts";
import type { Shape } from "../space/shape.ts";

/** The attribute of arrays in which Tilewise says what no convention has a name for. */
export const OWN_ATTRIBUTES = "tilewise";

/**
 * One axis of a data set.
 * @category Data sets
 */
export interface Axis extends AxisFacts {
  /** What runs along it, such as `y`. */
  readonly name: string;
  /** Samples along it. */
  readonly size: number;
}

/**
 * One level of a pyramid: the same image at another resolution.
 * @category Data sets
 */
export interface Level {
  /** Name of its array in the source. */
  readonly array: string;
  /** Its shape. */
  readonly shape: Shape;
  /** Samples of level 0 per sample, per dimension; from the sizes, so rarely a whole number. */
  readonly scale: readonly number[];
}

/**
 * Facts about the microscope and the detector, in SI units.
 * @category Data sets
 */
export interface Instrument {
  /** Acceleration voltage in volts. */
  readonly voltage?: number;
  /** Camera length in metres. */
  readonly cameraLength?: number;
  /** Magnification. */
  readonly magnification?: number;
  /** Exposure of a frame in seconds. */
  readonly exposure?: number;
  /** Frames per second. */
  readonly frameRate?: number;
  /** When the acquisition began: ISO 8601, without a time zone if the file has none. */
  readonly acquired?: string;
  /** Detector or camera. */
  readonly detector?: string;
  /** Size of a detector pixel in metres, y before x. */
  readonly pixelSize?: readonly [number, number];
  /** Detector pixels per pixel of the frame, y before x. */
  readonly binning?: readonly [number, number];
  /** Rotation of the scan in degrees, as the microscope has it; the option `scanRotation` of centres of mass takes it with the other sign. */
  readonly scanRotation?: number;
}

/** Names of dimensions, the fastest last: those of the scan, and those of the frame. */
const NAMES = { nav: ["z", "y", "x"], sig: ["kz", "ky", "kx"] } as const;

/** Names of axes by their kinds; those of other kinds are called as their kind, or by their place. */
const CALLED: Readonly<Partial<Record<AxisKind, string>>> = { time: "t", colour: "sample", series: "image" };

/**
 * One axis for each dimension. `facts` are used only if there is one entry per dimension. Missing names follow from kinds;
 * where there are none, they become y, x for the scan, and ky, kx for the frame.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const axes = axesOf([3, 4], [8, 8], [{ scale: 2, unit: "nm" }, undefined, undefined, undefined]);
 * assertEquals(axes.map(({ name }) => name), ["y", "x", "ky", "kx"]);
 * assertEquals(axes[0], { name: "y", size: 3, scale: 2, unit: "nm" });
 * ```
 */
export function axesOf(
  navShape: Shape,
  sigShape: Shape,
  facts: readonly (AxisFacts | undefined)[],
): Axis[] {
  const fits = facts.length === navShape.length + sigShape.length;
  const usual = [...namesOf("nav", navShape.length), ...namesOf("sig", sigShape.length)];
  const names = namesFor(usual, fits ? facts : []);
  return [...navShape, ...sigShape].map((size, d) => {
    const { name, scale, offset, unit, positions, names: labels, ...others } = (fits && facts[d]) || {};
    const isListed = positions?.length === size;
    const isKnown = (!!scale || size === 1) && !isListed; // one sample has a place, but no step
    return {
      ...others,
      name: name || names[d]!,
      size,
      ...(isKnown && scale ? { scale } : {}),
      ...(isKnown && offset !== undefined && (scale || offset) ? { offset: offset + 0 } : {}), // no −0
      ...((isKnown || isListed) && unit ? { unit: plainUnit(unit) } : {}),
      ...(isListed ? { positions } : {}),
      ...(labels?.length === size && labels.some((label) => label !== "") ? { names: labels } : {}),
    };
  });
}

/** The names of all dimensions, which differ from each other unless the file says otherwise. */
function namesFor(usual: readonly string[], facts: readonly (AxisFacts | undefined)[]): string[] {
  const places = ["z", "y", "x"].slice(-facts.filter((axis) => axis?.kind === "space").length);
  const names: string[] = [];
  usual.forEach((place, d) => {
    const { name, kind = "other" } = facts[d] ?? {};
    const byPlace = /^(scan|det|oth)/.test(kind);
    const own = kind === "space" ? places.shift() ?? place : byPlace ? place : CALLED[kind] ?? kind;
    names.push(name || (names.includes(own) ? own + d : own));
  });
  return names;
}

function namesOf(kind: "nav" | "sig", count: number): string[] {
  if (kind === "sig" && count === 1) return ["k"];
  const known = NAMES[kind];
  const extra = Math.max(0, count - known.length);
  return [
    ...Array.from({ length: extra }, (_, i) => `${kind}${i}`),
    ...known.slice(known.length + extra - count),
  ];
}

/** Units in one spelling. */
function plainUnit(unit: string): string {
  return unit.trim().replace(/\u03bc/g, "\u00b5").replace(/^um$/, "\u00b5m").replace(/^met(er|re)s?$/i, "m");
}

/** The facts without those that are `undefined`. */
export function known(facts: { readonly [K in keyof Instrument]: Instrument[K] | undefined }): Instrument {
  const isKnown = (value: unknown): boolean =>
    Array.isArray(value)
      ? value.every(isKnown)
      : typeof value === "number"
      ? Number.isFinite(value) && value !== 0
      : !!value;
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => isKnown(value)));
}

/**
 * The format of a source, and why it was chosen.
 * @category Data sets
 */
export interface Detection {
  /** Id of the format, such as `mib`. */
  readonly format: string;
  /** The facts that decided, in the order in which they were checked. */
  readonly why: readonly string[];
}

// Array back ends: the forms in which a tile can be given to a function.

/**
 * The form of the samples of a tile, a matrix of frames × pixels. `dense`: all samples. Only samples that are not zero: `csr`
 * frame by frame, `csc` pixel by pixel, `coo` each with both coordinates.
 * @category Tiles
 */
export type Backend = "dense" | "csr" | "csc" | "coo";

/**
 * Where a back end keeps its arrays.
 * @category Tiles
 */
export type DeviceClass = "cpu";
