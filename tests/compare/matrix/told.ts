/**
 * What is said of an array by a reader, ours or that of others, and how what was found differs from what was asked.
 *
 * @module
 */

import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { type AxisFacts, factsOf, usualValues, type ValueFacts } from "../../../src/space/axes.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { type DType, zeros } from "../../../src/space/dtype.ts";
import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import { sizeOf } from "../../../src/space/shape.ts";
import { sha256 } from "../../formats/read_all.ts";

/** An array: what is not said is absent. */
export interface Told {
  readonly shape: readonly number[];
  readonly dtype: string;
  /** Of its samples, little endian, in C order. */
  readonly sha256: string;
  /** How many of the first dimensions are the scan. */
  readonly nav?: number;
  readonly axes: readonly AxisFacts[];
  readonly values?: ValueFacts;
}

/** What our reader says. */
export async function toldBy(dataset: StoredDataset): Promise<Told> {
  return toldOf(dataset, bytesOf((await arrayOf(dataset)).data));
}

/** A data set as an array, with what is said of it; blank frames are zeros. */
export async function arrayOf(dataset: StoredDataset): Promise<NDArray> {
  const { shape, dtype, axes, values } = dataset;
  const { data } = sizeOf(shape) === 0 ? { data: zeros(dtype, 0) } : await readBox(dataset, wholeBox(shape));
  return { ...ndarray(data, shape, dtype), axes: axes.map(factsOf), values };
}

/** What is said of an array with these samples. */
export function toldOf(
  { shape, dtype, axes, navShape, values }: StoredDataset,
  samples: Uint8Array,
): Told {
  const nav = navShape.length;
  return { shape, dtype, sha256: sha256(samples), nav, axes: axes.map(factsOf), values };
}

/** The bytes of an array: its samples, little endian. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** What is not the same, and not named in `losses`: a line per fact. */
export function differences(told: Told, found: Told, losses = ""): string[] {
  const lost = losses.split("; ");
  const asked = withoutSingles(told, lost);
  const type = lost.find((one) => one.startsWith(`the type ${asked.dtype}: samples are `))?.split(" ").at(-1);
  const problems: string[] = [];
  if (`${asked.shape}` !== `${found.shape}`) problems.push(`the shape ${asked.shape} is ${found.shape}`);
  if ((type ?? asked.dtype) !== found.dtype) problems.push(`the type ${asked.dtype} is ${found.dtype}`);
  if (asked.sha256 !== found.sha256) problems.push("samples differ");
  if (problems.length > 0) return problems;
  const axes = asked.axes.flatMap((axis, d) => {
    const isNamed = (words: string) => isNamedOf(lost, words, axis.name ?? String(d));
    return axisDifferences(axis, found.axes[d] ?? {}, asked.shape[d]!, isNamed);
  });
  return [...axes, ...placeDifferences(asked, found, lost), ...meaningDifferences(asked, found, lost)];
}

/** What is asked for without the dimensions of one sample that are left out. */
function withoutSingles(told: Told, lost: readonly string[]): Told {
  const names = lost.find((one) => one.startsWith("dimensions of one sample: "))?.slice(26).split(", ") ?? [];
  const isLeft = (d: number) => told.shape[d]! !== 1 || !names.includes(told.axes[d]?.name ?? String(d));
  const dims = [...told.shape.keys()].filter(isLeft), { nav } = told;
  return {
    ...told,
    shape: dims.map((d) => told.shape[d]!),
    axes: dims.map((d) => told.axes[d] ?? {}),
    ...(nav === undefined ? {} : { nav: dims.filter((d) => d < nav).length }),
  };
}

/** Places along axes that are no dimensions. */
function placeDifferences(asked: Told, found: Told, lost: readonly string[]): string[] {
  return (asked.values?.of ?? []).flatMap((axis) => {
    const { name, offset, unit, names } = axis, place = names?.[0] ?? (offset && `${offset} ${unit ?? ""}`);
    const same = found.values?.of?.find((one) =>
      one.kind === axis.kind && spelled(one.name) === spelled(name)
    );
    const isSame = !place ||
      `${same?.names}` === `${names}` && same?.offset === offset && same?.unit === unit;
    const isNamed = lost.some((one) => one.startsWith(`that ${name} is `));
    return isSame || isNamed ? [] : [`${name}: ${place} is ${JSON.stringify(same)}`];
  });
}

/** What is told of the split and of the samples. */
function meaningDifferences(asked: Told, found: Told, lost: readonly string[]): string[] {
  const { kind, unit, missing } = asked.values ?? {}, problems: string[] = [];
  const compare = (words: string, was: unknown, is: unknown, isSaid = true) => {
    const isNamed = lost.some((part) => part.startsWith(words));
    if (isSaid && !Object.is(was, is) && !isNamed) problems.push(`${words}: ${was} is ${is}`);
  };
  compare("which axes are the scan", asked.nav, found.nav, found.nav !== undefined);
  compare("that samples are", kind, found.values?.kind, kind !== usualValues(asked.dtype as DType).kind);
  compare("the unit of samples", unit, found.values?.unit);
  compare("which samples are missing", missing, found.values?.missing);
  return problems;
}

