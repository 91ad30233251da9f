/**
 * What the axes of a file count, from what it says of them: which are navigation and which signal, units, names. Nothing is
 * guessed from the place of a dimension. What it says of values.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { StoredDataset, withWarning } from "../../dataset/dataset.ts";
import { isTilewiseError } from "../../errors.ts";
import { type AxisFacts, type AxisKind, usualValues, type ValueFacts } from "../../space/axes.ts";
import type { DType } from "../../space/dtype.ts";
import { frameOf } from "../../space/meaning/kinds.ts";
import { sameShape, type Shape, sizeOf } from "../../space/shape.ts";
import { arrange } from "./arrange.ts";
import type { OpenOptions } from "./options.ts";

/** What is known about an axis. */
type Known = AxisFacts | undefined;

/**
 * The axes of patterns of a scan, for formats that hold nothing else: kinds that the file does not say are `scan` (or another
 * kind of navigation) and `detector`. `axes` are used where there is one for each dimension.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(scanAxes(1, 1, [{ name: "y" }, { kind: "energy" }]), [{ kind: "scan", name: "y" }, { kind: "energy" }]);
 * ```
 */
export function scanAxes(
  nav: number,
  sig: number,
  axes: readonly Known[] = [],
  navigation: AxisKind = "scan",
): AxisFacts[] {
  const fits = axes.length === nav + sig;
  return Array.from({ length: nav + sig }, (_, d) => ({
    kind: d < nav ? navigation : "detector",
    ...(fits ? axes[d] : {}),
  }));
}

/** The axes of patterns of a scan of which the file says nothing, for `fileDataset`. */
export function patternAxes({ navShape, sigShape }: Split): { readonly axes: AxisFacts[] } {
  return { axes: scanAxes(navShape.length, sigShape.length) };
}

/** How an array is split into scan and frame. */
interface Split {
  readonly navShape: Shape;
  readonly sigShape: Shape;
}

/**
 * The axes of a file, of which `own` is the split, where the caller gives another one: over a scan of other dimensions, frames are
 * patterns, or spectra; of frames of another shape the file says nothing.
 */
export function axesOver(given: Split, own: Split, axes: readonly Known[]): readonly Known[] {
  const { navShape: { length: nav }, sigShape } = own;
  if (axes.length !== nav + sigShape.length) return axes;
  const isScan = given.navShape.length === nav, isFrame = sameShape(given.sigShape, sigShape);
  if (isScan && isFrame) return axes;
  const scan = isScan ? axes.slice(0, nav) : given.navShape.map(() => undefined);
  const frame = isFrame ? axes.slice(nav).map(ofPattern) : given.sigShape.map(() => undefined);
  return scanAxes(scan.length, frame.length, [...scan, ...frame]);
}

/** The axis of a frame as that of a pattern: it has no place in space. */
function ofPattern(axis: Known): Known {
  if (axis?.kind !== "space") return axis;
  const { kind: _kind, name: _name, ...others } = axis;
  return others;
}

/** The dimensions of a frame where a file says of each whether it is navigation, the last two where all are; `undefined` where it does not. */
export function signalDimensions(navigate: readonly unknown[]): number[] | undefined {
  if (navigate.length === 0 || !navigate.every((one) => typeof one === "boolean")) return undefined;
  const all = [...navigate.keys()], signal = all.filter((d) => navigate[d] === false);
  return signal.length > 0 ? signal : all.slice(-2);
}

/** How the dimensions of a file are split. */
interface FileSplit {
  /** How many of the last dimensions are a frame, as it is stored. */
  readonly sig: number;
  /** The dimensions that make a frame, where these are not the last ones. */
  readonly frame?: readonly number[];
  /** The other ones then: places by their names, if all have one, rows before columns. */
  readonly scan?: readonly number[];
}

/** Names of places in a scan, the slowest first. */
const PLACES = ["z", "y", "x"];

/** The dimensions beside a frame: places in the order of their names, else as they are stored. */
function besides(axes: readonly Known[], frame: readonly number[]): number[] {
  const others = [...axes.keys()].filter((d) => !frame.includes(d));
  const place = (d: number) => axes[d]?.kind === "scan" ? PLACES.indexOf(axes[d]!.name ?? "") : -1;
  return others.every((d) => place(d) >= 0) ? others.toSorted((a, b) => place(a) - place(b)) : others;
}

/**
 * The split of `shape` that the caller asks for, else that of the file (`said`, or what kinds of axes say), else the last `usual`
 * dimensions.
 */
export function splitOf(
  shape: Shape,
  axes: readonly Known[],
  options: OpenOptions,
  usual: number,
  said?: readonly number[],
): FileSplit {
  const otherwise = { sig: Math.min(usual, shape.length) };
  if (options.sigDims !== undefined) return { sig: options.sigDims };
  const frame = said ?? (axes.length === shape.length ? frameOf(axes) : undefined);
  if (!frame) return otherwise;
  const isLast = frame.every((d, i) => d === shape.length - frame.length + i);
  const { sig } = options, own = frame.map((d) => shape[d]!);
  if (!isLast) {
    return sig && !sameShape(sig, own) ? otherwise : { ...otherwise, frame, scan: besides(axes, frame) };
  }
  const fits = !sig || sizeOf(sig) === sizeOf(own);
  return fits ? { sig: frame.length } : otherwise;
}

