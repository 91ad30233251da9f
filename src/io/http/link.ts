/**
 * A URL and the requests to it: for its size and version, and for bytes of a range. Every answer is checked to have exactly
 * the requested bytes and version.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { cannot, TilewiseError } from "../../errors.ts";
import { parseUrl as asUrl } from "../../portable.ts";
import { byteCount } from "../../space/rules.ts";
import { formatBytes } from "../../space/size.ts";
import { TransientError, withRetries } from "../source/watch.ts";
import { changedError, type HttpSpec } from "../source/source.ts";
import { type Ask, exchange, foreignTo, hiddenHeaders, refusal, showUrl } from "./exchange.ts";
import {
  conditions,
  contentLength,
  difference,
  foreignEncoding,
  parseContentRange,
  type Pins,
  pinsOf,
  showPins,
  unsatisfiedTotal,
} from "./headers.ts";
import type { HttpOptions } from "./options.ts";

// Reads the body of an HTTP answer into memory of known size, and no further.

/** Called for every piece of a body that has arrived. */
type Progress = (bytes: number) => void;

/**
 * Fills `into` with the body of `response`, which must have exactly that length. Reading stops as soon as a body is
 * longer, so that an endless body does no harm.
 *
 * @param name names the source, and `at` the offset of its bytes, in errors
 */
async function fillBody(
  response: Response,
  into: Uint8Array,
  name: string,
  at: number,
  progress: Progress = () => {},
): Promise<void> {
  const declared = contentLength(response.headers);
  if (declared !== undefined && declared > into.byteLength) {
    throw tooMany(name, at, into.byteLength, declared);
  }
  let done = 0;
  for await (const piece of pieces(response)) {
    if (done + piece.byteLength > into.byteLength) {
      throw tooMany(name, at, into.byteLength, done + piece.byteLength);
    }
    into.set(piece, done);
    done += piece.byteLength;
    progress(piece.byteLength);
  }
  if (done < into.byteLength) throw tooFew(name, at, into.byteLength, done);
}

/** The whole body of `response`, or `undefined` when it has more than `limit` bytes. */
async function collectBody(
  response: Response,
  limit: number,
  name: string,
  progress: Progress = () => {},
): Promise<Uint8Array | undefined> {
  const declared = contentLength(response.headers);
  if (declared !== undefined) {
    if (declared > limit) return undefined;
    const bytes = new Uint8Array(declared);
    await fillBody(response, bytes, name, 0, progress);
    return bytes;
  }
  const kept: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const piece of pieces(response)) {
    size += piece.byteLength;
    if (size > limit) return undefined;
    kept.push(piece);
    progress(piece.byteLength);
  }
  return new Uint8Array(await new Blob(kept).arrayBuffer());
}

/** The pieces of a body as they come; leaving the loop early ends the transfer. */
async function* pieces(response: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {}); // a failed transfer has already ended
  }
}

function tooMany(file: string, offset: number, expected: number, found: number): TilewiseError {
  const text = `asked for ${expected} bytes at ${offset}, the server sent more`;
  return cannot("read", file, "io", text, { offset, expected, found });
}

function tooFew(file: string, offset: number, expected: number, found: number): TransientError {
  const text = `Cannot read ${file}: asked for ${expected} bytes at ${offset}, the server sent ${found}`;
  return new TransientError("truncated", text, { file, offset, expected, found });
}

export type { HttpOptions } from "./options.ts";

/** The URL in `text`; only `http:` and `https:` are read. */
export function parseUrl(text: URL | string): URL {
  const url = asUrl(text);
  if (url && ["http:", "https:"].includes(url.protocol)) return url;
  const found = String(text);
  throw new TilewiseError("invalid", `Cannot read ${found}: it is not an http or https URL`, { found });
}

/** Bytes of the first question: some servers take an end of 0, as of one byte, for none, and send everything. */
const PROBED = 2;

/** A URL and the requests to it. */
export class HttpLink {
  /** The URL as shown in messages, without secrets. */
  readonly name: string;
  /** Headers of the user. */
  readonly own: Readonly<Record<string, string>>;

  /** A link to `url`; no request is made yet. */
  constructor(/** Where it leads. */ readonly url: URL, private readonly options: HttpOptions) {
    this.name = showUrl(url);
    this.own = options.headers ?? {};
  }

  /** The options for timeouts and retries that can be sent to workers. */
  get limits(): Pick<HttpSpec, "timeouts" | "retry"> {
    const { timeout, stallTimeout, retry } = this.options;
    const timeouts = defined({ timeout, stallTimeout });
    const { random: _, ...limits } = retry ?? {};
    return {
      ...(Object.keys(timeouts).length > 0 ? { timeouts } : {}),
      ...(Object.keys(limits).length > 0 ? { retry: limits } : {}),
    };
  }

