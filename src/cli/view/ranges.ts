/**
 * Which bytes an answer has: ranges and conditions of requests, after RFC 9110, sections 13 and 14.
 *
 * @module
 */

import type { RequestHeaders } from "./guard.ts";

/** The version of what is served. */
export interface Version {
  /** Bytes in it. */
  readonly size: number;
  /** Its strong entity tag, in quotes. */
  readonly etag: string;
  /** Its last change, in milliseconds. */
  readonly modified: number;
}

/** What to answer: the status, and the bytes from `start` up to `stop` where there are any. */
interface ByteAnswer {
  /** 200, 206, 304, 412 or 416. */
  readonly status: number;
  /** First byte. */
  readonly start: number;
  /** One past the last byte. */
  readonly stop: number;
}

/** What to answer to a request for `version`. */
export function partOf(method: string, headers: RequestHeaders, version: Version): ByteAnswer {
  const { size } = version;
  const nothing = (status: number): ByteAnswer => ({ status, start: 0, stop: 0 });
  const whole: ByteAnswer = { status: 200, start: 0, stop: size };
  const status = condition(headers, version);
  if (status !== undefined) return nothing(status);
  if (method !== "GET" || !mayBePart(headers, version)) return whole;
  const range = rangeOf(textOf(headers["range"]), size);
  if (range === undefined) return whole;
  return range === "unsatisfiable" ? nothing(416) : { status: 206, ...range };
}

/** The status that the conditions of a request ask for, in the order of section 13.2.2; nothing if they hold. */
function condition(headers: RequestHeaders, { etag, modified }: Version): 304 | 412 | undefined {
  const match = textOf(headers["if-match"]), noneMatch = textOf(headers["if-none-match"]);
  const since = date(headers["if-modified-since"]), until = date(headers["if-unmodified-since"]);
  if (match !== undefined) {
    if (!hasTag(match, etag, "strong")) return 412;
  } else if (until !== undefined && seconds(modified) > until) return 412;
  if (noneMatch !== undefined) return hasTag(noneMatch, etag, "weak") ? 304 : undefined;
  return since !== undefined && seconds(modified) <= since ? 304 : undefined;
}

/** Whether `If-Range` lets a request have a part: absent, or exactly this version. */
function mayBePart(headers: RequestHeaders, { etag, modified }: Version): boolean {
  const wanted = textOf(headers["if-range"]);
  if (wanted === undefined) return true;
  return wanted.startsWith('"') ? wanted === etag : date(wanted) === seconds(modified);
}

/**
 * The bytes that a `Range` header asks for; nothing where it is to be ignored: other units, or wrong syntax. More than one
 * range is not satisfied, though it could be: no reader of ours asks for it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(rangeOf("bytes=2-4", 10), { start: 2, stop: 5 });
 * assertEquals(rangeOf("bytes=-3", 10), { start: 7, stop: 10 });
 * assertEquals(rangeOf("bytes=10-", 10), "unsatisfiable");
 * assertEquals(rangeOf("bytes=4-2", 10), undefined);
 * ```
 */
export function rangeOf(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly stop: number } | "unsatisfiable" | undefined {
  const list = /^bytes=(.*)$/i.exec(header ?? "")?.[1];
  const ranges = list?.split(",").map((range) => range.trim()).filter((range) => range !== "") ?? [];
  if (ranges.length === 0 || !ranges.every(isRange)) return undefined;
  if (ranges.length > 1) return "unsatisfiable";
  const [first, last] = ranges[0]!.split("-") as [string, string];
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const stop = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  return start < stop ? { start, stop } : "unsatisfiable";
}

/** Whether a range has the right syntax: not the wrong way round. */
function isRange(range: string): boolean {
  const match = /^(\d*)-(\d*)$/.exec(range);
  if (!match || range === "-") return false;
  const [, first, last] = match;
  return first === "" || last === "" || BigInt(first!) <= BigInt(last!);
}

/** Whether a list of tags has `etag`; strong comparison ignores weak tags. */
function hasTag(list: string, etag: string, comparison: "strong" | "weak"): boolean {
  if (list.trim() === "*") return true;
  const tags = list.match(/(W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => (comparison === "weak" ? tag.replace(/^W\//, "") : tag) === etag);
}

/** A header of a request, which may come several times. */
export function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(", ") : header;
}

/** A date of HTTP in milliseconds; nothing for anything else. */
function date(header: string | string[] | undefined): number | undefined {
  const found = textOf(header);
  const time = found === undefined || !/GMT$/.test(found) ? NaN : Date.parse(found);
  return Number.isNaN(time) ? undefined : time;
}

/** A time as dates of HTTP have it. */
function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000;
}
