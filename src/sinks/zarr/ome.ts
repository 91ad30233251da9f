/**
 * The metadata of OME-Zarr: what the dimensions of a pyramid are, and how large their samples are. Source:
 * ngff.openmicroscopy.org, versions 0.4 and 0.5.
 *
 * OME-Zarr takes two to five dimensions: at most one of time, then at most one of channels or of another kind, then two or
 * three of space. What a data set says is used if it fits; otherwise dimensions get names from the last one on.
 *
 * @module
 */

import type { AxisFacts, AxisKind } from "../../space/axes.ts";
import { TilewiseError } from "../../errors.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { axisNamed } from "../../space/meaning/kinds.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import type { AxisKept, DescribedArray } from "../losses.ts";
import { type ArrayToWrite, channelIn } from "../array.ts";
import { samplesOf } from "../chunks/chunk_options.ts";
import type { LevelGrid } from "../chunks/levels.ts";

/** A dimension in the metadata. */
interface OmeAxis {
  readonly name: string;
  readonly type?: string;
  readonly unit?: string;
}

/** The metadata of a pyramid. */
export interface Multiscales {
  /** Its name. */
  readonly name: string;
  /** Its dimensions. */
  readonly axes: readonly OmeAxis[];
  /** Its levels. */
  readonly datasets: readonly object[];
  /** How they were made. */
  readonly type: string;
}

/** Kinds of dimensions, in the order in which they must come. */
const KINDS = ["time", "channel", "space"] as const;

/** The kind of a dimension of such a name, if it is one of these. */
function kindOf(name: string): (typeof KINDS)[number] | undefined {
  const { kind } = axisNamed(name);
  return KINDS.find((one) => one === kind);
}

/** Other names of channels, of files that have the samples of a pixel together. */
const CHANNELS = ["s", "sample", "samples"];
/** What dimensions are if nothing is known about them. */
const USUAL = ["t", "c", "z", "y", "x"];

/** Units as OME-Zarr names them. */
const UNITS: Readonly<Record<string, string>> = {
  "m": "meter",
  "mm": "millimeter",
  "µm": "micrometer",
  "um": "micrometer",
  "nm": "nanometer",
  "pm": "picometer",
  "Å": "angstrom",
  "A": "angstrom",
  "s": "second",
  "ms": "millisecond",
  "µs": "microsecond",
};

/** What a group says of its pyramid. */
export interface Ome {
  /** The pyramid. */
  readonly multiscales: Multiscales;
  /** How its channels are shown; absent where they have no names, and of labels, for which viewers refuse a contrast. */
  readonly omero?: { readonly channels: readonly object[] };
}

/** What the metadata of a pyramid depends on, besides its levels and axes. */
export interface Making {
  /** How levels were made. */
  readonly reduction: string;
  /** Type of the samples of the source: their range is that of the usual contrast. */
  readonly source: DType;
}

/** The metadata of a pyramid; levels lie in arrays of the names 0, 1, …. */
export function omeOf(
  name: string,
  levels: readonly LevelGrid[],
  { axes, values }: Pick<ArrayToWrite, "axes" | "values">,
  { reduction, source }: Making,
): Ome {
  const pyramid = multiscales(name, levels, axes, reduction);
  const labels = channelIn(axes?.[pyramid.axes.findIndex(({ type }) => type === "channel")], values)?.names;
  const window = windowOf(source);
  return {
    multiscales: pyramid,
    ...(labels && values?.kind !== "label"
      ? { omero: { channels: labels.map((label) => ({ label, color: "FFFFFF", window })) } }
      : {}),
  };
}

/** The contrast that OME-Zarr wants to be told: all values of a type; floats have no range, and 0 to 1 is theirs. */
function windowOf(dtype: DType): object {
  const { kind, itemSize } = dtypeInfo(dtype);
  const values = 2 ** (8 * itemSize);
  const [min, max] = kind === "u" ? [0, values - 1] : kind === "i" ? [-values / 2, values / 2 - 1] : [0, 1];
  return { min, max, start: min, end: max };
}

/** The multiscales of a pyramid. */
function multiscales(
  name: string,
  levels: readonly LevelGrid[],
  facts: readonly AxisFacts[] | undefined,
  reduction: string,
): Multiscales {
  const { shape } = levels[0]!;
  const axes = omeAxes(shape, facts);
  const scale = shape.map((_, d) => scaleOf(facts?.[d]));
  const offset = shape.map((_, d) => facts?.[d]?.offset ?? 0);
  const datasets = levels.map((_, level) => {
    const times = shape.map((_, d) =>
      levels.slice(0, level).reduce((all, { factors }) => all * factors[d]!, 1)
    );
    // The middle of the samples that are combined, or the first of them.
    const shift = reduction === "nearest" ? 0 : 0.5;
    const translation = offset.map((o, d) => o + scale[d]! * (times[d]! - 1) * shift);
    const moved = translation.some((t) => t !== 0) ? [{ type: "translation", translation }] : [];
    return {
      path: String(level),
      coordinateTransformations: [{ type: "scale", scale: scale.map((s, d) => s * times[d]!) }, ...moved],
    };
  });
  return { name, axes, datasets, type: reduction };
}

