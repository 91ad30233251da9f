/**
 * The images in the tags of a DigitalMicrograph file: their shapes, types and places, and what tags say beside the samples.
 *
 * @module
 */

import { type Instrument, known } from "../../dataset/facts.ts";
import { frameBytes } from "../../dataset/layout/layout.ts";
import type { CodecSpec } from "../../dataset/layout/storage.ts";
import { cannot } from "../../errors.ts";
import type { AxisFacts } from "../../space/axes.ts";
import type { DType } from "../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import type { Scaling } from "../common/kinds.ts";
import { dmAxes } from "./axes.ts";
import type { DmHead } from "./head.ts";
import { type DmArray, DmGroup, isDmArray } from "./tags.ts";

/** How the pixels of a type are stored. */
export interface SampleKind {
  /** Type of the samples. */
  readonly dtype: DType;
  /** Colours of one pixel, blue first. */
  readonly inner?: number;
  /** Bytes of a float where only half of a Fourier transform is stored. */
  readonly half?: 4 | 8;
}

/** Sample types by number, with the numbers inside one pixel. */
const TYPES: Readonly<Record<number, SampleKind>> = {
  1: { dtype: "int16" },
  2: { dtype: "float32" },
  3: { dtype: "complex64" },
  6: { dtype: "uint8" },
  7: { dtype: "int32" },
  8: { dtype: "uint8", inner: 4 },
  9: { dtype: "int8" },
  10: { dtype: "uint16" },
  11: { dtype: "uint32" },
  12: { dtype: "float64" },
  13: { dtype: "complex128" },
  14: { dtype: "bool" },
  23: { dtype: "uint8", inner: 4 },
  27: { dtype: "complex64", half: 4 },
  28: { dtype: "complex128", half: 8 },
};
/** Type of thumbnails: colours, four bytes per pixel. */
const THUMBNAIL = 23;

/** One image of a file. */
export interface DmImage {
  /** Its number in the list of images. */
  readonly number: number;
  /** Its tags. */
  readonly group: DmGroup;
  /** Its dimensions, slowest first. */
  readonly shape: Shape;
  /** How its pixels are stored. */
  readonly type: SampleKind;
  /** Where they are. */
  readonly data: DmArray;
}

/** The images to show: all but the pictures that DM puts beside the data. */
export function imagesOf(root: DmGroup): readonly DmImage[] {
  const list = root.get("ImageList");
  const images = list instanceof DmGroup
    ? list.groups().map(imageOf).filter((image) => image !== undefined)
    : [];
  return withoutThumbnails(root, images);
}

/** The images without the colour pictures that DM puts beside the data. */
function withoutThumbnails(root: DmGroup, images: readonly DmImage[]): readonly DmImage[] {
  const list = root.get("Thumbnails");
  const numbers = list instanceof DmGroup
    ? list.groups().map((thumbnail) => thumbnail.number("ImageIndex"))
    : [];
  const named = images.filter(({ number }) => !numbers.includes(number));
  if (numbers.length > 0) return named.length > 0 ? named : images;
  const others = images.filter(({ group }) => group.number("ImageData", "DataType") !== THUMBNAIL);
  return others.length > 0 ? others : images;
}

function imageOf(group: DmGroup, number: number): DmImage | undefined {
  const data = group.get("ImageData", "Data");
  const dimensions = group.get("ImageData", "Dimensions");
  const type = TYPES[group.number("ImageData", "DataType") ?? -1];
  if (!isDmArray(data) || !(dimensions instanceof DmGroup) || !type) return undefined;
  const shape = [...dimensions.members.values()].map(Number).reverse();
  if (type.half) return { number, group, shape: halfPlaneShape(shape, data), type, data };
  return { number, group, shape: type.inner ? [...shape, type.inner] : shape, type, data };
}

/** Rows of a half-stored transform have one number more than half of what they stand for. */
function halfPlaneShape(shape: Shape, data: DmArray): Shape {
  const rows = shape.slice(0, -1);
  return [...rows, 2 * (data.count / (2 * sizeOf(rows)) - 1)];
}

/** Its name among all images, with its number in front where that is not enough; one alone needs none, unless it was asked for. */
export function nameOf(image: DmImage, all: readonly DmImage[], asked?: string): string {
  const name = labelOf(image);
  if (all.length === 1) return name === asked ? name : "";
  if (name === "") return String(image.number);
  return all.some((other) => other !== image && labelOf(other) === name) ? `${image.number}: ${name}` : name;
}

function labelOf({ group }: DmImage): string {
  const name = group.get("Name");
  return typeof name === "string" ? name.trim() : "";
}