/** The options for what is stored: where frames are other dimensions, a scan and a sync offset are of these frames. */
export function asStored(options: OpenOptions, { frame }: FileSplit): OpenOptions {
  if (!frame) return options;
  const { syncOffset: _offset, nav: _nav, sig: _sig, ...others } = options;
  return others;
}

/** The data set, opened {@link asStored}, with the frames that the file says; it still knows how it is stored. */
export async function splitAsSaid(
  dataset: StoredDataset,
  { frame, scan }: FileSplit,
  { nav, syncOffset = 0 }: OpenOptions,
): Promise<StoredDataset> {
  if (!frame) return dataset;
  const { splitAxes } = await import("../../dataset/split_axes.ts");
  const split = splitOrStored(
    () => splitAxes(dataset, { sigAxes: frame, ...defined({ navAxes: scan }) }),
    dataset,
  );
  if (syncOffset === 0 && !nav) return split;
  const { source: name, frames: images, navShape, sigShape, warnings, axes } = split;
  const given = arrange({ name, images, navShape, sigShape }, { ...defined({ nav }), syncOffset });
  return new StoredDataset({
    ...split,
    navShape: given.navShape,
    syncOffset,
    axes: axesOver({ navShape: given.navShape, sigShape }, split, axes),
    warnings: [...warnings, ...given.warnings],
  });
}

function splitOrStored(split: () => StoredDataset, dataset: StoredDataset): StoredDataset {
  try {
    return split();
  } catch (error) {
    if (!isTilewiseError(error, "invalid")) throw error;
    return withWarning(dataset, `Its frames are its last dimensions, as they are stored: ${error.message}`);
  }
}

/** How programs write that nothing is known. */
const UNSET = /^(|_None_|None|<undefined>|t\.BaseUndefined)$/;

/** What a file says. */
interface Said {
  /** Of which kind they are. Default: what their type says. */
  readonly kind?: ValueFacts["kind"];
  /** The unit of the samples. */
  readonly unit?: unknown;
  /** The number that stands for a missing one. */
  readonly missing?: unknown;
  /** What all of them are of. */
  readonly of?: readonly AxisFacts[];
}

/**
 * Facts about samples of `dtype` of which a file gives a unit, the number of missing ones, or what they are of; nothing if it gives none. Units are
 * kept as they are written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(valuesSaid("uint16", { unit: " counts " }), { values: { kind: "amount", unit: "counts" } });
 * assertEquals(valuesSaid("uint16", { unit: "<undefined>", missing: NaN }), {});
 * ```
 */
export function valuesSaid(
  dtype: DType,
  { kind, unit, missing, of = [] }: Said,
): { readonly values?: ValueFacts } {
  const text = typeof unit === "string" ? unit.trim() : "";
  const facts = {
    ...defined({ kind }),
    ...(UNSET.test(text) ? {} : { unit: text }),
    ...defined({ missing: numberIn(missing) }),
    ...(of.length > 0 ? { of } : {}),
  };
  return Object.keys(facts).length === 0 ? {} : { values: { ...usualValues(dtype), ...facts } };
}

/** The unit in text such as `Intensity (counts)`, as HyperSpy writes quantities. */
export function unitOfQuantity(quantity: unknown): string | undefined {
  return typeof quantity === "string" ? /\(([^()]+)\)\s*$/.exec(quantity)?.[1] : undefined;
}

/** What a file says that amounts are: samples times `scale`, plus `offset`, in `unit`. Samples are not changed. */
export interface Scaling {
  /** 1 where it is absent. */
  readonly scale?: unknown;
  /** 0 where it is absent. */
  readonly offset?: unknown;
  /** The unit of the amounts. */
  readonly unit?: unknown;
}

/** The unit of the samples, where these are the amounts. */
export function unitOfSame(said: Scaling): unknown {
  return scaleWarnings(said).length === 0 ? said.unit : undefined;
}

/** Tells that samples are not the amounts, and how to compute these. */
export function scaleWarnings({ scale, offset, unit }: Scaling): string[] {
  const [factor, sum] = [numberIn(scale) ?? 1, numberIn(offset) ?? 0];
  const text = typeof unit === "string" && !UNSET.test(unit.trim()) ? ` in ${unit.trim()}` : "";
  const other = notOneNumber({ scale, offset });
  if (other !== undefined) return [`Samples are as stored; the file says that amounts${text} are ${other}`];
  if (factor === 1 && sum === 0) return [];
  const product = factor === 1 ? "x" : `x * ${factor}`;
  const line = sum === 0 ? product : `${product} ${sum < 0 ? "-" : "+"} ${Math.abs(sum)}`;
  return [`Samples x are as stored; the file says that amounts${text} are ${line}`];
}

/** What a scale or an offset is where it is there, and is not one number. */
export function notOneNumber({ scale, offset }: Scaling): string | undefined {
  const other = [scale, offset].find((one) =>
    (one ?? undefined) !== undefined && typeof one !== "number" && numberIn(one) === undefined
  );
  return other === undefined ? undefined : `scaled by ${String(other).slice(0, 80)}, which is not one number`;
}

/** A number, also where an attribute has a list of one. */
export function numberIn(value: unknown): number | undefined {
  const [found, ...more] = Array.isArray(value) || ArrayBuffer.isView(value)
    ? [...value as number[]]
    : [value];
  return typeof found === "number" && Number.isFinite(found) && more.length === 0 ? found : undefined;
}
