/**
 * The HTTP headers for the bytes that an answer holds, and for the version of the resource.
 *
 * @module
 */

/** The facts that tell versions of a resource apart. */
export interface Pins {
  /** Bytes in it. */
  readonly size: number;
  /** Its entity tag. */
  readonly etag?: string;
  /** Its time of last change. */
  readonly lastModified?: string;
}

/** What a `Content-Range` header says; `total` is absent where the server does not know it. */
interface ContentRange {
  /** First byte. */
  readonly start: number;
  /** One past the last byte. */
  readonly stop: number;
  /** Bytes of the whole. */
  readonly total?: number;
}

/**
 * The range in a `Content-Range` header; `undefined` when there is none or it is invalid.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(parseContentRange("bytes 0-99/1000"), { start: 0, stop: 100, total: 1000 });
 * assertEquals(parseContentRange("bytes 5-4/1000"), undefined);
 * ```
 */
export function parseContentRange(header: string | null): ContentRange | undefined {
  const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(header?.trim() ?? "");
  if (!match) return undefined;
  const [start, stop] = [Number(match[1]), Number(match[2]) + 1];
  const total = match[3] === "*" ? undefined : Number(match[3]);
  const sane = Number.isSafeInteger(stop) && start < stop && (total === undefined || stop <= total);
  if (!sane || (total !== undefined && !Number.isSafeInteger(total))) return undefined;
  return total === undefined ? { start, stop } : { start, stop, total };
}

/** The total in the `Content-Range` of a 416 answer. */
export function unsatisfiedTotal(headers: Headers): number | undefined {
  const match = /^bytes \*\/(\d+)$/i.exec(headers.get("content-range")?.trim() ?? "");
  return match ? Number(match[1]) : undefined;
}

/** The `Content-Length`; `undefined` when there is none or it is not a count. */
export function contentLength(headers: Headers): number | undefined {
  const text = headers.get("content-length")?.trim() ?? "";
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}

/** The encoding of a body that is not the plain bytes, such as `gzip`. */
export function foreignEncoding(headers: Headers): string | undefined {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  return encoding === "" || encoding === "identity" ? undefined : encoding;
}

/** The version that `headers` describe. */
export function pinsOf(headers: Headers, size: number): Pins {
  const [etag, lastModified] = [headers.get("etag"), headers.get("last-modified")];
  return { size, ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) };
}

/**
 * Headers that make the server answer 412 when the resource is not the pinned version. A weak tag cannot be used
 * for this: by definition it never matches.
 */
export function conditions({ etag, lastModified }: Pins): Record<string, string> {
  if (etag) return etag.startsWith("W/") ? {} : { "if-match": etag };
  return lastModified ? { "if-unmodified-since": lastModified } : {};
}

/** The difference of `now` from the pinned version: what, the old value, the new value. Values that one lacks are not compared. */
export function difference(
  pinned: Pins,
  now: Partial<Pins>,
): [string, string | number, string | number] | undefined {
  if (now.size !== undefined && now.size !== pinned.size) return ["size", pinned.size, now.size];
  if (pinned.etag && now.etag) {
    return opaque(pinned.etag) === opaque(now.etag) ? undefined : ["entity tag", pinned.etag, now.etag];
  }
  if (pinned.lastModified && now.lastModified && pinned.lastModified !== now.lastModified) {
    return ["time of change", pinned.lastModified, now.lastModified];
  }
  return undefined;
}

/** The facts that identify a version, for messages. */
export function showPins({ etag, lastModified }: Pins): string {
  return etag ?? lastModified ?? "unknown";
}

/** The tag without its weak mark, as caches on the way make strong tags weak. */
function opaque(etag: string): string {
  return etag.replace(/^W\//, "");
}
