/**
 * A URL and the requests to it: for its size and version, and for bytes of a range. Every answer is checked to have exactly
 * the requested bytes and version.
 *
 * @module
 */

import { parseUrl as asUrl } from "../../portable.ts";
import { TilewiseError } from "../../errors.ts";
import { byteCount } from "../../space/rules.ts";
import { formatBytes } from "../../space/size.ts";
import { collectBody, fillBody, type Progress } from "./body.ts";
import { type Ask, exchange, refusal, showUrl } from "./exchange.ts";
import { foreignTo, hiddenHeaders } from "./cross_origin.ts";
import {
  conditions,
  difference,
  foreignEncoding,
  parseContentRange,
  type Pins,
  pinsOf,
  showPins,
  unsatisfiedTotal,
} from "./headers.ts";
import { withRetries } from "../source/retry.ts";
import { changedError, type HttpSpec } from "../source/source.ts";
import type { HttpOptions } from "./options.ts";

export type { HttpOptions } from "./options.ts";

/** The URL in `text`; only `http:` and `https:` are read. */
export function parseUrl(text: URL | string): URL {
  const url = asUrl(text);
  if (url && ["http:", "https:"].includes(url.protocol)) return url;
  const found = String(text);
  throw new TilewiseError("invalid", `Cannot read ${found}: it is not an http or https URL`, { found });
}

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
    const timeouts = {
      ...(timeout === undefined ? {} : { timeout }),
      ...(stallTimeout === undefined ? {} : { stallTimeout }),
    };
    const { random: _, ...limits } = retry ?? {};
    return {
      ...(Object.keys(timeouts).length > 0 ? { timeouts } : {}),
      ...(Object.keys(limits).length > 0 ? { retry: limits } : {}),
    };
  }

  /** The current version, or all its bytes if the server cannot send parts. */
  probe(signal?: AbortSignal): Promise<Pins | Uint8Array> {
    const ask = this.#ask(0, 1, {}, signal);
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
          const text = `Cannot read ${this.name}: it has more than the ${most} bytes that it may have`;
          throw new TilewiseError("malformed", text, { file: this.name, expected: most, found: "more" });
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
    if (range?.start !== 0 || range.stop !== 1) throw this.#wrongRange(headers, 0, 1);
    if (range.total !== undefined) return pinsOf(headers, range.total);
    const text = `Cannot read ${this.name} in parts: its server does not tell how large it is`;
    throw new TilewiseError("unsupported", text, { file: this.name });
  }

  async #whole(response: Response, progress: Progress): Promise<Uint8Array> {
    const limit = byteCount("open()", "http.wholeLimit", this.options.wholeLimit ?? 64 * 2 ** 20);
    const bytes = await collectBody(response, limit, this.name, progress);
    if (bytes) return bytes;
    const text =
      `Cannot read ${this.name}: its server does not support range requests, and it is larger than the ` +
      `${formatBytes(limit)} that are read whole; raise wholeLimit, or download it`;
    throw new TilewiseError("unsupported", text, {
      file: this.name,
      option: "http.wholeLimit",
      expected: limit,
    });
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
    const text =
      `Cannot read ${this.name}: the server sends it compressed (${encoding}), though asked not to`;
    throw new TilewiseError("unsupported", text, { file: this.name, expected: "identity", found: encoding });
  }

  #wrongRange(headers: Headers, at: number, length: number): TilewiseError {
    const hidden = headers.get("content-range") === null && hiddenHeaders(this.url, this.name);
    if (hidden) return hidden;
    const expected = `bytes ${at}-${at + length - 1}`;
    const found = headers.get("content-range") ?? "bytes without saying which";
    const text = `Cannot read ${this.name}: asked for ${expected}, the server sent ${found}`;
    return new TilewiseError("io", text, { file: this.name, offset: at, expected, found });
  }

  #ask(at: number, length: number, more: Record<string, string>, signal?: AbortSignal): Ask {
    const { fetch = (url, init) => globalThis.fetch(url, init), allow, timeout, stallTimeout } = this.options;
    return {
      url: this.url,
      own: this.own,
      headers: { range: `bytes=${at}-${at + length - 1}`, "accept-encoding": "identity", ...more },
      length,
      fetch,
      ...(allow ? { allow } : {}),
      ...(timeout === undefined ? {} : { timeout }),
      ...(stallTimeout === undefined ? {} : { stallTimeout }),
      ...(signal ? { signal } : {}),
    };
  }
}