/** Kinds of axes that are named in `losses`, and are there: a line for each. */
export function wrongLosses({ shape, axes }: Told, found: Told, losses: string): string[] {
  if (`${shape}` !== `${found.shape}`) return [];
  return axes.flatMap(({ kind, name = "" }, d) => {
    const isThere = kind !== undefined && kind === found.axes[d]?.kind;
    return isThere && isNamedOf(losses.split("; "), "kind", name) ? [`kind of ${name} is not lost`] : [];
  });
}

/** Whether the loss of such a fact of that axis is named. */
function isNamedOf(lost: readonly string[], words: string, name: string): boolean {
  const part = lost.find((one) => one.startsWith(`${words} of `));
  return part !== undefined && part.slice(words.length + 4).split(", ").includes(name);
}

function axisDifferences(
  asked: AxisFacts,
  found: AxisFacts,
  size: number,
  isNamed: (words: string) => boolean,
): string[] {
  const problems: string[] = [];
  const compare = (words: string, was: unknown, is: unknown, isSame: boolean) => {
    if (!isSame && !isNamed(words)) {
      problems.push(`${words} of ${asked.name}: ${JSON.stringify(was)} is ${JSON.stringify(is)}`);
    }
  };
  if (asked.kind !== undefined) compare("kind", asked.kind, found.kind, asked.kind === found.kind);
  if (asked.kind !== undefined && asked.name !== undefined) {
    compare("name", asked.name, found.name, spelled(asked.name) === spelled(found.name));
  }
  if (asked.unit !== undefined || found.unit !== undefined) {
    compare("scale and unit", asked.unit, found.unit, unitOf(asked.unit) === unitOf(found.unit));
  }
  const isPlaced = asked.scale !== undefined || asked.offset !== undefined || asked.positions !== undefined;
  if (!isPlaced && (found.scale ?? 1) !== 1) compare("scale and unit", undefined, found.scale, false);
  if (
    asked.scale !== undefined &&
    (asked.scale !== 1 || asked.unit !== undefined || stepOf(found, size) !== undefined)
  ) {
    compare(
      "scale and unit",
      asked.scale,
      found.scale,
      isNear(asked.scale, stepOf(found, size), asked.scale),
    );
  }
  if (asked.positions === undefined) {
    const [was, is] = [asked.offset ?? 0, found.positions?.[0] ?? found.offset ?? 0];
    compare("offset", was, is, isNear(was, is, Math.max(Math.abs(was), Math.abs(asked.scale ?? 1))));
  } else {
    const { positions } = found;
    const isSame = positions?.every((value, i) => isNear(asked.positions![i]!, value, value)) ?? false;
    compare("positions", asked.positions.slice(0, 4), positions?.slice(0, 4), isSame);
  }
  if (asked.names) {
    compare("names of samples", asked.names, found.names, `${asked.names}` === `${found.names}`);
  }
  return problems;
}

/** The step of an axis; of one sample that only has a position, none can be found. */
function stepOf({ scale, positions }: AxisFacts, size: number): number | undefined {
  if (scale !== undefined || !positions) return scale;
  return size < 2 ? undefined : (positions[size - 1]! - positions[0]!) / (size - 1);
}

function isNear(was: number, is: number | undefined, size: number): boolean {
  return is !== undefined && (Object.is(was, is) || Math.abs(was - is) <= 1e-9 * Math.abs(size));
}

/** Names of axes that mean the same. */
const NAMES: Readonly<Record<string, string>> = { channel: "c", time: "t" };

function spelled(name = ""): string {
  const own = name.toLowerCase();
  return NAMES[own] ?? own;
}

/** Spellings of units that mean the same, and words for none. */
const UNITS: Readonly<Record<string, string>> = {
  "<undefined>": "",
  pixels: "",
  um: "µm",
  "μm": "µm",
  micron: "µm",
  micrometer: "µm",
  nanometer: "nm",
  picometer: "pm",
  A: "Å",
  Angstrom: "Å",
  angstrom: "Å",
  millimeter: "mm",
  meter: "m",
  second: "s",
  millisecond: "ms",
  microsecond: "µs",
};

function unitOf(unit = ""): string {
  const inverse = /^1\s*\/\s*(.+)$|^(.+?)\^?-1$/.exec(unit);
  if (inverse) return `1/${unitOf(inverse[1] ?? inverse[2])}`;
  return UNITS[unit] ?? unit;
}