  /** The current version, or all its bytes if the server cannot send parts. */
  probe(signal?: AbortSignal): Promise<Pins | Uint8Array> {
    const ask = this.#ask(0, PROBED, {}, signal);
    return withRetries(
      () => exchange(ask, (response, watch) => this.#found(response, (bytes) => watch.progress(bytes))),
      this.options.retry,
      signal,
    );
  }

  /** Fills `into` with the bytes at `at` of the version `pins`. */
  read(into: Uint8Array, at: number, pins: Pins, signal?: AbortSignal): Promise<void> {
    const isHere = foreignTo(this.url) === undefined; // many servers refuse conditions of other origins
    const ask = this.#ask(at, into.byteLength, isHere ? conditions(pins) : {}, signal);
    return withRetries(
      () =>
        exchange(ask, async (response, watch) => {
          this.#checkAnswer(response, at, into.byteLength, pins);
          await fillBody(response, into, this.name, at, (bytes) => watch.progress(bytes));
        }),
      this.options.retry,
      signal,
    );
  }

  /**
   * All bytes, at most `most`, with one request; its headers go to `look` before the body is read. Errors: `not-found`,
   * `malformed` if there are more.
   */
  all(most: number, look: (headers: Headers) => void, signal?: AbortSignal): Promise<Uint8Array> {
    const { range: _, ...headers } = this.#ask(0, 0, {}, signal).headers as Record<string, string>;
    const ask = { ...this.#ask(0, most, {}, signal), headers };
    return withRetries(
      () =>
        exchange(ask, async (response, watch) => {
          if (response.status !== 200) throw refusal(response, this.url);
          this.#checkPlain(response.headers);
          look(response.headers);
          const bytes = await collectBody(response, most, this.name, (count) => watch.progress(count));
          if (bytes) return bytes;
          const text = `it has more than the ${most} bytes that it may have`;
          throw cannot("read", this.name, "malformed", text, { expected: most, found: "more" });
        }),
      this.options.retry,
      signal,
    );
  }

  /** Throws `changed` where `now` differs from the pinned version. */
  checkVersion(pinned: Pins, now: Partial<Pins>): void {
    const changed = difference(pinned, now);
    if (changed) throw changedError(this.name, ...changed);
  }

  async #found(response: Response, progress: Progress): Promise<Pins | Uint8Array> {
    const { status, headers } = response;
    if (status === 416 && unsatisfiedTotal(headers) === 0) return pinsOf(headers, 0);
    if (status !== 200 && status !== 206) throw refusal(response, this.url);
    this.#checkPlain(headers);
    if (status === 200) return await this.#whole(response, progress);
    const range = parseContentRange(headers.get("content-range"));
    if (range?.start !== 0 || range.stop !== Math.min(PROBED, range.total ?? range.stop)) {
      throw this.#wrongRange(headers, 0, PROBED);
    }
    if (range.total !== undefined) return pinsOf(headers, range.total);
    const text = `Cannot read ${this.name} in parts: its server does not tell how large it is`;
    throw new TilewiseError("unsupported", text, { file: this.name });
  }

  async #whole(response: Response, progress: Progress): Promise<Uint8Array> {
    const limit = byteCount("open()", "http.wholeLimit", this.options.wholeLimit ?? 64 * 2 ** 20);
    const bytes = await collectBody(response, limit, this.name, progress);
    if (bytes) return bytes;
    const text = "its server does not support range requests, and it is larger than the " +
      `${formatBytes(limit)} that are read whole; raise wholeLimit, or download it`;
    throw cannot("read", this.name, "unsupported", text, { option: "http.wholeLimit", expected: limit });
  }

  #checkAnswer(response: Response, at: number, length: number, pins: Pins): void {
    const { status, headers } = response;
    if (status === 412) {
      throw changedError(this.name, "version", showPins(pins), showPins(pinsOf(headers, 0)));
    }
    if (status === 416) {
      throw changedError(
        this.name,
        "size",
        pins.size,
        unsatisfiedTotal(headers) ?? "too small for the range",
      );
    }
    if (status !== 206 && status !== 200) throw refusal(response, this.url);
    this.checkVersion(pins, pinsOf(headers, pins.size));
    this.#checkPlain(headers);
    const range = parseContentRange(headers.get("content-range"));
    if (range?.total !== undefined) this.checkVersion(pins, { size: range.total });
    // A 200 holds the whole file, which is a valid answer only when the whole file was requested.
    const found = status === 200 ? { start: 0, stop: pins.size } : range;
    if (found?.start !== at || found.stop !== at + length) throw this.#wrongRange(headers, at, length);
  }

  #checkPlain(headers: Headers): void {
    const encoding = foreignEncoding(headers);
    if (!encoding) return;
    const text = `the server sends it compressed (${encoding}), though asked not to`;
    throw cannot("read", this.name, "unsupported", text, { expected: "identity", found: encoding });
  }

  #wrongRange(headers: Headers, at: number, length: number): TilewiseError {
    const hidden = headers.get("content-range") === null && hiddenHeaders(this.url, this.name);
    if (hidden) return hidden;
    const expected = `bytes ${at}-${at + length - 1}`;
    const found = headers.get("content-range") ?? "bytes without saying which";
    const text = `asked for ${expected}, the server sent ${found}`;
    return cannot("read", this.name, "io", text, { offset: at, expected, found });
  }

  #ask(at: number, length: number, more: Record<string, string>, signal?: AbortSignal): Ask {
    const { fetch = (url, init) => globalThis.fetch(url, init), allow, timeout, stallTimeout } = this.options;
    return {
      url: this.url,
      own: this.own,
      headers: { range: `bytes=${at}-${at + length - 1}`, "accept-encoding": "identity", ...more },
      length,
      fetch,
      ...defined({ allow, timeout, stallTimeout, signal }),
    };
  }
}