function scaleOf(facts: AxisFacts | undefined): number {
  const scale = facts?.scale;
  return scale !== undefined && Number.isFinite(scale) && scale !== 0 ? Math.abs(scale) : 1;
}

/**
 * The dimensions as OME-Zarr has them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(omeAxes([5, 9, 9]).map(({ name }) => name), ["z", "y", "x"]);
 * const scan = [{ name: "y" }, { name: "x" }, { name: "ky" }, { name: "kx", unit: "mrad" }];
 * assertEquals(omeAxes([2, 2, 8, 8], scan).map(({ name, type }) => `${name}: ${type}`), [
 *   "scan: scan",
 *   "x: space",
 *   "ky: space",
 *   "kx: space",
 * ]);
 * ```
 */
export function omeAxes(shape: Shape, facts?: readonly AxisFacts[]): OmeAxis[] {
  if (shape.length < 2 || shape.length > 5) {
    const text = `Cannot write ${showShape(shape)} samples as OME-Zarr: it has two to five dimensions; ` +
      "a plain Zarr array takes any number";
    throw new TilewiseError("unsupported", text, { expected: "2 to 5", found: shape.length });
  }
  if (samplesOf(shape, facts) > 1) throw channelsLast(shape, facts!);
  const named = facts?.length === shape.length && facts.every(({ name }) => name) ? known(facts) : undefined;
  return named ?? USUAL.slice(-shape.length).map((name, d) => withUnit(name, kindOf(name), facts?.[d]));
}

/** OME-Zarr has channels before space. */
function channelsLast(shape: Shape, facts: readonly AxisFacts[]): TilewiseError {
  const name = facts.at(-1)!.name!;
  const text =
    `Cannot write ${
      showShape(shape)
    } samples as OME-Zarr: channels ("${name}") must come before rows and columns; ` +
    `open the source with the options navAxes and sigAxes, "${name}" and "y,x", or write .zarr, which takes any order`;
  return new TilewiseError("unsupported", text, {
    expected: "channels before rows and columns",
    found: name,
  });
}

/** The dimensions by the names that they have, if OME-Zarr takes these in this order. */
function known(facts: readonly AxisFacts[]): OmeAxis[] | undefined {
  const names = facts.map(({ name }) => CHANNELS.includes(name!) ? "c" : name!);
  if (names.some((name) => /^k[xyz]$/.test(name))) return scanned(facts, names);
  const kinds = names.map((name) => kindOf(name));
  const order = kinds.map((kind) => KINDS.indexOf(kind!));
  const counts = KINDS.map((kind) => kinds.filter((one) => one === kind).length);
  const fits = new Set(names).size === names.length && order.every((n, i) => n >= (order[i - 1] ?? 0)) &&
    counts[0]! <= 1 && counts[1]! <= 1 && (counts[2] === 2 || counts[2] === 3);
  return fits ? names.map((name, d) => withUnit(name, kinds[d], facts[d])) : undefined;
}

/** Frames on a scan: the slowest of four dimensions is of a kind of its own. */
function scanned(facts: readonly AxisFacts[], names: readonly string[]): OmeAxis[] | undefined {
  if (names.length < 3 || names.length > 4 || new Set(names).size !== names.length) return undefined;
  return names.map((name, d) =>
    names.length === 4 && d === 0 ? withUnit("scan", "scan", facts[d]) : withUnit(name, "space", facts[d])
  );
}

/** What OME-Zarr keeps of axes: it has its own names for most, and none for units other than lengths and times. */
export function omeKept({ shape, axes = [], values }: DescribedArray): AxisKept[] {
  const stored = omeAxes(shape, axes);
  return axes.map(({ name, unit, scale = 1 }, d) => ({
    name: stored[d]!.name === name,
    scale: scale > 0 && (unit === undefined || stored[d]!.unit !== undefined),
    offset: true,
    names: stored[d]!.type === "channel" && values?.kind !== "label",
  }));
}

/** What readers of OME-Zarr take axes for: beside those of a pattern, places are a scan. */
export function omeKinds({ shape, axes = [] }: DescribedArray): (AxisKind | undefined)[] {
  const stored = omeAxes(shape, axes), isPattern = (name: string) => axisNamed(name).kind === "detector";
  const hasPattern = stored.some(({ name }) => isPattern(name));
  return stored.map(({ name, type }) =>
    type === "space" && hasPattern ? isPattern(name) ? "detector" : "scan" : type as AxisKind | undefined
  );
}

function withUnit(name: string, type: string | undefined, facts: AxisFacts | undefined): OmeAxis {
  const unit = facts?.unit === undefined ? undefined : UNITS[facts.unit];
  return { name, ...(type ? { type } : {}), ...(unit ? { unit } : {}) };
}