/** How the stored half of a transform becomes a whole one. */
export function halfPlane([rows, columns]: Shape, unit: number): CodecSpec {
  return { id: "half_plane", params: { rows: rows!, columns: columns!, unit } };
}

/** Refuses images whose data have another size than their shape and type say. */
export function checkSize(name: string, { shape, type, data }: DmImage, head: DmHead): void {
  const found = data.count * data.itemSize;
  const isHalf = type.half && shape.length === 2 && head.byteOrder === "little";
  const expected = isHalf ? shape[0]! * (shape[1]! / 2 + 1) * 2 * type.half! : frameBytes(shape, type.dtype);
  if (shape.length > 0 && shape.every((n) => n > 0) && expected === found) return;
  const text = `an image of ${showShape(shape)} ${type.dtype} has ${expected} bytes, its data ` +
    `have ${found}`;
  throw cannot("read", name, "malformed", text, { offset: data.at, expected, found });
}

// What the tags of a DigitalMicrograph image say beside its samples: axes, instrument, and whether the scan is stored
// fastest.

/** 1970 in the time of Windows, which counts 100 ns from 1601 on, and ticks in a millisecond. */
const [EPOCH, TICKS] = [116_444_736_000_000_000, 10_000];

/** Pairs of date and time as text. */
const TEXTS: readonly (readonly [path: readonly string[], date: string, time: string])[] = [
  [["DataBar"], "Acquisition Date", "Acquisition Time"],
  [["SI", "Acquisition"], "Date", "Start time"],
  [["EELS", "Acquisition"], "Date", "Start time"],
  [["EDS", "Acquisition"], "Date", "Start time"],
  [["CL", "Acquisition"], "Date", "Start time"],
];

/**
 * The time of an image: in UTC where the tags have that of the operating system, else the local time that is written in
 * them, without a zone. Nothing where day and month cannot be told from each other.
 */
function acquiredAt(group: DmGroup): string | undefined {
  const ticks = group.number("ImageTags", "DataBar", "Acquisition Time (OS)") ?? 0;
  const milliseconds = Math.floor((ticks - EPOCH) / TICKS);
  if (milliseconds > 0 && milliseconds < 2 ** 42) return new Date(milliseconds).toISOString();
  for (const [path, date, time] of TEXTS) {
    const found = localTime(group.get("ImageTags", ...path, date), group.get("ImageTags", ...path, time));
    if (found !== undefined) return found;
  }
  const stamp = group.get("ImageTags", "Timestamp");
  return typeof stamp === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(stamp) ? stamp : undefined;
}

/**
 * ISO 8601 from date and time as people write them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(localTime("27.08.2016", "20:54:33"), "2016-08-27T20:54:33");
 * assertEquals(localTime("8/31/2016", "4:26:37 PM"), "2016-08-31T16:26:37");
 * assertEquals(localTime("05/06/2016", "20:54:33"), undefined); // June or May?
 * ```
 */
export function localTime(date: unknown, time: unknown): string | undefined {
  if (typeof date !== "string" || typeof time !== "string") return undefined;
  const clock = /^\s*(\d{1,2}):(\d\d):(\d\d)\s*(am|pm)?\s*$/i.exec(time);
  const day = dayOf(date, clock?.[4] !== undefined);
  if (!clock || !day) return undefined;
  const isHalf = clock[4] !== undefined; // of a day: 12 am is midnight
  const hour = isHalf ? Number(clock[1]) % 12 + (/pm/i.test(clock[4]!) ? 12 : 0) : Number(clock[1]);
  const text = `${day}T${two(hour)}:${clock[2]}:${clock[3]}`;
  return Number.isNaN(Date.parse(`${text}Z`)) ? undefined : text;
}

/** Year, month and day; with dots the day comes first, with slashes and a clock of twelve hours the month does. */
function dayOf(date: string, isAmerican: boolean): string | undefined {
  const iso = /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\s*$/.exec(date);
  if (iso) return `${iso[1]}-${two(iso[2]!)}-${two(iso[3]!)}`;
  const [, first, mark, second, year] = /^\s*(\d{1,2})([-/.])(\d{1,2})\2(\d{4})\s*$/.exec(date) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const isDayFirst = mark === "." || Number(first) > 12;
  const isMonthFirst = !isDayFirst && (Number(second) > 12 || (isAmerican && mark === "/"));
  if (!isDayFirst && !isMonthFirst && first !== second) return undefined;
  const [month, day] = isDayFirst ? [second, first] : [first, second];
  return `${year}-${two(month)}-${two(day)}`;
}

