/**
 * When an image of DigitalMicrograph was taken: its tags have the time in the form of the user's system, or as a number.
 *
 * @module
 */

import type { DmGroup } from "./tags.ts";

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
export function acquiredAt(group: DmGroup): string | undefined {
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
