/**
 * What a target cannot hold of an array, so that nothing is dropped without a word.
 *
 * @module
 */

import { type AxisFacts, type AxisKind, usualValues } from "../space/axes.ts";
import type { DType } from "../space/dtype.ts";
import { sampleInWords } from "../space/meaning/axes.ts";
import { frameOf } from "../space/meaning/kinds.ts";
import type { Shape } from "../space/shape.ts";
import { type ArrayToWrite, scanDimensions } from "./array.ts";

/** What is kept of an axis. */
export interface AxisKept {
  /** Its name. */
  readonly name?: boolean;
  /** Its scale and unit. */
  readonly scale?: boolean;
  /** Its offset. */
  readonly offset?: boolean;
  /** Positions of samples where steps are not even. */
  readonly positions?: boolean;
  /** Names of samples, such as those of channels. */
  readonly names?: boolean;
  /** Which signal is measured along it. */
  readonly signal?: boolean;
  /** That it grows upwards. */
  readonly upwards?: boolean;
}

/** An array, as far as its description goes. */
export type DescribedArray = Pick<ArrayToWrite, "shape" | "dtype" | "nav" | "axes" | "values">;

/** Something that samples mean: `of`, what all of them are of; `channel`, of that the name of the only channel. */
export type ValueKept = "kind" | "unit" | "missing" | "of" | "channel";

/** What a target keeps of the description of an array. */
export interface Keeps {
  /** Of all axes, or of each, where that depends on what they are. Absent: nothing. */
  readonly axes?: AxisKept | ((array: DescribedArray) => readonly AxisKept[]);
  /** What readers take each axis for, as the file says it or by the rules of its format. Absent: for nothing. */
  readonly kinds?: "said" | ((array: DescribedArray) => readonly (AxisKind | undefined)[]);
  /** Whether it says how many dimensions are the scan, or how many readers take for it. Absent: what `kinds` say, as in data sets. */
  readonly scan?: "said" | ((array: DescribedArray) => number);
  /** How many dimensions of a scan it has at most; of more it has the positions, and fewer dimensions. */
  readonly mostScan?: number;
  /** Whether readers leave out dimensions of one sample among those that they take for the scan. */
  readonly dropsSingle?: true;
  /** Types of samples that it has as another one. */
  readonly types?: Partial<Record<DType, DType>>;
  /** What of the meaning of samples. Absent: nothing. */
  readonly values?: readonly ValueKept[] | ((array: DescribedArray) => readonly ValueKept[]);
}

/** Everything of an axis but the names of its samples. */
export const MEASURED: AxisKept = { name: true, scale: true, offset: true, positions: true };

/** What of `array` is not in a file that keeps so much: half a line, empty if nothing is lost. */
export function lossesOf(
  { axes: kept = {}, kinds, scan, values: said = [], ...others }: Keeps,
  array: DescribedArray,
): string {
  const { axes = [], values, nav, shape, dtype } = array;
  const keptOf = typeof said === "function" ? said(array) : said;
  const each = typeof kept === "function" ? kept(array) : axes.map(() => kept);
  const before = others.dropsSingle && typeof scan === "function" ? scan(array) : 0;
  const isDropped = (d: number) => d < before && shape[d] === 1;
  const taken = typeof kinds === "function" ? kinds(array) : [];
  const lostOf = (what: string, isLost: (axis: AxisFacts, d: number) => boolean) => {
    const found = axes.flatMap((axis, d) => isLost(axis, d) ? [axis.name ?? String(d)] : []);
    return found.length > 0 ? [`${what} of ${found.join(", ")}`] : [];
  };
  const lost = (what: string, key: keyof AxisKept, isSaid: (axis: AxisFacts) => boolean) =>
    lostOf(what, (axis, d) => isSaid(axis) && !each[d]?.[key]);
  const isMistaken = ({ kind }: AxisFacts, d: number) =>
    kind !== undefined && kind !== taken[d] && !isDropped(d);
  const isScaled = ({ scale, unit }: AxisFacts) => scale !== undefined || unit !== undefined;
  const singles = [...shape.keys()].filter(isDropped).map((d) => axes[d]?.name ?? String(d));
  const type = others.types?.[dtype];
  const isKept = (axis: AxisFacts) =>
    keptOf.includes("of") ||
    keptOf.includes("channel") && axis.kind === "channel" && axis.names !== undefined;
  const places = (values?.of ?? []).flatMap((axis) => {
    const place = isKept(axis) ? "" : sampleInWords(axis);
    return place === "" ? [] : [`that ${axis.name ?? axis.kind} is ${place}`];
  });
  return [
    ...lost("name", "name", ({ kind, name, names }) => name !== undefined && (kind ?? names) !== undefined),
    ...(kinds === "said" ? [] : lostOf("kind", isMistaken)),
    ...lost("scale and unit", "scale", isScaled),
    ...lost("offset", "offset", ({ offset = 0 }) => offset !== 0),
    ...lost("positions", "positions", ({ positions }) => positions !== undefined),
    ...lost("names of samples", "names", ({ names }) => names !== undefined),
    ...lost("signal", "signal", ({ signal }) => signal !== undefined),
    ...lost("the direction", "upwards", ({ upwards }) => upwards === true),
    ...(nav === undefined || scan === "said" || nav === (scan?.(array) ?? scanByKinds(shape, taken))
      ? []
      : ["which axes are the scan"]),
    ...(scanDimensions(array) > (others.mostScan ?? Infinity) ? ["the shape of the scan"] : []),
    ...(singles.length > 0 ? [`dimensions of one sample: ${singles.join(", ")}`] : []),
    ...places,
    ...(type === undefined ? [] : [`the type ${dtype}: samples are ${type}`]),
    ...(tellsKind(array) && !keptOf.includes("kind") ? [`that samples are of the kind ${values!.kind}`] : []),
    ...(values?.unit !== undefined && !keptOf.includes("unit") ? ["the unit of samples"] : []),
    ...(values?.missing !== undefined && !keptOf.includes("missing") ? ["which samples are missing"] : []),
  ].join("; ");
}

/** How many dimensions readers take for the scan by what they take axes for; `undefined` where these are not the first. */
function scanByKinds(shape: Shape, kinds: readonly (AxisKind | undefined)[]): number | undefined {
  const axes = kinds.map((kind) => kind ? { kind } : {}),
    frame = axes.length === shape.length ? frameOf(axes) : undefined;
  const first = shape.length - (frame?.length ?? 0);
  return frame?.every((d, i) => d === first + i) ?? true ? scanDimensions({ shape, axes }) : undefined;
}

/** Whether the kind of samples says more than their type. */
function tellsKind({ values, dtype }: DescribedArray): boolean {
  return values !== undefined && values.kind !== "amount" && values.kind !== usualValues(dtype).kind;
}