function two(value: string | number): string {
  return String(value).padStart(2, "0");
}

/** Axes of the first `dimensions` of an image of `rank` dimensions, slowest first; those of colours follow. */
export function axesIn(group: DmGroup, dimensions: number, rank: number): AxisFacts[] {
  const list = group.get("ImageData", "Calibrations", "Dimension");
  const found = list instanceof DmGroup ? list.groups() : [];
  const axes = Array.from({ length: Math.max(dimensions, found.length) }, (_, d) => { // slow ones may be left out
    const unit = found[d]?.get("Units");
    return {
      scale: found[d]?.number("Scale"),
      origin: found[d]?.number("Origin"),
      unit: typeof unit === "string" ? unit : undefined,
    };
  });
  const colours = Array.from({ length: rank - dimensions }, (): AxisFacts => ({ kind: "colour" }));
  const tag = (name: string) => group.get("ImageTags", "Meta Data", name);
  return [...dmAxes(axes, tag("Format"), tag("Signal")), ...colours];
}

/** What brightness is: samples less an origin, times a scale. */
export function brightnessIn(group: DmGroup): Scaling {
  const brightness = group.get("ImageData", "Calibrations", "Brightness");
  if (!(brightness instanceof DmGroup)) return {};
  const scale = brightness.number("Scale") ?? 1;
  return { unit: brightness.get("Units"), scale, offset: -(brightness.number("Origin") ?? 0) * scale };
}

/** Where programs keep the exposure of a frame in seconds; of spectrum images the time at a pixel comes last. */
const EXPOSURES: readonly (readonly string[])[] = [
  ["Acquisition", "Parameters", "High Level", "Exposure (s)"],
  ["Acquisition", "Parameters", "Detector", "exposure (s)"],
  ["EELS", "Acquisition", "Exposure (s)"],
  ["CL", "Acquisition", "Exposure (s)"],
  ["DataBar", "Exposure Time (s)"],
  ["SI", "Acquisition", "Pixel time (s)"],
];

/** Microscope and camera. */
export function instrumentOf(group: DmGroup): Instrument {
  const scope = (...path: string[]) => group.number("ImageTags", "Microscope Info", ...path);
  const camera = group.get("ImageTags", "Acquisition", "Device", "Name");
  const length = scope("STEM Camera Length");
  return known({
    voltage: scope("Voltage"),
    magnification: scope("Indicated Magnification"),
    cameraLength: length === undefined ? undefined : length / 1000,
    exposure: EXPOSURES.map((path) => group.number("ImageTags", ...path)).find((seconds) => seconds! > 0),
    acquired: acquiredAt(group),
    detector: typeof camera === "string" ? camera : undefined,
  });
}

/** How the samples of an image lie in its file. */
export interface DmOrder {
  /** Whether the samples of one pixel at all positions of the scan lie together. */
  readonly scanFirst: boolean;
  /** What says so. */
  readonly why?: string;
}

/**
 * Whether the scan is stored fastest, where that can be: in four dimensions, and in three when spectra were asked for. A
 * tag of newer versions says it; else the units do, as those of a detector are reciprocal or angles.
 */
export function orderOf(
  group: DmGroup,
  shape: Shape,
  sigDims: number,
  axes: readonly (AxisFacts | undefined)[],
): DmOrder {
  const swapped = group.get("ImageTags", "Meta Data", "Data Order Swapped");
  const isScan = shape.length === 4 ||
    (shape.length === 3 && sigDims === 1 && axes[0]?.kind === "energy");
  if (!isScan) return { scanFirst: false };
  if (swapped === true) return { scanFirst: false, why: "a tag says that frames follow each other" };
  if (swapped === false) return { scanFirst: true, why: "a tag says that the scan is stored fastest" };
  if (shape.length === 3) {
    return { scanFirst: true, why: "the energy of a spectrum image is its slowest dimension" };
  }
  const units = axes.map((axis) => axis?.unit ?? "");
  const isDetector = (unit: string) => /^1\/|-1$|rad$/.test(unit.trim());
  const scanFirst = units.slice(0, 2).every(isDetector) && !units.slice(2).some(isDetector);
  return scanFirst
    ? { scanFirst, why: `units ${units.join(", ")}: the scan is stored fastest` }
    : { scanFirst };
}

/** Its name and all other tags, as plain JSON. */
export function metadataOf(group: DmGroup): Record<string, unknown> {
  const tags = group.get("ImageTags");
  return { name: group.get("Name") ?? "", tags: tags instanceof DmGroup ? tags.toJSON() : {} };
}
