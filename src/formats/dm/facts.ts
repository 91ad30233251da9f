/**
 * What the tags of a DigitalMicrograph image say beside its samples: axes, instrument, and whether the scan is stored
 * fastest.
 *
 * @module
 */

import { type Instrument, known } from "../../dataset/facts.ts";
import { unitOfSame } from "../common/values.ts";
import { dmAxes } from "./axes.ts";
import { DmGroup } from "./tags.ts";
import type { AxisFacts } from "../../space/axes.ts";
import type { Shape } from "../../space/shape.ts";

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

/** The unit of the samples, where brightness is counted by them. */
export function unitIn(group: DmGroup): unknown {
  const brightness = group.get("ImageData", "Calibrations", "Brightness");
  if (!(brightness instanceof DmGroup)) return undefined;
  return unitOfSame(brightness.get("Units"), brightness.number("Scale"), brightness.number("Origin"));
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
